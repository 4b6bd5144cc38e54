import JSON
import Simulation
import Testing

@Suite("The protocol's edges")
struct ProtocolTests {
  @Test(
    "What is wrong with a call's parameters is named",
    arguments: [
      (#"{"account":"u","acount":1}"#, "acount"),
      (#"{"account":1}"#, "account"),
      (#"{"account":null}"#, "account"),
      (#"{}"#, "account"),
      (#"{"account":"u","at":1.5}"#, "at"),
      (#"{"account":"u","at":1e3}"#, "at"),
      (#"{"account":"u","at":9223372036854775808}"#, "at"),
      (#"{"account":"u","at":-9223372036854775809}"#, "at"),
      (#"{"account":"u","at":"1"}"#, "at"),
      (#"{"account":"u","at":true}"#, "at"),
      (#"{"account":["u"]}"#, "account"),
    ])
  func namesFault(parameters: String, name: String) throws {
    let daemon = try TestDaemon()
    let reply = try daemon.reply("Membership.Status", parameters)
    #expect(reply.error == "org.varlink.service.InvalidParameter")
    #expect(reply.text("parameter") == name)
  }

  @Test("Faults inside arrays, enumerations and structs are named by their path")
  func namesInnerFault() throws {
    let daemon = try TestDaemon()
    let products = try daemon.reply("Store.Products", #"{"productIds":["a",2]}"#)
    #expect(products.text("parameter") == "productIds[1]")
    let offer = try daemon.reply(
      "Store.Purchase", #"{"account":"u","productId":"p","offer":{"type":"gift"}}"#)
    #expect(offer.text("parameter") == "offer.type")
    let behavior = try daemon.reply(
      "Store.Purchase", #"{"account":"u","productId":"p","renewalBehavior":"never"}"#)
    #expect(behavior.text("parameter") == "renewalBehavior")
  }

  @Test("The largest numbers are read, and a time out of bounds is no trap")
  func extremes() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u", "coins")
    try daemon.buy("v", "yearly")
    for (method, name) in [("Status", "at"), ("History", "until")] {
      #expect(
        try daemon.error(
          "Membership.\(method)", #"{"account":"v","\#(name)":9223372036854775807}"#)
          == "InvalidParameter")
    }
    #expect(try daemon.error("Clocks.Advance", #"{"by":"P999Y"}"#) == "InvalidTime")
    for at in ["9223372036854775807", "-9223372036854775808", "0"] {
      for (method, parameters) in [
        ("Membership.Status", #""account":"u","at""#),
        ("Membership.History", #""account":"u","until""#), ("Clocks.Create", #""name":"x","at""#),
      ] {
        #expect(try daemon.error(method, "{\(parameters):\(at)}") == "InvalidParameter")
      }
      _ = try daemon.reply("Clocks.Advance", #"{"to":\#(at)}"#)
      _ = try daemon.reply("Log.Read", #"{"from":\#(at)}"#)
      _ = try daemon.reply(
        "Store.Purchase", #"{"account":"u","productId":"coins","purchaseDate":\#(at)}"#)
      #expect(
        try daemon.error(
          "Store.Purchase", #"{"account":"u","productId":"coins","quantity":\#(at)}"#)
          == "InvalidQuantity")
    }
  }

  @Test("Unknown methods and interfaces are said to be so")
  func unknownMethods() throws {
    let daemon = try TestDaemon()
    let method = try daemon.reply("Membership.Statu", "{}")
    #expect(method.error == "org.varlink.service.MethodNotFound")
    let interface = try daemon.reply("org.example.Ping", "{}")
    #expect(interface.error == "org.varlink.service.InterfaceNotFound")
    let watch = try daemon.reply("Membership.Watch", "{}")
    #expect(watch.error == "org.varlink.service.ExpectedMore")
  }

  /// Sends bytes and gives what came, and whether the connection is still there.
  private func send(
    _ bytes: [UInt8], uid: UInt32 = 0
  ) throws -> (replies: [Reply], isConnected: Bool) {
    let daemon = try TestDaemon()
    let client = daemon.world.connect(uid: uid)
    daemon.world.send(bytes, from: client)
    daemon.world.settleNew()
    return (client.takeReplies(), client.isConnected)
  }

  @Test(
    "What is no call is answered, then the connection closes",
    arguments: [
      "no json", "{", "[]", "{}", #"{"method":1}"#, #"{"method":"x"}"#,
      #"{"method":"org.renewd.Daemon.Describe","method":"x"}"#,
      #"{"method":"org.renewd.Daemon.Describe","parameters":[]}"#,
      #"{"method":"org.renewd.Daemon.Describe","upgrade":true}"#,
      #"{"method":"org.renewd.Daemon.Describe","more":1}"#, "\u{1}", "",
    ])
  func malformed(text: String) throws {
    let (replies, isConnected) = try send(Array(text.utf8) + [0])
    #expect(replies.count == 1)
    #expect(replies.first?.error != nil)
    #expect(!isConnected)
  }

  @Test("Bytes that are no UTF-8 are refused")
  func notUTF8() throws {
    let head = Array(#"{"method":"org.renewd.Membership.Check","parameters":{"account":""#.utf8)
    let (replies, isConnected) = try send(head + [0xff, 0xfe] + Array(#""}}"#.utf8) + [0])
    #expect(replies.first?.error != nil)
    #expect(!isConnected)
  }

  @Test("Sixteen levels are read, seventeen are not")
  func depth() throws {
    func message(levels: Int) -> [UInt8] {
      // The message and its parameters are two of them.
      let inner = levels - 2
      return Array(
        (#"{"method":"org.renewd.Membership.Check","parameters":{"account":"#
          + String(repeating: "[", count: inner) + String(repeating: "]", count: inner) + "}}")
          .utf8) + [0]
    }
    let allowed = try send(message(levels: 16))
    #expect(allowed.replies.first?.error == "org.varlink.service.InvalidParameter")
    #expect(allowed.isConnected)
    let tooDeep = try send(message(levels: 17))
    #expect(tooDeep.replies.first?.error != nil)
    #expect(!tooDeep.isConnected)
  }

  /// A call of `Check` that is exactly so many bytes long, without its NUL.
  private func check(byteCount: Int) -> [UInt8] {
    let head = #"{"method":"org.renewd.Membership.Check","parameters":{"account":"u"}"#
    return Array(head.utf8) + [UInt8](repeating: 0x20, count: byteCount - head.utf8.count - 1)
      + Array("}".utf8) + [0]
  }

  @Test("A call of 64 KiB is served, one byte more is not", arguments: [0, 1001] as [UInt32])
  func sizeLimit(uid: UInt32) throws {
    let most = try send(check(byteCount: 64 << 10), uid: uid)
    #expect(most.replies.count == 1 && most.replies[0].error == nil)
    #expect(most.isConnected)
    let tooMuch = try send(check(byteCount: 64 << 10 + 1), uid: uid)
    #expect(tooMuch.replies.count == 1 && tooMuch.replies[0].error != nil)
    #expect(!tooMuch.isConnected)
  }

  @Test("An endless message is cut off at its limit, before it ends")
  func endlessMessage() throws {
    let bytes = [UInt8](repeating: 0x20, count: 64 << 10 + 1)
    let (replies, isConnected) = try send(bytes, uid: 1001)
    #expect(replies.count == 1 && replies[0].error != nil)
    #expect(!isConnected)
  }

  @Test("A catalogue may have 16 MiB where an admin brings it, and nobody else's call may")
  func importLimit() throws {
    func importCall(byteCount: Int) -> [UInt8] {
      let shop = String(decoding: Shop.standard.storekitText, as: UTF8.self)
      let text = JSONValue.string(shop).compactText
      let head =
        #"{"method":"org.renewd.Catalog.Import","parameters":{"source":"x","text":\#(text)}"#
      return Array(head.utf8) + [UInt8](repeating: 0x20, count: byteCount - head.utf8.count - 1)
        + Array("}".utf8) + [0]
    }
    let most = try send(importCall(byteCount: 16 << 20))
    #expect(most.replies.first?.error == nil)
    #expect(most.replies.count == 1)
    let tooMuch = try send(importCall(byteCount: 16 << 20 + 1))
    #expect(tooMuch.replies.first?.error != nil)
    #expect(!tooMuch.isConnected)
    let writer = try send(importCall(byteCount: 64 << 10 + 1), uid: 1000)
    #expect(writer.replies.first?.error != nil)
    #expect(!writer.isConnected)
  }

  @Test("Pipelined calls are answered in their order, those that wait for the log among them")
  func pipelining() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u", "monthly")
    let client = daemon.world.connect(uid: 0)
    let calls: [(String, String)] = [
      ("Membership.History", #"{"account":"u"}"#),
      ("Membership.Check", #"{"account":"u"}"#),
      ("Store.Purchase", #"{"account":"u","productId":"coins"}"#),
      ("Membership.History", #"{"account":"u"}"#),
      ("Membership.Check", #"{"account":"nobody"}"#),
      ("Daemon.Reload", "{}"),
      ("Log.Verify", "{}"),
      ("Clocks.Advance", #"{"by":"P1Y"}"#),
      ("Membership.Statu", "{}"),
      ("Membership.Check", #"{"account":"u"}"#),
    ]
    for (method, text) in calls {
      daemon.world.send("org.renewd.\(method)", json(text), from: client)
    }
    daemon.world.settleNew()
    let replies = client.takeReplies()
    try #require(replies.count == calls.count)
    for (call, reply) in zip(calls, replies) {
      TestDaemon.validate(reply, of: "org.renewd.\(call.0)")
    }
    #expect(replies[0].list("transactions").count == 1)
    #expect(replies[3].list("transactions").count == 2)
    #expect(replies[7].int("events") == 12)
    #expect(replies[8].error == "org.varlink.service.MethodNotFound")
    #expect(replies[9].int("until") ?? 0 > time("2026-01-31"))
  }

  @Test("A oneway call is carried out and not answered, not even with an error")
  func oneway() throws {
    let daemon = try TestDaemon()
    let client = daemon.world.connect(uid: 0)
    func send(_ method: String, _ text: String) {
      daemon.world.send("org.renewd.\(method)", json(text), oneway: true, from: client)
    }
    send("Store.Purchase", #"{"account":"u","productId":"monthly"}"#)
    send("Store.Purchase", #"{"account":"u","productId":"no.such"}"#)
    send("Membership.Check", #"{"account":"u"}"#)
    send("Membership.History", #"{"account":"u"}"#)
    send("Nothing.Here", "{}")
    send("Daemon.Reload", "{}")
    send("Log.Verify", "{}")
    send("Membership.Watch", "{}")
    send("Clocks.Advance", #"{"by":"P1M"}"#)
    daemon.world.send("org.renewd.Membership.Check", json(#"{"account":"u"}"#), from: client)
    daemon.world.settleNew()
    let replies = client.takeReplies()
    #expect(replies.count == 1)
    #expect(replies.first?.flag("entitled") == true)
    #expect(replies.first?.int("until") == time("2025-03-31T10:00"))
  }

  @Test("Bytes that come one by one make the same answers")
  func oneByOne() throws {
    let daemon = try TestDaemon()
    let client = daemon.world.connect(uid: 0)
    let bytes = World.message(
      "org.renewd.Store.Purchase", json(#"{"account":"ü","productId":"monthly"}"#))
    for byte in bytes {
      daemon.world.send([byte], from: client)
      daemon.world.settleNew()
    }
    #expect(client.takeReplies().first?["transaction"]?["account"]?.stringValue == "ü")
  }

  @Test("A greedy client that reads nothing is not read from, and others are served")
  func greedyClient() throws {
    let daemon = try TestDaemon()
    for _ in 0..<20 { try daemon.buy("u", "coins") }
    let greedy = daemon.world.connect(uid: 1001)
    greedy.takenPerTurn = 0
    let call = World.message("org.renewd.Membership.History", json(#"{"account":"u"}"#))
    for _ in 0..<400 { daemon.world.send(call, from: greedy) }
    for _ in 0..<500 { daemon.world.turn() }
    #expect(greedy.takeReplies().isEmpty)
    #expect(try daemon.isEntitled("u") == false)
    greedy.takenPerTurn = nil
    daemon.world.settleNew()
    #expect(greedy.takeReplies().count == 400)
  }
}
