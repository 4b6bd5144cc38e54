import Foundation

/// The domain of the original interface's errors.
public let SKErrorDomain = "SKErrorDomain"

/// What can go wrong in the original interface: an `NSError` of `SKErrorDomain`. Each is cast to
/// the other with `as`.
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

  /// The error as Foundation has it.
  // swift-format-ignore: NoLeadingUnderscores
  public let _nsError: NSError

  /// Takes an error of `SKErrorDomain`; one of another domain is a programmer's error.
  public init(_nsError error: NSError) {
    precondition(
      error.domain == SKErrorDomain, "an error of \(error.domain) is none of \(SKErrorDomain)")
    _nsError = error
  }

  /// An error that says its code in words, unless `userInfo` has other ones.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let words = [NSLocalizedDescriptionKey: "\(code)" as Any]
    _nsError = NSError(
      domain: SKErrorDomain, code: code.rawValue, userInfo: words.merging(userInfo) { $1 })
  }

  /// What went wrong; `unknown` for a number that has no name here, which `errorCode` tells.
  public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
  public static var errorDomain: String { SKErrorDomain }
  public var errorCode: Int { _nsError.code }
  public var errorUserInfo: [String: Any] { _nsError.userInfo }
  public var userInfo: [String: Any] { _nsError.userInfo }
  public var localizedDescription: String { _nsError.localizedDescription }
}

/// What `as` goes by.
extension SKError: _ObjectiveCBridgeable {
  // swift-format-ignore: NoLeadingUnderscores
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  // swift-format-ignore: NoLeadingUnderscores
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
    result = SKError(_nsError: source)
  }

  // swift-format-ignore: NoLeadingUnderscores
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout SKError?
  ) -> Bool {
    result = source.domain == SKErrorDomain ? SKError(_nsError: source) : nil
    return result != nil
  }

  // swift-format-ignore: NoLeadingUnderscores
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
    guard let source else { return SKError(.unknown) }
    return SKError(_nsError: source)
  }
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
