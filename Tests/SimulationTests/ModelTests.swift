import Subscriptions
import Testing

@testable import Simulation

/// The reference model against dates worked out by hand, so that it is not only as right as the
/// store that it judges.
@Suite("The reference model")
struct ModelTests {
  /// A model whose one account buys a product on a test clock.
  private func model(
    buying product: String, at time: String, _ policies: ModelPolicies = ModelPolicies()
  ) throws -> ReferenceModel {
    let start = try moment(time)
    var model = ReferenceModel(
      rules: ModelRules(shop: .workload, policies: policies), system: start)
    _ = model.perform(.createClock(name: "default", time: start))
    #expect(model.perform(buy(product)).error == nil)
    return model
  }

  private func moment(_ text: String) throws -> Int64 {
    try Instant(rfc3339: text).milliseconds
  }

  private func buy(_ product: String) -> ModelCommand {
    .buy(
      account: "ann", product: product, quantity: 1, clock: nil, date: nil, cancelled: false)
  }

  private func advance(_ model: inout ReferenceModel, to time: String) throws -> Int {
    model.perform(.advance(clock: "default", to: try moment(time))).due
  }

  private func line(_ model: ReferenceModel) throws -> ModelLine {
    try #require(model.accounts["ann"]?.lines.last)
  }

  private func expectEnd(_ model: ReferenceModel, _ time: String) throws {
    #expect(try line(model).last.end == moment(time))
  }

  @Test("Sixteen days of grace, then retry, and sixty days in all")
  func endsAfterSixtyDays() throws {
    var model = try model(
      buying: "bronze", at: "2025-05-21T10:00:00Z", ModelPolicies(graceDays: 16))
    _ = model.perform(.setBilling(account: "ann", fails: true))
    #expect(try advance(&model, to: "2025-06-21T10:00:00Z") == 1)
    #expect(try line(model).trouble?.graceEnd == moment("2025-07-07T10:00:00Z"))
    #expect(try line(model).status(at: moment("2025-07-07T09:59:59.999Z")) == 4)
    #expect(try advance(&model, to: "2025-07-07T10:00:00Z") == 1)
    #expect(try line(model).status(at: moment("2025-07-07T10:00:00Z")) == 3)
    #expect(try advance(&model, to: "2025-08-20T09:59:59.999Z") == 0)
    #expect(try advance(&model, to: "2025-08-20T10:00:00Z") == 1)
    #expect(try line(model).status(at: moment("2025-08-20T10:00:00Z")) == 2)
    #expect(try line(model).intent == 2)
  }

  @Test("Paid within grace the cycle stays, after it a new one begins")
  func recovers() throws {
    for (time, end) in [
      ("2025-06-30T12:00:00Z", "2025-07-21T10:00:00Z"),
      ("2025-07-29T09:00:00Z", "2025-08-29T09:00:00Z"),
    ] {
      var model = try model(
        buying: "bronze", at: "2025-05-21T10:00:00Z", ModelPolicies(graceDays: 16))
      _ = model.perform(.setBilling(account: "ann", fails: true))
      _ = try advance(&model, to: time)
      #expect(model.perform(buy("bronze")).error == "org.renewd.NotPossible")
      let paid = model.perform(.resolveBilling(account: "ann", line: 0, originalID: ""))
      #expect(paid.error == nil)
      try expectEnd(model, end)
      #expect(model.accounts["ann"]?.fails == false)
    }
  }

  @Test("In grace a change of plan can be taken back; the plan itself waits for its payment")
  func takesBackInGrace() throws {
    var model = try model(
      buying: "gold.other", at: "2025-05-21T10:00:00Z", ModelPolicies(graceDays: 16))
    _ = model.perform(.setBilling(account: "ann", fails: true))
    _ = try advance(&model, to: "2025-06-22T10:00:00Z")
    #expect(model.perform(buy("silver")).error == "org.renewd.NotPossible")
    _ = model.perform(.setBilling(account: "ann", fails: false))
    #expect(model.perform(buy("gold.other")).error == "org.renewd.NotPossible")
    #expect(model.perform(buy("silver")).error == nil)
    #expect(try line(model).change == "silver")
    #expect(model.perform(buy("gold.other")).error == nil)
    #expect(try line(model).change == nil)
    #expect(model.perform(buy("gold.other")).error == "org.renewd.NotPossible")
    #expect(model.accounts["ann"]?.lines.count == 1)
  }

  @Test("A week has six days of grace, and a trial none where only paid periods have it")
  func limitsGrace() throws {
    var weekly = try model(
      buying: "bronze.week", at: "2025-01-01T00:00:00Z", ModelPolicies(graceDays: 28))
    _ = weekly.perform(.setBilling(account: "ann", fails: true))
    _ = try advance(&weekly, to: "2025-01-08T00:00:00Z")
    #expect(try line(weekly).trouble?.graceEnd == moment("2025-01-14T00:00:00Z"))
    var trial = try model(
      buying: "gold", at: "2025-01-01T00:00:00Z",
      ModelPolicies(graceDays: 16, gracesPaidOnly: true))
    _ = trial.perform(.setBilling(account: "ann", fails: true))
    _ = try advance(&trial, to: "2025-01-15T00:00:00Z")
    #expect(try line(trial).status(at: moment("2025-01-15T00:00:00Z")) == 3)
  }

  @Test("A higher level comes at once, a lower one or another length with the next renewal")
  func changesPlans() throws {
    var model = try model(buying: "silver", at: "2025-01-10T12:00:00Z")
    _ = try advance(&model, to: "2025-01-20T12:00:00Z")
    #expect(model.perform(buy("gold")).error == nil)
    #expect(try line(model).periods.map(\.isUpgraded) == [true, false])
    #expect(try line(model).last.offer == nil)
    try expectEnd(model, "2025-02-20T12:00:00Z")
    for product in ["gold.year", "bronze.week"] {
      #expect(model.perform(buy(product)).error == nil)
      #expect(try line(model).last.product == "gold")
    }
    _ = try advance(&model, to: "2025-02-20T12:00:00Z")
    #expect(try line(model).last.product == "bronze.week")
    try expectEnd(model, "2025-02-27T12:00:00Z")
  }

  @Test("Another product bought in billing retry begins a subscription of its own")
  func beginsSecondLine() throws {
    var model = try model(buying: "bronze", at: "2025-01-10T12:00:00Z")
    _ = model.perform(.setBilling(account: "ann", fails: true))
    _ = try advance(&model, to: "2025-02-11T12:00:00Z")
    #expect(model.perform(buy("gold")).error == "org.renewd.NotPossible")
    _ = model.perform(.setBilling(account: "ann", fails: false))
    #expect(model.perform(buy("bronze")).error == "org.renewd.NotPossible")
    #expect(model.perform(buy("gold")).error == nil)
    #expect(model.accounts["ann"]?.lines.map(\.last.product) == ["bronze", "gold"])
  }

  @Test("A member's line is the purchaser's until a plan that is not shared comes")
  func followsPurchaser() throws {
    let start = try moment("2025-01-31T10:00:00Z")
    var model = ReferenceModel(rules: ModelRules(shop: .simulation), system: start)
    _ = model.perform(.createClock(name: "default", time: start))
    _ = model.perform(buy("family"))
    _ = model.perform(.advance(clock: "default", to: start + 5 * ModelCalendar.dayMilliseconds))
    #expect(model.perform(.share(account: "ann", to: "bob")).error == nil)
    #expect(model.perform(.share(account: "bob", to: "cid")).error == "org.renewd.NotPossible")
    _ = model.perform(buy("single"))
    #expect(try advance(&model, to: "2025-02-28T10:00:00Z") == 2)
    let period = try #require(model.accounts["bob"]?.lines.first?.last)
    #expect(period.start == start + 5 * ModelCalendar.dayMilliseconds)
    #expect(try period.revoked == moment("2025-02-28T10:00:00Z"))
    _ = model.perform(buy("family.year"))
    #expect(try line(model).last.product == "family.year")
    let member = try #require(model.accounts["bob"]?.lines.first)
    #expect(member.periods.map(\.product) == ["family", "family.year"])
    #expect(member.last.price == 0)
    #expect(try member.last.end == moment("2026-02-28T10:00:00Z"))
    #expect(model.perform(.unshare(account: "ann", to: nil, cause: nil)).error == nil)
    #expect(
      try model.accounts["bob"]?.isEntitled(at: moment("2025-03-01T00:00:00Z"), shop: .simulation)
        == false)
  }
}
