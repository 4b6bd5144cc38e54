import Foundation

extension Product {
  /// An offer of a subscription.
  public struct SubscriptionOffer: Hashable, Sendable {
    /// Which customers an offer is for.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let introductory = OfferType(rawValue: "Introductory")
      public static let promotional = OfferType(rawValue: "Promotional")
      public static let winBack = OfferType(rawValue: "WinBack")

      /// The type in English words.
      public var localizedDescription: String { rawValue }
    }

    /// How an offer is paid.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
      public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
      public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

      /// The mode in English words.
      public var localizedDescription: String { rawValue }
    }

    /// What a server signed so that a promotional offer may be redeemed.
    public struct Signature: Hashable, Sendable {
      public var keyID: String
      public var nonce: UUID
      /// Milliseconds since 1970 UTC.
      public var timestamp: Int
      public var signature: Data

      public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
      }
    }

    /// Nil for an introductory offer.
    public let id: String?
    public let type: OfferType
    public let price: Decimal
    public let displayPrice: String
    /// The length of one period of the offer.
    public let period: SubscriptionPeriod
    public let periodCount: Int
    public let paymentMode: PaymentMode
  }
}
