/// A product's number in the state's product table.
public typealias ProductNumber = UInt32
/// An account's number: the order in which accounts were opened.
public typealias AccountNumber = UInt32
/// A subscription line's number: the order in which lines were started.
public typealias LineNumber = UInt32
/// A clock's number in the state's clock table.
public typealias ClockNumber = UInt16
/// A number that stands for "none of them" in dense records.
public let noNumber = UInt32.max
/// A number that stands for a storefront nobody told.
public let noStorefront = UInt16.max

/// Why a transaction came to be (Domain.md 3.1, transactionReason).
public enum TransactionReason: UInt8, Sendable {
  case purchase = 0
  case renewal = 1
}

/// How its owner has it (Domain.md 3.1, inAppOwnershipType).
public enum Ownership: UInt8, Sendable {
  case purchased = 0
  case familyShared = 1
}

/// An offer as it stands on one transaction or on the next renewal: fixed size, no text.
public struct AppliedOffer: Hashable, Sendable {
  public var kind: OfferKind
  public var paymentMode: PaymentMode
  /// The whole length of the offer: P1M × 3 is P3M.
  public var period: Period
  /// The offer identifier's number in the state's text table; `noNumber` for introductory ones.
  public var identifier: UInt32

  public init(
    kind: OfferKind, paymentMode: PaymentMode, period: Period, identifier: UInt32 = noNumber
  ) {
    self.kind = kind
    self.paymentMode = paymentMode
    self.period = period
    self.identifier = identifier
  }
}

/// An offer that begins when the one before it is over, and what a period of it costs.
public struct StackedOffer: Hashable, Sendable {
  public var offer: AppliedOffer
  /// Milliunits.
  public var price: Int64

  public init(offer: AppliedOffer, price: Int64) {
    self.offer = offer
    self.price = price
  }
}

/// What took a transaction back (Domain.md 3.1, revocationType).
public enum RevocationType: UInt8, Sendable {
  case refundFull = 0
  case refundProrated = 1
  case familyRevoke = 2
}

/// A transaction's being taken back.
public struct Revocation: Hashable, Sendable {
  public var date: Instant
  public var type: RevocationType
  /// 0 other, 1 an issue with the app.
  public var reason: UInt8
  /// The share refunded, in milliunits of a percent: 50000 is 50 %.
  public var percentage: Int32
  /// All of it, in milliunits of a percent.
  public static let whole: Int32 = 100_000

  public init(date: Instant, type: RevocationType, reason: UInt8, percentage: Int32) {
    self.date = date
    self.type = type
    self.reason = reason
    self.percentage = percentage
  }
}

/// One period or purchase: the facts Apple's signed transaction carries, in a fixed-size record
/// without text. What never changes within a line (its account, group, original date) is the
/// line's.
public struct Transaction: Hashable, Sendable {
  public var id: UInt64
  public var originalID: UInt64
  /// The period's identity across devices; 0 for anything but a subscription.
  public var webOrderLineItemID: UInt64
  public var purchaseDate: Instant
  /// The end of the period, half-open; `.never` for anything but a subscription.
  public var expiresDate: Instant
  public var signedDate: Instant
  /// Milliunits, quantity and offer included.
  public var price: Int64
  public var product: ProductNumber
  public var quantity: Int32
  /// The length sold: the product's period, or the offer's for a trial or a payment up front.
  /// Zero days for anything but a subscription.
  public var period: Period
  /// Number in `Storefront.all`.
  public var storefront: UInt16
  public var reason: TransactionReason
  public var ownership: Ownership
  public var isUpgraded: Bool
  public var isFinished: Bool
  /// The appAccountToken of the purchase, or of the one that a renewal follows. What a member of a
  /// family has carries none, whatever stands here.
  public var token: TokenReference
  public var offer: AppliedOffer?
  public var revocation: Revocation?

  public init(
    id: UInt64, originalID: UInt64, webOrderLineItemID: UInt64 = 0, purchaseDate: Instant,
    expiresDate: Instant = .never, signedDate: Instant, price: Int64, product: ProductNumber,
    quantity: Int32 = 1, storefront: UInt16, reason: TransactionReason = .purchase,
    period: Period = .none, ownership: Ownership = .purchased,
    token: TokenReference = .opening, offer: AppliedOffer? = nil
  ) {
    self.id = id
    self.originalID = originalID
    self.webOrderLineItemID = webOrderLineItemID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.signedDate = signedDate
    self.price = price
    self.product = product
    self.quantity = quantity
    self.period = period
    self.storefront = storefront
    self.reason = reason
    self.ownership = ownership
    self.isUpgraded = false
    self.isFinished = false
    self.token = token
    self.offer = offer
    self.revocation = nil
  }

  /// The id that a sale of this store's was made under, whatever restores have called it since
  /// (Domain.md 8, case 35): it names the period, or the purchase outside a subscription.
  public var soldID: UInt64 {
    webOrderLineItemID == 0 ? originalID : webOrderLineItemID &- Limits.webOrderLineItemOffset
  }
}
