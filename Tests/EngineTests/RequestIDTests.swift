import JSON
import Simulation
import Testing

@Suite("A request id has one effect")
struct RequestIDTests {
  /// Changing calls, and what of their answers must come again. `$1` is a monthly subscription.
  static let calls: [(method: String, parameters: String, keys: [String])] = [
    (
      "Store.Purchase", #"{"account":"u2","productId":"coins","quantity":2}"#,
      ["result", "transaction", "sequence"]
    ),
    (
      "Store.Purchase",
      #"{"account":"u3","productId":"monthly","#
        + #""appAccountToken":"01234567-89ab-cdef-0123-456789abcdef"}"#,
      ["result", "transaction", "sequence"]
    ),
    ("Store.Finish", #"{"transactionId":"$1"}"#, ["sequence"]),
    ("Store.Restore", #"{"account":"u1"}"#, ["transactions", "sequence"]),
    ("Store.SetAutoRenew", #"{"originalTransactionId":"$1","enabled":false}"#, ["sequence"]),
    ("Testing.ForceRenewal", #"{"originalTransactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Testing.RequestRefund", #"{"transactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Testing.DeclineRefund", #"{"transactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Testing.Refund", #"{"transactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Testing.ReverseRefund", #"{"transactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Testing.Expire", #"{"originalTransactionId":"$1"}"#, ["transaction", "sequence"]),
    ("Clocks.Create", #"{"name":"other","at":1738317600000}"#, ["clock"]),
    (
      "Clocks.Advance", #"{"clock":"other","by":"P1M"}"#,
      ["events", "firstSequence", "lastSequence"]
    ),
    ("Clocks.Attach", #"{"account":"u9","clock":"other"}"#, ["sequence"]),
    ("Testing.Reset", "{}", ["sequence"]),
  ]

  @Test("The first answer comes again, also across a restart, and nothing happens twice")
  func replays() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    for (number, call) in Self.calls.enumerated() {
      let parameters = Self.adding(
        "r\(number)", to: call.parameters.replacing("$1", with: id))
      let first = try daemon.call(call.method, parameters)
      let count = try daemon.log().count
      for isRestarted in [false, true] {
        if isRestarted { try daemon.restart() }
        let again = try daemon.call(call.method, parameters)
        for key in call.keys {
          #expect(again[key] == first[key], "\(call.method) \(key)")
        }
        #expect(try daemon.log().count == count, "\(call.method) had a second effect")
      }
    }
  }

  /// Calls that come to several events: of other accounts of the family, of the line that is left.
  /// `$1` is the subscription that is shared.
  private static let manyEvents: [(method: String, parameters: String)] = [
    ("Store.SetAutoRenew", #"{"originalTransactionId":"$1","enabled":false}"#),
    ("Store.SetAutoRenew", #"{"originalTransactionId":"$1","enabled":true}"#),
    ("Testing.Extend", #"{"account":"u1","days":10,"reason":0}"#),
    ("Testing.ForceRenewal", #"{"account":"u1"}"#),
    ("Store.Purchase", #"{"account":"u1","productId":"family.year"}"#),
    ("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#),
    ("Store.Purchase", #"{"account":"u1","productId":"album","clock":"default"}"#),
    ("Store.Purchase", #"{"account":"u7","productId":"family"}"#),
    ("Testing.RequestRefund", #"{"originalTransactionId":"$1"}"#),
    ("Testing.Refund", #"{"originalTransactionId":"$1"}"#),
    ("Testing.ReverseRefund", #"{"originalTransactionId":"$1"}"#),
    ("Testing.Share", #"{"account":"u1","to":"u4"}"#),
    ("Testing.Expire", #"{"originalTransactionId":"$1"}"#),
    ("Testing.Unshare", #"{"account":"u1"}"#),
  ]

  @Test("A repeated answer is the first one, letter for letter, however many events it came to")
  func sameAnswer() throws {
    let plans = Shop([
      Shop.Ware(
        "family", .subscription, price: 14_990, group: "GS", level: 2, period: "P1M",
        isShareable: true),
      Shop.Ware(
        "family.year", .subscription, price: 149_990, group: "GS", level: 1, period: "P1Y",
        isShareable: true),
      Shop.Ware("album", .nonConsumable, price: 29_990, isShareable: true),
    ])
    let daemon = try TestDaemon { $0.shop = plans }
    let id = try daemon.buy("u1", "family")
    for member in ["u2", "u3"] {
      try daemon.call("Testing.Share", #"{"account":"u1","to":"\#(member)"}"#)
    }
    for (number, call) in Self.manyEvents.enumerated() {
      let parameters = Self.adding("m\(number)", to: call.parameters.replacing("$1", with: id))
      let first = try daemon.call(call.method, parameters)
      #expect(try daemon.call(call.method, parameters) == first, "\(call.method) \(number)")
      try daemon.restart()
      #expect(try daemon.call(call.method, parameters) == first, "\(call.method) \(number)")
    }
  }

  private static func adding(_ requestID: String, to text: String) -> String {
    let comma = text == "{}" ? "" : ","
    return String(text.dropLast()) + #"\#(comma)"requestId":"\#(requestID)"}"#
  }

  @Test("The order of parameters does not matter, and a null is as good as nothing")
  func sameParameters() throws {
    let daemon = try TestDaemon()
    let first = try daemon.call(
      "Store.Purchase", #"{"account":"u","productId":"coins","requestId":"r"}"#)
    let second = try daemon.call(
      "Store.Purchase",
      #"{"requestId":"r","productId":"coins","quantity":null,"account":"u"}"#)
    #expect(first == second)
  }

  @Test("The same id with other parameters, or for another method, is refused")
  func reused() throws {
    let daemon = try TestDaemon()
    try daemon.call("Store.Purchase", #"{"account":"u","productId":"coins","requestId":"r"}"#)
    for (method, parameters) in [
      ("Store.Purchase", #"{"account":"u","productId":"coins","quantity":2,"requestId":"r"}"#),
      ("Store.Purchase", #"{"account":"v","productId":"coins","requestId":"r"}"#),
      ("Testing.Reset", #"{"requestId":"r"}"#),
      ("Clocks.Create", #"{"name":"c","at":1738317600000,"requestId":"r"}"#),
    ] {
      #expect(try daemon.error(method, parameters) == "RequestIdReused")
    }
  }

  @Test("Another user's id is another id")
  func perUser() throws {
    let daemon = try TestDaemon()
    let other = daemon.world.connect(uid: 1000)
    let text = #"{"account":"u","productId":"coins","requestId":"r"}"#
    let first = try daemon.call("Store.Purchase", text)
    let second = try daemon.call("Store.Purchase", text, by: other)
    #expect(first["transaction"] != second["transaction"])
    #expect(try daemon.call("Store.Purchase", text, by: other) == second)
    #expect(try daemon.history("u").count == 2)
  }

  @Test("A purchase that turned a renewal on again is answered with what the line had then")
  func replaysResume() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u", "monthly")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    let text = #"{"account":"u","productId":"monthly","requestId":"r"}"#
    let first = try daemon.call("Store.Purchase", text)
    try daemon.advance(to: time("2025-05-01"))
    let again = try daemon.call("Store.Purchase", text)
    #expect(again["transaction"] == first["transaction"])
    #expect(again["transaction"]?["transactionId"]?.stringValue == id)
  }

  @Test("Refusals are not remembered")
  func refusals() throws {
    let daemon = try TestDaemon()
    let text = #"{"account":"u","productId":"coins","clock":"c","requestId":"r"}"#
    #expect(try daemon.error("Store.Purchase", text) == "ClockNotFound")
    try daemon.call("Clocks.Create", #"{"name":"c","at":1738317600000}"#)
    try daemon.call("Store.Purchase", text)
  }

  @Test("An id is 1 to 64 bytes")
  func length() throws {
    let daemon = try TestDaemon()
    func buy(_ count: Int) throws -> String? {
      let id = String(repeating: "x", count: count)
      return try daemon.reply(
        "Store.Purchase", #"{"account":"u","productId":"coins","requestId":"\#(id)"}"#
      ).error
    }
    #expect(try buy(0) == "org.renewd.InvalidParameter")
    #expect(try buy(1) == nil)
    #expect(try buy(64) == nil)
    #expect(try buy(65) == "org.renewd.InvalidParameter")
  }

  @Test("A crash between the append and the reply leaves one effect, wherever it comes")
  func crashes() throws {
    for turns in 0..<8 {
      for seed in 0..<4 {
        let daemon = try TestDaemon {
          $0.seed = UInt64(turns * 10 + seed)
          $0.isChaotic = true
        }
        let text = #"{"account":"u","productId":"coins","requestId":"r"}"#
        daemon.world.send("org.renewd.Store.Purchase", json(text), from: daemon.root)
        for _ in 0..<turns { daemon.world.turn() }
        let early = daemon.root.takeReply()
        daemon.world.losePower()
        try daemon.world.start()
        daemon.world.reconnect(daemon.root)
        let reply = try daemon.call("Store.Purchase", text)
        if let early { #expect(early == reply) }
        #expect(try daemon.history("u").count == 1)
      }
    }
  }
}
