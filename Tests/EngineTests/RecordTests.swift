import AppStore
import JSON
import Simulation
import Subscriptions
import Testing

/// A record beside a store: what the store signs is submitted to it. Both are on test clocks, and
/// the record trusts the store's root, which is 1.
private struct Pair {
  let store: TestDaemon
  let record: TestDaemon

  init(at time: Int64 = january, _ change: (inout World.Options) -> Void = { _ in }) throws {
    store = try TestDaemon(clock: time)
    record = try TestDaemon(clock: time) { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
      options.configuration.policies.expiryLeewayMilliseconds = 0
      change(&options)
    }
  }

  /// The signed forms of all that an account has at the store now.
  func signed(_ account: String) throws -> [String] {
    let status = try store.call("Membership.Status", #"{"account":"\#(account)","signed":true}"#)
    var texts: [String] = []
    for line in status["subscriptions"]?.arrayValue ?? [] {
      texts.append(try #require(line["renewalInfo"]?["signedRenewalInfo"]?.stringValue))
    }
    let history = try store.call(
      "Membership.History", #"{"account":"\#(account)","signed":true}"#)
    for transaction in history["transactions"]?.arrayValue ?? [] {
      texts.append(try #require(transaction["signedTransactionInfo"]?.stringValue))
    }
    return texts
  }

  @discardableResult
  func submit(_ signed: String, account: String? = nil) throws -> Reply {
    let given = account.map { #","account":"\#($0)""# } ?? ""
    return try record.call("Store.Submit", #"{"signed":"\#(signed)"\#(given)}"#)
  }

  func advance(to time: Int64) throws {
    try store.advance(to: time)
    try record.advance(to: time)
  }
}

/// A signed payload of a store that the record trusts.
func sign(_ text: String, root: UInt64 = 1) -> String {
  String(decoding: SimulatedSigner(root: root).sign(Array(text.utf8)), as: UTF8.self)
}

/// A transaction as the App Store would sign it.
func appleTransaction(
  _ id: Int, of original: Int = 7001, from: Int64 = january, days: Int64 = 31,
  signed: Int64 = january, environment: String = "Sandbox", product: String = "apple.monthly",
  more: String = ""
) -> String {
  sign(
    """
    {"transactionId":"\(id)","originalTransactionId":"\(original)",\
    "webOrderLineItemId":"\(id)9","bundleId":"com.example.app","productId":"\(product)",\
    "subscriptionGroupIdentifier":"AG","purchaseDate":\(from),"originalPurchaseDate":\(january),\
    "expiresDate":\(from + days * day),"quantity":1,"type":"Auto-Renewable Subscription",\
    "inAppOwnershipType":"PURCHASED","signedDate":\(signed),"environment":"\(environment)",\
    "storefront":"USA","transactionReason":"PURCHASE","price":9990,"currency":"USD"\(more)}
    """)
}

private func notification(
  _ type: String, uuid: String, transaction: String? = nil, environment: String = "Sandbox",
  status: Int? = nil
) -> String {
  let part = transaction.map { #","signedTransactionInfo":"\#($0)""# } ?? ""
  let status = status.map { #","status":\#($0)"# } ?? ""
  return sign(
    """
    {"notificationType":"\(type)","notificationUUID":"\(uuid)","version":"2.0",\
    "signedDate":\(january),"data":{"environment":"\(environment)",\
    "bundleId":"com.example.app"\(status)\(part)}}
    """)
}

@Suite("A record of signed facts")
struct RecordTests {
  private static let uuid = "5f0c2e7a-4d6b-4f6e-9a51-0c3b5d7f1a20"

  @Test("what a store signs, a record takes in, and both say the same of the account")
  func storeToRecord() throws {
    let pair = try Pair()
    try pair.store.buy("u1", "monthly")
    for text in try pair.signed("u1") { try pair.submit(text, account: "u1") }
    for days in [Int64(0), 10, 27, 28, 40, 59] {
      let time = january + days * day
      try pair.advance(to: time)
      for text in try pair.signed("u1") { try pair.submit(text) }
      let wanted = try pair.store.status("u1")
      let found = try pair.record.status("u1")
      #expect(found.flag("entitled") == wanted.flag("entitled"), "day \(days)")
      let line = found["subscriptions"]?.arrayValue?.first
      let sold = wanted["subscriptions"]?.arrayValue?.first
      #expect(line?["status"] == sold?["status"])
      #expect(line?["origin"]?.stringValue == "apple")
      for name in [
        "transactionId", "productId", "purchaseDate", "expiresDate", "price", "currency",
        "originalPurchaseDate", "subscriptionGroupIdentifier", "webOrderLineItemId",
      ] {
        #expect(line?["transaction"]?[name] == sold?["transaction"]?[name], "\(name)")
      }
    }
  }

  @Test("the answer says what it was; a repeat appends nothing and names the first event")
  func answers() throws {
    let pair = try Pair()
    let text = appleTransaction(7001)
    let first = try pair.submit(text, account: "u1")
    #expect(first.text("kind") == "transaction")
    #expect(first.text("transactionId") == "7001")
    #expect(first.flag("duplicate") == false)
    let head = try pair.record.call("Log.Describe").int("sequence")
    let second = try pair.submit(text)
    #expect(second.flag("duplicate") == true)
    #expect(second.int("sequence") == first.int("sequence"))
    let log = try pair.record.call("Log.Describe")
    #expect(log.int("sequence") == head)
    #expect(log.text("role") == "record")
    #expect(log.int("facts") == 1)
    #expect(log.int("duplicates") == 1)
  }

  @Test("a request id answers the same again, and is held against other parameters")
  func requestIDs() throws {
    let pair = try Pair()
    let text = appleTransaction(7001)
    let call = #"{"signed":"\#(text)","account":"u1","requestId":"r1"}"#
    let first = try pair.record.call("Store.Submit", call)
    let again = try pair.record.call("Store.Submit", call)
    #expect(first.parameters == again.parameters)
    #expect(
      try pair.record.error(
        "Store.Submit", #"{"signed":"\#(appleTransaction(7002))","requestId":"r1"}"#)
        == "RequestIdReused")
  }

  @Test(
    "each kind of wrong text is refused with a reason of its own, and nothing is appended",
    arguments: [
      ("hello", "malformed"), ("a.b", "malformed"), ("a.b!.c", "malformed"),
      (sign("[]"), "malformed"), (sign("{}"), "malformed"),
      (sign(#"{"transactionId":"1"}"#), "wrongEnvironment"),
      (appleTransaction(1).replacingSignature(), "badSignature"),
      (sign("{}", root: 9), "malformed"),
      (
        sign(
          #"{"transactionId":"1","environment":"Sandbox","bundleId":"com.example.app"}"#, root: 9),
        "untrustedChain"
      ),
      (
        sign(#"{"transactionId":"1","environment":"Sandbox","bundleId":"other"}"#), "wrongBundle"
      ),
      (
        sign(#"{"transactionId":"1","environment":"Moon","bundleId":"com.example.app"}"#),
        "wrongEnvironment"
      ),
      (
        sign(#"{"transactionId":"1","environment":"Sandbox","bundleId":"com.example.app"}"#),
        "malformed"
      ),
    ] as [(String, String)])
  func refusals(text: String, code: String) throws {
    let pair = try Pair()
    let head = try pair.record.call("Log.Describe").int("sequence")
    let reply = try pair.record.reply("Store.Submit", #"{"signed":"\#(text)"}"#)
    #expect(reply.error == "org.renewd.VerificationFailed")
    let reason = try #require(reply.text("reason"))
    #expect(reason.hasPrefix("\(code): "), "\(reason)")
    #expect(try pair.record.call("Log.Describe").int("sequence") == head)
  }

  @Test(
    "B112: a text of another kind is named as what it is, at every place that takes one",
    arguments: [
      (#"{"receiptType":"Sandbox","bundleId":"com.example.app"}"#, "an app transaction"),
      (
        #"{"originalTransactionId":"1","userLocale":"en_US","requestIdentifier":"r"}"#,
        "a request for a retention message"
      ),
      (#"{"iss":"i","aud":"promotional-offer","bid":"b"}"#, "a token of the app's own server"),
    ] as [(String, String)])
  func kinds(payload: String, kind: String) throws {
    let record = try Pair().record
    let text = sign(payload)
    let head = try record.call("Log.Describe").int("sequence")
    let submitted = try record.reply("Store.Submit", #"{"signed":"\#(text)"}"#)
    #expect(submitted.error == "org.renewd.VerificationFailed")
    #expect(
      submitted.text("reason")
        == "wrongKind: this is \(kind); wanted a transaction, renewal info or notification")
    let verified = try record.call(
      "Membership.Verify", #"{"account":"u1","signedTransactionInfo":"\#(text)"}"#)
    #expect(verified.text("code") == "wrongKind")
    #expect(verified.text("reason") == "this is \(kind); wanted a transaction")
    #expect(try record.call("Log.Describe").int("sequence") == head)
  }

  @Test("B112: a transaction is asked for, and a renewal info or a notification is none")
  func kindsOfVerify() throws {
    let record = try Pair().record
    for (text, kind) in [
      (sign(#"{"autoRenewProductId":"p","environment":"Sandbox"}"#), "a renewal info"),
      (notification("TEST", uuid: Self.uuid), "a notification"),
    ] {
      let verified = try record.call(
        "Membership.Verify", #"{"account":"u1","signedTransactionInfo":"\#(text)"}"#)
      #expect(verified.text("reason") == "this is \(kind); wanted a transaction")
    }
    // A part of a notification that stands in the other part's place.
    let swapped = notification(
      "SUBSCRIBED", uuid: Self.uuid,
      transaction: sign(#"{"autoRenewProductId":"p","environment":"Sandbox"}"#))
    let reply = try record.reply("Store.Submit", #"{"signed":"\#(swapped)"}"#)
    #expect(
      reply.text("reason")
        == "wrongKind: signedTransactionInfo is a renewal info; wanted a transaction")
  }

  @Test("a fact that takes a line from one account to another says so, and so does its repeat")
  func moves() throws {
    let pair = try Pair()
    func submit(_ text: String, _ account: String, _ request: String) throws -> Reply {
      try pair.record.call(
        "Store.Submit", #"{"signed":"\#(text)","account":"\#(account)","requestId":"\#(request)"}"#)
    }
    let first = try submit(appleTransaction(7001), "u1", "r1")
    #expect(first.text("movedFrom") == nil)
    let renewed = appleTransaction(7002, from: january + 31 * day, signed: january + day)
    let second = try submit(renewed, "u2", "r2")
    #expect(second.text("movedFrom") == "u1")
    #expect(try pair.record.isEntitled("u1") == false)
    #expect(try pair.record.isEntitled("u2") == true)
    // The same fact again, for a third account: nothing new but whose it is.
    let third = try submit(renewed, "u3", "r3")
    #expect(third.flag("duplicate") == true)
    #expect(third.text("movedFrom") == "u2")
    // To whom it belongs already it does not move.
    #expect(try submit(renewed, "u3", "r4").text("movedFrom") == nil)
    for (text, account, request, answer) in [
      (appleTransaction(7001), "u1", "r1", first), (renewed, "u2", "r2", second),
      (renewed, "u3", "r3", third),
    ] {
      #expect(try submit(text, account, request).parameters == answer.parameters)
    }
  }

  @Test("without a root nothing is believed")
  func noRoot() throws {
    let daemon = try TestDaemon { options in
      options.role = .record
      var signing = SimulatedSigner.signing(root: 2)
      signing.rootCertificates = []
      options.signing = signing
    }
    #expect(
      try daemon.error("Store.Submit", #"{"signed":"\#(appleTransaction(1))"}"#) == "NoTrustRoot")
  }

  @Test("a record sells nothing and plays nothing")
  func notInThisRole() throws {
    let record = try Pair().record
    for (method, parameters) in [
      ("Store.Products", "{}"), ("Store.Purchase", #"{"account":"u","productId":"monthly"}"#),
      ("Store.Finish", #"{"transactionId":"1"}"#), ("Store.Unfinished", #"{"account":"u"}"#),
      ("Store.SetAutoRenew", #"{"originalTransactionId":"1","enabled":true}"#),
      ("Testing.Refund", #"{"account":"u"}"#), ("Testing.Reset", "{}"),
    ] {
      #expect(try record.error(method, parameters) == "NotInThisRole", "\(method)")
    }
  }

  @Test("B54: unlinked until linked, then entitled, also after a renewal without a token")
  func link() throws {
    let pair = try Pair()
    try pair.submit(
      notification("SUBSCRIBED", uuid: Self.uuid, transaction: appleTransaction(7001)))
    #expect(try pair.record.isEntitled("u1") == false)
    #expect(try pair.record.call("Log.Describe").int("unlinked") == 1)
    try pair.record.call("Store.Link", #"{"account":"u1","originalTransactionId":"7001"}"#)
    #expect(try pair.record.isEntitled("u1") == true)
    try pair.record.advance(to: january + 31 * day)
    try pair.submit(
      appleTransaction(7002, from: january + 31 * day, signed: january + 31 * day))
    #expect(try pair.record.isEntitled("u1") == true)
    #expect(try pair.record.history("u1").count == 2)
    #expect(
      try pair.record.error("Store.Link", #"{"account":"u1","originalTransactionId":"abc"}"#)
        == "InvalidParameter")
    #expect(
      try pair.record.error("Store.Link", #"{"account":"u1","originalTransactionId":"1"}"#)
        == "SubscriptionNotFound")
  }

  @Test("B56: what the sandbox sold is kept there, and a question about production sees none of it")
  func environments() throws {
    let pair = try Pair { $0.configuration.environment = "Production" }
    try pair.submit(appleTransaction(7001), account: "u1")
    #expect(try pair.record.isEntitled("u1") == false)
    #expect(
      try pair.record.call("Membership.Check", #"{"account":"u1"}"#).flag("entitled") == false)
    #expect(try pair.record.history("u1").isEmpty)
    let verified = try pair.record.call(
      "Membership.Verify",
      #"{"account":"u1","transactionId":"7001","productId":"apple.monthly"}"#)
    #expect(verified.flag("valid") == false)
    #expect(verified.text("code") == "wrongEnvironment")
    let sandbox = try pair.record.call(
      "Membership.Status", #"{"account":"u1","environment":"Sandbox"}"#)
    #expect(sandbox.flag("entitled") == true)
    #expect(
      sandbox["subscriptions"]?.arrayValue?.first?["transaction"]?["environment"]?.stringValue
        == "Sandbox")
    #expect(
      try pair.record.error("Membership.Status", #"{"account":"u1","environment":"Moon"}"#)
        == "InvalidParameter")
  }

  @Test("the same UUID is the same notification, whatever it says; another UUID is another")
  func uuids() throws {
    let pair = try Pair()
    let other = "00000000-0000-4000-8000-000000000001"
    let first = try pair.submit(notification("TEST", uuid: Self.uuid))
    #expect(first.text("kind") == "notification")
    #expect(first.flag("duplicate") == false)
    #expect(try pair.submit(notification("TEST", uuid: Self.uuid)).flag("duplicate") == true)
    #expect(try pair.submit(notification("TEST", uuid: other)).flag("duplicate") == false)
  }

  @Test("B40: kinds that nobody knows are kept and counted, and told to those who watch")
  func unknownKinds() throws {
    let pair = try Pair()
    try pair.submit(
      notification("SOMETHING_NEW", uuid: Self.uuid, transaction: appleTransaction(7001)))
    #expect(try pair.record.call("Log.Describe").int("unknownNotifications") == 1)
    let events = try pair.record.call("Log.Read", #"{"from":1}"#)["events"]?.arrayValue ?? []
    let told = try #require(events.last)
    #expect(told["kind"]?.stringValue == "ingested")
    #expect(told["notificationType"]?.stringValue == "SOMETHING_NEW")
    #expect(told["transaction"]?["uncatalogued"]?.boolValue == true)
    #expect(told["environment"]?.stringValue == "Sandbox")
  }

  @Test("facts, repeats and links are there after a restart, with and without a snapshot")
  func restarts() throws {
    for withSnapshot in [false, true] {
      let pair = try Pair()
      try pair.submit(appleTransaction(7001))
      try pair.record.call("Store.Link", #"{"account":"u1","originalTransactionId":"7001"}"#)
      if withSnapshot { try pair.record.call("Log.Snapshot") }
      let before = try pair.record.status("u1").parameters
      try pair.record.world.restart()
      let client = pair.record.world.connect()
      let after = try #require(
        pair.record.world.call(client, "org.renewd.Membership.Status", json(#"{"account":"u1"}"#)))
      #expect(after.parameters == before)
      let again = try #require(
        pair.record.world.call(
          client, "org.renewd.Store.Submit", json(#"{"signed":"\#(appleTransaction(7001))"}"#)))
      #expect(again.flag("duplicate") == true)
    }
  }

  @Test("time alone is told to those who watch, and changes no fact; the leeway keeps access")
  func leeway() throws {
    let pair = try Pair { $0.configuration.policies.expiryLeewayMilliseconds = 2 * hour }
    try pair.store.buy("u1", "monthly")
    for text in try pair.signed("u1") { try pair.submit(text, account: "u1") }
    let end = time("2025-02-28T10:00")
    try pair.record.advance(to: end + hour)
    let pending = try pair.record.status("u1")
    #expect(pending.flag("entitled") == true)
    let line = pending["subscriptions"]?.arrayValue?.first
    #expect(line?["pending"]?.boolValue == true)
    #expect(line?["status"]?.int64Value == 2)
    #expect(
      try pair.record.call("Membership.Check", #"{"account":"u1"}"#).int("until") == end + 2 * hour)
    try pair.record.advance(to: end + 2 * hour)
    #expect(try pair.record.isEntitled("u1") == false)
    let events = try pair.record.call("Log.Read", #"{"from":1}"#)["events"]?.arrayValue ?? []
    let passed = events.filter { $0["kind"]?.stringValue == "statusPassed" }
    #expect(passed.map { $0["at"]?.int64Value } == [end, end + 2 * hour])
    // The past is told as it was.
    #expect(try pair.record.isEntitled("u1", at: end - 1) == true)
    #expect(try pair.record.isEntitled("u1", at: end + 2 * hour - 1) == true)
  }

  @Test("a late fact is marked and changes nothing that is newer")
  func late() throws {
    let pair = try Pair(at: january + 10 * day)
    let refund = appleTransaction(
      7001, signed: january + 5 * day,
      more: #","revocationDate":\#(january + 5 * day),"revocationReason":0"#)
    try pair.submit(refund, account: "u1")
    try pair.submit(appleTransaction(7001))
    #expect(try pair.record.isEntitled("u1") == false)
    let events = try pair.record.call("Log.Read", #"{"from":1}"#)["events"]?.arrayValue ?? []
    let told = events.filter { $0["kind"]?.stringValue == "ingested" }
    #expect(told.map { $0["late"]?.boolValue } == [false, true])
    let lines = try pair.record.call("Membership.Explain", #"{"account":"u1"}"#)["lines"]
    let texts = (lines?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
    #expect(texts.contains { $0.contains("It came late") })
    #expect(texts.contains { $0.contains("as the App Store tells, in no catalogue)") })
  }

  @Test("a store takes its own facts for repeats, and others' beside its sales")
  func ownFacts() throws {
    let pair = try Pair()
    try pair.store.buy("u1", "monthly")
    for text in try pair.signed("u1") {
      let reply = try pair.store.call("Store.Submit", #"{"signed":"\#(text)"}"#)
      #expect(reply.flag("duplicate") == true)
    }
    #expect(try pair.store.status("u1")["subscriptions"]?.arrayValue?.count == 1)
    try pair.store.call(
      "Store.Submit", #"{"signed":"\#(appleTransaction(7001))","account":"u1"}"#)
    #expect(try pair.store.status("u1")["subscriptions"]?.arrayValue?.count == 2)
    // What a tester does is about the store's own lines, whoever else's are of the same product.
    try pair.store.call(
      "Store.Submit", #"{"signed":"\#(appleTransaction(8001, of: 8001, product: "monthly"))"}"#)
    try pair.store.call(
      "Testing.AnnouncePriceIncrease",
      #"{"productId":"monthly","price":19990,"consent":false}"#)
    let refunded = try pair.store.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(refunded["transaction"]?["productId"]?.stringValue == "monthly")
    try pair.store.call("Testing.ReverseRefund", #"{"account":"u1"}"#)
    try pair.store.call("Testing.Expire", #"{"account":"u1"}"#)
    #expect(try pair.store.isEntitled("u1") == true)
  }
}

extension String {
  /// The same signed text with another signature: its first six bits are others.
  fileprivate func replacingSignature() -> String {
    let parts = split(separator: ".")
    return "\(parts[0]).\(parts[1]).\(parts[2].first == "A" ? "B" : "A")\(parts[2].dropFirst())"
  }
}
