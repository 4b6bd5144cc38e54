import Subscriptions
import Testing

@testable import Engine

/// Whoever reads nothing but an explanation can name the status, its cause and the next date.
/// Lives are decided by the rules and told by the explainer; the sentences are written by hand.
@Suite("An account's story in sentences")
struct ExplainerTests {
  /// One customer on one test clock.
  private struct Life {
    let state = State()
    var events: [StoredEvent] = []
    let policies = Policies()
    let key: [UInt8] = Array("u1".utf8)

    init(_ start: String) throws {
      let catalogue = Catalogue(
        groups: [CatalogueGroup(id: "G", name: "Pro"), CatalogueGroup(id: "T", name: "Try")],
        products: [
          CatalogueProduct(
            id: "pro.monthly", type: .autoRenewable, price: 9990, groupID: "G", level: 1,
            period: Period(unit: .month, count: 1)),
          CatalogueProduct(
            id: "try.monthly", type: .autoRenewable, price: 4990, groupID: "T", level: 1,
            period: Period(unit: .month, count: 1),
            offers: [
              CatalogueOffer(
                kind: .introductory, paymentMode: .payAsYouGo,
                period: Period(unit: .month, count: 1), periodCount: 2, price: 1990)
            ]),
          CatalogueProduct(id: "lifetime", type: .nonConsumable, price: 49_990),
          CatalogueProduct(id: "coins", type: .consumable, price: 990),
        ])
      let time = try Instant(rfc3339: start)
      append(
        Event(
          at: time, clock: Clock.system,
          fact: .log(.logCreated(role: .store, seed: UUIDBits(high: 0, low: 0)))))
      try perform(
        .importCatalogue(catalogue, source: "test.storekit", digest: 1, isAsked: false))
      try perform(.createClock(name: Clock.defaultName, at: time))
    }

    mutating func append(_ event: Event) {
      state.apply(event, position: 0)
      events.append(StoredEvent(sequence: state.sequence, recorded: 0, event: event))
    }

    mutating func advance(to text: String) throws {
      let target = try Instant(rfc3339: text)
      while let due = earliest(until: target) {
        append(Event(try #require(state.decideDue(line: due, policies: policies))))
      }
      state.setTestTime(target, clock: 1)
    }

    private func earliest(until target: Instant) -> LineNumber? {
      state.lines.indices.map { LineNumber($0) }
        .filter {
          state.deadline(of: $0, policies.terms).map { $0.deadline.time <= target } ?? false
        }
        .min {
          state.deadline(of: $0, policies.terms)!.deadline.time
            < state.deadline(of: $1, policies.terms)!.deadline.time
        }
    }

    mutating func buy(_ product: String, quantity: Int64 = 1) throws {
      try perform(
        .purchase(PurchaseCommand(account: key, productID: product, quantity: quantity)))
    }

    mutating func perform(_ command: Command) throws {
      var history = AccountHistory()
      for stored in chain { history.apply(stored.event) }
      let decision = try state.decide(command, Moment(policies, history: history))
      for event in decision.events { append(event) }
    }

    private var chain: [StoredEvent] {
      events.filter { $0.event.fact.account == 0 }
    }

    var lines: [ExplainLine] {
      Explainer.lines(
        events: chain, state: state, terms: policies.terms, account: 0, now: state.now(of: 0),
        environment: "Xcode")
    }

    /// The sentences of what happened, and those of where things stand.
    var told: [String] { lines.filter { $0.sequence != nil }.map(\.text) }
    var standing: [String] { lines.filter { $0.sequence == nil }.map(\.text) }
  }

  private static let first = OwnedTransaction(
    Subscriptions.Limits.firstTransactionID, of: 0)

  @Test("A year of renewals is one sentence; then the status, the price and the next date")
  func renewals() throws {
    var life = try Life("2025-01-31T10:00:00Z")
    try life.buy("pro.monthly")
    try life.advance(to: "2026-02-01T00:00:00Z")
    #expect(
      life.told == [
        "On 2025-01-31T10:00:00Z the account was opened on the clock default.",
        "On 2025-01-31T10:00:00Z the account subscribed to pro.monthly for 9.99 USD, until"
          + " 2025-02-28T10:00:00Z (transaction 2000000000000001).",
        "From 2025-02-28T10:00:00Z to 2026-01-31T10:00:00Z pro.monthly renewed 12 times, each"
          + " time for 9.99 USD; the last of these periods runs until 2026-02-28T10:00:00Z"
          + " (#6 to #17).",
      ])
    #expect(
      life.standing == [
        "It is now 2026-02-01T00:00:00Z on the clock default, in the environment Xcode; the"
          + " account is entitled.",
        "pro.monthly (original transaction 2000000000000001) is at status 1 (active) and"
          + " entitles: its period from 2026-01-31T10:00:00Z to 2026-02-28T10:00:00Z, bought for"
          + " 9.99 USD, is not over.",
        "The next date of pro.monthly is 2026-02-28T10:00:00Z: it will renew then for 9.99 USD,"
          + " for 1 month more.",
      ])
    #expect(life.lines.compactMap(\.sequence) == [4, 5, 6])
    #expect(life.lines.last?.at == life.state.now(of: 0))
  }

  @Test("Cancelled: until when access lasts; then that it expired, and why")
  func cancelled() throws {
    var life = try Life("2025-01-31T10:00:00Z")
    try life.buy("pro.monthly")
    try life.advance(to: "2025-02-10T00:00:00Z")
    try life.perform(.setAutoRenew(0, isOn: false))
    #expect(
      life.told.last
        == "On 2025-02-10T00:00:00Z the renewal of pro.monthly was turned off; its period lasts"
        + " until 2025-02-28T10:00:00Z.")
    #expect(
      life.standing.last
        == "The next date of pro.monthly is 2025-02-28T10:00:00Z: its renewal is turned off, so"
        + " it will expire then, and access by it will end, unless renewal is turned on again"
        + " before.")
    try life.advance(to: "2025-03-01T00:00:00Z")
    #expect(
      life.told.last
        == "On 2025-02-28T10:00:00Z pro.monthly expired because its renewal had been turned off.")
    #expect(
      life.standing == [
        "It is now 2025-03-01T00:00:00Z on the clock default, in the environment Xcode; the"
          + " account is not entitled: nothing it has gives access now.",
        "pro.monthly (original transaction 2000000000000001) is at status 2 (expired) and does"
          + " not entitle: it expired on 2025-02-28T10:00:00Z because its renewal had been turned"
          + " off.",
        "There is no next date for pro.monthly: nothing more will happen to it by itself, and"
          + " buying in its group again continues the same subscription.",
      ])
  }

  @Test("Refunded in part: how much, why, and that access ended at once")
  func refunded() throws {
    var life = try Life("2025-01-31T10:00:00Z")
    try life.buy("pro.monthly")
    try life.advance(to: "2025-02-10T00:00:00Z")
    try life.perform(.refund(Self.first, percentage: 50, reason: 1))
    let refund = "refunded by 50 % (4.995 USD) for an issue with the app"
    #expect(
      life.told.last
        == "On 2025-02-10T00:00:00Z the period of pro.monthly from 2025-01-31T10:00:00Z to"
        + " 2025-02-28T10:00:00Z (transaction 2000000000000001) was \(refund); that is its newest"
        + " period, so access ended at once.")
    #expect(
      life.standing[1]
        == "pro.monthly (original transaction 2000000000000001) is at status 5 (revoked) and does"
        + " not entitle: its newest period, from 2025-01-31T10:00:00Z to 2025-02-28T10:00:00Z,"
        + " was \(refund) on 2025-02-10T00:00:00Z.")
    try life.advance(to: "2025-03-20T00:00:00Z")
    try life.perform(.reverseRefund(Self.first))
    #expect(
      life.told.last
        == "On 2025-03-20T00:00:00Z the refund of transaction 2000000000000001 of pro.monthly was"
        + " reversed: the period until 2025-02-28T10:00:00Z stands again; but it was over by"
        + " then, so the subscription expired.")
    #expect(life.standing[1].contains("is at status 2 (expired) and does not entitle"))
  }

  @Test("An offer says its price, how long it goes on, and what the next period costs")
  func offer() throws {
    var life = try Life("2025-01-10T12:00:00Z")
    try life.buy("try.monthly")
    #expect(
      life.told.last
        == "On 2025-01-10T12:00:00Z the account subscribed to try.monthly at the introductory"
        + " price of 1.99 USD a period, for 2 months in all, until 2025-02-10T12:00:00Z"
        + " (transaction 2000000000000001).")
    #expect(
      life.standing.last
        == "The next date of try.monthly is 2025-02-10T12:00:00Z: it will renew then for 1.99 USD"
        + " (still the introductory price), for 1 month more.")
    try life.advance(to: "2025-02-10T12:00:00Z")
    #expect(
      life.standing.last
        == "The next date of try.monthly is 2025-03-10T12:00:00Z: it will renew then for 4.99"
        + " USD, for 1 month more.")
  }

  @Test("Purchases outside subscriptions say whether they entitle")
  func purchases() throws {
    var life = try Life("2025-01-10T12:00:00Z")
    try life.buy("coins", quantity: 3)
    #expect(
      life.standing == [
        "It is now 2025-01-10T12:00:00Z on the clock default, in the environment Xcode; the"
          + " account is not entitled: it has no subscription and no lasting purchase.",
        "Purchases of consumables: 1; it waits to be finished by the app. Consumables never"
          + " entitle.",
      ])
    try life.buy("lifetime")
    try life.perform(.finish(Self.first))
    #expect(
      life.told.dropFirst() == [
        "On 2025-01-10T12:00:00Z the account bought 3 of coins, a consumable, for 2.97 USD"
          + " (transaction 2000000000000001).",
        "On 2025-01-10T12:00:00Z the account bought lifetime, a non-consumable, for 49.99 USD"
          + " (transaction 2000000000000002).",
        "On 2025-01-10T12:00:00Z the app finished transaction 2000000000000001 of coins: it has"
          + " delivered what was bought.",
      ])
    #expect(
      life.standing[1]
        == "lifetime (transaction 2000000000000002), a non-consumable bought on"
        + " 2025-01-10T12:00:00Z for 49.99 USD, entitles for ever: it is not refunded, and there"
        + " is no next date for it.")
  }

  @Test("Two subscriptions' renewals are summed up each by itself, though they alternate")
  func alternating() throws {
    var life = try Life("2025-01-10T12:00:00Z")
    try life.buy("pro.monthly")
    try life.buy("try.monthly")
    try life.advance(to: "2025-12-31T00:00:00Z")
    let sums = life.told.filter { $0.hasPrefix("From ") }
    #expect(sums.count == 2)
    #expect(sums.contains { $0.contains("pro.monthly renewed 11 times, each time for 9.99 USD") })
    // The second period at the introductory price stands alone; ten regular ones follow.
    #expect(sums.contains { $0.contains("try.monthly renewed 10 times, each time for 4.99 USD") })
    #expect(life.lines.compactMap(\.sequence) == life.lines.compactMap(\.sequence).sorted())
  }

  @Test("Four alike are still told one by one")
  func few() throws {
    var life = try Life("2025-01-10T12:00:00Z")
    try life.buy("pro.monthly")
    try life.advance(to: "2025-05-10T12:00:00Z")
    #expect(life.told.filter { $0.contains("renewed") }.count == 4)
    try life.advance(to: "2025-06-10T12:00:00Z")
    #expect(life.told.filter { $0.contains("renewed") }.count == 1)
  }
}
