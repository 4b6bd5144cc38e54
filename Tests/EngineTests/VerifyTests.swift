import AppStore
import JSON
import Simulation
import Subscriptions
import Testing

@Suite("Is this transaction valid?")
struct VerifyTests {
  let daemon: TestDaemon
  let id: String
  /// What the daemon signed for u1.
  let signed: String

  init() throws {
    daemon = try TestDaemon()
    let reply = try daemon.call(
      "Store.Purchase", #"{"account":"u1","productId":"monthly","signed":true}"#)
    id = try #require(reply["transaction"]?["transactionId"]?.stringValue)
    signed = try #require(reply.text("signedTransactionInfo"))
    try daemon.buy("u2", "coins")
  }

  private func verify(_ account: String, _ parameters: String) throws -> Reply {
    try daemon.call("Membership.Verify", #"{"account":"\#(account)",\#(parameters)}"#)
  }

  private func code(_ text: String, account: String = "u1") throws -> String? {
    let events = try daemon.log().count
    let reply = try verify(account, #""signedTransactionInfo":"\#(text)""#)
    #expect(reply.flag("valid") == (reply.text("code") == nil))
    #expect((reply.text("code") == nil) == (reply.text("reason") == nil))
    #expect(try daemon.log().count == events, "asking changed the log")
    return reply.text("code")
  }

  /// Another text signed with the daemon's own root.
  private func sign(_ payload: String, root: UInt64 = 1) -> String {
    String(decoding: SimulatedSigner(root: root).sign(Array(payload.utf8)), as: UTF8.self)
  }

  @Test("a signed transaction of the account is valid while it is paid for")
  func valid() throws {
    #expect(try code(signed) == nil)
    let named = try verify(
      "u1", #""signedTransactionInfo":"\#(signed)","productId":"monthly""#)
    #expect(named.flag("valid") == true)
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(id)"}"#)
    #expect(try code(signed) == "revoked")
  }

  @Test("each kind of bad text has a code of its own, and nothing is appended")
  func badTexts() throws {
    let parts = signed.split(separator: ".")
    let own = #"{"transactionId":"\#(id)","productId":"monthly","#
    #expect(try code("hello") == "malformed")
    #expect(try code("\(parts[0]).\(parts[1])") == "malformed")
    #expect(try code("\(parts[0]).\(parts[1])+.\(parts[2])") == "malformed")
    #expect(try code("e30.\(parts[1]).\(parts[2])") == "missingX5C")
    #expect(try code("\(parts[0]).e30.\(parts[2])") == "badSignature")
    #expect(
      try code(sign(own + #""bundleId":"com.example.app","environment":"Sandbox"}"#, root: 2))
        == "untrustedChain")
    #expect(
      try code(sign(own + #""bundleId":"com.other","environment":"Sandbox"}"#))
        == "wrongBundle")
    #expect(
      try code(sign(own + #""bundleId":"com.example.app","environment":"Production"}"#))
        == "wrongEnvironment")
    #expect(
      try code(sign(#"{"bundleId":"com.example.app","environment":"Sandbox"}"#))
        == "malformed")
    #expect(try code(String(repeating: "a", count: 60_000)) == "tooLong")
    #expect(Set(try reasons(parts)).count == 3)
  }

  /// The sentences for three kinds of malformed text differ.
  private func reasons(_ parts: [Substring]) throws -> [String] {
    try ["hello", "\(parts[0]).\(parts[1])+.\(parts[2])", "e.e30.\(parts[2])"].map {
      let reply = try verify("u1", #""signedTransactionInfo":"\#($0)""#)
      return try #require(reply.text("reason"))
    }
  }

  @Test("what is right in itself must still be the account's")
  func facts() throws {
    #expect(try code(signed, account: "u2") == "wrongAccount")
    #expect(try code(signed, account: "u9") == "unknownAccount")
    let app = #""bundleId":"com.example.app","environment":"Sandbox"}"#
    #expect(
      try code(sign(#"{"transactionId":"7","productId":"monthly","# + app))
        == "noSuchTransaction")
    #expect(
      try code(sign(#"{"transactionId":"\#(id)","productId":"coins","# + app))
        == "wrongProduct")
  }

  @Test("by its id alone the same codes are given")
  func byID() throws {
    func code(_ account: String, _ id: String, _ product: String) throws -> String? {
      try verify(account, #""transactionId":"\#(id)","productId":"\#(product)""#).text("code")
    }
    #expect(try code("u1", id, "monthly") == nil)
    #expect(try code("u1", id, "coins") == "wrongProduct")
    #expect(try code("u2", id, "monthly") == "wrongAccount")
    #expect(try code("u1", "12", "monthly") == "noSuchTransaction")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.advance(to: january + 60 * day)
    #expect(try code("u1", id, "monthly") == "ended")
  }

  @Test("a question is by id and product, or by a signed text, not both and not half")
  func parameters() throws {
    for parameters in [
      "", #","transactionId":"\#(id)""#, #","productId":"monthly""#,
      #","transactionId":"\#(id)","signedTransactionInfo":"\#(signed)""#,
    ] {
      #expect(
        try daemon.error("Membership.Verify", #"{"account":"u1"\#(parameters)}"#)
          == "org.varlink.service.InvalidParameter"
          || daemon.error("Membership.Verify", #"{"account":"u1"\#(parameters)}"#)
            == "InvalidParameter"
      )
    }
  }
}
