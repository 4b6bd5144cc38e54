import AppStore
import Subscriptions
import Testing

/// Believes every signature: what is looked at here are times.
private struct Believer: SignatureVerifier {
  func verify(_ signed: CompactJWS, at milliseconds: Int64) throws(VerificationFailure) {}
}

/// Times in signed payloads are milliseconds of the years 2000 to 2100; any other number is one in
/// another unit, and is refused by its field's name.
@Suite("Times in signed payloads")
struct PayloadTimeTests {
  private static let verifier = PayloadVerifier(
    trust: .roots(Believer()), bundleID: "com.example", environment: Open(.sandbox))

  /// Reads a payload of some kind.
  private typealias Read = (CompactJWS) throws -> Void

  /// Every field of every payload that is a time, and how the payload is written around it.
  private static var fields: [(field: String, around: (String) -> String, read: Read)] {
    ["purchaseDate", "originalPurchaseDate", "expiresDate", "signedDate", "revocationDate"].map {
      name in
      (name, { transaction(#""\#(name)":\#($0)"#) }, { _ = try verifier.transaction($0, now: now) })
    }
      + [
        "renewalDate", "recentSubscriptionStartDate", "gracePeriodExpiresDate", "signedDate",
      ].map { name in
        (name, { renewal(#""\#(name)":\#($0)"#) }, { _ = try verifier.renewalInfo($0, now: now) })
      }
      + ["receiptCreationDate", "originalPurchaseDate", "preorderDate", "requestDate"].map { name in
        (
          name, { appTransaction(#""\#(name)":\#($0)"#) },
          { _ = try verifier.appTransaction($0, now: now) }
        )
      } + [
        (
          "commitmentExpiresDate",
          { transaction(#""commitmentInfo":{"commitmentExpiresDate":\#($0)}"#) },
          { _ = try verifier.transaction($0, now: now) }
        ),
        (
          "commitmentRenewalDate",
          { renewal(#""commitmentInfo":{"commitmentRenewalDate":\#($0)}"#) },
          { _ = try verifier.renewalInfo($0, now: now) }
        ),
        (
          "signedDate", { notification(#""signedDate":\#($0),"data":{\#(app)}"#) },
          { _ = try verifier.notification($0, now: now) }
        ),
        (
          "tokenCreationDate",
          {
            notification(
              """
              "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1","bundleId":"com.example",\
              "tokenCreationDate":\($0)}
              """)
          }, { _ = try verifier.notification($0, now: now) }
        ),
      ]
  }

  private static let now = Instant(milliseconds: 1_738_317_600_000)
  private static let app = #""bundleId":"com.example","environment":"Sandbox""#

  private static func transaction(_ more: String) -> String {
    #"{"transactionId":"1",\#(app),\#(more)}"#
  }

  private static func renewal(_ more: String) -> String {
    #"{"autoRenewStatus":1,"environment":"Sandbox",\#(more)}"#
  }

  private static func appTransaction(_ more: String) -> String {
    #"{"receiptType":"Sandbox","bundleId":"com.example",\#(more)}"#
  }

  private static func notification(_ more: String) -> String {
    #"{"notificationType":"TEST","notificationUUID":"u",\#(more)}"#
  }

  private func signed(_ payload: String) throws -> CompactJWS {
    var text: [UInt8] = Array("e30.".utf8)
    Base64.url.append(Array(payload.utf8), to: &text)
    return try CompactJWS(text + Array(".AAAA".utf8))
  }

  @Test("each time of each payload is taken in milliseconds and refused in every other unit")
  func units() throws {
    for (field, around, read) in Self.fields {
      for right in ["1738317600000", "1738317600000.7", "946684800000", "4133980799999"] {
        try read(signed(around(right)))
      }
      for (wrong, why) in [
        ("1738317600", "looks like seconds"), ("1738317600.5", "looks like seconds"),
        ("1738317600000000", "looks like microseconds"),
        ("1738317600000000000", "looks like nanoseconds"), ("0", "is out of bounds"),
        ("-1", "is out of bounds"), ("946684799999", "is out of bounds"),
        ("4133980800000", "is out of bounds"), ("\(Int64.max)", "is out of bounds"),
        ("\(Int64.min)", "is out of bounds"),
      ] {
        let error = #expect(throws: VerificationFailure.self, "\(field) \(wrong)") {
          try read(signed(around(wrong)))
        }
        guard case .malformed(.wrongTime(field, let found)) = error else {
          Issue.record("\(field) \(wrong): \(String(describing: error))")
          continue
        }
        #expect(found.contains(why), "\(field) \(wrong): \(found)")
      }
    }
  }

  @Test("the sentence names the field, what came and the unit that is wanted")
  func sentence() throws {
    let error = #expect(throws: VerificationFailure.self) {
      try Self.verifier.transaction(
        signed(Self.transaction(#""expiresDate":1738317600"#)), now: Self.now)
    }
    #expect(
      error?.description
        == "the payload's expiresDate 1738317600 looks like seconds; a time is milliseconds since"
        + " 1970 UTC, of the years 2000 to 2100")
  }

  @Test("case 9: what Xcode signs for an unknown date of an app transaction is taken, there alone")
  func unknownDate() throws {
    let past = #""originalPurchaseDate":-62135769600000"#
    let payload = try Self.verifier.appTransaction(
      signed(Self.appTransaction(past)), now: Self.now)
    #expect(payload.originalPurchaseDate == AppTransactionPayload.unknownPurchaseDate)
    #expect(throws: VerificationFailure.self) {
      try Self.verifier.transaction(signed(Self.transaction(past)), now: Self.now)
    }
  }
}
