import Foundation
import FoundationNetworking

/// What can go wrong between an app and the store.
public enum StoreKitError: Error, Sendable {
  case unknown
  case userCancelled
  case networkError(URLError)
  /// The daemon's own refusal, or what the connection lacks.
  case systemError(any Error)
  case notAvailableInStorefront
  case notEntitled
  case unsupported
}

extension StoreKitError: LocalizedError {
  /// One sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .unknown: "An unknown error occurred."
    case .userCancelled: "The request was cancelled."
    case .networkError: "The store cannot be reached."
    case .systemError(let error):
      "The store refused: \((error as? any LocalizedError)?.errorDescription ?? "\(error)")"
    case .notAvailableInStorefront: "This is not available in the storefront."
    case .notEntitled: "The app may not do this."
    case .unsupported: "This is not supported."
    }
  }

  /// What to do about it, in one sentence for a person.
  public var recoverySuggestion: String? {
    switch self {
    case .unsupported:
      "Leave out the purchase option that the daemon does not sell: a billing plan that is not "
        + "among the product's pricing terms, or a simulated Ask to Buy."
    case .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront,
      .notEntitled:
      nil
    }
  }
}

extension Product {
  /// Why a purchase was not possible.
  public enum PurchaseError: Error, CaseIterable, Hashable, Sendable {
    case invalidQuantity
    case productUnavailable
    case purchaseNotAllowed
    case ineligibleForOffer
    case invalidOfferIdentifier
    case invalidOfferPrice
    case invalidOfferSignature
    case missingOfferParameters
  }
}

extension Product.PurchaseError: LocalizedError {
  /// One sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .invalidQuantity: "The quantity is not valid."
    case .productUnavailable: "The product is not available."
    case .purchaseNotAllowed: "The purchase is not allowed."
    case .ineligibleForOffer: "The customer is not eligible for the offer."
    case .invalidOfferIdentifier: "The offer's identifier is not valid."
    case .invalidOfferPrice: "The offer's price is not valid."
    case .invalidOfferSignature: "The offer's signature is not valid."
    case .missingOfferParameters: "The offer lacks a parameter."
    }
  }
}
