import Foundation
import Testing

@testable import StoreKit

/// What the newer properties read from a signed payload. Absent stays nil.
@Suite("The newer fields of a payload")
struct PayloadTests {
  private func form(_ json: String) -> SignedForm {
    let payload = Data(json.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return SignedForm(text: "e30.\(payload).AA")
  }

  @Test("a payload without them has none of them")
  func absent() {
    let transaction = Transaction(form("{}"))
    #expect(transaction.billingPlanType == nil && transaction.commitmentInfo == nil)
    #expect(transaction.advancedCommerceInfo == nil)
    #expect(transaction.revocationType == nil && transaction.revocationPercentage == nil)
    let info = Product.SubscriptionInfo.RenewalInfo(form("{}"))
    #expect(info.renewalBillingPlanType == nil && info.commitmentInfo == nil)
    #expect(info.advancedCommerceInfo == nil)
    #expect(AppTransaction(form("{}")).revocationDate == nil)
  }

  @Test("a commitment and what was taken back are read, unknown words too")
  func commitment() throws {
    let transaction = Transaction(
      form(
        """
        {"billingPlanType": "WEEKLY", "revocationType": "REFUND_PRORATED",
        "revocationPercentage": 33333, "commitmentInfo": {"billingPeriodNumber": 3,
        "commitmentExpiresDate": 1698150000000, "commitmentPrice": 119880,
        "totalBillingPeriods": 12}}
        """))
    #expect(transaction.billingPlanType?.rawValue == "WEEKLY")
    #expect(transaction.revocationType == .proratedRefund)
    #expect(transaction.revocationPercentage == Decimal(string: "33.333"))
    let commitment = try #require(transaction.commitmentInfo)
    #expect(commitment.billingPeriodNumber == 3 && commitment.totalBillingPeriods == 12)
    #expect(commitment.price == Decimal(string: "119.88"))
    #expect(commitment.expirationDate == Date(timeIntervalSince1970: 1_698_150_000))
    let half = Transaction(form(#"{"commitmentInfo": {"billingPeriodNumber": 3}}"#))
    #expect(half.commitmentInfo == nil)
  }

  @Test("what will renew after a commitment is read")
  func renewalCommitment() throws {
    let info = Product.SubscriptionInfo.RenewalInfo(
      form(
        """
        {"renewalBillingPlanType": "MONTHLY", "commitmentInfo": {
        "commitmentAutoRenewProductId": "p", "commitmentAutoRenewStatus": 1,
        "commitmentRenewalBillingPlanType": "BILLED_UPFRONT",
        "commitmentRenewalDate": 1698149500000, "commitmentRenewalPrice": 9990}}
        """))
    #expect(info.renewalBillingPlanType == .monthly)
    let commitment = try #require(info.commitmentInfo)
    #expect(commitment.autoRenewPreference == "p" && commitment.willAutoRenew)
    #expect(commitment.renewalBillingPlanType == .upFront)
    #expect(commitment.renewalDate == Date(timeIntervalSince1970: 1_698_149_500))
    #expect(commitment.renewalPrice == Decimal(string: "9.99"))
  }

  @Test("an Advanced Commerce purchase is read, and an amount it lacks is made up nowhere")
  func advancedCommerce() throws {
    let transaction = Transaction(
      form(
        """
        {"advancedCommerceInfo": {"descriptors": {"description": "Plan", "displayName": "P"},
        "estimatedTax": 1500, "taxRate": "0.15", "taxCode": "T1", "period": "P1M",
        "requestReferenceId": "r", "items": [{"SKU": "s", "description": "d", "displayName": "n",
        "price": 9990, "revocationDate": 1698149200000,
        "offer": {"period": "P1W", "periodCount": 2, "price": 0, "reason": "WIN_BACK"},
        "refunds": [{"refundAmount": 5000, "refundDate": 1698149100000,
        "refundReason": "FULFILLMENT_ISSUE", "refundType": "PRORATED"}]}]}}
        """))
    let info = try #require(transaction.advancedCommerceInfo)
    #expect(info.displayName == "P" && info.description == "Plan" && info.period == .monthly)
    #expect(info.requestReferenceID == "r" && info.taxCode == "T1")
    #expect(info.estimatedTax == Decimal(string: "1.5"))
    #expect(info.taxRate == Decimal(string: "0.15") && info.taxExclusivePrice.isNaN)
    let item = try #require(info.items.first)
    #expect(item.details.sku == "s" && item.details.price == Decimal(string: "9.99"))
    #expect(item.details.offer?.reason == .winBack && item.details.offer?.periodCount == 2)
    #expect(item.revocationDate == Date(timeIntervalSince1970: 1_698_149_200))
    let refund = try #require(item.refunds?.first)
    #expect(refund.amount == 5 && refund.type == .proRated && refund.reason == .unfulfilled)
    let renewal = Product.SubscriptionInfo.RenewalInfo(
      form(
        #"{"advancedCommerceInfo": {"consistencyToken": "c", "period": "P1Y", "items": [{}]}}"#))
    #expect(renewal.advancedCommerceInfo?.consistencyToken == "c")
    #expect(renewal.advancedCommerceInfo?.period == .yearly)
    #expect(renewal.advancedCommerceInfo?.items.first?.details.price.isNaN == true)
  }

  @Test("the app's own transaction says when it was taken back")
  func appTransaction() {
    let app = AppTransaction(
      form(#"{"revocationDate": 1698149200000, "originalPlatform": "tvOS"}"#))
    #expect(app.revocationDate == Date(timeIntervalSince1970: 1_698_149_200))
    #expect(app.originalPlatform == .tvOS)
    #expect(app.debugDescription.contains(#""originalPlatform": "tvOS""#))
  }

  @Test("a period is written in each style, with the digits of a locale")
  func periodStyles() throws {
    let period = Product.SubscriptionPeriod.everyThreeMonths
    var style = Product.SubscriptionPeriod.FormatStyle(period)
    #expect(period.formatted(style) == "3 months")
    let texts: [(Product.SubscriptionPeriod.FormatStyle.Style, String)] = [
      (.wide, "3 months"), (.abbreviated, "3 mths"), (.condensedAbbreviated, "3mths"),
      (.narrow, "3m"), (.spellOut, "three months"),
    ]
    for (length, text) in texts {
      style.style = length
      #expect(period.formatted(style) == text)
    }
    style.style = .wide
    style.locale = Locale(identifier: "ar_EG")
    #expect(period.formatted(style) == "٣ months")
    #expect(period.formatted(style.locale(Locale(identifier: "de_DE"))) == "3 months")
    let copy = try JSONDecoder().decode(
      Product.SubscriptionPeriod.FormatStyle.self, from: JSONEncoder().encode(style))
    #expect(copy == style && period.formatted(copy) == "٣ months")
    let one = Product.SubscriptionPeriod.FormatStyle(.yearly)
    #expect(Product.SubscriptionPeriod.yearly.formatted(one) == "1 year")
    let day = Date(timeIntervalSince1970: 1_738_317_600)
    #expect(
      Product.SubscriptionPeriod.weekly.formatted(.units(allowed: [.days]), referenceDate: day)
        == "7 days")
  }
}
