import Foundation
import StoreKit
import Testing

extension ShopTests {
  @Test("a subscription is sold up front, its terms say so, and another plan is refused")
  func billingPlans() async throws {
    let shop = try TestShop()
    let products = try await Product.products(for: ["pro.monthly", "coins"])
    let monthly = try #require(products.first { $0.id == "pro.monthly" })
    let coins = try #require(products.first { $0.id == "coins" })
    let subscription = try #require(monthly.subscription)
    let terms = try #require(subscription.pricingTerms.first)
    #expect(subscription.pricingTerms.count == 1 && terms.billingPlanType == .upFront)
    #expect(terms.billingDisplayPrice == "$9.99" && terms.billingPrice == monthly.price)
    #expect(terms.billingPeriod == .monthly && terms.commitmentInfo.period == .monthly)
    #expect(terms.commitmentInfo.price == monthly.price)
    #expect(terms[offers: .introductory] == [try #require(subscription.introductoryOffer)])
    #expect(terms[offers: .promotional] == subscription.promotionalOffers)

    let unsold: [(Product, Product.SubscriptionInfo.BillingPlanType)] = [
      (monthly, .monthly), (monthly, .init(rawValue: "WEEKLY")), (coins, .upFront),
    ]
    for (product, plan) in unsold {
      let refused = await #expect(throws: StoreKitError.self) {
        try await product.purchase(options: [.billingPlanType(plan)])
      }
      guard case .unsupported = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
      #expect(refused?.recoverySuggestion?.contains("pricing terms") == true)
    }
    #expect(try shop.call(.history(account: "u1")).transactions.isEmpty)
    guard
      case .success(.verified(let bought)) = try await monthly.purchase(
        options: [.billingPlanType(.upFront)])
    else {
      Issue.record("it was not sold")
      return
    }
    #expect(bought.billingPlanType == nil && bought.debugDescription.contains("pro.monthly"))
    await bought.finish()
  }
}
