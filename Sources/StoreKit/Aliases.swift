import Foundation

// Apple's shorter names of the types around subscriptions.

public typealias SubscriptionPeriod = Product.SubscriptionPeriod
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState

extension AppStore {
  /// The age rating of the app on the customer's storefront; nil, as no rating is known here.
  public static var ageRatingCode: Int? {
    get async { nil }
  }
}

/// Ends the program: an app calls it where its receipt is not valid. Apple's shows a sheet before.
public func SKTerminateForInvalidReceipt() {
  let words = "StoreKit: SKTerminateForInvalidReceipt() was called, and ends the program.\n"
  FileHandle.standardError.write(Data(words.utf8))
  exit(StoreKitLimits.invalidReceiptStatus)
}
