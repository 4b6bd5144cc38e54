// The views of Apple's StoreKit for SwiftUI, which Linux has not, and the actions that views take
// from their environment. The compiler says so where such a name is used, and what to do.

@available(*, unavailable, message: "there is no SwiftUI: show the texts of Product yourself")
public struct ProductView {}

@available(*, unavailable, message: "there is no SwiftUI: call Product.products(for:)")
public struct StoreView {}

@available(*, unavailable, message: "there is no SwiftUI: call Product.products(for:)")
public struct SubscriptionStoreView {}

@available(*, unavailable, message: "there is no SwiftUI: Product.subscription has the offers")
public struct SubscriptionOfferView {}

@available(*, unavailable, message: "there is no SwiftUI: call Product.purchase(options:)")
public struct PurchaseAction {}

@available(*, unavailable, message: "there is no screen: nobody is asked for a review")
public struct RequestReviewAction {}

@available(*, unavailable, message: "there is no screen: say Message.reason in the app's own words")
public struct DisplayMessageAction {}
