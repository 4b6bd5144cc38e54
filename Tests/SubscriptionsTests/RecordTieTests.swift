import Subscriptions
import TestSizes
import Testing

/// Facts signed in one millisecond: what they say decides, and the digest only between equals.
@Suite("Signed facts of one millisecond")
struct RecordTieTests {
  private static let bought = "2025-01-10T12:00:00Z"
  private static let first = "2025-02-10T12:00:00Z"
  private static let signed = "2025-01-20T00:00:00Z"
  private static let early = "2025-01-15T00:00:00Z"
  private static let late = "2025-01-18T00:00:00Z"

  private typealias Change<Fact> = (name: String, change: (inout Fact) -> Void)

  // MARK: Transactions

  /// A price of 0 that was told is more than none.
  private static var givenForNothing: [Change<ReportedTransaction>] {
    [
      (
        "given for nothing",
        {
          $0.price = 0
          $0.fields = ToldFields()
        }
      ),
      (
        "without a price",
        {
          var fields = ToldFields()
          fields.leaveOut(.price)
          $0.price = nil
          $0.fields = fields
        }
      ),
    ]
  }

  /// Versions of one transaction, the one to be believed first.
  private static var transactions: [[Change<ReportedTransaction>]] {
    let refunded: (String, Int32) -> (inout ReportedTransaction) -> Void = { time, percentage in
      { $0.revocation = revocation(at: time, percentage) }
    }
    return [
      [("refunded", refunded(early, 100_000)), ("as it was", { _ in })],
      [("replaced by an upgrade", { $0.isUpgraded = true }), ("as it was", { _ in })],
      [
        ("refunded", refunded(early, 100_000)),
        ("replaced by an upgrade", { $0.isUpgraded = true }),
      ],
      [
        (
          "refunded and replaced",
          {
            $0.isUpgraded = true; refunded(early, 100_000)(&$0)
          }
        ),
        ("refunded", refunded(early, 100_000)),
      ],
      [
        ("refunded early", refunded(early, 100_000)), ("refunded late", refunded(late, 100_000)),
      ],
      [
        ("refunded in full", refunded(early, 100_000)),
        ("refunded in half", refunded(early, 50_000)),
      ],
      [("with a price", { _ in }), ("without a price", { $0.price = nil })],
      givenForNothing,
      [("with a token", { $0.token = UUIDBits(high: 1, low: 1) }), ("without", { _ in })],
      [
        (
          "with an offer",
          { $0.offer = ReportedOffer(kind: .code, paymentMode: .payUpFront, period: .none) }
        ), ("without", { _ in }),
      ],
      [("with a period's id", { _ in }), ("without", { $0.webOrderLineItemID = 0 })],
      [
        (
          "refunded, less told",
          {
            refunded(early, 100_000)(&$0); $0.price = nil
          }
        ),
        ("more told", { _ in }),
      ],
      [
        ("ends early", { $0.expiresDate = $0.expiresDate.advanced(byDays: -1) }),
        ("ends late", { _ in }),
      ],
    ]
  }

  private static func revocation(at time: String, _ percentage: Int32) -> Revocation? {
    guard let date = try? Instant.at(time) else { return nil }
    return Revocation(
      date: date, type: percentage < 100_000 ? .refundProrated : .refundFull, reason: 0,
      percentage: percentage)
  }

  private func transaction() throws -> ReportedTransaction {
    try Told.transaction(
      1001, of: 1001, from: Self.bought, until: Self.first, signed: Self.signed)
  }

  @Test("of two versions of a transaction what they say decides, whatever their digests")
  func transactionMeanings() throws {
    for pair in Self.transactions {
      for digests in [(UInt64.max, UInt64(0)), (0, .max)] {
        var versions = [try transaction(), try transaction()]
        for (index, digest) in [digests.0, digests.1].enumerated() {
          pair[index].change(&versions[index])
          versions[index].digest = PayloadDigest(digest, 0, 0, 0)
        }
        for order in [versions, versions.reversed()] {
          var world = try world()
          for (number, fact) in order.enumerated() {
            try world.submit(
              Told.command(number: UInt64(number), transaction: fact, account: "u1"))
          }
          let kept = world.state.apple.chain(key)?.version(id: 1001)?.digest
          #expect(kept == versions[0].digest, "\(pair[0].name) before \(pair[1].name)")
        }
      }
    }
  }

  // MARK: Renewal infos

  /// Versions of one renewal info, the one to be believed first.
  private static var renewals: [[Change<ReportedRenewal>]] {
    [
      [("over", { $0.expirationIntent = .cancelled }), ("as it was", { _ in })],
      [
        ("over", { $0.expirationIntent = .billingError }),
        (
          "in retry",
          {
            $0.expirationIntent = .billingError; $0.isInBillingRetry = true
          }
        ),
      ],
      [
        ("in retry", { $0.isInBillingRetry = true }),
        ("a change of plan", { $0.autoRenewProductID = "gold.m" }),
      ],
      [
        ("over", { $0.expirationIntent = .cancelled }),
        ("a change of plan", { $0.autoRenewProductID = "gold.m" }),
      ],
      [
        ("renewal off", { $0.autoRenews = false }),
        ("a change of plan", { $0.autoRenewProductID = "gold.m" }),
      ],
      [
        ("in retry", { $0.isInBillingRetry = true }), ("renewal off", { $0.autoRenews = false }),
      ],
      [
        (
          "grace with its end",
          {
            $0.isInBillingRetry = true; $0.gracePeriodExpiresDate = $0.signedDate
          }
        ), ("retry without", { $0.isInBillingRetry = true }),
      ],
      [("with a price", { $0.renewalPrice = 4990 }), ("without", { _ in })],
      [("with a renewal date", { $0.renewalDate = $0.signedDate }), ("without", { _ in })],
      [("with a price increase", { $0.priceIncreaseStatus = 0 }), ("without", { _ in })],
      [("agreed", { $0.priceIncreaseStatus = 1 }), ("asked", { $0.priceIncreaseStatus = 0 })],
      [
        ("over, less told", { $0.expirationIntent = .cancelled }),
        (
          "more told",
          {
            $0.renewalPrice = 4990; $0.renewalDate = $0.signedDate
          }
        ),
      ],
    ]
  }

  @Test("of two renewal infos what they say decides, whatever their digests")
  func renewalMeanings() throws {
    for pair in Self.renewals {
      for digests in [(UInt64.max, UInt64(0)), (0, .max)] {
        var versions = try (0..<2).map { _ in try Told.renewal(of: 1001, signed: Self.signed) }
        for (index, digest) in [digests.0, digests.1].enumerated() {
          pair[index].change(&versions[index])
          versions[index].digest = PayloadDigest(digest, 0, 0, 0)
        }
        for order in [versions, versions.reversed()] {
          var world = try world()
          try world.submit(
            Told.command(number: 9, transaction: try transaction(), account: "u1"))
          for (number, fact) in order.enumerated() {
            try world.submit(Told.command(number: UInt64(number), renewal: fact))
          }
          let kept = world.state.apple.chain(key)?.renewal?.digest
          #expect(kept == versions[0].digest, "\(pair[0].name) before \(pair[1].name)")
        }
      }
    }
  }

  @Test("between versions that say as much the greater digest decides")
  func equals() throws {
    var versions = [try transaction(), try transaction()]
    versions[0].digest = PayloadDigest(0, 0, 0, 2)
    versions[1].digest = PayloadDigest(0, 0, 0, 1)
    versions[1].quantity = 2
    for order in [versions, versions.reversed()] {
      var world = try world()
      for (number, fact) in order.enumerated() {
        try world.submit(Told.command(number: UInt64(number), transaction: fact, account: "u1"))
      }
      #expect(world.line(1001)?.transaction.quantity == 1)
    }
  }

  // MARK: Any order

  @Test(
    "Many facts of one millisecond, in any order and repeated, give one state",
    arguments: 0..<8)
  func shuffles(part: Int) throws {
    for seed in 0..<TestSize.times(60, quick: 8) {
      var chance = SeededGenerator(seed: 91_000 + UInt64(part * 1_000 + seed))
      let facts = try (0..<UInt64.random(in: 3...9, using: &chance)).map {
        try fact(number: $0, &chance)
      }
      var portraits: Set<[String]> = []
      for _ in 0..<6 {
        var world = try world()
        let repeats = facts.filter { _ in Bool.random(using: &chance) }
        for command in (facts + repeats).shuffled(using: &chance) { try world.submit(command) }
        portraits.insert(RecordShuffleTests.portrait(of: world.state) + [shown(by: world)])
      }
      #expect(portraits.count == 1, "part \(part), seed \(seed)")
    }
  }

  /// A fact of the line, all of whose parts are signed in the one millisecond.
  private func fact(number: UInt64, _ chance: inout SeededGenerator) throws -> IngestCommand {
    var transaction: ReportedTransaction?
    var renewal: ReportedRenewal?
    if Bool.random(using: &chance) {
      var fact = try self.transaction()
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        Self.transactions.randomElement(using: &chance)?.randomElement(using: &chance)?
          .change(&fact)
      }
      fact.digest = PayloadDigest(chance.next(), 0, 0, 0)
      transaction = fact
    }
    if transaction == nil || Bool.random(using: &chance) {
      var fact = try Told.renewal(of: 1001, signed: Self.signed)
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        Self.renewals.randomElement(using: &chance)?.randomElement(using: &chance)?.change(&fact)
      }
      fact.digest = PayloadDigest(chance.next(), 0, 0, 0)
      renewal = fact
    }
    let types = [
      "DID_RENEW", "EXPIRED", "DID_FAIL_TO_RENEW", "REFUND", "GRACE_PERIOD_EXPIRED", nil,
    ]
    guard let type = types.randomElement(using: &chance) ?? nil else {
      return Told.command(
        number: number, transaction: transaction, renewal: transaction == nil ? renewal : nil,
        account: "u1")
    }
    return Told.command(
      type, type == "DID_FAIL_TO_RENEW" ? "GRACE_PERIOD" : nil, number: number,
      transaction: transaction, renewal: renewal,
      status: Status.allCases.randomElement(using: &chance), account: "u1")
  }

  /// How the line stands at the moments that matter.
  private func shown(by world: RecordWorld) -> String {
    guard let line = world.line(1001) else { return "no line" }
    let moments = [Self.bought, Self.early, Self.late, Self.signed, Self.first]
    let states = moments.compactMap { try? Instant.at($0) }.map {
      "\(line.status(at: $0)) \(line.isEntitling(at: $0)) \(line.accessEnd(at: $0).milliseconds)"
    }
    return "\(states) \(line.renewal.isInBillingRetry) \(line.renewal.gracePeriodExpiresDate)"
  }

  private var key: ChainKey { ChainKey(environment: .sandbox, originalID: 1001) }

  private func world() throws -> RecordWorld {
    var world = RecordWorld()
    try world.makeClock(at: try .at(Self.signed))
    return world
  }
}
