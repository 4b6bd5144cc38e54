/// One account: a fixed-size record. Its text stands in the table's arena.
public struct Account: Sendable {
  public var keyStart: UInt32
  public var keyCount: UInt8
  public var clock: ClockNumber
  /// The account's newest line and lasting purchase; older ones hang behind them.
  public var newestLine: LineNumber
  public var newestPurchase: UInt32
  /// Number in the state's token table, or `noNumber`.
  public var token: UInt32
  /// How many of its lines and lasting purchases entitle, by their newest events.
  public var grants: UInt32
  /// Whether its charges fail: a tester's switch.
  public var billingFails: Bool
  /// Where the account's newest event stands in the log: byte position and sequence.
  public var lastPosition: UInt64
  public var lastSequence: UInt64
  /// The newest time of an event of the account.
  public var lastTime: Instant
}

/// All accounts, found by their exact bytes: dense records, one arena for the texts, one
/// open-addressed table of numbers.
public struct AccountTable: Sendable {
  public private(set) var records: [Account] = []
  private var arena: [UInt8] = []
  /// Account number + 1, 0 for a free slot; the count is a power of two.
  private var slots: [UInt32]

  public init() {
    slots = [UInt32](repeating: 0, count: 64)
  }

  public var count: Int { records.count }

  public subscript(number: AccountNumber) -> Account {
    get { records[Int(number)] }
    set { records[Int(number)] = newValue }
    _modify { yield &records[Int(number)] }
  }

  public func key(_ number: AccountNumber) -> [UInt8] {
    let record = records[Int(number)]
    let start = Int(record.keyStart)
    return Array(arena[start..<(start + Int(record.keyCount))])
  }

  /// Calls `body` with the account's text, without a copy.
  public func withKey<Result>(
    _ number: AccountNumber, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let record = records[Int(number)]
    return arena.withUnsafeBufferPointer { bytes in
      let start = Int(record.keyStart)
      return body(UnsafeBufferPointer(rebasing: bytes[start..<(start + Int(record.keyCount))]))
    }
  }

  public func find(_ key: Span<UInt8>) -> AccountNumber? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: Self.hash(key)) & mask
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if isKey(number, key) { return number }
      slot = (slot + 1) & mask
    }
    return nil
  }

  public func find(_ key: [UInt8]) -> AccountNumber? {
    find(key.span)
  }

  /// Appends an account that `find` did not know.
  mutating func append(key: [UInt8], clock: ClockNumber, token: UInt32) {
    let number = AccountNumber(records.count)
    records.append(
      Account(
        keyStart: UInt32(arena.count), keyCount: UInt8(key.count), clock: clock,
        newestLine: noNumber, newestPurchase: noNumber, token: token, grants: 0,
        billingFails: false,
        lastPosition: 0, lastSequence: 0, lastTime: Instant(milliseconds: .min)))
    arena.append(contentsOf: key)
    if records.count * 3 > slots.count * 2 { grow() }
    insert(number, hash: Self.hash(key.span))
  }

  /// Forgets all keys; the records stay, since older events of the log still name them.
  mutating func forgetKeys() {
    slots = [UInt32](repeating: 0, count: 64)
    forgotten = records.count
  }

  /// How many of the first records a reset has emptied.
  public private(set) var forgotten = 0

  private func isKey(_ number: AccountNumber, _ key: Span<UInt8>) -> Bool {
    let record = records[Int(number)]
    guard Int(record.keyCount) == key.count else { return false }
    let start = Int(record.keyStart)
    for index in 0..<key.count where arena[start + index] != key[index] { return false }
    return true
  }

  private mutating func insert(_ number: AccountNumber, hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = number + 1
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for number in forgotten..<(records.count - 1) {
      let hash = withKey(AccountNumber(number)) { Self.hash(Span(_unsafeElements: $0)) }
      insert(AccountNumber(number), hash: hash)
    }
  }

  /// FNV-1a with a last mix: account names are short, and the table is no defence against a
  /// caller that may write to it anyway.
  private static func hash(_ key: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<key.count {
      hash = (hash ^ UInt64(key[index])) &* 0x100_0000_01b3
    }
    hash ^= hash >> 32
    hash = hash &* 0xd6e8_feb8_6659_fd93
    return hash ^ (hash >> 32)
  }
}
