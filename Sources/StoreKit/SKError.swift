import Foundation

/// The domain of the original interface's errors.
public let SKErrorDomain = "SKErrorDomain"

/// What can go wrong in the original interface.
public struct SKError: Error, CustomNSError, Hashable, Sendable {
  /// Raw values are those of Apple's header.
  public enum Code: Int, Sendable {
    case unknown = 0
    case clientInvalid
    case paymentCancelled
    case paymentInvalid
    case paymentNotAllowed
    case storeProductNotAvailable
    case cloudServicePermissionDenied
    case cloudServiceNetworkConnectionFailed
    case cloudServiceRevoked
    case privacyAcknowledgementRequired
    case unauthorizedRequestData
    case invalidOfferIdentifier
    case invalidSignature
    case missingOfferParams
    case invalidOfferPrice
    case overlayCancelled
    case overlayInvalidConfiguration
    case overlayTimeout
    case ineligibleForOffer
    case unsupportedPlatform
    case overlayPresentedInBackgroundScene
  }

  public let code: Code
  private let text: String

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    text = userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)"
  }

  public static var errorDomain: String { SKErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }
  public var userInfo: [String: Any] { errorUserInfo }
  public var localizedDescription: String { text }
}

extension SKError {
  public static let unknown = Code.unknown
  public static let clientInvalid = Code.clientInvalid
  public static let paymentCancelled = Code.paymentCancelled
  public static let paymentInvalid = Code.paymentInvalid
  public static let paymentNotAllowed = Code.paymentNotAllowed
  public static let storeProductNotAvailable = Code.storeProductNotAvailable
  public static let cloudServicePermissionDenied = Code.cloudServicePermissionDenied
  public static let cloudServiceNetworkConnectionFailed = Code.cloudServiceNetworkConnectionFailed
  public static let cloudServiceRevoked = Code.cloudServiceRevoked
  public static let privacyAcknowledgementRequired = Code.privacyAcknowledgementRequired
  public static let unauthorizedRequestData = Code.unauthorizedRequestData
  public static let invalidOfferIdentifier = Code.invalidOfferIdentifier
  public static let invalidSignature = Code.invalidSignature
  public static let missingOfferParams = Code.missingOfferParams
  public static let invalidOfferPrice = Code.invalidOfferPrice
  public static let overlayCancelled = Code.overlayCancelled
  public static let overlayInvalidConfiguration = Code.overlayInvalidConfiguration
  public static let overlayTimeout = Code.overlayTimeout
  public static let ineligibleForOffer = Code.ineligibleForOffer
  public static let unsupportedPlatform = Code.unsupportedPlatform
  public static let overlayPresentedInBackgroundScene = Code.overlayPresentedInBackgroundScene
}

extension SKError.Code {
  /// Lets a code catch an error: `catch SKError.paymentCancelled`.
  public static func ~= (code: SKError.Code, error: any Error) -> Bool {
    (error as? SKError)?.code == code
  }
}
