import AppStore
import Engine
import JSON
import Simulation
import Subscriptions
import Testing

/// What was once signed never reads differently later: forms are taken, all that can be changed is
/// changed, and the forms of the same facts are taken again.
@Suite("What was once signed")
struct SignedPastTests {
  private static let tokenA = "00000000-0000-4000-8000-00000000000a"
  private static let tokenB = "00000000-0000-4000-8000-00000000000b"

  /// What Apple documents as changing on a transaction, and the date of signing.
  private static let mutable: Set<String> = [
    "signedDate", "isUpgraded", "revocationDate", "revocationReason", "revocationType",
    "revocationPercentage",
  ]

  private static func shop(
    price: Int64, level: Int64, winBack: String, isShareable: Bool
  ) -> Shop {
    Shop([
      Shop.Ware(
        "plus", .subscription, price: price, group: "G", level: level, period: "P1M",
        intro: Shop.Intro("payAsYouGo", "P1M", count: 2, price: price / 10),
        deals: [
          Shop.Deal("promotional", "half", Shop.Intro("payAsYouGo", "P1M", price: price / 2)),
          Shop.Deal("code", "SPRING", Shop.Intro("free", "P2W")),
          Shop.Deal("winBack", winBack, Shop.Intro("payUpFront", "P1M", price: price / 3)),
        ], isShareable: isShareable),
      Shop.Ware(
        "base", .subscription, price: price / 2, group: "G", level: 2,
        period: "P1M"),
      Shop.Ware("weekly", .subscription, price: price / 4, group: "W", period: "P1W"),
      Shop.Ware("lifetime", .nonConsumable, price: price * 5, isShareable: isShareable),
      Shop.Ware("coins", .consumable, price: price / 10),
      Shop.Ware("season", .nonRenewing, price: price * 2),
    ])
  }

  private func believed(_ text: String?) throws -> JSONValue {
    let signed = try CompactJWS(#require(text))
    try SimulatedVerifier(roots: [1]).verify(signed, at: 0)
    return try JSONValue.parse(signed.payload, depthMax: 16)
  }

  /// The forms of an account's transactions by id, wherever they are signed.
  private func transactions(_ account: String, _ daemon: TestDaemon) throws -> [String: JSONValue] {
    let call = #"{"account":"\#(account)","signed":true}"#
    let status = try daemon.call("Membership.Status", call)
    let records =
      try daemon.call("Membership.History", call).list("transactions")
      + status.list("subscriptions").compactMap { $0["transaction"] }
      + status.list("purchases")
      + daemon.call("Store.Unfinished", call).list("transactions")
    var found: [String: JSONValue] = [:]
    for record in records {
      let payload = try believed(record["signedTransactionInfo"]?.stringValue)
      let id = try #require(payload["transactionId"]?.stringValue)
      // Each surface says the same.
      #expect(found[id] == nil || found[id] == payload, "\(id)")
      found[id] = payload
    }
    return found
  }

  /// The forms of what events said, by their sequence: read from the log once more.
  private func events(_ daemon: TestDaemon) throws -> [Int64: [JSONValue]] {
    let (_, replies) = daemon.watch(#"{"since":0,"signed":true}"#)
    var found: [Int64: [JSONValue]] = [:]
    for reply in replies {
      guard let event = reply["event"], let sequence = event["sequence"]?.int64Value else {
        continue
      }
      for name in ["transaction", "renewalInfo"] {
        let form = name == "transaction" ? "signedTransactionInfo" : "signedRenewalInfo"
        guard let text = event[name]?[form]?.stringValue else { continue }
        found[sequence, default: []].append(try believed(text))
      }
    }
    return found
  }

  private func differences(
    _ old: JSONValue, _ new: JSONValue?, save mutable: Set<String>
  ) -> [String] {
    guard let new else { return ["gone"] }
    let members = (old.objectValue?.members ?? []) + (new.objectValue?.members ?? [])
    let names = Set(members.map(\.key)).subtracting(mutable)
    return names.sorted().filter { old[$0] != new[$0] }.map {
      "\($0): \(old[$0]?.compactText ?? "absent") is \(new[$0]?.compactText ?? "absent")"
    }
  }

  @Test("B97: history and every signed form tell the token of each purchase, not the newest")
  func tokens() throws {
    let daemon = try TestDaemon()
    let given = [
      #","appAccountToken":"\#(Self.tokenA)""#, #","appAccountToken":"\#(Self.tokenB)""#,
    ]
    let ids = try (given + [""]).map { try daemon.buy("u1", "coins", $0) }
    let wanted = [Self.tokenA, Self.tokenB, nil]
    let history = try daemon.history("u1").map { $0["appAccountToken"]?.stringValue }
    #expect(history == wanted)
    let forms = try transactions("u1", daemon)
    #expect(ids.map { forms[$0]?["appAccountToken"]?.stringValue } == wanted)
    // An old subscription's periods, and its renewal info, stay what they were bought with.
    try daemon.buy("u2", "weekly", given[0])
    try daemon.advance(to: january + 7 * day)
    try daemon.buy("u2", "coins", given[1])
    try daemon.advance(to: january + 14 * day)
    let later = try daemon.history("u2").map { $0["appAccountToken"]?.stringValue }
    #expect(later == [Self.tokenA, Self.tokenA, Self.tokenB, Self.tokenA])
    let line = try daemon.call("Membership.Status", #"{"account":"u2","signed":true}"#)
      .list("subscriptions")[0]
    let renewal = try believed(line["renewalInfo"]?["signedRenewalInfo"]?.stringValue)
    #expect(renewal["appAccountToken"]?.stringValue == Self.tokenA)
    // Neither is the account opened twice.
    let kinds = try daemon.log().filter { $0["account"]?.stringValue == "u2" }.kinds
    #expect(
      kinds == [
        "accountOpened", "purchased", "renewed", "tokenGiven", "purchased", "renewed",
      ])
    let story = try daemon.call("Membership.Explain", #"{"account":"u2"}"#).list("lines")
    #expect(story.filter { $0["text"]?.stringValue?.contains("was opened") == true }.count == 1)
  }

  @Test("B106: a purchase approved after a restart has its token, quantity and price")
  func approved() throws {
    let daemon = try TestDaemon()
    try daemon.call("Testing.SetAskToBuy", #"{"enabled":true}"#)
    try daemon.call(
      "Store.Purchase",
      """
      {"account":"u1","productId":"coins","quantity":3,"appAccountToken":"\(Self.tokenA)"}
      """)
    try daemon.restart()
    let reply = try daemon.call("Testing.ApproveAskToBuy", #"{"account":"u1"}"#)
    #expect(reply["transaction"]?["appAccountToken"]?.stringValue == Self.tokenA)
    #expect(reply["transaction"]?["quantity"]?.int64Value == 3)
    #expect(reply["transaction"]?["price"]?.int64Value == 2970)
  }

  @Test("Whatever is changed, each field of each form that was signed reads as it did")
  func unchanged() throws {
    let daemon = try TestDaemon {
      $0.shop = Self.shop(price: 9_990, level: 1, winBack: "return", isShareable: false)
    }
    try live(daemon)
    let accounts = ["u1", "u2", "u3", "u4"]
    let before = try accounts.map { try transactions($0, daemon) }
    let told = try events(daemon)
    let apps = try accounts.map { try app($0, daemon) }
    #expect(before.map(\.count) == [4, 2, 3, 1])
    #expect(told.count > 10)
    try change(daemon)
    for (account, forms) in zip(accounts, before) {
      let after = try transactions(account, daemon)
      for (id, form) in forms {
        #expect(
          differences(form, after[id], save: Self.mutable).isEmpty,
          "\(account) \(id): \(differences(form, after[id], save: Self.mutable))")
      }
    }
    let again = try events(daemon)
    for (sequence, forms) in told {
      for (old, new) in zip(forms, again[sequence] ?? []) {
        #expect(
          differences(old, new, save: []).isEmpty,
          "event \(sequence): \(differences(old, new, save: []))")
      }
      #expect(forms.count == again[sequence]?.count)
    }
    for (old, account) in zip(apps, accounts) {
      let new = try app(account, daemon)
      #expect(
        differences(old, new, save: ["receiptCreationDate"]).isEmpty,
        "\(account): \(differences(old, new, save: ["receiptCreationDate"]))")
    }
  }

  @Test("A log sells for the app and the environment that it was made for; others are refused")
  func identity() throws {
    let daemon = try TestDaemon { $0.configuration.environment = "Xcode" }
    var other = try daemon.world.configuration.get()
    other.environment = "Production"
    other.bundleID = "com.example.other"
    let identity = StoreIdentity(bundleID: "com.example.app", environment: .xcode)
    // A default gives way.
    #expect(other.fault(in: identity) == nil)
    #expect(other.fault(in: nil) == nil)
    other.options = [OptionValue(name: "profile", value: "production", origin: "r.conf:3")]
    #expect(
      other.fault(in: identity)
        == "r.conf:3: profile production: the log was made for the environment Xcode, which is in"
        + " all that it signed, and keeps it; another --state-directory can have another")
    other.environment = "Xcode"
    #expect(other.fault(in: identity) == nil)
    other.options = [OptionValue(name: "bundle-id", value: "com.example.other", origin: "r.conf:4")]
    #expect(other.fault(in: identity)?.hasPrefix("r.conf:4: bundle-id ") == true)
    daemon.world.configuration = .success(other)
    #expect(try daemon.error("Daemon.Reload") == "InvalidParameter")
    other.options = []
    daemon.world.configuration = .success(other)
    try daemon.restart()
    #expect(try daemon.call("Daemon.Describe").text("environment") == "Xcode")
    #expect(try daemon.call("Daemon.Describe").text("bundleId") == "com.example.app")
  }

  private func app(_ account: String, _ daemon: TestDaemon) throws -> JSONValue {
    let reply = try daemon.call("Store.AppTransaction", #"{"account":"\#(account)"}"#)
    return try believed(reply.text("signedAppTransactionInfo"))
  }

  /// Purchases of all kinds, an offer, renewals, a change of plan to come, and one who left.
  private func live(_ daemon: TestDaemon) throws {
    let token = #","appAccountToken":"\#(Self.tokenA)""#
    try daemon.buy("u1", "coins", token + #","storefront":"DEU""#)
    try daemon.buy("u1", "plus", token)
    try daemon.buy("u1", "base")
    try daemon.buy("u1", "lifetime")
    try daemon.buy("u1", "season", #","storefront":"GBR""#)
    try daemon.buy("u2", "weekly", #","storefront":"DEU""#)
    let bought = try daemon.buy("u3", "weekly", token + #","storefront":"JPN""#)
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(bought)","enabled":false}"#)
    let left = try daemon.buy("u4", "plus", #","storefront":"FRA""#)
    try daemon.call("Store.SetAutoRenew", #"{"originalTransactionId":"\#(left)","enabled":false}"#)
    try daemon.buy("u3", "coins", #","quantity":2"#)
    try daemon.advance(to: january + 7 * day)
    try daemon.buy("u3", "lifetime", #","appAccountToken":"\#(Self.tokenB)""#)
    // Who left is told by which offers to come back.
    try daemon.call("Testing.Expire", #"{"originalTransactionId":"\#(left)"}"#)
  }

  /// Everything that can be changed.
  private func change(_ daemon: TestDaemon) throws {
    let token = #","appAccountToken":"\#(Self.tokenB)""#
    for account in ["u1", "u2", "u3", "u4"] {
      try daemon.buy(account, "coins", token + #","storefront":"SWE""#)
    }
    try daemon.buy("u3", "weekly", token + #","storefront":"SWE""#)
    try daemon.call(
      "Testing.AnnouncePriceIncrease",
      #"{"productId":"plus","price":19990,"consent":true}"#)
    let other = Self.shop(price: 4_440, level: 3, winBack: "please", isShareable: true)
    let text = String(decoding: other.storekitText, as: UTF8.self)
      .replacing(#""_storefront":"USA""#, with: #""_storefront":"BRA""#)
    try daemon.call(
      "Catalog.Import",
      #"{"source":"shop.storekit","text":\#(JSONValue.string(text).compactText)}"#)
    try daemon.buy("u4", "plus", token + #","storefront":"SWE""#)
    try daemon.call("Testing.SetRate", #"{"rate":"oneRenewalEveryDay"}"#)
    try daemon.call("Testing.SetBilling", #"{"account":"u2","outcome":"fail"}"#)
    try daemon.call("Testing.Share", #"{"account":"u1","to":"u2"}"#)
    try daemon.advance(to: january + 90 * day)
    var configuration = try daemon.world.configuration.get()
    configuration.policies.graceDays = 16
    configuration.policies.renewalRate = .monthlyRenewalEveryHour
    configuration.policies.renewalsFail = true
    configuration.bundleID = "com.example.other"
    configuration.environment = "Production"
    configuration.appAppleID = 7
    daemon.world.configuration = .success(configuration)
    try daemon.restart()
    try daemon.advance(to: january + 91 * day)
  }
}
