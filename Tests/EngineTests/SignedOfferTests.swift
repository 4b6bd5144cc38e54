import AppStore
import JSON
import Simulation
import Testing

/// Signed promotional offers through the socket (Domain.md 1.7, case 78). Keys and signatures are
/// pretended ones (`SimulatedOfferKeys`); what they sign is not.
@Suite("Signed promotional offers")
struct SignedOfferTests {
  private static let key: [UInt8] = [1, 2, 3]
  private static let nonce = "9e2a1c54-7d0b-4a3e-8f6d-00000000000a"
  private static let token = "00000000-0000-4000-8000-00000000000a"

  private static func daemon(required: Bool = false) throws -> TestDaemon {
    let daemon = try TestDaemon {
      $0.shop = Shop(OfferTests.shop.wares, offersKey: (id: "K1", privateKey: key))
      $0.configuration.bundleID = "com.example.app"
      if required { $0.configuration.policies.offerSignature = .required }
    }
    try daemon.buy("u1", "base")
    return daemon
  }

  /// Version 1: what is signed, and the offer that carries the signature.
  private struct Fields {
    var bundleID = "com.example.app"
    var keyID = "K1"
    var productID = "plus"
    var offerID = "half"
    var token = ""
    var nonce = SignedOfferTests.nonce
    var timestamp = january
    var key = SignedOfferTests.key

    var message: [UInt8] {
      Array(
        [bundleID, keyID, productID, offerID, token, nonce, String(timestamp)]
          .joined(separator: "\u{2063}").utf8)
    }

    var signature: String {
      let bytes = SimulatedOfferKeys.sign(message, .der, by: key)
      return String(decoding: Base64.standard.encode(bytes), as: UTF8.self)
    }
  }

  private static func offer(_ members: [(String, JSONValue)], id: String = "half") -> String {
    let all = [("type", JSONValue.string("promotional")), ("id", .string(id))] + members
    return #","offer":\#(JSONValue.members(all).compactText)"#
  }

  /// The offer `half` of `plus`, signed in January.
  static var genuineOffer: String { offer(Fields()) }

  private static func offer(_ fields: Fields) -> String {
    offer([
      ("keyId", .string(fields.keyID)), ("nonce", .string(fields.nonce)),
      ("signature", .string(fields.signature)), ("timestamp", .int(fields.timestamp)),
    ])
  }

  /// Version 2: a compact JWS of these claims, others in place of the usual ones.
  private static func jws(
    _ others: [(String, JSONValue?)] = [],
    header: String = #"{"alg":"ES256","kid":"K1","typ":"JWT"}"#,
    key: [UInt8] = key
  ) -> String {
    var claims = JSONObject([
      ("iss", .string("issuer")), ("iat", .int(january / 1000)),
      ("aud", .string("promotional-offer")), ("bid", .string("com.example.app")),
      ("nonce", .string(nonce)), ("productId", .string("plus")),
      ("offerIdentifier", .string("half")),
    ])
    for (name, value) in others { claims[name] = value }
    var text = Base64.url.encode(Array(header.utf8)) + [UInt8(ascii: ".")]
    text += Base64.url.encode(Array(JSONValue.object(claims).compactText.utf8))
    let signature = SimulatedOfferKeys.sign(text, .raw, by: key)
    return String(
      decoding: text + [UInt8(ascii: ".")] + Base64.url.encode(signature), as: UTF8.self)
  }

  private static func call(_ daemon: TestDaemon, _ more: String) throws -> Reply {
    try daemon.reply("Store.Purchase", #"{"account":"u1","productId":"plus"\#(more)}"#)
  }

  private static func nonces(_ daemon: TestDaemon) throws -> Int {
    try daemon.log().kinds.filter { $0 == "offerNonceUsed" }.count
  }

  @Test("A genuine signature of either version is taken, once")
  func genuine() throws {
    for offer in [Self.offer(Fields()), Self.offer([("compactJws", .string(Self.jws()))])] {
      let daemon = try Self.daemon(required: true)
      let first = try Self.call(daemon, offer)
      #expect(first.error == nil, "\(first.text("reason") ?? "")")
      #expect(first["transaction"]?["offerIdentifier"]?.stringValue == "half")
      #expect(try Self.nonces(daemon) == 1)
      // Killed and started again, the daemon still knows the nonce and the key.
      try daemon.restart()
      let again = try Self.call(daemon, offer)
      #expect(again.error == "org.renewd.IneligibleForOffer")
      #expect(again.text("reason") == "invalid signature: the nonce was used before")
      #expect(try Self.nonces(daemon) == 1)
    }
  }

  @Test("A request that is asked again is answered again, and its nonce counts once")
  func repeated() throws {
    let daemon = try Self.daemon()
    let more = Self.offer(Fields()) + #","requestId":"r1""#
    let first = try Self.call(daemon, more)
    let second = try Self.call(daemon, more)
    #expect(first.error == nil && second.error == nil)
    #expect(
      first["transaction"]?["transactionId"]?.stringValue
        == second["transaction"]?["transactionId"]?.stringValue)
    #expect(first.int("sequence") == second.int("sequence"))
  }

  @Test("The account's token is signed in lower case, and must be the purchase's")
  func token() throws {
    let daemon = try Self.daemon()
    var fields = Fields()
    fields.token = Self.token
    #expect(try Self.call(daemon, Self.offer(fields)).error == "org.renewd.IneligibleForOffer")
    let upper = Self.token.uppercased()
    let reply = try Self.call(
      daemon, Self.offer(fields) + #","appAccountToken":"\#(upper)""#)
    #expect(reply.error == nil, "\(reply.text("reason") ?? "")")
  }

  /// What is wrong with a signature of version 1, and what the refusal says.
  private static let wrongFields: [(String, @Sendable (inout Fields) -> Void, String)] = [
    ("another bundle", { $0.bundleID = "com.example.other" }, "does not fit the offer and the key"),
    ("another product", { $0.productID = "base" }, "does not fit the offer and the key"),
    ("another offer", { $0.offerID = "gift" }, "does not fit the offer and the key"),
    ("another's key", { $0.key = [9] }, "does not fit the offer and the key"),
    ("unknown key", { $0.keyID = "K2" }, "no catalogue has a key K2"),
    ("upper case", { $0.nonce = $0.nonce.uppercased() }, "the nonce is not in lower case"),
    ("no UUID", { $0.nonce = "1" }, "the nonce is no UUID"),
    ("over a day old", { $0.timestamp -= day + 1 }, "the timestamp is more than 24 hours away"),
    ("over a day ahead", { $0.timestamp += day + 1 }, "the timestamp is more than 24 hours away"),
  ]

  @Test(
    "Case 78: a wrong signature is refused with its own reason; nothing is used up by it",
    arguments: wrongFields.indices)
  func wrong(index: Int) throws {
    let (_, change, reason) = Self.wrongFields[index]
    let daemon = try Self.daemon()
    let before = try daemon.log().count
    var fields = Fields()
    change(&fields)
    let reply = try Self.call(daemon, Self.offer(fields))
    #expect(reply.error == "org.renewd.IneligibleForOffer")
    let said = try #require(reply.text("reason"))
    #expect(said.hasPrefix("invalid signature: ") && said.contains(reason), "\(said)")
    #expect(try daemon.log().count == before)
    #expect(try Self.call(daemon, Self.offer(Fields())).error == nil)
  }

  @Test("Exactly a day old is not too old")
  func dayOld() throws {
    let daemon = try Self.daemon()
    var fields = Fields()
    fields.timestamp -= day
    #expect(try Self.call(daemon, Self.offer(fields)).error == nil)
  }

  @Test("Missing parameters are named; without a signature the policy decides")
  func missing() throws {
    let some = Self.offer([("keyId", .string("K1")), ("timestamp", .int(january))])
    let partly = try Self.call(try Self.daemon(), some)
    #expect(partly.text("reason")?.hasSuffix("missing: nonce, signature") == true)
    #expect(try Self.call(try Self.daemon(), Self.offer([])).error == nil)
    let required = try Self.call(try Self.daemon(required: true), Self.offer([]))
    #expect(required.error == "org.renewd.IneligibleForOffer")
    #expect(
      required.text("reason")?.hasSuffix("missing: keyId, nonce, signature, timestamp") == true)
  }

  @Test("A nonce is used up even if the rules refuse the purchase")
  func usedUpByFailure() throws {
    let daemon = try Self.daemon()
    var fields = Fields()
    fields.offerID = "none"
    let unknown = Self.offer(
      [
        ("keyId", .string("K1")), ("nonce", .string(fields.nonce)),
        ("signature", .string(fields.signature)), ("timestamp", .int(fields.timestamp)),
      ], id: "none")
    let refused = try Self.call(daemon, unknown)
    #expect(refused.text("reason")?.contains("plus has no promotional offer none") == true)
    #expect(try Self.nonces(daemon) == 1)
    let again = try Self.call(daemon, Self.offer(Fields()))
    #expect(again.text("reason") == "invalid signature: the nonce was used before")
    // Also where the account was never seen.
    var other = Fields()
    other.nonce = "9e2a1c54-7d0b-4a3e-8f6d-00000000000b"
    let stranger = try daemon.reply(
      "Store.Purchase", #"{"account":"new","productId":"plus"\#(Self.offer(other))}"#)
    #expect(stranger.text("reason")?.contains("never had one") == true)
    #expect(try Self.nonces(daemon) == 2)
    #expect(
      try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines").contains {
        $0["text"]?.stringValue?.contains("whose nonce \(Self.nonce) is used up") == true
      })
  }

  @Test(
    "A signed text of version 2 is refused for each of its claims",
    arguments: [
      ("aud", JSONValue.string("other"), "the claim aud is not promotional-offer"),
      ("bid", .string("com.other"), "the claim bid is not com.example.app"),
      ("productId", .string("base"), "the claim productId is not plus"),
      ("offerIdentifier", .string("gift"), "the claim offerIdentifier is not half"),
      ("offerIdentifier", nil, "missing: offerIdentifier"),
      ("nonce", .string("9E2A1C54-7d0b-4a3e-8f6d-00000000000a"), "not in lower case"),
      ("nonce", nil, "missing: nonce"), ("iss", nil, "missing: iss"),
      ("iat", nil, "missing: iat"),
      ("iat", .int(january / 1000 - 86_401), "more than 24 hours away"),
      ("iat", .int(.max), "the iat 9223372036854775807 is no time"),
      ("transactionId", .string("7"), "transactionId is not a transaction of this account"),
      ("transactionId", .string("x"), "transactionId is not a transaction of this account"),
    ] as [(String, JSONValue?, String)])
  func wrongClaim(name: String, value: JSONValue?, reason: String) throws {
    let daemon = try Self.daemon()
    let text = Self.jws([(name, value)])
    let reply = try Self.call(daemon, Self.offer([("compactJws", .string(text))]))
    #expect(reply.error == "org.renewd.IneligibleForOffer")
    #expect(reply.text("reason")?.contains(reason) == true, "\(reply.text("reason") ?? "")")
    #expect(try Self.nonces(daemon) == 0)
  }

  @Test("A signed text that names a transaction of the account's is taken")
  func ownTransaction() throws {
    let daemon = try Self.daemon()
    let id = try #require(try daemon.history("u1").first?["transactionId"]?.stringValue)
    let text = Self.jws([("transactionId", .string(id))])
    #expect(try Self.call(daemon, Self.offer([("compactJws", .string(text))])).error == nil)
  }

  @Test("What is no signed text at all, or signed in another way, is refused")
  func malformed() throws {
    let daemon = try Self.daemon()
    let texts = [
      "", "a.b", "a.b.c", "!.!.!", Self.jws(header: "[]"), Self.jws(header: #"{"alg":"none"}"#),
      Self.jws(header: #"{"alg":"HS256","kid":"K1"}"#), Self.jws(header: #"{"alg":"ES256"}"#),
      Self.jws(header: #"{"alg":"ES256","kid":"K2"}"#), Self.jws(key: [9]),
      String(repeating: "a", count: 50_000),
    ]
    for text in texts {
      let reply = try Self.call(daemon, Self.offer([("compactJws", .string(text))]))
      #expect(reply.error == "org.renewd.IneligibleForOffer", "\(text.prefix(40))")
    }
    let code = #","offer":{"type":"code","id":"SPRING","keyId":"K1"}"#
    #expect(
      try Self.call(daemon, code).error == "org.renewd.InvalidParameter"
        || Self.call(daemon, code).error == "org.varlink.service.InvalidParameter")
    #expect(try Self.nonces(daemon) == 0)
  }
}
