import TestSizes
import Testing

@testable import Subscriptions

/// The bytes of events: what is written is read back, and nothing else is.
@Suite("The bytes of events")
struct EventFormatTests {
  static let roundsPerKind = TestSize.times(1000, quick: 100)

  private func bytes(_ event: Event, _ base: EventFormat.Base) -> [UInt8] {
    var bytes: [UInt8] = []
    EventFormat.encode(event, into: &bytes, base: base)
    return bytes
  }

  private func decode(
    _ kind: EventKind, _ bytes: some Collection<UInt8>, _ base: EventFormat.Base
  ) -> Event? {
    Array(bytes).withUnsafeBytes {
      EventFormat.decode(tag: kind.tag, payload: $0, base: base)
    }
  }

  /// `#require` for what is asked a hundred thousand times: it looks at its operands only where
  /// they fail.
  private func require(
    _ holds: Bool, _ witness: @autoclosure () -> Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard !holds else { return }
    try #require(Bool(false), "\(witness())", sourceLocation: sourceLocation)
  }

  /// What of an event its record carries; the rest is the line's to give back.
  private func carried(_ event: Event) -> Event {
    var event = event
    switch event.fact {
    case .line(.statusPassed, var fact):
      fact.group = noNumber
      fact.notification = .none
      fact.transaction = nil
      fact.renewal = nil
      fact.source = noNumber
      event.fact = .line(.statusPassed, fact)
    case .line(let kind, var fact):
      let begins = fact.transaction.map { $0.id == $0.originalID } ?? false
      if !begins {
        fact.account = noNumber
        fact.group = noNumber
      }
      if let id = fact.transaction?.id { fact.transaction?.originalID = id }
      event.fact = .line(kind, fact)
    case .log, .account, .clock, .catalogue, .purchase, .product, .tester, .appStore:
      break
    }
    return event
  }

  @Test("Every kind of fact is read back as it was written", arguments: EventKind.allCases)
  func roundTrips(kind: EventKind) throws {
    var random = RandomFacts(seed: UInt64(kind.tag))
    var chance = SeededGenerator(seed: UInt64(kind.tag))
    for _ in 0..<Self.roundsPerKind {
      let event = random.event(kind)
      let base = EventFormat.Base(
        time: Int64(bitPattern: chance.next()) >> 8, transactionID: chance.next())
      let written = bytes(event, base)
      try require(decode(kind, written, base) == carried(event), event)
    }
  }

  @Test("Cut short or longer, a record is no event", arguments: EventKind.allCases)
  func cuts(kind: EventKind) throws {
    var random = RandomFacts(seed: 100 + UInt64(kind.tag))
    let base = EventFormat.Base(time: 1_700_000_000_000, transactionID: Limits.firstTransactionID)
    for _ in 0..<TestSize.times(40, quick: 8) {
      let written = bytes(random.event(kind), base)
      for count in 0..<written.count {
        try require(decode(kind, written[..<count], base) == nil, (count, written))
      }
      try require(decode(kind, written + [0], base) == nil, written)
    }
  }

  @Test(
    "Garbled bytes are no event, or one that reads back as itself", arguments: EventKind.allCases)
  func garbled(kind: EventKind) throws {
    var random = RandomFacts(seed: 200 + UInt64(kind.tag))
    var chance = SeededGenerator(seed: 200 + UInt64(kind.tag))
    let base = EventFormat.Base(time: 1_700_000_000_000, transactionID: Limits.firstTransactionID)
    for round in 0..<Self.roundsPerKind {
      var tried = bytes(random.event(kind), base)
      if round % 4 == 0 {
        tried = (0..<Int.random(in: 0...64, using: &chance)).map { _ in
          UInt8.random(in: 0...255, using: &chance)
        }
      } else {
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
          tried[Int.random(in: 0..<tried.count, using: &chance)] = .random(
            in: 0...255, using: &chance)
        }
      }
      guard let event = decode(kind, tried, base) else { continue }
      try require(decode(kind, bytes(event, base), base) == event, tried)
    }
  }

  @Test("A tag that is no kind is no event")
  func unknownTags() {
    let base = EventFormat.Base(time: 0, transactionID: 0)
    let known = Set(EventKind.allCases.map(\.tag))
    for tag in UInt8.min ... .max where !known.contains(tag) {
      let event = [UInt8](repeating: 0, count: 40).withUnsafeBytes {
        EventFormat.decode(tag: tag, payload: $0, base: base)
      }
      #expect(event == nil)
    }
  }

  @Test("Flags that this version does not know make no event: a newer writer wrote them")
  func unknownFlags() throws {
    let base = EventFormat.Base(time: 0, transactionID: 0)
    // Flags, clock, time, then what the kind carries; the changed byte is the flags of the
    // event, of the line's fact, of its transaction (two bytes, 2^13) or of its renewal (2^13).
    #expect(decode(.log(.reset), [0, 0, 0], base) != nil)
    for flags: UInt8 in [2, 4, 8, 128] {
      #expect(decode(.log(.reset), [flags, 0, 0], base) == nil)
    }
    let bare: [UInt8] = [0, 0, 0, 9, 0b1000, 0]
    #expect(decode(.line(.renewed), bare, base) != nil)
    #expect(decode(.line(.renewed), [0, 0, 0, 9, 0b0100_1000, 0], base) == nil)
    // A transaction that never ends: id 1, product 0, storefront 0, price 0.
    let sold: [UInt8] = [0, 0, 0, 9, 0b1010, 0, 0x80, 0x01, 2, 0, 0, 0]
    #expect(decode(.line(.renewed), sold, base) != nil)
    var strange = sold
    strange[7] = 0x41
    #expect(decode(.line(.renewed), strange, base) == nil)
    // An original id of its own (2^11) has a purchase outside a subscription alone.
    strange[7] = 0x11
    strange.insert(4, at: 9)
    #expect(decode(.line(.renewed), strange, base) == nil)
    // Outside a subscription, account 0, notification 0; the id is 1, the original one 2.
    let restored: [UInt8] = [0, 0, 0, 0, 0, 0, 0x80, 0x11, 2, 4, 0, 0, 0]
    guard case .purchase(_, let fact)? = decode(.purchase(.restored), restored, base)?.fact else {
      Issue.record("no restored purchase")
      return
    }
    #expect(fact.transaction.id == 1 && fact.transaction.originalID == 2)
    // A token's number (2^12): 2 and 1; the number that stands for the opening's needs no flag.
    let told: [UInt8] = [0, 0, 0, 9, 0b1010, 0, 0x80, 0x21, 2, 0, 0, 0]
    let token = decode(.line(.renewed), told + [3], base)?.fact.sold?.transaction.token
    #expect(token == TokenReference(rawValue: 2))
    #expect(decode(.line(.renewed), told + [0], base)?.fact.sold?.transaction.token == .absent)
    #expect(decode(.line(.renewed), told + [0xff, 0xff, 0xff, 0xff, 0x0f], base) == nil)
    let renewal: [UInt8] = [0, 0, 0, 9, 0b1100, 0, 0x80, 0x00, 0]
    #expect(decode(.line(.renewed), renewal, base) != nil)
    strange = renewal
    strange[7] = 0x40
    #expect(decode(.line(.renewed), strange, base) == nil)
  }

  @Test("A plain renewal takes at most 34 bytes, ten years in and a million lines on")
  func renewalSize() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00.123Z"))
    for product in ["monthly", "weekly", "two.months", "gold.y"] {
      try world.perform(.buy(product))
    }
    let start = world.log.count
    try world.advance(to: .at("2035-02-01T00:00:00Z"))
    var sizes: [Int] = []
    for var event in world.log[start...] where event.fact.kind == .line(.renewed) {
      guard case .line(let kind, var fact) = event.fact else { continue }
      // As in a log with a million lines, a base a day back and many ids given out since.
      fact.line = 1_000_000
      event.fact = .line(kind, fact)
      let base = EventFormat.Base(
        time: event.at.advanced(byDays: -1).milliseconds,
        transactionID: fact.transaction!.id - 8000)
      sizes.append(bytes(event, base).count)
    }
    #expect(sizes.count > 700)
    #expect(sizes.max()! <= 34)
  }

  /// When the records of known bytes happened: a millisecond after their base.
  private var at: Instant { Instant(milliseconds: 1001) }

  private func expect(
    _ fact: Fact, caller: Caller? = nil, _ wanted: [UInt8],
    _ location: SourceLocation = #_sourceLocation
  ) {
    let base = EventFormat.Base(time: 1000, transactionID: 50)
    let event = Event(at: at, clock: 1, caller: caller, fact: fact)
    #expect(bytes(event, base) == wanted, sourceLocation: location)
  }

  @Test("The first record of each kind has the bytes of the format's page")
  func knownBytes() {
    // Flags, clock, time 1 ms after the base as a zigzag number; then what the kind carries.
    expect(.log(.reset), [0, 1, 2])
    expect(.clock(.clockAccepted), caller: Caller(uid: 300), [1, 1, 2, 0xac, 0x02])
    expect(
      .clock(.clockHeld(behindMilliseconds: -3)),
      caller: Caller(uid: 0, requestID: "r", fingerprint: 1),
      [3, 1, 2, 0, 1, 0x72, 1, 0, 0, 0, 0, 0, 0, 0, 5])
    expect(.account(.finished(account: 7, line: 4, transactionID: 49)), [0, 1, 2, 7, 5, 1])
    expect(.account(.finished(account: 7, line: noNumber, transactionID: 50)), [0, 1, 2, 7, 0, 0])
    expect(.tester(.billingChanged(account: 128, fails: true)), [0, 1, 2, 0x80, 1, 1])
    expect(.tester(.billingChanged(account: 0, fails: false)), [0, 1, 2, 0, 0])
    expect(.tester(.rateChanged(.oneRenewalEveryDay)), [0, 1, 2, 1, 30])
    expect(.tester(.rateChanged(nil)), [0, 1, 2, 0])
    expect(
      .catalogue(.offerKeysImported(source: "s", keys: [OfferKey(id: "k", publicKey: [7, 8])])),
      [0, 1, 2, 1, 0x73, 1, 1, 0x6b, 2, 7, 8])
    expect(
      .account(.offerNonceUsed(account: 4, nonce: UUIDBits(high: 1, low: 2))),
      [0, 1, 2, 5, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    expect(
      .account(
        .offerStacked(
          account: 128, line: 3,
          offer: StackedOffer(
            offer: AppliedOffer(
              kind: .code, paymentMode: .payAsYouGo, period: Period(unit: .month, count: 2),
              identifier: 4),
            price: 1490))),
      [0, 1, 2, 0x80, 1, 3, 0x13, 10, 5, 0xa4, 0x17])
    expect(
      .log(
        .logCreated(
          role: .store, seed: UUIDBits(high: 1, low: 2),
          identity: StoreIdentity(bundleID: "a.b", environment: .production, appAppleID: 3))),
      [0, 1, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x2e, 0x62, 1, 1, 6])
    expect(.account(.clockAttached(account: 128, clock: 2)), [0, 1, 2, 0x80, 1, 2])
    expect(
      .account(.accountOpened(account: 0, key: [0x75, 0x31], token: nil, clock: 1)),
      [0, 1, 2, 0, 2, 0x75, 0x31, 0, 1])
    expect(
      .account(.tokenGiven(account: 128, token: UUIDBits(high: 1, low: 2))),
      [0, 1, 2, 0x80, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("What waits and what a renewal was to be have the bytes of the format's page")
  func knownBytesOfWhatIsToCome() {
    // Asked for without an offer, with the token of number 2.
    expect(
      .account(
        .purchasePending(
          PendingPurchase(
            id: 50, reason: .askToBuy, account: 1, product: 2, quantity: 3, storefront: 4,
            offer: nil, token: TokenReference(rawValue: 2), requestDate: at))),
      [0, 1, 2, 1, 0, 0, 2, 6, 4, 0x10, 3])
    var renewal = RenewalInfo(
      autoRenewProduct: 3, autoRenews: false, renewalDate: Instant(milliseconds: 2001),
      renewalPrice: 5, recentSubscriptionStartDate: Instant(milliseconds: 1), signedDate: at)
    renewal.expirationIntent = .cancelled
    // Renewal off, intent, another product, date and price than the (absent) transaction's.
    expect(
      .line(
        .expired,
        LineFact(
          line: 9, account: 0, group: 0, statusAfter: .expired, notification: .expiredVoluntary,
          renewal: renewal)),
      [0, 1, 2, 9, 0b10_100, 4, 0xc5, 0x03, 0xd0, 0x0f, 3, 0xd0, 0x0f, 10, 1])
    // With the storefront and the token of the renewal that was to come (2^11, 2^12).
    renewal.storefront = 75
    renewal.token = TokenReference(rawValue: 2)
    expect(
      .line(
        .expired,
        LineFact(
          line: 9, account: 0, group: 0, statusAfter: .expired, notification: .expiredVoluntary,
          renewal: renewal)),
      [0, 1, 2, 9, 0b10_100, 4, 0xc5, 0x33, 0xd0, 0x0f, 3, 0xd0, 0x0f, 10, 1, 75, 2])
  }
}
