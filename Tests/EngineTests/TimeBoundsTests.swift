import Engine
import Simulation
import Subscriptions
import Testing
import Varlink

/// No time from outside is believed that milliseconds since 1970 make no sense of.
@Suite("Times from outside")
struct TimeBoundsTests {
  /// Every parameter that is a time: method, name, and the other parameters.
  private static let parameters: [(method: String, name: String, rest: String)] = [
    ("Membership.Status", "at", #""account":"u1""#),
    ("Membership.Status", "at", #""account":"nobody""#),
    ("Membership.Status", "at", #""account":"u1","signed":true"#),
    ("Membership.History", "until", #""account":"u1""#),
    ("Membership.History", "until", #""account":"nobody""#),
    ("Membership.Ledger", "until", #""account":"u1""#),
    ("Membership.Ledger", "until", #""account":"nobody""#),
    ("Store.Purchase", "purchaseDate", #""account":"u2","productId":"monthly""#),
    ("Clocks.Create", "at", #""name":"spring""#),
    ("Clocks.Advance", "to", #""clock":"default""#),
  ]

  @Test("each parameter that is a time is refused by its name in any other unit")
  func parameters() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let head = try daemon.log().count
    for (method, name, rest) in Self.parameters {
      for (time, why) in [
        ("1738317600", "looks like seconds"), ("1738317600000000", "looks like microseconds"),
        ("1738317600000000000", "looks like nanoseconds"), ("0", "is out of bounds"),
        ("\(Int64.min)", "is out of bounds"), ("\(Int64.max)", "is out of bounds"),
      ] {
        let reply = try daemon.reply(method, #"{\#(rest),"\#(name)":\#(time)}"#)
        #expect(reply.error == "org.renewd.InvalidParameter", "\(method) \(time)")
        #expect(reply.text("parameter") == name)
        let reason = try #require(reply.text("reason"))
        #expect(reason.contains(why) && reason.contains("milliseconds since 1970 UTC"))
      }
    }
    #expect(try daemon.log().count == head)
  }

  @Test("the interfaces have no parameter that is a time besides these")
  func complete() throws {
    let known = Set(Self.parameters.map { "\($0.method).\($0.name)" })
    let names: Set = ["at", "to", "until", "since", "purchaseDate"]
    // A watch's cursor is a sequence.
    let others: Set = ["Membership.Watch.since"]
    for text in InterfaceTexts.all {
      let interface = try InterfaceDescription.parse(text)
      for member in interface.members {
        guard case .method(let input, _) = member.definition else { continue }
        for field in input where names.contains(field.name) {
          guard field.type == .int || field.type == .optional(.int) else { continue }
          let name = "\(interface.name).\(member.name).\(field.name)"
            .replacing("org.renewd.", with: "")
          #expect(known.contains(name) || others.contains(name), "\(name)")
        }
      }
    }
  }

  @Test("an offer's time in another unit is named, and its nonce is not used up")
  func offers() throws {
    let daemon = try TestDaemon()
    let head = try daemon.log().count
    let reply = try daemon.reply(
      "Store.Purchase",
      """
      {"account":"u1","productId":"monthly","offer":{"type":"promotional","id":"x","keyId":"k",\
      "nonce":"7e3fb20b-4cdb-47cc-936d-99d65f608138","signature":"AAAA","timestamp":1738317600}}
      """)
    #expect(reply.error == "org.renewd.IneligibleForOffer")
    #expect(
      reply.text("reason")?.hasPrefix(
        "invalid signature: the timestamp 1738317600 looks like seconds") == true)
    #expect(try daemon.log().count == head)
  }

  @Test("a signed fact whose time is in another unit is refused by its field, nothing appended")
  func facts() throws {
    let record = try TestDaemon { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
    }
    let head = try record.log().count
    for text in [
      appleTransaction(7001, from: january / 1_000),
      appleTransaction(7001, from: january * 1_000),
      appleTransaction(7001, signed: january / 1_000),
      appleTransaction(7001, more: #","revocationDate":\#(january / 1_000)"#),
    ] {
      let reply = try record.reply("Store.Submit", #"{"signed":"\#(text)","account":"u1"}"#)
      #expect(reply.error == "org.renewd.VerificationFailed")
      #expect(reply.text("reason")?.hasPrefix("malformed: the payload's ") == true)
      #expect(reply.text("reason")?.contains("looks like") == true)
    }
    #expect(try record.log().count == head)
  }
}
