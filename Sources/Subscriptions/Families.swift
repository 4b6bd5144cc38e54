/// Why sharing with a member ended (Domain.md 1.10).
public enum SharingEnd: UInt8, Sendable, CaseIterable {
  /// The purchaser turned Family Sharing off.
  case turnedOff = 0
  case memberLeft = 1
  case purchaserLeft = 2
}

/// Who shares with whom, and which member's line follows which line of the purchaser's. These are
/// side tables: accounts and lines of those who share nothing hold nothing of it.
public struct Families: Sendable {
  /// What a member's line follows.
  struct Link: Hashable, Sendable {
    var source: LineNumber
    /// What the purchaser's period that the member's newest one came of was sold as: a restore of
    /// the purchaser's changes nothing of it.
    var soldID: UInt64
  }

  /// Each purchaser's members, in the order in which sharing with them began.
  private(set) var members: [AccountNumber: [AccountNumber]] = [:]
  private(set) var purchasers: [AccountNumber: AccountNumber] = [:]
  /// By the member's line. A link outlives its sharing, so that sharing again goes on with the
  /// line.
  private(set) var links: [LineNumber: Link] = [:]
  /// The lines that follow a purchaser's line, in the order in which they began.
  private var followers: [LineNumber: [LineNumber]] = [:]

  init() {}

  /// Whether nobody shares anything now.
  public var isEmpty: Bool { members.isEmpty }

  /// The members that an account shares with; empty for one that shares with nobody.
  public func members(of purchaser: AccountNumber) -> [AccountNumber] {
    members[purchaser] ?? []
  }

  /// The account that shares with a member; nil for one that is no member.
  public func purchaser(of member: AccountNumber) -> AccountNumber? {
    purchasers[member]
  }

  /// The line that a member's line follows or followed; nil for any other.
  public func source(of line: LineNumber) -> LineNumber? {
    links[line]?.source
  }

  /// The lines that ever followed a purchaser's line.
  func followers(of line: LineNumber) -> [LineNumber] {
    followers[line] ?? []
  }

  // MARK: The fold

  mutating func begin(_ purchaser: AccountNumber, _ member: AccountNumber) {
    members[purchaser, default: []].append(member)
    purchasers[member] = purchaser
  }

  mutating func end(_ purchaser: AccountNumber, _ member: AccountNumber) {
    members[purchaser]?.removeAll { $0 == member }
    if members[purchaser]?.isEmpty == true { members[purchaser] = nil }
    purchasers[member] = nil
  }

  mutating func link(_ line: LineNumber, to source: LineNumber, soldID: UInt64) {
    if links[line] == nil { followers[source, default: []].append(line) }
    links[line] = Link(source: source, soldID: soldID)
  }

  /// Accounts and lines below a reset are nobody's any more.
  mutating func removeAll() {
    self = Families()
  }

  // MARK: Snapshots

  func encode(into writer: inout ByteWriter) {
    writer.varint(UInt64(members.count))
    for purchaser in members.keys.sorted() {
      writer.varint(purchaser)
      let members = members(of: purchaser)
      writer.varint(UInt64(members.count))
      for member in members { writer.varint(member) }
    }
    writer.varint(UInt64(links.count))
    for (line, link) in links.sorted(by: { $0.key < $1.key }) {
      writer.varint(line)
      writer.varint(link.source)
      writer.varint(link.soldID)
    }
  }

  init(from reader: inout ByteReader) {
    for _ in 0..<reader.count() {
      let purchaser = reader.varint32()
      for _ in 0..<reader.count() { begin(purchaser, reader.varint32()) }
    }
    for _ in 0..<reader.count() {
      let line = reader.varint32()
      let source = reader.varint32()
      link(line, to: source, soldID: reader.varint())
    }
  }
}
