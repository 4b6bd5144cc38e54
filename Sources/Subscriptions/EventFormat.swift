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
    if event.kind == .statusPassed {
      encodePassed(event.fact, into: &writer)
      return
    }
    if sharesKind(event.kind) { writer.byte(1) }
    encode(event.fact, at: event.at, into: &writer, base: base)
  }

  /// Reads a record of a line's event that nobody asked for; nil for all others, which `decode`
  /// reads, and where the bytes make no event.
  public static func decodeLine(
    tag: UInt8, payload: UnsafeRawBufferPointer, base: Base
  ) -> LineEvent? {
    guard let kind = EventKind(rawValue: tag), kind == .renewed || kind == .expired else {
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
    guard let kind = EventKind(rawValue: tag) else { return nil }
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
    guard let fact = fact(kind, at: at, from: &reader, base: base), !reader.failed,
      reader.isAtEnd
    else { return nil }
    return Event(at: at, clock: clock, caller: caller, fact: fact)
  }

  private static func encode(
    _ fact: borrowing Fact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    switch copy fact {
    case .line(.statusPassed, let fact):
      encodePassed(fact, into: &writer)
    case .ingested(let fact):
      encode(fact, at: at, into: &writer, base: base)
    case .linked(let fact):
      encode(fact, at: at, into: &writer, base: base)
    case .unlinked(let fact):
      encode(fact, into: &writer)
    case .namesReported(let names):
      encode(names, into: &writer)
    case .line(let kind, let fact):
      if sharesKind(kind) { writer.byte(1) }
      encode(fact, at: at, into: &writer, base: base)
    case .purchase(_, let account, let notification, let transaction):
      writer.byte(0)
      writer.varint(account)
      writer.byte(notification.rawValue)
      encode(transaction, at: at, isAlone: true, into: &writer, base: base)
    case .finished(let account, let line, let transactionID):
      writer.varint(account)
      writer.varint(UInt64(line &+ 1))
      writer.zigzag(Int64(bitPattern: transactionID &- base.transactionID))
    case .product(let kind, let fact):
      encode(kind, fact, into: &writer)
    case .offerProof(let proof):
      encode(proof, into: &writer)
    case .billingChanged, .rateChanged, .switched, .purchasePending, .pendingEnded,
      .simulatedErrorChanged, .sharingStarted, .sharingEnded:
      encodeSwitch(fact, into: &writer, base: base)
    case .offerStacked(let account, let line, let stacked):
      writer.varint(account)
      writer.varint(line)
      encode(stacked, into: &writer)
    case .accountOpened(let account, let key, let token, let clock):
      writer.varint(account)
      writer.data(key)
      writer.byte(token == nil ? 0 : 1)
      if let token { encode(token, into: &writer) }
      writer.varint(UInt64(clock))
    case .tokenGiven(let account, let token):
      writer.varint(account)
      encode(token, into: &writer)
    case .catalogueImported(let source, let digest, let catalogue):
      writer.text(source)
      writer.fixed64(digest)
      encode(catalogue, into: &writer)
    case .logCreated, .clockCreated, .advanceStarted, .advanced, .clockAttached, .clockHeld,
      .clockAccepted, .bootObserved, .reset:
      encodeClockFact(fact, into: &writer)
    }
  }

  /// Whether both a line and a purchase outside one can have events of this kind; a byte then
  /// says which.
  private static func sharesKind(_ kind: EventKind) -> Bool {
    kind == .purchased || kind == .refunded || kind == .refundReversed
      || kind == .refundRequested || kind == .refundDeclined || kind == .shared || kind == .revoked
      || kind == .restored
  }

  private static func encodeClockFact(_ fact: borrowing Fact, into writer: inout ByteWriter) {
    switch copy fact {
    case .logCreated(let role, let seed, let identity):
      encodeCreation(role, seed, identity, into: &writer)
    case .clockCreated(let clock, let name, let time):
      writer.varint(UInt64(clock))
      writer.text(name)
      writer.zigzag(time.milliseconds)
    case .advanceStarted(let clock, let target):
      writer.varint(UInt64(clock))
      writer.zigzag(target.milliseconds)
    case .advanced(let clock, let target, let firstSequence, let events):
      writer.varint(UInt64(clock))
      writer.zigzag(target.milliseconds)
      writer.varint(firstSequence)
      writer.varint(events)
    case .clockAttached(let account, let clock):
      writer.varint(account)
      writer.varint(UInt64(clock))
    case .clockHeld(let milliseconds):
      writer.zigzag(milliseconds)
    case .bootObserved(let boot, let realMinusBoot):
      encode(boot, into: &writer)
      writer.zigzag(realMinusBoot)
    case .clockAccepted, .reset:
      break
    case .offerProof, .offerStacked, .line, .purchase, .finished, .billingChanged, .accountOpened,
      .tokenGiven, .catalogueImported, .rateChanged, .ingested, .linked, .unlinked, .namesReported,
      .sharingStarted, .sharingEnded, .product, .switched, .purchasePending, .pendingEnded,
      .simulatedErrorChanged:
      preconditionFailure("encoded by the caller")
    }
  }

  static func encode(_ bits: UUIDBits, into writer: inout ByteWriter) {
    writer.fixed64(bits.high)
    writer.fixed64(bits.low)
  }

  static func uuid(from reader: inout ByteReader) -> UUIDBits {
    let high = reader.fixed64()
    return UUIDBits(high: high, low: reader.fixed64())
  }

  private static func fact(
    _ kind: EventKind, at: Instant, from reader: inout ByteReader, base: Base
  ) -> Fact? {
    switch kind {
    case .renewed, .expired, .autoRenewChanged, .renewalFailed, .graceEnded, .recovered,
      .planChangeScheduled, .upgraded, .offerRedeemed, .chargeFailed, .priceIncreased,
      .priceIncreaseAccepted, .renewalExtended, .extensionFailed:
      return .line(kind, lineFact(at: at, from: &reader, base: base))
    case .purchased, .refunded, .refundReversed, .refundRequested, .refundDeclined, .shared,
      .revoked, .restored:
      // The first byte says whether a line or a purchase outside one follows.
      return reader.byte() == 0
        ? purchase(kind, at: at, from: &reader, base: base)
        : .line(kind, lineFact(at: at, from: &reader, base: base))
    case .priceIncreaseAnnounced, .priceIncreaseCompleted, .removedFromSale,
      .massExtensionStarted, .massExtensionCompleted:
      return .product(kind, productFact(kind, from: &reader))
    case .finished:
      let account = reader.varint32()
      let line = reader.varint32() &- 1
      let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
      return .finished(account: account, line: line, transactionID: id)
    case .offerKeysImported, .offerNonceUsed:
      return .offerProof(offerProof(kind, from: &reader))
    case .billingChanged, .rateChanged, .askToBuyChanged, .interruptedChanged, .purchasePending,
      .pendingEnded, .simulatedErrorChanged, .sharingStarted, .sharingEnded:
      return switchFact(kind, at: at, from: &reader, base: base)
    case .offerStacked:
      let account = reader.varint32()
      let line = reader.varint32()
      guard let stacked = stackedOffer(from: &reader) else { return nil }
      return .offerStacked(account: account, line: line, offer: stacked)
    case .accountOpened:
      return accountOpened(from: &reader)
    case .tokenGiven:
      let account = reader.varint32()
      return .tokenGiven(account: account, token: uuid(from: &reader))
    case .catalogueImported:
      let source = reader.text()
      let digest = reader.fixed64()
      return .catalogueImported(
        source: source, digest: digest, catalogue: catalogue(from: &reader))
    case .logCreated, .clockCreated, .advanceStarted, .advanced, .clockAttached, .clockHeld,
      .clockAccepted, .bootObserved, .reset:
      return clockFact(kind, from: &reader)
    case .ingested:
      return ingested(at: at, from: &reader, base: base).map { .ingested($0) }
    case .linked:
      return linked(at: at, from: &reader, base: base).map { .linked($0) }
    case .unlinked:
      return unlinked(from: &reader).map { .unlinked($0) }
    case .statusPassed:
      return .line(.statusPassed, passed(from: &reader))
    case .namesReported:
      return names(from: &reader).map { .namesReported($0) }
    }
  }

  private static func accountOpened(from reader: inout ByteReader) -> Fact? {
    let account = reader.varint32()
    let key = reader.data()
    guard key.count <= Limits.accountBytesMax else { return nil }
    let token = reader.byte() == 0 ? nil : uuid(from: &reader)
    return .accountOpened(account: account, key: key, token: token, clock: reader.varint16())
  }

  private static func purchase(
    _ kind: EventKind, at: Instant, from reader: inout ByteReader, base: Base
  ) -> Fact? {
    let account = reader.varint32()
    guard let notification = reader.value(Notification.self) else { return nil }
    return .purchase(
      kind, account: account, notification: notification,
      transaction: transaction(at: at, isAlone: true, from: &reader, base: base))
  }

  private static func clockFact(_ kind: EventKind, from reader: inout ByteReader) -> Fact? {
    switch kind {
    case .logCreated:
      return creation(from: &reader)
    case .clockCreated:
      let clock = reader.varint16()
      let name = reader.text()
      return .clockCreated(
        clock: clock, name: name, time: Instant(milliseconds: reader.zigzag()))
    case .advanceStarted:
      let clock = reader.varint16()
      return .advanceStarted(clock: clock, target: Instant(milliseconds: reader.zigzag()))
    case .advanced:
      let clock = reader.varint16()
      let target = Instant(milliseconds: reader.zigzag())
      let first = reader.varint()
      return .advanced(
        clock: clock, target: target, firstSequence: first, events: reader.varint())
    case .clockAttached:
      let account = reader.varint32()
      return .clockAttached(account: account, clock: reader.varint16())
    case .clockHeld:
      return .clockHeld(behindMilliseconds: reader.zigzag())
    case .clockAccepted:
      return .clockAccepted
    case .bootObserved:
      let boot = uuid(from: &reader)
      return .bootObserved(boot: boot, realMinusBoot: reader.zigzag())
    case .reset:
      return .reset
    case .accountOpened, .tokenGiven, .catalogueImported, .purchased, .renewed, .expired,
      .autoRenewChanged, .refunded, .refundReversed, .finished, .renewalFailed, .graceEnded,
      .offerNonceUsed, .offerKeysImported, .offerStacked, .offerRedeemed, .recovered,
      .planChangeScheduled, .upgraded, .billingChanged, .refundRequested, .refundDeclined,
      .rateChanged, .ingested, .linked, .unlinked, .statusPassed, .namesReported, .sharingStarted,
      .sharingEnded, .shared, .revoked, .chargeFailed, .priceIncreaseAnnounced, .priceIncreased,
      .priceIncreaseAccepted, .priceIncreaseCompleted, .removedFromSale, .renewalExtended,
      .extensionFailed, .massExtensionStarted, .massExtensionCompleted, .askToBuyChanged,
      .purchasePending, .pendingEnded, .interruptedChanged, .simulatedErrorChanged, .restored:
      return nil
    }
  }
}
