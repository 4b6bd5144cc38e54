internal import Client
import Foundation
import FoundationNetworking

/// The daemon's errors as StoreKit names them.
enum StoreFailure {
  /// The error of StoreKit 2 that says the same; one of StoreKit's own stays as it is.
  static func storeKitError(_ error: any Error) -> any Error {
    guard let error = error as? ClientError else {
      return error is RenewdConnectionError ? StoreKitError.systemError(error) : error
    }
    switch error {
    case .transport(.interrupted): return CancellationError()
    case .transport(let transport): return StoreKitError.networkError(urlError(transport))
    case .refused(let refusal):
      return purchaseError(refusal.reason) ?? StoreKitError.systemError(refusal)
    }
  }

  /// What the daemon refused, under an error of StoreKit's.
  static func refusal(_ error: any Error) -> RenewdError? {
    guard case .systemError(let error) = error as? StoreKitError else { return nil }
    return error as? RenewdError
  }

  private static func urlError(_ transport: TransportError) -> URLError {
    let code: URLError.Code =
      switch transport {
      case .unreachable, .addressEmpty, .addressTooLong: .cannotConnectToHost
      case .permissionDenied: .noPermissionsToReadFile
      case .timedOut: .timedOut
      case .malformedReply, .unexpectedAnswer: .badServerResponse
      case .closed, .interrupted, .system: .networkConnectionLost
      }
    return URLError(code, userInfo: [NSLocalizedDescriptionKey: "\(transport)"])
  }

  private static func purchaseError(_ reason: RenewdError.Reason) -> (any Error)? {
    switch reason {
    case .productNotFound: Product.PurchaseError.productUnavailable
    case .invalidQuantity: Product.PurchaseError.invalidQuantity
    case .ineligibleForOffer(let reason): offerError(reason)
    case .invalidParameter(name: "storefront", _): StoreKitError.notAvailableInStorefront
    case .simulatedError(_, let name): simulated(name)
    default: nil
    }
  }

  /// The error that a tester makes StoreKit fail with, by its name; nil for those of checks, which
  /// are no call's.
  private static func simulated(_ name: String) -> (any Error)? {
    switch name {
    case "unknown": StoreKitError.unknown
    case "userCancelled": StoreKitError.userCancelled
    case "networkError": StoreKitError.networkError(URLError(.networkConnectionLost))
    case "notAvailableInStorefront": StoreKitError.notAvailableInStorefront
    case "notEntitled": StoreKitError.notEntitled
    case "unsupported": StoreKitError.unsupported
    case "duplicateRequest": Transaction.RefundRequestError.duplicateRequest
    case "failed": Transaction.RefundRequestError.failed
    default: Product.PurchaseError.allCases.first { "\($0)" == name }
    }
  }
}

extension StoreFailure {
  /// The daemon's reasons begin with what is wrong of a signature.
  private static func offerError(_ reason: String) -> Product.PurchaseError {
    if reason.hasPrefix("invalid signature:") { return .invalidOfferSignature }
    if reason.hasPrefix("missing parameters:") { return .missingOfferParameters }
    return .ineligibleForOffer
  }
}

extension SKError {
  /// The error of the original interface that says the same.
  static func original(_ error: any Error) -> SKError {
    if let error = error as? SKError { return error }
    let code: Code =
      switch error {
      case let error as Product.PurchaseError: code(error)
      case let error as StoreKitError: code(error)
      case is CancellationError: .paymentCancelled
      default: .unknown
      }
    return SKError(code, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
  }

  private static func code(_ error: Product.PurchaseError) -> Code {
    switch error {
    case .invalidQuantity: .paymentInvalid
    case .productUnavailable: .storeProductNotAvailable
    case .purchaseNotAllowed: .paymentNotAllowed
    case .ineligibleForOffer: .ineligibleForOffer
    case .invalidOfferIdentifier: .invalidOfferIdentifier
    case .invalidOfferPrice: .invalidOfferPrice
    case .invalidOfferSignature: .invalidSignature
    case .missingOfferParameters: .missingOfferParams
    }
  }

  private static func code(_ error: StoreKitError) -> Code {
    switch error {
    case .unknown, .networkError, .systemError: .unknown
    case .userCancelled: .paymentCancelled
    case .notAvailableInStorefront: .storeProductNotAvailable
    case .notEntitled: .clientInvalid
    case .unsupported: .unsupportedPlatform
    }
  }
}
