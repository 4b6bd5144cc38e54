import Foundation

// The small types of a transaction. Raw values are those of Apple's signed payloads.
extension Transaction {
  /// Whether it was bought or came by renewal.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let purchase = Reason(rawValue: "PURCHASE")
    public static let renewal = Reason(rawValue: "RENEWAL")
  }

  /// Why the store took it back.
  public struct RevocationReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let other = RevocationReason(rawValue: 0)
    public static let developerIssue = RevocationReason(rawValue: 1)

    /// The reason in English words.
    public var localizedDescription: String {
      switch self {
      case .other: "Other"
      case .developerIssue: "Issue with the app"
      default: "Reason \(rawValue)"
      }
    }
  }

  /// What kind of taking back it was.
  public struct RevocationType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
  }

  /// The kind of the offer it was bought with.
  public struct OfferType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let introductory = OfferType(rawValue: 1)
    public static let promotional = OfferType(rawValue: 2)
    public static let code = OfferType(rawValue: 3)
    public static let winBack = OfferType(rawValue: 4)

    /// The kind in English words.
    public var localizedDescription: String {
      switch self {
      case .introductory: "Introductory"
      case .promotional: "Promotional"
      case .code: "Code"
      case .winBack: "Win-back"
      default: "Offer \(rawValue)"
      }
    }
  }

  /// Whether the account bought it or has it by Family Sharing.
  public struct OwnershipType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
  }

  /// The offer it was bought with.
  public struct Offer: Hashable, Sendable {
    /// How the offer is paid.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
      public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
    }

    /// Nil for an introductory offer.
    public let id: String?
    public let type: OfferType
    public let paymentMode: PaymentMode?
    /// How long the whole offer lasts.
    public let period: Product.SubscriptionPeriod?

    /// Nil where the payload names no offer.
    init?(_ payload: SignedPayload) {
      guard let number = payload.integer("offerType").flatMap(Int.init(exactly:)) else {
        return nil
      }
      id = payload.text("offerIdentifier")
      type = OfferType(rawValue: number)
      paymentMode = payload.text("offerDiscountType").map(PaymentMode.init(rawValue:))
      period = payload.text("offerPeriod").flatMap(Product.SubscriptionPeriod.init(iso8601:))
    }
  }

  /// Why a refund could not be asked for.
  public enum RefundRequestError: Error, Hashable, Sendable {
    case duplicateRequest
    case failed
  }

  /// How a request for a refund ended.
  public enum RefundRequestStatus: Hashable, Sendable {
    case success
    case userCancelled
  }
}

extension Transaction.RefundRequestError: LocalizedError {
  /// One sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .duplicateRequest: "A refund was asked for already."
    case .failed: "The refund could not be asked for."
    }
  }
}

// Older names of the same.
extension Transaction {
  @available(*, deprecated, renamed: "revocationType.rawValue")
  public var revocationTypeStringRepresentation: String? { revocationType?.rawValue }

  @available(*, deprecated, renamed: "offer.type")
  public var offerType: OfferType? { offer?.type }

  @available(*, deprecated, renamed: "offer.id")
  public var offerID: String? { offer?.id }

  @available(*, deprecated, renamed: "offer.paymentMode")
  public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

  @available(*, deprecated, renamed: "offer.period")
  public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }

  @available(*, deprecated, renamed: "environment")
  public var environmentStringRepresentation: String { environment.rawValue }

  @available(*, deprecated, renamed: "reason")
  public var reasonStringRepresentation: String { reason.rawValue }

  @available(*, deprecated, renamed: "storefront.countryCode")
  public var storefrontCountryCode: String { storefront.countryCode }

  @available(*, deprecated, renamed: "currency")
  public var currencyCode: String? { currency?.identifier }
}
