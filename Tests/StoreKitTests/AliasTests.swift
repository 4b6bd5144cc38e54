import StoreKit
import Testing

// Compiled in Swift 5 mode too: names of the newest SDK around what is sold.

@Suite("Shorter names, promotions and receipts")
struct AliasTests {
  @Test("the shorter names are the same types")
  func aliases() {
    #expect(SubscriptionPeriod.self == Product.SubscriptionPeriod.self)
    #expect(SubscriptionRenewalInfo.self == Product.SubscriptionInfo.RenewalInfo.self)
    #expect(SubscriptionRenewalState.self == Product.SubscriptionInfo.RenewalState.self)
    #expect(DateComponents(subscriptionPeriod: .everyTwoWeeks).day == 14)
    #expect(DateComponents(subscriptionPeriod: .yearly).year == 1)
    #expect(Message.Reason.billingIssue.localizedDescription == "Billing issue")
    #expect(Transaction.OwnershipType.familyShared.localizedDescription == "Family Shared")
    #expect(SubscriptionRenewalInfo.PriceIncreaseStatus.agreed.localizedDescription == "Agreed")
  }

  @Test("no product is promoted, no age is rated, and changes to it are refused by name")
  func promotions() async throws {
    #expect(await AppStore.ageRatingCode == nil)
    #expect(try await Product.PromotionInfo.currentOrder.isEmpty)
    let _: WritableKeyPath<Product.PromotionInfo, Product.PromotionInfo.Visibility> = \.visibility
    let _: KeyPath<Product.PromotionInfo, Product.ID> = \.productID
    let _: (Product.PromotionInfo) async throws -> Void = { try await $0.update() }
    let none: [Product.PromotionInfo] = []
    await #expect(throws: StoreKitError.self) { try await Product.PromotionInfo.updateAll(none) }
    await #expect(throws: StoreKitError.self) {
      try await Product.PromotionInfo.updateProductOrder(byID: ["a"])
    }
    await #expect(throws: StoreKitError.self) {
      try await Product.PromotionInfo.updateProductVisibility(.hidden, for: "a")
    }
  }

  @Test("an app that finds its receipt not valid ends with Apple's status")
  func terminate() async {
    await #expect(processExitsWith: .exitCode(173)) { SKTerminateForInvalidReceipt() }
  }
}
