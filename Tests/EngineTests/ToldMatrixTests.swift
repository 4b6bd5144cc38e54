import JSON
import Simulation
import Subscriptions
import Testing

/// Every field of Apple's three payloads (Domain.md 3.1 to 3.3) there, absent, null, of a value
/// that is new, of a wrong type; and what the answers say then. The rule: what was told is shown as
/// it came, what was not is not shown, and nothing else changes, but where a field decides
/// something, which is written beside it by hand.
@Suite("Fields that are absent, null or new")
struct ToldMatrixTests {
  /// One of Apple's fields.
  struct Field: CustomTestStringConvertible, Sendable {
    var name: String
    var sample: String
    var new: String
    var wrong: String
    /// Without it the payload is no fact, or is not believed.
    var isNeeded = false
    /// A new value is refused: it is of another app or environment, or no id.
    var isFixed = false
    /// Whether the answer shows it under its name.
    var isShown = true
    /// What else its absence takes from the answer of the subscription, or changes in it.
    var without: [String: String?] = [:]
    /// The same of its new value.
    var renewed: [String: String?] = [:]

    var testDescription: String { name }
  }

  private static func text(_ name: String, _ sample: String, _ new: String = "NEW_WORD") -> Field {
    Field(name: name, sample: "\"\(sample)\"", new: "\"\(new)\"", wrong: "17")
  }

  private static func number(_ name: String, _ sample: Int64, _ new: Int64) -> Field {
    Field(name: name, sample: "\(sample)", new: "\(new)", wrong: "\"17\"")
  }

  private static let end = january + 28 * day
  private static let graceEnd = end + 16 * day

  /// A field with more said of it.
  private static func with(_ field: Field, _ change: (inout Field) -> Void) -> Field {
    var field = field
    change(&field)
    return field
  }

  static let transaction: [Field] = [
    with(text("transactionId", "7001", "7009")) { $0.isNeeded = true },
    with(text("originalTransactionId", "7001", "7008")) {
      $0.isNeeded = true
      $0.renewed = ["originalTransactionId": "\"7008\""]
    },
    text("webOrderLineItemId", "70019", "x-1"),
    with(text("bundleId", "com.example.app")) {
      ($0.isNeeded, $0.isFixed, $0.isShown) = (true, true, false)
    },
    with(text("productId", "apple.monthly", "apple.yearly")) { $0.isNeeded = true },
    with(text("subscriptionGroupIdentifier", "AG", "AH")) {
      $0.without = ["subscriptionGroupIdentifier": "\"\""]
      $0.renewed = ["subscriptionGroupIdentifier": "\"AH\""]
    },
    with(number("purchaseDate", january, january + hour)) { $0.isNeeded = true },
    number("originalPurchaseDate", january, january - day),
    with(number("expiresDate", end, end + day)) {
      $0.isNeeded = true
      $0.renewed = ["nextDue": "\(end + day)"]
    },
    number("quantity", 1, 9_000_000_000),
    with(text("type", "Auto-Renewable Subscription", "Rental")) { $0.isShown = true },
    text("appAccountToken", "7e3fb20b-4cdb-47cc-936d-99d65f608138", "somebody"),
    text("inAppOwnershipType", "PURCHASED", "LENT"),
    with(number("signedDate", january, january + hour)) { $0.isNeeded = true },
    number("offerType", 3, 9),
    text("offerIdentifier", "spring"),
    text("offerDiscountType", "PAY_AS_YOU_GO", "BARTER"),
    text("offerPeriod", "P3M", "P1M2D"),
    with(text("environment", "Sandbox", "Moon")) { ($0.isNeeded, $0.isFixed) = (true, true) },
    text("storefront", "USA", "XYZ"),
    text("storefrontId", "143441", "999999"),
    text("transactionReason", "PURCHASE", "GIFT"),
    number("price", 9990, 0),
    text("currency", "USD", "XTS"),
    text("appTransactionId", "704000000000000001"),
    text("previousOriginalTransactionId", "6001"),
    Field(
      name: "advancedCommerceInfo", sample: #"{"taxCode":"C1","items":[1,{"a":null}]}"#,
      new: #"{"b":2}"#, wrong: "[]", isShown: true),
    text("billingPlanType", "MONTHLY"),
    Field(
      name: "commitmentInfo", sample: #"{"billingPeriodNumber":1,"totalBillingPeriods":12}"#,
      new: #"{"billingPeriodNumber":77}"#, wrong: "17"),
    Field(name: "isUpgraded", sample: "false", new: "false", wrong: "\"no\""),
    with(text("deviceVerification", "AAAA")) { $0.isShown = false },
    with(text("deviceVerificationNonce", "7e3fb20b-4cdb-47cc-936d-99d65f608139")) {
      $0.isShown = false
    },
  ]

  /// What a transaction has besides where it was taken back.
  static let revocation: [Field] = [
    with(number("revocationDate", january, january - hour)) {
      $0.without = ["status": "1", "entitled": "true", "nextDue": "\(end)"]
    },
    number("revocationReason", 1, 4_000),
    text("revocationType", "REFUND_PRORATED", "REFUND_LATER"),
    number("revocationPercentage", 50_000, 9_000_000_000),
  ]

  static let renewal: [Field] = [
    with(text("originalTransactionId", "7001")) {
      ($0.isNeeded, $0.isFixed, $0.isShown) = (true, true, false)
    },
    text("productId", "apple.monthly", "apple.other"),
    text("autoRenewProductId", "apple.yearly", "apple.other"),
    with(number("autoRenewStatus", 1, 7)) {
      $0.without = ["autoRenewStatus": nil]
      $0.renewed = ["autoRenewStatus": nil]
    },
    number("renewalDate", end, end + hour),
    number("recentSubscriptionStartDate", january, january - day),
    with(number("expirationIntent", 2, 9)) {
      $0.without = ["expirationIntent": nil]
      $0.renewed = ["expirationIntent": "9"]
    },
    // That it is in grace is told by the end of it, too.
    Field(name: "isInBillingRetryPeriod", sample: "true", new: "true", wrong: "1"),
    with(number("gracePeriodExpiresDate", graceEnd, graceEnd + day)) {
      $0.without = ["status": "3", "entitled": "false", "nextDue": nil]
      $0.renewed = ["nextDue": "\(graceEnd + day)"]
    },
    number("priceIncreaseStatus", 1, 4_000),
    number("offerType", 2, 9),
    text("offerIdentifier", "stay"),
    text("offerDiscountType", "FREE_TRIAL", "BARTER"),
    text("offerPeriod", "P1M", "P0D"),
    number("renewalPrice", 9990, 0),
    text("currency", "USD", "XTS"),
    Field(
      name: "eligibleWinBackOfferIds", sample: #"["b","a"]"#, new: #"["z"]"#, wrong: "\"b\""),
    text("appAccountToken", "7e3fb20b-4cdb-47cc-936d-99d65f608138", "somebody"),
    text("appTransactionId", "704000000000000001"),
    with(text("environment", "Sandbox", "Moon")) {
      ($0.isNeeded, $0.isFixed, $0.isShown) = (true, true, false)
    },
    with(number("signedDate", end, end + hour)) { $0.isNeeded = true },
    text("renewalBillingPlanType", "MONTHLY"),
    Field(
      name: "commitmentInfo", sample: #"{"commitmentAutoRenewStatus":1}"#,
      new: #"{"commitmentAutoRenewStatus":5}"#, wrong: "17"),
    Field(
      name: "advancedCommerceInfo", sample: #"{"a":1}"#, new: #"{"b":2}"#, wrong: "\"a\""),
    with(text("deviceVerification", "AAAA")) { $0.isShown = false },
    with(text("deviceVerificationNonce", "7e3fb20b-4cdb-47cc-936d-99d65f608139")) {
      $0.isShown = false
    },
  ]

  /// Words of Apple's that the answers of a store have in other letters.
  private static let words = [
    "Auto-Renewable Subscription": "autoRenewable", "PURCHASED": "purchased",
    "PURCHASE": "purchase",
  ]

  // MARK: Payloads

  enum Variant: String, CaseIterable, Sendable { case absent, null, new, wrong }

  /// A payload with one field changed.
  static func payload(_ fields: [Field], _ name: String = "", _ variant: Variant = .absent)
    -> String
  {
    let members = fields.compactMap { field -> String? in
      var value = field.sample
      if field.name == name {
        switch variant {
        case .absent: return nil
        case .null: value = "null"
        case .new: value = field.new
        case .wrong: value = field.wrong
        }
      }
      return "\"\(field.name)\":\(value)"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func record(at time: Int64) throws -> TestDaemon {
    try TestDaemon(clock: time) { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
      options.configuration.policies.expiryLeewayMilliseconds = 2 * hour
    }
  }

  private static func submit(_ payload: String, to record: TestDaemon) throws -> Reply {
    let signed = sign(payload)
    return try record.reply("Store.Submit", #"{"signed":"\#(signed)","account":"u1"}"#)
  }

  private static func line(_ record: TestDaemon) throws -> JSONObject {
    let lines = try record.status("u1")["subscriptions"]?.arrayValue
    return try #require(lines?.first?.objectValue)
  }

  /// What an answer should be: `base` with a member of its part changed, and what else is said.
  private static func expected(
    _ base: JSONObject, part: String, _ field: Field, _ variant: Variant
  ) -> [String: JSONValue] {
    var members = members(of: base)
    var inner = Self.members(of: base[part]?.objectValue ?? JSONObject())
    if field.isShown {
      if variant == .new {
        var value = json(field.new)
        if let word = value.stringValue.flatMap({ words[$0] }) { value = .string(word) }
        inner[field.name] = value
      } else {
        inner[field.name] = nil
      }
    }
    members[part] = .members(inner.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    for (name, value) in variant == .new ? field.renewed : field.without {
      members[name] = value.map { json($0) }
    }
    return members
  }

  private static func members(of object: JSONObject) -> [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.value) })
  }

  /// The same, in an order that two answers share.
  private static func sorted(_ object: JSONObject, part: String) -> [String: JSONValue] {
    var members = members(of: object)
    let inner = Self.members(of: object[part]?.objectValue ?? JSONObject())
    members[part] = .members(inner.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    return members
  }

  private static func refuse(
    _ reply: Reply, _ field: Field, _ record: TestDaemon, head: Int64?
  ) throws {
    #expect(reply.error == "org.renewd.VerificationFailed", "\(field.name)")
    let reason = try #require(reply.text("reason"))
    if !field.isFixed { #expect(reason.contains(field.name), "\(reason)") }
    #expect(try record.call("Log.Describe").int("sequence") == head)
  }

  // MARK: The matrix

  @Test(
    "a transaction by itself: each field is shown as it came, or not at all", arguments: transaction
  )
  func transactions(field: Field) throws {
    try play(Self.transaction, field, before: [], part: "transaction", at: january)
  }

  @Test(
    "a transaction that was taken back: each field counts without the others", arguments: revocation
  )
  func revocations(field: Field) throws {
    try play(
      Self.transaction + Self.revocation, field, before: [], part: "transaction", at: january)
  }

  @Test("a renewal info: each field is shown as it came, or not at all", arguments: renewal)
  func renewals(field: Field) throws {
    try play(
      Self.renewal, field, before: [Self.payload(Self.transaction)], part: "renewalInfo",
      at: Self.end + hour)
  }

  private func play(
    _ fields: [Field], _ field: Field, before: [String], part: String, at time: Int64
  ) throws {
    let whole = try Self.record(at: time)
    for payload in before + [Self.payload(fields)] {
      #expect(try Self.submit(payload, to: whole).error == nil)
    }
    let base = try Self.line(whole)
    for name in fields.filter(\.isShown).map(\.name) {
      #expect(base[part]?[name] != nil, "\(name) is not shown")
    }
    for variant in Variant.allCases {
      let record = try Self.record(at: time)
      for payload in before { #expect(try Self.submit(payload, to: record).error == nil) }
      let head = try record.call("Log.Describe").int("sequence")
      let reply = try Self.submit(Self.payload(fields, field.name, variant), to: record)
      let isRefused =
        variant == .wrong || (variant == .new && field.isFixed)
        || (variant != .new && field.isNeeded)
      guard !isRefused else {
        // A renewal info of another line waits for its transaction.
        if variant == .new, part == "renewalInfo", field.name == "originalTransactionId" {
          continue
        }
        try Self.refuse(reply, field, record, head: head)
        continue
      }
      #expect(reply.error == nil, "\(field.name) \(variant): \(reply.parameters.compactText)")
      #expect(
        Self.sorted(try Self.line(record), part: part)
          == Self.expected(base, part: part, field, variant), "\(field.name) \(variant)")
    }
  }

  // MARK: Notifications

  /// A notification of the end of a subscription that was cancelled, with all that one may have.
  private static func ending(
    leaving name: String = "", _ variant: Variant = .absent, transaction: String? = nil,
    renewal: String? = nil
  ) -> String {
    func value(_ key: String, _ sample: String, _ new: String) -> String? {
      guard key == name else { return "\"\(key)\":\(sample)" }
      return switch variant {
      case .absent: nil
      case .null: "\"\(key)\":null"
      case .new: "\"\(key)\":\(new)"
      case .wrong: "\"\(key)\":[17]"
      }
    }
    let transaction = transaction ?? payload(Self.transaction)
    let renewal =
      renewal
        ?? #"""
        {"originalTransactionId":"7001","productId":"apple.monthly","environment":"Sandbox",\#
        "autoRenewProductId":"apple.monthly","signedDate":\#(end)}
        """#
    let data = [
      value("environment", #""Sandbox""#, #""Moon""#),
      value("bundleId", #""com.example.app""#, #""other""#), value("appAppleId", "5", "6"),
      value("bundleVersion", #""42""#, #""43""#),
      value("signedTransactionInfo", "\"\(sign(transaction))\"", #""new""#),
      value("signedRenewalInfo", "\"\(sign(renewal))\"", #""new""#),
      value("status", "2", "9"), value("consumptionRequestReason", #""LEGAL""#, #""NEW""#),
    ].compactMap { $0 }.joined(separator: ",")
    let members = [
      value("notificationType", #""EXPIRED""#, #""NEW_TYPE""#),
      value("subtype", #""VOLUNTARY""#, #""NEW_SUBTYPE""#),
      value("notificationUUID", #""5f0c2e7a-4d6b-4f6e-9a51-0c3b5d7f1a20""#, #""new""#),
      value("version", #""2.0""#, #""3.0""#), value("signedDate", "\(end)", "\(end + 1)"),
      value("data", "{\(data)}", "{\(data)}"),
    ].compactMap { $0 }.joined(separator: ",")
    return "{\(members)}"
  }

  /// A subscription that is to renew, an hour after its period: its renewal is awaited.
  private static func awaiting() throws -> TestDaemon {
    let record = try record(at: end + hour)
    #expect(try submit(payload(transaction), to: record).error == nil)
    #expect(try record.isEntitled("u1") == true)
    return record
  }

  /// Fields of a notification, and what their absence or a new value leaves of the answer: whether
  /// access ends, and why; nil where the notification is refused.
  static let notification: [(name: String, absent: End?, new: End?)] = [
    ("notificationType", .over(reason: nil), .over(reason: nil)),
    ("subtype", .over(reason: nil), .over(reason: nil)),
    ("notificationUUID", .over(reason: 1), .over(reason: 1)),
    ("version", .over(reason: 1), .over(reason: 1)),
    ("signedDate", .over(reason: 1), .over(reason: 1)),
    // About nothing: kept, and no line's.
    ("data", nil, .over(reason: 1)),
    ("environment", nil, nil), ("bundleId", nil, nil),
    ("appAppleId", .over(reason: 1), .over(reason: 1)),
    ("bundleVersion", .over(reason: 1), .over(reason: 1)),
    ("signedTransactionInfo", .over(reason: 1), nil),
    ("signedRenewalInfo", .over(reason: 1), nil),
    ("status", .over(reason: 1), .over(reason: 1)),
    ("consumptionRequestReason", .over(reason: 1), .over(reason: 1)),
  ]

  enum End: Equatable { case over(reason: Int64?) }

  @Test(
    "a notification: what its type or status says ends access, whatever else is missing",
    arguments: notification.indices)
  func notifications(index: Int) throws {
    let (name, absent, new) = Self.notification[index]
    for variant in Variant.allCases {
      let record = try Self.awaiting()
      let reply = try Self.submit(Self.ending(leaving: name, variant), to: record)
      let end = variant == .wrong ? nil : variant == .new ? new : absent
      guard let end else {
        #expect(reply.error == "org.renewd.VerificationFailed", "\(name) \(variant)")
        if variant == .wrong { #expect(reply.text("reason")?.contains(name) == true) }
        #expect(try record.isEntitled("u1") == true)
        continue
      }
      #expect(reply.error == nil, "\(name) \(variant): \(reply.parameters.compactText)")
      let line = try Self.line(record)
      #expect(line["status"]?.int64Value == 2, "\(name) \(variant)")
      #expect(line["entitled"]?.boolValue == false, "\(name) \(variant)")
      #expect(.over(reason: line["expirationIntent"]?.int64Value) == end, "\(name) \(variant)")
    }
  }

  @Test("no field that is missing in a part of a notification refuses it, or gives access back")
  func parts() throws {
    for field in Self.transaction {
      let record = try Self.awaiting()
      let reply = try Self.submit(
        Self.ending(transaction: Self.payload(Self.transaction, field.name)), to: record)
      #expect(reply.error == nil, "\(field.name): \(reply.parameters.compactText)")
      let isLacking = ["transactionId", "productId", "purchaseDate", "expiresDate"]
        .contains(field.name)
      #expect(
        reply["missing"]?.arrayValue?.compactMap(\.stringValue)
          == (isLacking ? ["signedTransactionInfo.\(field.name)"] : nil))
      #expect(try record.isEntitled("u1") == false, "\(field.name)")
    }
    for field in Self.renewal where !["expirationIntent"].contains(field.name) {
      let record = try Self.awaiting()
      let reply = try Self.submit(
        Self.ending(renewal: Self.payload(Self.renewal, field.name)), to: record)
      #expect(reply.error == nil, "\(field.name): \(reply.parameters.compactText)")
      #expect(reply["missing"] == nil)
      #expect(try record.isEntitled("u1") == false, "\(field.name)")
    }
  }

  @Test("a type or a status that means the end of access ends it, with nothing else in it")
  func ends() throws {
    let cases: [(type: String, subtype: String?, status: Int?, wanted: Int64)] = [
      ("EXPIRED", nil, nil, 2), ("EXPIRED", "NEW_REASON", nil, 2), ("NEW_TYPE", nil, 2, 2),
      ("GRACE_PERIOD_EXPIRED", nil, nil, 3), ("DID_FAIL_TO_RENEW", nil, nil, 3),
      ("NEW_TYPE", nil, 3, 3), ("REFUND", nil, nil, 5), ("REVOKE", nil, nil, 5),
      ("NEW_TYPE", nil, 5, 5),
    ]
    for (type, subtype, status, wanted) in cases {
      let record = try Self.awaiting()
      let more = subtype.map { #","subtype":"\#($0)""# } ?? ""
      let payload = """
        {"notificationType":"\(type)","signedDate":\(Self.end)\(more),"data":{\
        "environment":"Sandbox","bundleId":"com.example.app"\
        \(status.map { #","status":\#($0)"# } ?? ""),\
        "signedTransactionInfo":"\(sign(Self.payload(Self.transaction)))"}}
        """
      #expect(try Self.submit(payload, to: record).error == nil)
      let line = try Self.line(record)
      #expect(line["status"]?.int64Value == wanted, "\(type) \(status ?? 0)")
      #expect(line["entitled"]?.boolValue == false, "\(type) \(status ?? 0)")
      #expect(line["renewalInfo"] == nil)
      #expect(line["transaction"]?["revocationDate"] == nil)
    }
  }

  @Test("what was signed before something that is known ends nothing, whenever it comes")
  func stale() throws {
    for isFirst in [true, false] {
      let record = try Self.record(at: Self.end + hour)
      let next = appleTransaction(7002, from: Self.end, signed: Self.end + 1)
      let old = sign(Self.ending())
      for text in isFirst ? [old, next] : [next, old] {
        try record.call("Store.Submit", #"{"signed":"\#(text)","account":"u1"}"#)
      }
      #expect(try record.isEntitled("u1") == true)
    }
  }
}
