import AppStore
import Foundation
import Subscriptions
import Testing

/// Believes every signature and remembers for which moment it was asked.
private final class Believer: SignatureVerifier, @unchecked Sendable {
  var asked: [Int64] = []

  func verify(_ signed: CompactJWS, at milliseconds: Int64) throws(VerificationFailure) {
    asked.append(milliseconds)
    if signed.signature.isEmpty { throw .badSignature }
  }
}

private func signed(_ payload: String, signature: String = "AAAA") throws -> CompactJWS {
  var text: [UInt8] = Array("e30.".utf8)
  Base64.url.append(Array(payload.utf8), to: &text)
  return try CompactJWS(text + Array(".\(signature)".utf8))
}

@Suite("What a verified payload must say")
struct PayloadVerifierTests {
  private let believer = Believer()
  private let now = Instant(milliseconds: 5)

  private func verifier(
    _ environment: Wire.Environment = .sandbox, app: Int64? = nil
  ) -> PayloadVerifier {
    PayloadVerifier(
      trust: .roots(believer), bundleID: "com.example", appAppleID: app,
      environment: Open(environment))
  }

  @Test("certificates are judged at the payload's own date, or now where it has none")
  func moments() throws {
    let text = #"{"bundleId":"com.example","environment":"Sandbox""#
    _ = try verifier().transaction(signed(text + #","signedDate":1738317600000.7}"#), now: now)
    _ = try verifier().transaction(signed(text + "}"), now: now)
    let app =
      #"{"bundleId":"com.example","receiptType":"Sandbox","receiptCreationDate":1738317600007}"#
    _ = try verifier().appTransaction(signed(app), now: now)
    #expect(believer.asked == [1_738_317_600_000, 5, 1_738_317_600_007])
  }

  @Test("a wrong app comes before a wrong environment, and a wrong signature before both")
  func order() throws {
    let foreign = #"{"bundleId":"com.other","environment":"Production"}"#
    #expect(throws: VerificationFailure.badSignature) {
      try verifier().transaction(signed(foreign, signature: ""), now: now)
    }
    #expect(throws: VerificationFailure.wrongBundle("com.other")) {
      try verifier().transaction(signed(foreign), now: now)
    }
    let production = #"{"bundleId":"com.example","environment":"Production"}"#
    #expect(throws: VerificationFailure.wrongEnvironment("Production")) {
      try verifier().transaction(signed(production), now: now)
    }
    #expect(throws: VerificationFailure.wrongBundle(nil)) {
      try verifier().transaction(signed("{}"), now: now)
    }
  }

  @Test("case 85: a transaction is no app transaction, for it has no receiptType")
  func transactionAsApp() throws {
    let text = #"{"bundleId":"com.example","environment":"Sandbox"}"#
    #expect(throws: VerificationFailure.wrongEnvironment(nil)) {
      try verifier().appTransaction(signed(text), now: now)
    }
  }

  @Test(
    "B112: a text of another kind is named as what it is, whatever else is wrong with it",
    arguments: SignedKind.allCases)
  func kinds(found: SignedKind) throws {
    let text = try signed(Self.samples[found] ?? "", signature: "")
    let wanted: [(SignedKind, () throws(VerificationFailure) -> Void)] = [
      (
        .transaction,
        { () throws(VerificationFailure) in
          _ = try self.verifier().transaction(text, now: self.now)
        }
      ),
      (
        .renewalInfo,
        { () throws(VerificationFailure) in
          _ = try self.verifier().renewalInfo(text, now: self.now)
        }
      ),
      (
        .notification,
        { () throws(VerificationFailure) in
          _ = try self.verifier().notification(text, now: self.now)
        }
      ),
      (
        .appTransaction,
        { () throws(VerificationFailure) in
          _ = try self.verifier().appTransaction(text, now: self.now)
        }
      ),
    ]
    for (kind, verify) in wanted {
      let failure: VerificationFailure =
        kind == found ? .badSignature : .wrongKind(found, wanted: [kind], in: nil)
      #expect(throws: failure) { try verify() }
    }
  }

  /// Of each kind a payload with the fewest fields that tell it.
  private static let samples: [SignedKind: String] = [
    .transaction: #"{"transactionId":"1","originalTransactionId":"1","productId":"p"}"#,
    .renewalInfo: #"{"originalTransactionId":"1","productId":"p","autoRenewStatus":1}"#,
    .notification: #"{"notificationType":"TEST","notificationUUID":"u"}"#,
    .appTransaction: #"{"receiptType":"Sandbox","bundleId":"com.example"}"#,
    .messageRequest:
      #"{"originalTransactionId":"1","productId":"p","userLocale":"en","requestIdentifier":"r"}"#,
    .serverToken: #"{"iss":"i","aud":"appstoreconnect-v1","bid":"com.example"}"#,
  ]

  @Test("a kind is told by any of its own fields, so that one that is missing hides it not")
  func kindByAnyField() throws {
    for (text, kind) in [
      (#"{"transactionId":null,"purchaseDate":1}"#, SignedKind.transaction),
      (#"{"autoRenewProductId":null,"renewalDate":1}"#, .renewalInfo),
      (#"{"notificationType":null,"data":{}}"#, .notification),
      (#"{"receiptType":null,"receiptCreationDate":1}"#, .appTransaction),
    ] { #expect(try signed(text).kind() == kind, "\(text)") }
    #expect(try signed("{}").kind() == nil)
  }

  @Test("the sentences name what it is, what was wanted, and where it stood")
  func kindSentences() {
    #expect(
      VerificationFailure.wrongKind(
        .appTransaction, wanted: [.transaction, .renewalInfo, .notification], in: nil
      ).description
        == "this is an app transaction; wanted a transaction, renewal info or notification")
    #expect(
      VerificationFailure.wrongKind(
        .renewalInfo, wanted: [.transaction], in: "signedTransactionInfo"
      ).description == "signedTransactionInfo is a renewal info; wanted a transaction")
    #expect(throws: VerificationFailure.malformed(.receipt)) {
      try CompactJWS("MIITtgYJKoZIhvcNAQcCoIITpzCCE6MCAQExCzAJ")
    }
    #expect(throws: VerificationFailure.malformed(.json)) {
      try CompactJWS(#"{"signedPayload":"e30.e30.AAAA"}"#)
    }
  }

  @Test("case 88: a renewal info names no app, so any app's is right but for its environment")
  func renewalInfo() throws {
    let text = #"{"originalTransactionId":"1","environment":"Sandbox"}"#
    #expect(
      try verifier().renewalInfo(signed(text), now: now).originalTransactionID == "1")
    #expect(throws: VerificationFailure.wrongEnvironment("Sandbox")) {
      try verifier(.production).renewalInfo(signed(text), now: now)
    }
  }

  @Test("the app's number in the store counts in production only")
  func appNumber() throws {
    func notification(_ environment: String, _ number: Int) throws -> CompactJWS {
      try signed(
        """
        {"data":{"bundleId":"com.example","appAppleId":\(number),\
        "environment":"\(environment)"}}
        """)
    }
    _ = try verifier(app: 7).notification(notification("Sandbox", 8), now: now)
    _ = try verifier(.production, app: 7).notification(notification("Production", 7), now: now)
    #expect(throws: VerificationFailure.wrongAppID(8)) {
      try verifier(.production, app: 7).notification(notification("Production", 8), now: now)
    }
  }

  @Test("the unsigned kind looks at app and environment only")
  func unsigned() throws {
    let xcode = PayloadVerifier(
      trust: .unsigned, bundleID: "com.example", environment: Open(.xcode))
    let text = #"{"bundleId":"com.example","environment":"Xcode"}"#
    _ = try xcode.transaction(signed(text, signature: ""), now: now)
    #expect(throws: VerificationFailure.wrongEnvironment("Sandbox")) {
      try xcode.transaction(
        signed(#"{"bundleId":"com.example","environment":"Sandbox"}"#), now: now)
    }
    #expect(believer.asked.isEmpty)
  }

  @Test("base64url is what Foundation's base64 is with the other letters and no padding")
  func base64() throws {
    var generator = SeededGenerator(seed: 3)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      var text: [UInt8] = []
      Base64.url.append(bytes, to: &text)
      let expected = Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
      #expect(String(decoding: text, as: UTF8.self) == expected)
      let whole = try CompactJWS("e30.".utf8 + text + Array(".".utf8))
      #expect(whole.payload == bytes)
    }
  }
}
