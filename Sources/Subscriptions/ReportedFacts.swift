/// A signed transaction as it was read, its texts not yet numbered. What makes no sense without
/// (an id, a product, a purchase date, a signed date) has been checked for at the edge.
public struct ReportedTransaction: Hashable, Sendable {
  public var id: UInt64
  public var originalID: UInt64
  public var webOrderLineItemID: UInt64 = 0
  public var productID: String
  public var groupID: String?
  public var type: ProductType
  public var purchaseDate: Instant
  public var originalPurchaseDate: Instant
  public var expiresDate = Instant.never
  public var quantity: Int32 = 1
  /// Milliunits; nil on data older than the field.
  public var price: Int64?
  public var currency: String?
  /// ISO 3166-1 alpha-3; nil on data older than the field.
  public var storefront: String?
  public var reason = TransactionReason.purchase
  public var ownership = Ownership.purchased
  public var offer: ReportedOffer?
  public var isUpgraded = false
  public var revocation: Revocation?
  public var token: UUIDBits?
  /// The one told; in a notification that of the notification where the transaction has none.
  public var signedDate: Instant
  public var digest: PayloadDigest
  /// Which of the fields were told, and those that have no place above; nil where all are plain.
  public var fields: ToldFields?

  public init(
    id: UInt64, originalID: UInt64, productID: String, type: ProductType, purchaseDate: Instant,
    signedDate: Instant, digest: PayloadDigest
  ) {
    self.id = id
    self.originalID = originalID
    self.productID = productID
    self.type = type
    self.purchaseDate = purchaseDate
    originalPurchaseDate = purchaseDate
    self.signedDate = signedDate
    self.digest = digest
  }
}

/// An offer as a signed payload names it. Where the payment or the period was not told, or is of no
/// kind that is known here, the fields beside it say so.
public struct ReportedOffer: Hashable, Sendable {
  public var kind: OfferKind
  public var paymentMode: PaymentMode
  public var period: Period
  public var identifier: String?

  public init(
    kind: OfferKind, paymentMode: PaymentMode, period: Period, identifier: String? = nil
  ) {
    self.kind = kind
    self.paymentMode = paymentMode
    self.period = period
    self.identifier = identifier
  }
}

/// A signed renewal info as it was read.
public struct ReportedRenewal: Hashable, Sendable {
  public var originalID: UInt64
  /// The product that the next renewal is of; else the present one, where that was told alone.
  public var autoRenewProductID: String?
  /// Nil where it was not told.
  public var autoRenews: Bool?
  /// Nil where it was not told.
  public var isInBillingRetry: Bool?
  public var expirationIntent: ExpirationIntent?
  /// Nil on data older than the field.
  public var renewalDate: Instant?
  public var renewalPrice: Int64?
  public var gracePeriodExpiresDate = Instant.never
  public var priceIncreaseStatus: UInt8?
  public var offer: ReportedOffer?
  public var recentSubscriptionStartDate: Instant?
  public var token: UUIDBits?
  public var signedDate: Instant
  public var digest: PayloadDigest
  /// Which of the fields were told, and those that have no place above; nil where all are plain.
  public var fields: ToldFields?

  public init(
    originalID: UInt64, autoRenewProductID: String?, autoRenews: Bool?, signedDate: Instant,
    digest: PayloadDigest
  ) {
    self.originalID = originalID
    self.autoRenewProductID = autoRenewProductID
    self.autoRenews = autoRenews
    self.signedDate = signedDate
    self.digest = digest
  }
}

/// What a notification says besides its transaction and renewal info.
public struct ReportedNotification: Hashable, Sendable {
  /// Empty where it was not told.
  public var type: String
  public var subtype: String?
  /// Whether this version knows type and subtype; unknown ones are kept and counted.
  public var isKnown: Bool
  /// The line's status as the notification says it.
  public var status: Status?
  /// The same where it is a number that this version does not know.
  public var otherStatus: Int64?
  public var consumptionRequestReason: String?
  /// Nil where it was not told, and in records older than the field.
  public var signedDate: Instant?

  public init(type: String, subtype: String? = nil, isKnown: Bool, status: Status? = nil) {
    self.type = type
    self.subtype = subtype
    self.isKnown = isKnown
    self.status = status
  }
}

/// The three things the App Store signs about a purchase.
public enum SubmittedKind: UInt8, Sendable, CaseIterable {
  case transaction = 0
  case renewalInfo = 1
  case notification = 2
}

/// A verified signed fact, to be taken in.
public struct IngestCommand: Sendable {
  /// The account given with it, which comes before all others.
  public var account: [UInt8]?
  public var environment: StoreEnvironment
  public var kind: SubmittedKind
  /// The notification's UUID, or the first half of the JWS's SHA-256: what a repeat is known by.
  public var identity: UUIDBits
  /// The same of the signed parts inside a notification, which may come again by themselves.
  public var partIdentities: [UUIDBits]
  public var notification: ReportedNotification?
  public var transaction: ReportedTransaction?
  public var renewal: ReportedRenewal?
  /// The line that a notification names though neither of its parts could be taken.
  public var namedOriginalID: UInt64?
  /// The fields without which a part of a notification could not be taken.
  public var missing: [String] = []
  /// The JWS letter for letter.
  public var signed: [UInt8]

  public init(
    account: [UInt8]? = nil, environment: StoreEnvironment, kind: SubmittedKind,
    identity: UUIDBits, partIdentities: [UUIDBits] = [],
    notification: ReportedNotification? = nil, transaction: ReportedTransaction? = nil,
    renewal: ReportedRenewal? = nil, signed: [UInt8] = []
  ) {
    self.account = account
    self.environment = environment
    self.kind = kind
    self.identity = identity
    self.partIdentities = partIdentities
    self.notification = notification
    self.transaction = transaction
    self.renewal = renewal
    self.signed = signed
  }

  /// The line or purchase that it is about; nil for a notification about none.
  public var originalID: UInt64? {
    transaction?.originalID ?? renewal?.originalID ?? namedOriginalID
  }
}
