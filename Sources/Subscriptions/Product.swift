/// A product as the state knows it: its newest description, and whether it can still be bought.
public struct Product: Sendable {
  public var entry: CatalogueProduct
  /// The group's number in the text table; `noNumber` outside a group.
  public var group: UInt32
  /// Which imported source it came from.
  public var source: UInt32
  public var isOnSale: Bool
  /// Removed from sale: nor does it renew, until a catalogue brings it back.
  public var isWithdrawn = false

  /// Whether any catalogue has had it; else signed facts alone have named it.
  public var isCatalogued: Bool { source != noNumber }
}

/// A lasting purchase: a non-consumable or a non-renewing subscription. Consumables are in the
/// log alone.
public struct LastingPurchase: Hashable, Sendable {
  public var account: AccountNumber
  /// The same account's next older lasting purchase, or `noNumber`.
  public var nextOfAccount: UInt32
  public var transaction: Transaction
  /// The environment that a signed fact told of it; nil for what the store sold itself.
  public var environment: StoreEnvironment?
}

/// What was imported from one source, so that it is imported again only if it changed.
public struct CatalogueSource: Hashable, Sendable {
  public var name: String
  public var digest: UInt64
}
