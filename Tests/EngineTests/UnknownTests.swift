import JSON
import Simulation
import Subscriptions
import Testing

/// Whether a line renews, where that was not told, and an end of grace that was not.
@Suite("What was not told")
struct UnknownTests {
  private static let end = january + 31 * day

  private static func record(at time: Int64) throws -> TestDaemon {
    try TestDaemon(clock: time) { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
      options.configuration.policies.expiryLeewayMilliseconds = 2 * hour
      options.configuration.policies.graceDays = 0
    }
  }

  private static func explained(_ record: TestDaemon) throws -> [String] {
    let lines = try record.call("Membership.Explain", #"{"account":"u1"}"#)["lines"]
    return (lines?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
  }

  @Test("B98: a transaction alone does not say whether it renews; it has the leeway all the same")
  func renewal() throws {
    let record = try Self.record(at: january)
    try record.call(
      "Store.Submit", #"{"signed":"\#(appleTransaction(7001))","account":"u1"}"#)
    var line = try #require(record.status("u1")["subscriptions"]?.arrayValue?.first)
    #expect(line["renewalInfo"] == nil)
    #expect(line["autoRenewStatus"] == nil)
    #expect(try Self.explained(record).contains { $0.contains("whether it renews was not told") })
    try record.advance(to: Self.end + hour)
    line = try #require(record.status("u1")["subscriptions"]?.arrayValue?.first)
    #expect(line["entitled"]?.boolValue == true)
    #expect(line["pending"]?.boolValue == true)
    try record.advance(to: Self.end + 2 * hour)
    #expect(try record.isEntitled("u1") == false)
    for (status, wanted) in [(1, true), (0, false)] {
      let record = try Self.record(at: january)
      let info = sign(
        """
        {"originalTransactionId":"7001","autoRenewProductId":"apple.monthly",\
        "autoRenewStatus":\(status),"signedDate":\(january),"environment":"Sandbox"}
        """)
      for text in [appleTransaction(7001), info] {
        try record.call("Store.Submit", #"{"signed":"\#(text)","account":"u1"}"#)
      }
      let line = try #require(record.status("u1")["subscriptions"]?.arrayValue?.first)
      #expect(line["autoRenewStatus"]?.int64Value == Int64(status))
      #expect(line["renewalInfo"]?["renewalPrice"] == nil)
      try record.advance(to: Self.end + hour)
      #expect(try record.isEntitled("u1") == wanted)
    }
  }

  @Test("a subtype says whether it renews where no renewal info does, until a newer one does")
  func subtypes() throws {
    let record = try Self.record(at: january)
    for (subtype, wanted) in [("AUTO_RENEW_DISABLED", 0), ("AUTO_RENEW_ENABLED", 1)] {
      let text = sign(
        """
        {"notificationType":"DID_CHANGE_RENEWAL_STATUS","subtype":"\(subtype)",\
        "signedDate":\(january + Int64(wanted) + 1),"data":{"environment":"Sandbox",\
        "bundleId":"com.example.app","status":1,\
        "signedTransactionInfo":"\(appleTransaction(7001))"}}
        """)
      try record.call("Store.Submit", #"{"signed":"\#(text)","account":"u1"}"#)
      let line = try #require(record.status("u1")["subscriptions"]?.arrayValue?.first)
      #expect(line["autoRenewStatus"]?.int64Value == Int64(wanted))
      #expect(line["renewalInfo"] == nil)
    }
  }

  @Test("an end of grace that is assumed is marked so in the answers, the explanation, the journal")
  func grace() throws {
    for status in [#","status":4"#, ""] {
      let record = try Self.record(at: Self.end)
      let text = sign(
        """
        {"notificationType":"DID_FAIL_TO_RENEW","subtype":"GRACE_PERIOD",\
        "signedDate":\(Self.end),"data":{"environment":"Sandbox",\
        "bundleId":"com.example.app"\(status),\
        "signedTransactionInfo":"\(appleTransaction(7001, signed: Self.end))"}}
        """)
      try record.call("Store.Submit", #"{"signed":"\#(text)","account":"u1"}"#)
      let assumed = Self.end + Subscriptions.Limits.assumedGraceDays * day
      let line = try #require(record.status("u1")["subscriptions"]?.arrayValue?.first)
      #expect(line["status"]?.int64Value == 4)
      #expect(line["entitled"]?.boolValue == true)
      #expect(line["assumedGraceEnd"]?.int64Value == assumed)
      #expect(line["expirationIntent"]?.int64Value == 2)
      let events = try record.call("Log.Read", #"{"from":1}"#)["events"]?.arrayValue ?? []
      #expect(events.last?["assumedGraceEnd"]?.int64Value == assumed)
      let explained = try Self.explained(record)
      #expect(explained.contains { $0.contains("it is assumed to last until") })
      #expect(explained.contains { $0.contains("by the policy, since no end of it was told") })
      #expect(record.world.notices.contains { $0.message.contains("it is assumed to last until") })
      try record.advance(to: assumed)
      #expect(try record.isEntitled("u1") == false)
    }
  }
}
