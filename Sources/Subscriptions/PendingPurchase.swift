/// Why a purchase waits (Domain.md 1.9).
public enum PendingReason: UInt8, Sendable, CaseIterable {
  /// Somebody must approve it.
  case askToBuy = 0
  /// The customer must settle something first, such as new terms.
  case interrupted = 1
}

/// What became of a purchase that waited.
public enum PendingEnd: UInt8, Sendable, CaseIterable {
  case bought = 0
  case declined = 1
}

/// A purchase that waits: nothing is charged, and it gives nothing. Its id is of the same sequence
/// as those of transactions, and is no transaction's.
public struct PendingPurchase: Hashable, Sendable {
  public var id: UInt64
  public var reason: PendingReason
  public var account: AccountNumber
  public var product: ProductNumber
  public var quantity: Int32
  /// Number in `Storefront.all`.
  public var storefront: UInt16
  /// The kind of offer that was asked for by name, and the number of its id in the text table;
  /// `noNumber` where it has none.
  public var offer: OfferKind?
  public var offerIdentifier: UInt32
  /// The appAccountToken that the app gave.
  public var token: TokenReference
  public var requestDate: Instant

  public init(
    id: UInt64, reason: PendingReason, account: AccountNumber, product: ProductNumber,
    quantity: Int32, storefront: UInt16, offer: OfferKind?, offerIdentifier: UInt32 = noNumber,
    token: TokenReference = .opening, requestDate: Instant
  ) {
    self.id = id
    self.reason = reason
    self.account = account
    self.product = product
    self.quantity = quantity
    self.storefront = storefront
    self.offer = offer
    self.offerIdentifier = offerIdentifier
    self.token = token
    self.requestDate = requestDate
  }
}

extension EventFormat {
  /// Beside the kind of offer that a waiting purchase asks for: the token's number stands behind.
  private static let pendingToken: UInt8 = 1 << 4

  static func encode(
    _ purchase: PendingPurchase, into writer: inout ByteWriter, base: Base
  ) {
    writer.varint(purchase.account)
    writer.byte(purchase.reason.rawValue)
    writer.zigzag(Int64(bitPattern: purchase.id &- base.transactionID))
    writer.varint(purchase.product)
    writer.zigzag(Int64(purchase.quantity))
    writer.varint(UInt64(purchase.storefront))
    let hasToken = purchase.token != .opening
    writer.byte((purchase.offer?.rawValue ?? 0) | (hasToken ? pendingToken : 0))
    if purchase.offer != nil { writer.varint(UInt64(purchase.offerIdentifier &+ 1)) }
    if hasToken { encode(purchase.token, into: &writer) }
  }

  static func pendingPurchase(
    at: Instant, from reader: inout ByteReader, base: Base
  ) -> PendingPurchase? {
    let account = reader.varint32()
    guard let reason = reader.value(PendingReason.self) else { return nil }
    let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
    let product = reader.varint32()
    let quantity = Int32(truncatingIfNeeded: reader.zigzag())
    let storefront = reader.varint16()
    let flags = reader.byte()
    let kind = flags & ~pendingToken
    let offer = OfferKind(rawValue: kind)
    if kind != 0, offer == nil { reader.fail() }
    let identifier = kind == 0 ? noNumber : reader.varint32() &- 1
    return PendingPurchase(
      id: id, reason: reason, account: account, product: product, quantity: quantity,
      storefront: storefront, offer: offer, offerIdentifier: identifier,
      token: flags & pendingToken == 0 ? .opening : tokenReference(from: &reader),
      requestDate: at)
  }
}
