/// The bytes of an event's record in the log; `EventFormat.md` is the page that describes them.
/// The record's tag is the event's kind. Times are differences from the block's base time and
/// transaction ids from its base id, so that a usual renewal takes a few dozen bytes.
public enum EventFormat {
  /// What a block's events are counted from.
  public struct Base: Hashable, Sendable {
    public var time: Int64
    public var transactionID: UInt64

    public init(time: Int64, transactionID: UInt64) {
      self.time = time
      self.transactionID = transactionID
    }
  }

  static let hasCaller: UInt8 = 1
  static let hasRequest: UInt8 = 2

  /// Appends an event's payload.
  public static func encode(_ event: borrowing Event, into bytes: inout [UInt8], base: Base) {
    var writer = ByteWriter(bytes: [])
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    var flags: UInt8 = 0
    if let caller = event.caller {
      flags = caller.requestID == nil ? hasCaller : hasCaller | hasRequest
    }
    writer.byte(flags)
    writer.varint(UInt64(event.clock))
    writer.zigzag(event.at.milliseconds &- base.time)
    if let caller = event.caller {
      writer.varint(caller.uid)
      if let requestID = caller.requestID {
        writer.text(requestID)
        writer.fixed64(caller.fingerprint)
      }
    }
    encode(event.fact, at: event.at, into: &writer, base: base)
  }

  /// The same for a line's event alone: the same bytes.
  public static func encode(_ event: borrowing LineEvent, into bytes: inout [UInt8], base: Base) {
    var writer = ByteWriter(bytes: [])
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    writer.byte(0)
    writer.varint(UInt64(event.clock))
    writer.zigzag(event.at.milliseconds &- base.time)
    encode(event.kind, event.fact, at: event.at, into: &writer, base: base)
  }

  /// Reads a record of a line's event that nobody asked for; nil for all others, which `decode`
  /// reads, and where the bytes make no event.
  public static func decodeLine(
    tag: UInt8, payload: UnsafeRawBufferPointer, base: Base
  ) -> LineEvent? {
    guard let kind = LineKind(rawValue: tag), kind == .renewed || kind == .expired else {
      return nil
    }
    var reader = ByteReader(payload)
    guard reader.byte() == 0 else { return nil }
    let clock = reader.varint16()
    let at = Instant(milliseconds: base.time &+ reader.zigzag())
    let fact = lineFact(at: at, from: &reader, base: base)
    guard !reader.failed, reader.isAtEnd else { return nil }
    return LineEvent(at: at, clock: clock, kind: kind, fact: fact)
  }

  /// Reads a record back; nil where the bytes make no event, which the log's checksums make a
  /// programmer's error or a newer writer's work.
  public static func decode(
    tag: UInt8, payload: UnsafeRawBufferPointer, base: Base
  ) -> Event? {
    var reader = ByteReader(payload)
    let flags = reader.byte()
    if flags > (hasCaller | hasRequest) || flags == hasRequest { reader.fail() }
    let clock = reader.varint16()
    let at = Instant(milliseconds: base.time &+ reader.zigzag())
    var caller: Caller?
    if flags & hasCaller != 0 {
      var found = Caller(uid: reader.varint32())
      if flags & hasRequest != 0 {
        found.requestID = reader.text()
        found.fingerprint = reader.fixed64()
      }
      caller = found
    }
    guard let fact = fact(tag, at: at, from: &reader, base: base), !reader.failed,
      reader.isAtEnd
    else { return nil }
    return Event(at: at, clock: clock, caller: caller, fact: fact)
  }

  private static func encode(
    _ fact: borrowing Fact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    switch copy fact {
    case .line(let kind, let fact):
      encode(kind, fact, at: at, into: &writer, base: base)
    case .purchase(_, let fact):
      writer.byte(0)
      writer.varint(fact.account)
      writer.byte(fact.notification.rawValue)
      encode(fact.transaction, at: at, isAlone: true, into: &writer, base: base)
    case .account(let fact):
      encode(fact, into: &writer, base: base)
    case .appStore(let fact):
      encode(fact, at: at, into: &writer, base: base)
    case .clock(let fact):
      encode(fact, into: &writer)
    case .product(let kind, let fact):
      encode(kind, fact, into: &writer)
    case .tester(let fact):
      encode(fact, into: &writer)
    case .catalogue(let fact):
      encode(fact, into: &writer)
    case .log(let fact):
      encode(fact, into: &writer)
    }
  }

  /// A line's fact; the first byte tells it from a purchase's where both can have such events.
  private static func encode(
    _ kind: LineKind, _ fact: LineFact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    guard kind != .statusPassed else { return encodePassed(fact, into: &writer) }
    if PurchaseKind(kind) != nil { writer.byte(1) }
    encode(fact, at: at, into: &writer, base: base)
  }

  static func encode(_ bits: UUIDBits, into writer: inout ByteWriter) {
    writer.fixed64(bits.high)
    writer.fixed64(bits.low)
  }

  static func uuid(from reader: inout ByteReader) -> UUIDBits {
    let high = reader.fixed64()
    return UUIDBits(high: high, low: reader.fixed64())
  }

  /// Each family knows its tags.
  private static func fact(
    _ tag: UInt8, at: Instant, from reader: inout ByteReader, base: Base
  ) -> Fact? {
    if let kind = LineKind(rawValue: tag) {
      guard kind != .statusPassed else { return .line(kind, passed(from: &reader)) }
      // The first byte says whether a line or a purchase outside one follows.
      if let kind = PurchaseKind(kind), reader.byte() == 0 {
        return purchase(at: at, from: &reader, base: base).map { .purchase(kind, $0) }
      }
      return .line(kind, lineFact(at: at, from: &reader, base: base))
    }
    if let kind = AccountKind(rawValue: tag) {
      return accountFact(kind, at: at, from: &reader, base: base).map { .account($0) }
    }
    if let kind = AppStoreKind(rawValue: tag) {
      return appStoreFact(kind, at: at, from: &reader, base: base).map { .appStore($0) }
    }
    if let kind = ClockKind(rawValue: tag) { return .clock(clockFact(kind, from: &reader)) }
    if let kind = ProductKind(rawValue: tag) {
      return .product(kind, productFact(kind, from: &reader))
    }
    if let kind = TesterKind(rawValue: tag) {
      return testerFact(kind, from: &reader).map { .tester($0) }
    }
    if let kind = CatalogueKind(rawValue: tag) {
      return .catalogue(catalogueFact(kind, from: &reader))
    }
    return LogKind(rawValue: tag).flatMap { logFact($0, from: &reader) }.map { .log($0) }
  }

  private static func purchase(
    at: Instant, from reader: inout ByteReader, base: Base
  ) -> PurchaseFact? {
    let account = reader.varint32()
    guard let notification = reader.value(Notification.self) else { return nil }
    return PurchaseFact(
      account: account, notification: notification,
      transaction: transaction(at: at, isAlone: true, from: &reader, base: base))
  }
}
