/// What a back-dated purchase does about the renewals that would have happened since (Domain.md
/// 6.1, SubscriptionRenewalBehavior).
public enum RenewalBehavior: UInt8, Sendable {
  case renewUntilNow = 0
  case cancelImmediately = 1
}

/// An offer that a customer asks for: its kind, and its id where the kind has ids.
public struct OfferRequest: Hashable, Sendable {
  public var kind: OfferKind
  public var id: String?

  public init(kind: OfferKind, id: String? = nil) {
    self.kind = kind
    self.id = id
  }
}

/// A wish to buy, its texts already resolved by the caller of the rules.
public struct PurchaseCommand: Sendable {
  public var account: [UInt8]
  public var productID: String
  public var quantity: Int64
  public var token: UUIDBits?
  /// ISO 3166-1 alpha-3; nil for the catalogue's.
  public var storefront: String?
  /// The clock to open a new account on; nil for the default one.
  public var clock: String?
  /// A moment in the past at which to buy; nil for now.
  public var purchaseDate: Instant?
  public var renewalBehavior: RenewalBehavior
  /// The offer asked for by name; nil for what the customer would get by itself.
  public var offer: OfferRequest?
  /// Whether it waited and need not any more.
  var isApproved = false

  public init(
    account: [UInt8], productID: String, quantity: Int64 = 1, token: UUIDBits? = nil,
    storefront: String? = nil, clock: String? = nil, purchaseDate: Instant? = nil,
    renewalBehavior: RenewalBehavior = .renewUntilNow, offer: OfferRequest? = nil
  ) {
    self.account = account
    self.productID = productID
    self.quantity = quantity
    self.token = token
    self.storefront = storefront
    self.clock = clock
    self.purchaseDate = purchaseDate
    self.renewalBehavior = renewalBehavior
    self.offer = offer
  }
}

/// What a purchase came to.
public enum PurchaseDecision: Sendable {
  /// New events; the last but for a cancellation holds the transaction.
  case bought
  /// The customer has it already, or turned its renewal on again: this transaction stands.
  case standing(Transaction, account: AccountNumber, line: LineNumber)
  /// Nothing is bought yet: it waits for approval, or was interrupted.
  case pending(PendingPurchase)
}
