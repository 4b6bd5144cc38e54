import JSON
import Simulation
import Testing

/// The rate through the socket. Every reply is held against its description (`TestDaemon`).
@Suite("Rates through the socket")
struct RateTests {
  private static let shop = Shop([
    Shop.Ware("pro", .subscription, price: 9_990, group: "G", level: 1, period: "P1M")
  ])

  private static func daemon() throws -> TestDaemon {
    try TestDaemon {
      $0.shop = shop
      $0.configuration.policies.renewalRate = .monthlyRenewalEveryFiveMinutes
      $0.configuration.policies.graceDays = 16
    }
  }

  @Test("The configured rate is told, with its lengths; a set one takes its place and can go")
  func getAndSet() throws {
    let daemon = try Self.daemon()
    let configured = try daemon.call("Testing.GetRate")
    #expect(configured["rate"]?.stringValue == "monthlyRenewalEveryFiveMinutes")
    #expect(configured["isSet"]?.boolValue == false)
    let lengths = configured.list("lengths").map {
      "\($0["name"]?.stringValue ?? "") \($0["milliseconds"]?.int64Value ?? 0)"
    }
    #expect(
      lengths == [
        "P1W 180000", "P1M 300000", "P2M 600000", "P3M 900000", "P6M 1800000", "P1Y 3600000",
        "weeklyGrace 154000", "grace 150000", "billingRetry 600000",
      ])
    try daemon.call("Testing.SetRate", #"{"rate":"realTime"}"#)
    let set = try daemon.call("Testing.GetRate")
    #expect(set["rate"]?.stringValue == "realTime" && set["isSet"]?.boolValue == true)
    #expect(set["configured"]?.stringValue == "monthlyRenewalEveryFiveMinutes")
    #expect(set.list("lengths").isEmpty)
    try daemon.call("Testing.SetRate")
    #expect(try daemon.call("Testing.GetRate")["isSet"]?.boolValue == false)
    let events = try daemon.log().filter { $0["kind"]?.stringValue == "rateChanged" }
    #expect(events.map { $0["rate"]?.stringValue } == ["realTime", nil])
  }

  @Test("What is bought and renewed runs at the rate, and the forecast with it")
  func renewals() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "pro")
    let start = january
    func end(at time: Int64?) throws -> Int64 {
      let line = try #require(daemon.status("u1", at: time).list("subscriptions").first)
      return try #require(line["transaction"]?["expiresDate"]?.int64Value) - start
    }
    #expect(try end(at: nil) == 300_000)
    #expect(try end(at: start + 3_600_000) == 3_900_000)
    try daemon.advance(to: start + 3_600_000)
    #expect(try end(at: nil) == 3_900_000)
    let story = try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
    #expect(
      story.contains {
        $0["text"]?.stringValue?.contains("at the rate monthlyRenewalEveryFiveMinutes") ?? false
      })
  }

  @Test("The same request sets the rate once")
  func repeated() throws {
    let daemon = try Self.daemon()
    let parameters = #"{"rate":"oneRenewalEveryMinute","requestId":"r1"}"#
    let first = try daemon.call("Testing.SetRate", parameters)
    try daemon.call("Testing.SetRate", #"{"rate":"realTime"}"#)
    #expect(try daemon.call("Testing.SetRate", parameters) == first)
    #expect(try daemon.call("Testing.GetRate")["rate"]?.stringValue == "realTime")
  }

  @Test("A rate that there is none of is refused by name")
  func unknown() throws {
    let daemon = try Self.daemon()
    let refusal = try daemon.reply("Testing.SetRate", #"{"rate":"fast"}"#)
    #expect(refusal.error == "org.varlink.service.InvalidParameter")
    #expect(refusal.parameters["parameter"]?.stringValue == "rate")
  }
}
