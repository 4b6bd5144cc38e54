/// What of StoreKit can be told to fail (Domain.md 6.1, `FailableStoreKitAPI`), in the order in
/// which a `.storekit` file lists it.
public enum SimulatedAPI: UInt8, Sendable, CaseIterable {
  case loadProducts = 0
  case purchase = 1
  case verification = 2
  case appStoreSync = 3
  case subscriptionStatus = 4
  case appTransaction = 5
  case manageSubscriptions = 6
  case refundRequest = 7
  case offerCodeRedeem = 8

  public var name: String { "\(self)" }

  public init?(name: String) {
    guard let api = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = api
  }

  /// The errors that it can fail with.
  public var errors: [SimulatedError] {
    SimulatedError.allCases.filter { error in
      switch error.family {
      case .generic: self != .verification
      case .purchase: self == .purchase
      case .verification: self == .verification
      case .refundRequest: self == .refundRequest
      }
    }
  }
}

/// An error of StoreKit's, by its name there.
public enum SimulatedError: UInt8, Sendable, CaseIterable {
  // StoreKitError
  case unknown = 0
  case userCancelled = 1
  case networkError = 2
  case systemError = 3
  case notAvailableInStorefront = 4
  case notEntitled = 5
  case unsupported = 6
  // Product.PurchaseError
  case invalidQuantity = 16
  case productUnavailable = 17
  case purchaseNotAllowed = 18
  case ineligibleForOffer = 19
  case invalidOfferIdentifier = 20
  case invalidOfferPrice = 21
  case invalidOfferSignature = 22
  case missingOfferParameters = 23
  // VerificationResult.VerificationError
  case revokedCertificate = 32
  case invalidCertificateChain = 33
  case invalidDeviceVerification = 34
  case invalidEncoding = 35
  case invalidSignature = 36
  case missingRequiredProperties = 37
  // Transaction.RefundRequestError
  case duplicateRequest = 48
  case failed = 49

  /// The Swift error type that it is of.
  public enum Family: Sendable {
    case generic, purchase, verification, refundRequest
  }

  public var family: Family {
    switch rawValue {
    case 0..<16: .generic
    case 16..<32: .purchase
    case 32..<48: .verification
    default: .refundRequest
    }
  }

  public var name: String { "\(self)" }

  public init?(name: String) {
    guard let error = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = error
  }
}
