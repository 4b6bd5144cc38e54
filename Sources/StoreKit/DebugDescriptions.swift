import Foundation

// What a debugger shows: the JSON where there is some.

extension Product: CustomDebugStringConvertible {
  /// The product as JSON.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Transaction: CustomDebugStringConvertible {
  /// The payload that was signed.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
  /// The payload that was signed.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension AppTransaction: CustomDebugStringConvertible {
  /// The payload that was signed.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension VerificationResult: CustomDebugStringConvertible
where SignedType: CustomDebugStringConvertible {
  /// The outcome of the check, and what was signed.
  public var debugDescription: String {
    switch self {
    case .verified(let value): "verified: \(value.debugDescription)"
    case .unverified(let value, let error): "unverified, \(error): \(value.debugDescription)"
    }
  }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
  /// A count and a unit: `3 months`.
  public var debugDescription: String { unit.counted(value) }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
  /// The unit in an English word.
  public var debugDescription: String { localizedDescription }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
  /// The option's name and what it says; a signature's bytes are left out.
  public var debugDescription: String {
    switch kind {
    case .appAccountToken(let token): "appAccountToken: \(token)"
    case .quantity(let quantity): "quantity: \(quantity)"
    case .promotionalOffer(let id, _), .signedPromotionalOffer(let id, _):
      "promotionalOffer: \(id)"
    case .winBackOffer(let offer): "winBackOffer: \(offer.id ?? "")"
    case .introductoryOfferEligibility: "introductoryOfferEligibility"
    case .simulatesAskToBuyInSandbox(let simulates): "simulatesAskToBuyInSandbox: \(simulates)"
    case .storefrontChange: "onStorefrontChange"
    case .billingPlanType(let type): "billingPlanType: \(type.rawValue)"
    case .custom(let key, let value): "\(key): \(value.words)"
    }
  }
}

extension Product.PurchaseOption.CustomValue {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .truth(let truth): "\(truth)"
    case .bytes(let bytes): "\(bytes)"
    }
  }
}
