import AppStore
import Foundation
import JSON
import Subscriptions
import Testing

/// Apple's own samples, where they lie beside the package; the tests pass without them.
private enum AppleSamples {
  static let folder = ConfigurationFiles.sharedFolder.deletingLastPathComponent()
    .appendingPathComponent("apple-library-resources")

  static func bytes(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: folder.appendingPathComponent(path))).map { [UInt8]($0) }
  }
}

@Suite("Payloads")
struct PayloadTests {
  // The worked example of Domain.md, appendix A.
  static let transaction = """
    {"transactionId":"2000000000000001","originalTransactionId":"2000000000000001",\
    "webOrderLineItemId":"2000000000900001","bundleId":"com.example","productId":"silver.m",\
    "subscriptionGroupIdentifier":"6F3A93AB","purchaseDate":1736510400000,\
    "originalPurchaseDate":1736510400000,"expiresDate":1739188800000,"quantity":1,\
    "type":"Auto-Renewable Subscription",\
    "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","inAppOwnershipType":"PURCHASED",\
    "signedDate":1739188800000,"environment":"Sandbox","storefront":"USA",\
    "storefrontId":"143441","transactionReason":"PURCHASE","price":4990,"currency":"USD",\
    "appTransactionId":"704000000000000001"}
    """
  static let renewal = """
    {"originalTransactionId":"2000000000000001","productId":"silver.m",\
    "autoRenewProductId":"silver.m","autoRenewStatus":1,"renewalDate":1739188800000,\
    "recentSubscriptionStartDate":1736510400000,"expirationIntent":2,\
    "isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1740571200000,"renewalPrice":4990,\
    "currency":"USD","appTransactionId":"704000000000000001","environment":"Sandbox",\
    "signedDate":1739188800000}
    """

  @Test("the worked payloads are read and written again to the same bytes")
  func worked() throws {
    let transaction = try TransactionPayload(json: Array(Self.transaction.utf8))
    #expect(transaction.type?.known == .autoRenewable)
    #expect(transaction.expiresDate == Instant(milliseconds: 1_739_188_800_000))
    #expect(transaction.price == 4990)
    #expect(transaction.revocationDate == nil)
    #expect(String(decoding: transaction.json, as: UTF8.self) == Self.transaction)
    let renewal = try RenewalInfoPayload(json: Array(Self.renewal.utf8))
    #expect(renewal.autoRenewStatus?.known == .on)
    #expect(renewal.expirationIntent?.known == .billingError)
    #expect(String(decoding: renewal.json, as: UTF8.self) == Self.renewal)
  }

  @Test("a notification tells whose it is by the part that it has")
  func notifications() throws {
    let part = #""bundleId":"com.example","appAppleId":7"#
    let cases: [(String, String?)] = [
      (#""data":{"environment":"Sandbox",\#(part),"status":4}"#, "Sandbox"),
      (#""summary":{"environment":"Production",\#(part),"failedCount":2}"#, "Production"),
      (#""appData":{"environment":"Xcode",\#(part)}"#, "Xcode"),
      (#""externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1",\#(part)}"#, "Sandbox"),
      (#""externalPurchaseToken":{"externalPurchaseId":"1",\#(part)}"#, "Production"),
    ]
    for (member, environment) in cases {
      let text = #"{"notificationType":"NEW","notificationUUID":"u",\#(member)}"#
      let payload = try NotificationPayload(json: Array(text.utf8))
      #expect(payload.bundleID == "com.example")
      #expect(payload.appAppleID == 7)
      #expect(payload.environment?.raw == environment)
      #expect(payload.notificationType?.raw == "NEW")
      #expect(payload.notificationType?.known == nil)
    }
    let bare = try NotificationPayload(json: Array(#"{"notificationType":"TEST"}"#.utf8))
    #expect(bare.notificationType?.known == .test)
    #expect(bare.bundleID == nil && bare.environment == nil && bare.appAppleID == nil)
  }

  @Test(
    "Cases 8 and 9: dates lose their fractions towards zero, and may lie before 1970",
    arguments: [
      ("1697679936049.7297", 1_697_679_936_049), ("-62135769600000", -62_135_769_600_000),
      ("-1.9", -1), ("0", 0), ("1.5e3", 1500), ("0.9", 0),
    ] as [(String, Int64)])
  func dates(text: String, expected: Int64) throws {
    let payload = try TransactionPayload(json: Array(#"{"purchaseDate":\#(text)}"#.utf8))
    #expect(payload.purchaseDate == Instant(milliseconds: expected))
    #expect(String(decoding: payload.json, as: UTF8.self) == #"{"purchaseDate":\#(expected)}"#)
  }

  @Test("values that are not known are kept as they came; unknown fields are passed over")
  func unknown() throws {
    let text = """
      {"type":"Rental","offerType":9,"environment":"Moon","futureField":[{}],\
      "advancedCommerceInfo":{"a":[1,2.50]},"expiresDate":null}
      """
    let payload = try TransactionPayload(json: Array(text.utf8))
    #expect(payload.type?.raw == "Rental" && payload.type?.known == nil)
    #expect(payload.offerType?.raw == 9 && payload.offerType?.known == nil)
    #expect(payload.expiresDate == nil)
    #expect(
      String(decoding: payload.json, as: UTF8.self) == """
        {"type":"Rental","offerType":9,"environment":"Moon",\
        "advancedCommerceInfo":{"a":[1,2.50]}}
        """)
  }

  @Test(
    "a value of a wrong type is refused by its field's name",
    arguments: [
      (#"{"transactionId":1}"#, "transactionId"), (#"{"quantity":"1"}"#, "quantity"),
      (#"{"quantity":1.5}"#, "quantity"), (#"{"isUpgraded":"yes"}"#, "isUpgraded"),
      (#"{"purchaseDate":"2024"}"#, "purchaseDate"), (#"{"environment":4}"#, "environment"),
      (#"{"purchaseDate":1e300}"#, "purchaseDate"),
      (#"{"commitmentInfo":[]}"#, "commitmentInfo"),
      (#"{"commitmentInfo":{"totalBillingPeriods":true}}"#, "totalBillingPeriods"),
    ])
  func wrongTypes(text: String, field: String) {
    #expect(throws: VerificationFailure.malformed(.wrongField(field))) {
      try TransactionPayload(json: Array(text.utf8))
    }
  }

  @Test("what is no JSON object is no payload", arguments: ["", "[]", "1", "{", #"{"a":1}x"#])
  func notAnObject(text: String) {
    #expect(throws: VerificationFailure.malformed(.notJSON(.payload))) {
      try NotificationPayload(json: Array(text.utf8))
    }
  }

  @Test("Apple's own models are read and written without loss")
  func appleModels() throws {
    try check("signedTransaction", TransactionPayload.self)
    try check("signedTransactionWithRevocation", TransactionPayload.self)
    try check("signedRenewalInfo", RenewalInfoPayload.self)
    try check("appTransaction", AppTransactionPayload.self)
    try check("appData", NotificationAppData.self)
    for name in [
      "signedNotification", "signedSummaryNotification", "signedConsumptionRequestNotification",
      "signedExternalPurchaseTokenNotification", "signedRescindConsentNotification",
      "signedExternalPurchaseTokenSandboxNotification",
    ] { try check(name, NotificationPayload.self) }
  }

  private func check<Model: PayloadModel>(_ name: String, _ type: Model.Type) throws {
    guard let bytes = AppleSamples.bytes("models/\(name).json") else { return }
    let model = try Model(json: bytes)
    let before = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
    let after = try JSONSerialization.jsonObject(with: Data(model.json)) as? NSDictionary
    #expect(before == after, "\(name)")
    #expect(try Model(json: model.json) == model)
  }

  @Test("Xcode's signed samples are read, fractions and the distant past included")
  func xcodeSamples() throws {
    guard let transaction = AppleSamples.bytes("xcode/xcode-signed-transaction"),
      let renewal = AppleSamples.bytes("xcode/xcode-signed-renewal-info"),
      let app = AppleSamples.bytes("xcode/xcode-signed-app-transaction")
    else { return }
    let verifier = PayloadVerifier(
      trust: .unsigned, bundleID: "com.example.naturelab.backyardbirds.example",
      environment: Open(.xcode))
    let now = Instant(milliseconds: 0)
    let bought = try verifier.transaction(CompactJWS(transaction), now: now)
    #expect(bought.purchaseDate == Instant(milliseconds: 1_697_679_936_049))
    #expect(bought.transactionID == "0" && bought.isUpgraded == false)
    #expect(
      try verifier.renewalInfo(CompactJWS(renewal), now: now).autoRenewProductID
        == "pass.premium")
    #expect(
      try verifier.appTransaction(CompactJWS(app), now: now).originalPurchaseDate
        == Instant(milliseconds: -62_135_769_600_000))
  }
}
