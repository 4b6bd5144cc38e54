/// Everything that only signed facts of the App Store need, beside the lines that show them. A
/// store log without any holds an empty one.
public struct AppleRecord: Sendable {
  /// All chains, in the order in which they were first heard of. Those before `firstLive` were
  /// emptied by a reset.
  public internal(set) var chains: [AppleChain] = []
  public internal(set) var firstLive = 0
  var numbers: [ChainKey: Int] = [:]
  /// Which chain a line shows.
  var lineChains: [LineNumber: Int] = [:]
  /// Which chain a lasting purchase shows.
  var purchaseChains: [UInt32: Int] = [:]
  /// What has been taken in, by its identity, with the sequence of its event.
  var known: [UUIDBits: UInt64] = [:]
  /// Storefronts that facts brought, numbered from `firstReportedStorefront` on.
  public internal(set) var storefronts: [ReportedNames.Storefront] = []
  /// The account that holds a token, kept in a record log alone.
  var tokenAccounts: [UUIDBits: AccountNumber] = [:]
  /// How many signed facts were taken in.
  public internal(set) var factCount: UInt64 = 0
  /// How many notifications of them were of a type or subtype that this version does not know.
  public internal(set) var unknownNotificationCount: UInt64 = 0

  /// Numbers from here on are storefronts of `storefronts`; below they are of `Storefront.all`.
  static let firstReportedStorefront: UInt16 = 0x8000

  public init() {}

  public func chain(_ key: ChainKey) -> AppleChain? {
    numbers[key].map { chains[$0] }
  }

  /// The chain that a line of origin `apple` shows.
  public func chain(ofLine line: LineNumber) -> AppleChain? {
    lineChains[line].map { chains[$0] }
  }

  /// The chain that a lasting purchase shows; nil for the store's own.
  public func chain(ofPurchase purchase: UInt32) -> AppleChain? {
    purchaseChains[purchase].map { chains[$0] }
  }

  /// The sequence of the event that took a fact in; nil where it is new.
  public func sequence(of identity: UUIDBits) -> UInt64? {
    known[identity]
  }

  /// How many chains belong to nobody.
  public var unlinkedCount: Int {
    chains[firstLive...].count { $0.account == noNumber }
  }
}

extension State {
  /// A storefront by its number, of the fixed list or reported by a fact.
  public func storefront(_ number: UInt16) -> Storefront {
    guard number >= AppleRecord.firstReportedStorefront else {
      return Storefront.all[Int(number)]
    }
    let reported = facts.apple.storefronts[Int(number - AppleRecord.firstReportedStorefront)]
    return Storefront(reported.country, "", reported.currency)
  }

  /// Whether a number is a storefront's.
  func isStorefront(_ number: UInt16) -> Bool {
    number < AppleRecord.firstReportedStorefront
      ? Int(number) < Storefront.all.count
      : Int(number - AppleRecord.firstReportedStorefront) < facts.apple.storefronts.count
  }
}
