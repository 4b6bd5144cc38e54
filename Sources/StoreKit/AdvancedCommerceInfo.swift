import Foundation

// What a purchase by the Advanced Commerce API says. The daemon makes none; a payload of Apple's
// may have it. A text that the payload lacks is empty, and an amount that it lacks is not a number
// (`Decimal.nan`): nothing is made up.
extension Transaction {
  /// What an Advanced Commerce purchase is of.
  public struct AdvancedCommerceInfo: Hashable, Sendable {
    /// One of the things bought.
    public struct Item: Hashable, Sendable {
      /// What it is, and what it costs.
      public struct Details: Hashable, Sendable {
        public let sku: String
        public let displayName: String
        public let description: String
        public let offer: Offer?
        public let price: Decimal
      }

      public let details: Details
      public let refunds: [Refund]?
      /// When it was taken back.
      public let revocationDate: Date?
    }

    /// A lower price for a time.
    public struct Offer: Hashable, Sendable {
      /// What an offer is for. Raw values are those of Apple's signed payloads.
      public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let acquisition = Reason(rawValue: "ACQUISITION")
        public static let retention = Reason(rawValue: "RETENTION")
        public static let winBack = Reason(rawValue: "WIN_BACK")
      }

      public let price: Decimal
      public let period: Product.SubscriptionPeriod
      public let periodCount: Int
      public let reason: Reason
    }

    /// Money that was given back.
    public struct Refund: Hashable, Sendable {
      /// Why. Raw values are those of Apple's signed payloads.
      public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let legal = Reason(rawValue: "LEGAL")
        public static let modifyItems = Reason(rawValue: "MODIFY_ITEMS_REFUND")
        public static let unintended = Reason(rawValue: "UNINTENDED_PURCHASE")
        public static let unfulfilled = Reason(rawValue: "FULFILLMENT_ISSUE")
        public static let unsatisfied = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
        public static let other = Reason(rawValue: "OTHER")
      }

      /// How much of it. Raw values are those of Apple's signed payloads.
      public struct RefundType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let custom = RefundType(rawValue: "CUSTOM")
        public static let proRated = RefundType(rawValue: "PRORATED")
        public static let full = RefundType(rawValue: "FULL")
      }

      public let reason: Reason
      public let type: RefundType
      public let date: Date
      public let amount: Decimal
    }

    public let requestReferenceID: String
    public let estimatedTax: Decimal
    /// A fraction: 0.15.
    public let taxRate: Decimal
    public let taxCode: String
    public let taxExclusivePrice: Decimal
    public let description: String?
    public let displayName: String?
    public let period: Product.SubscriptionPeriod?
    public let items: [Item]
  }
}

extension Product.SubscriptionInfo.RenewalInfo {
  /// What an Advanced Commerce subscription renews.
  public struct AdvancedCommerceInfo: Hashable, Sendable {
    /// One of the things that renew.
    public struct Item: Hashable, Sendable {
      public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

      public let details: Details
    }

    public let consistencyToken: String
    public let requestReferenceID: String
    public let taxCode: String
    public let description: String
    public let displayName: String
    public let period: Product.SubscriptionPeriod
    public let items: [Item]
  }
}

// MARK: Reading

extension Transaction.AdvancedCommerceInfo {
  init(_ payload: SignedPayload) {
    let descriptors = payload.object("descriptors")
    requestReferenceID = payload.text("requestReferenceId") ?? ""
    estimatedTax = payload.amount("estimatedTax") ?? .nan
    taxRate = payload.text("taxRate").flatMap { Decimal(string: $0) } ?? .nan
    taxCode = payload.text("taxCode") ?? ""
    taxExclusivePrice = payload.amount("taxExclusivePrice") ?? .nan
    description = descriptors?.text("description")
    displayName = descriptors?.text("displayName")
    period = payload.period("period")
    items = (payload.objects("items") ?? []).map(Item.init)
  }
}

extension Transaction.AdvancedCommerceInfo.Item {
  fileprivate init(_ payload: SignedPayload) {
    details = Details(payload)
    refunds = payload.objects("refunds")?.map(Transaction.AdvancedCommerceInfo.Refund.init)
    revocationDate = payload.date("revocationDate")
  }
}

extension Transaction.AdvancedCommerceInfo.Item.Details {
  fileprivate init(_ payload: SignedPayload) {
    sku = payload.text("SKU") ?? ""
    displayName = payload.text("displayName") ?? ""
    description = payload.text("description") ?? ""
    offer = payload.object("offer").flatMap(Transaction.AdvancedCommerceInfo.Offer.init)
    price = payload.amount("price") ?? .nan
  }
}

extension Transaction.AdvancedCommerceInfo.Offer {
  /// Nil without a period, which has no empty value.
  fileprivate init?(_ payload: SignedPayload) {
    guard let period = payload.period("period") else { return nil }
    self.period = period
    price = payload.amount("price") ?? .nan
    periodCount = payload.integer("periodCount").flatMap(Int.init(exactly:)) ?? 1
    reason = Reason(rawValue: payload.text("reason") ?? "")
  }
}

extension Transaction.AdvancedCommerceInfo.Refund {
  fileprivate init(_ payload: SignedPayload) {
    reason = Reason(rawValue: payload.text("refundReason") ?? "")
    type = RefundType(rawValue: payload.text("refundType") ?? "")
    date = payload.date("refundDate") ?? .distantPast
    amount = payload.amount("refundAmount") ?? .nan
  }
}

extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo {
  /// Nil without a period, which has no empty value.
  init?(_ payload: SignedPayload) {
    guard let period = payload.period("period") else { return nil }
    let descriptors = payload.object("descriptors")
    self.period = period
    consistencyToken = payload.text("consistencyToken") ?? ""
    requestReferenceID = payload.text("requestReferenceId") ?? ""
    taxCode = payload.text("taxCode") ?? ""
    description = descriptors?.text("description") ?? ""
    displayName = descriptors?.text("displayName") ?? ""
    items = (payload.objects("items") ?? []).map { Item(details: .init($0)) }
  }
}
