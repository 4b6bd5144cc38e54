import Client
import Crypto
import Foundation
import Testing

@testable import StoreKit

/// What a signed form is worth, checked in the client: each way of being wrong, and its reason.
@Suite("Believing what the store signed")
struct TrustTests {
  private typealias Failure = VerificationResult<StoreKit.Transaction>.VerificationError

  /// 2025-01-31T10:00:00Z.
  private static let date: Int64 = 1_738_317_600_000

  private static let payload: [(String, JSONValue)] = [
    ("transactionId", .string("2000000000000001")),
    ("originalTransactionId", .string("2000000000000000")),
    ("webOrderLineItemId", .string("7")), ("bundleId", .string("com.example.app")),
    ("productId", .string("pro.monthly")), ("subscriptionGroupIdentifier", .string("G1")),
    ("purchaseDate", .int(date)), ("originalPurchaseDate", .int(date)),
    ("expiresDate", .int(date + 1_000)), ("quantity", .int(2)),
    ("type", .string("Auto-Renewable Subscription")),
    ("appAccountToken", .string("7b1d8c3e-0000-4000-8000-000000000001")),
    ("inAppOwnershipType", .string("FAMILY_SHARED")), ("signedDate", .int(date)),
    ("isUpgraded", .bool(true)), ("offerType", .int(1)),
    ("offerDiscountType", .string("FREE_TRIAL")), ("offerPeriod", .string("P1W")),
    ("environment", .string("Sandbox")), ("storefront", .string("USA")),
    ("storefrontId", .string("143441")), ("transactionReason", .string("RENEWAL")),
    ("price", .int(9_990)), ("currency", .string("USD")), ("appTransactionId", .string("70")),
    ("revocationDate", .int(date + 500)), ("revocationReason", .int(1)),
  ]

  private func authority(leafUntil notAfter: String? = nil) throws -> LocalAuthority {
    let root = try LocalAuthority.Identity.make(
      CertificateTemplate(role: .root, name: "root"), by: nil)
    let intermediate = try LocalAuthority.Identity.make(
      CertificateTemplate(
        role: .intermediate, name: "intermediate", markers: [LocalAuthority.intermediateMarker]),
      by: root)
    var template = CertificateTemplate(
      role: .leaf, name: "leaf", markers: [LocalAuthority.leafMarker])
    if let notAfter { template.notAfter = notAfter }
    return LocalAuthority(
      leaf: try .make(template, by: intermediate), intermediate: intermediate, root: root)
  }

  private func signed(
    _ payload: [(String, JSONValue)] = payload, by authority: LocalAuthority
  ) throws -> String {
    let text = JSONValue.members(payload).compactText
    return String(
      decoding: try JWSSigner(authority).sign(Array(text.utf8)), as: UTF8.self)
  }

  private func trust(
    _ authority: LocalAuthority, bundleID: String = "com.example.app",
    environment: String = "Sandbox"
  ) throws -> StoreTrust {
    let root = Data(authority.root.certificate.der).base64EncodedString()
    let answer = JSONObject([
      ("bundleId", .string(bundleID)), ("environment", .string(environment)),
      ("rootCertificates", .array([.string(root)])),
    ])
    return try StoreTrust(Trust(answer))
  }

  /// Why it is not believed; nil if it is. What it says is read in any case.
  private func failure(_ text: String, _ trust: StoreTrust) -> Failure? {
    guard case .unverified(_, let error) = trust.transaction(text) else { return nil }
    return error
  }

  @Test("a transaction of the daemon's is verified, and every property is read")
  func verified() throws {
    let authority = try authority()
    let text = try signed(by: authority)
    let result = try trust(authority).transaction(text)
    guard case .verified(let transaction) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(transaction.id == 2_000_000_000_000_001)
    #expect(transaction.originalID == 2_000_000_000_000_000)
    #expect(transaction.webOrderLineItemID == "7")
    #expect(transaction.appBundleID == "com.example.app")
    #expect(transaction.productID == "pro.monthly")
    #expect(transaction.subscriptionGroupID == "G1")
    #expect(transaction.purchaseDate == Date(milliseconds: Self.date))
    #expect(transaction.expirationDate == Date(milliseconds: Self.date + 1_000))
    #expect(transaction.purchasedQuantity == 2)
    #expect(transaction.productType == .autoRenewable)
    #expect(transaction.appAccountToken?.uuidString.hasPrefix("7B1D8C3E") == true)
    #expect(transaction.ownershipType == .familyShared)
    #expect(transaction.isUpgraded)
    #expect(transaction.offer?.type == .introductory)
    #expect(transaction.offer?.paymentMode == .freeTrial)
    #expect(transaction.offer?.period == .weekly)
    #expect(transaction.environment == .sandbox)
    #expect(transaction.storefront.countryCode == "USA")
    #expect(transaction.storefront.id == "143441")
    #expect(transaction.reason == .renewal)
    #expect(transaction.price == Decimal(string: "9.99"))
    #expect(transaction.currency?.identifier == "USD")
    #expect(transaction.revocationDate == Date(milliseconds: Self.date + 500))
    #expect(transaction.revocationReason == .developerIssue)
    #expect(transaction.signedDate == Date(milliseconds: Self.date))
    #expect(result.jwsRepresentation == text)
    let parts = text.split(separator: ".")
    #expect(result.signedData == Data("\(parts[0]).\(parts[1])".utf8))
    #expect(result.signatureData.count == 64)
    #expect(result.payloadData == transaction.jsonRepresentation)
    #expect(String(decoding: result.headerData, as: UTF8.self).contains("ES256"))
  }

  @Test("a changed payload has the wrong signature, and shows what it says")
  func tampered() throws {
    let authority = try authority()
    var parts = try signed(by: authority).split(separator: ".").map(String.init)
    var payload = Self.payload
    payload[4].1 = .string("pro.yearly")
    let text = Data(JSONValue.members(payload).compactText.utf8).base64EncodedString()
    parts[1] = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let result = try trust(authority).transaction(parts.joined(separator: "."))
    guard case .unverified(let transaction, .invalidSignature) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(transaction.productID == "pro.yearly")
    #expect(throws: Failure.invalidSignature) { try result.payloadValue }
  }

  @Test("a chain of somebody else's is not believed")
  func foreign() throws {
    let text = try signed(by: try authority())
    #expect(failure(text, try trust(try authority())) == .invalidCertificateChain)
  }

  @Test("a certificate that had expired when it signed is not believed")
  func expired() throws {
    let authority = try authority(leafUntil: "20200101000000Z")
    let text = try signed(by: authority)
    #expect(failure(text, try trust(authority)) == .invalidCertificateChain)
  }

  @Test("what is no signed text is badly encoded")
  func encoding() throws {
    let trust = try trust(try authority())
    for text in ["", "a", "a.b", "e30.e30", "!.!.!", "e30.e30.AA.BB"] {
      #expect(failure(text, trust) == .invalidEncoding, "\(text)")
    }
  }

  @Test("another app's and another environment's are not this one's")
  func misplaced() throws {
    let authority = try authority()
    let text = try signed(by: authority)
    #expect(
      failure(text, try trust(authority, bundleID: "other")) == .missingRequiredProperties)
    #expect(
      failure(text, try trust(authority, environment: "Production"))
        == .missingRequiredProperties)
  }

  @Test("a transaction without what it must say is not verified, for each such field")
  func incomplete() throws {
    let authority = try authority()
    let trust = try trust(authority)
    for field in StoreKit.Transaction.requiredFields {
      let text = try signed(Self.payload.filter { $0.0 != field }, by: authority)
      #expect(failure(text, trust) == .missingRequiredProperties, "\(field)")
    }
  }

  @Test("a transaction whose date is no number is not verified")
  func wrongType() throws {
    let authority = try authority()
    var payload = Self.payload.filter { $0.0 != "expiresDate" }
    payload.append(("expiresDate", .string("tomorrow")))
    let text = try signed(payload, by: authority)
    #expect(failure(text, try trust(authority)) == .missingRequiredProperties)
  }

  @Test("dates with a fraction, as Xcode signs them, are read")
  func fractions() throws {
    let json = #"{"purchaseDate":1697679936049.7297,"transactionId":"0"}"#
    let transaction = StoreKit.Transaction(SignedForm(text: "e30.\(base64(json)).AA"))
    #expect(abs(transaction.purchaseDate.timeIntervalSince1970 - 1_697_679_936.0497) < 0.001)
    #expect(transaction.reason == .purchase)
  }

  private func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("=", with: "")
  }

  @Test("renewal info has the grace period only while it lasts")
  func renewalInfo() throws {
    func info(graceEnd: Int64) -> StoreKit.Product.SubscriptionInfo.RenewalInfo {
      let json = JSONValue.members([
        ("originalTransactionId", .string("5")), ("productId", .string("a")),
        ("autoRenewProductId", .string("b")), ("autoRenewStatus", .int(1)),
        ("isInBillingRetryPeriod", .bool(true)), ("expirationIntent", .int(2)),
        ("gracePeriodExpiresDate", .int(graceEnd)), ("signedDate", .int(Self.date)),
        ("renewalPrice", .int(4_990)), ("eligibleWinBackOfferIds", .array([.string("w")])),
        ("priceIncreaseStatus", .int(0)),
      ]).compactText
      return .init(SignedForm(text: "e30.\(base64(json)).AA"))
    }
    let during = info(graceEnd: Self.date + 1)
    #expect(during.gracePeriodExpirationDate == Date(milliseconds: Self.date + 1))
    #expect(info(graceEnd: Self.date).gracePeriodExpirationDate == nil)
    #expect(during.originalTransactionID == 5)
    #expect(during.currentProductID == "a")
    #expect(during.autoRenewPreference == "b")
    #expect(during.willAutoRenew && during.isInBillingRetry)
    #expect(during.expirationReason == .billingError)
    #expect(during.renewalPrice == Decimal(string: "4.99"))
    #expect(during.eligibleWinBackOfferIDs == ["w"])
    #expect(during.priceIncreaseStatus == .pending)
  }
}

extension StoreTrust {
  fileprivate func transaction(_ text: String) -> VerificationResult<StoreKit.Transaction> {
    result(text, failing: nil)
  }
}
