import Foundation

// What Apple's StoreKit shows on a screen. Requests for a review may be left unheard at Apple's
// too, so here they are: they do nothing, and say so once. All else cannot be, and says at compile
// time what to do instead. Scenes, windows and view controllers are of any type, since there is
// none on Linux.

extension AppStore {
  /// Does nothing but say so, once, on standard error: there is nobody to ask for a review.
  public static func requestReview(in scene: Any) { ReviewRequest.sayThatNobodyIsAsked() }

  @available(*, unavailable, message: "there is no screen: run renewctl cancel or renewctl resume")
  public static func showManageSubscriptions(in scene: Any) async throws {}

  @available(*, unavailable, message: "there is no screen: run renewctl cancel or renewctl resume")
  public static func showManageSubscriptions(
    in scene: Any, subscriptionGroupID: String
  ) async throws {}

  @available(*, unavailable, message: "there is no screen: run renewctl buy with --offer code:ID")
  public static func presentOfferCodeRedeemSheet(in scene: Any) async throws {}
}

/// Asks for reviews; here it does not.
@available(*, deprecated, message: "Use AppStore.requestReview(in:)")
open class SKStoreReviewController: NSObject {
  /// Does nothing but say so, once, on standard error: there is nobody to ask for a review.
  open class func requestReview() { ReviewRequest.sayThatNobodyIsAsked() }

  /// Does nothing but say so, once, on standard error: there is nobody to ask for a review.
  open class func requestReview(in windowScene: Any) { ReviewRequest.sayThatNobodyIsAsked() }
}

enum ReviewRequest {
  static let notice = "StoreKit: nobody is asked for a review: there is no App Store on Linux.\n"

  private static let saying: Void = FileHandle.standardError.write(Data(notice.utf8))

  static func sayThatNobodyIsAsked() { saying }
}

extension Product {
  @available(*, unavailable, message: "there is no screen: call purchase(options:)")
  public func purchase(
    confirmIn scene: Any, options: Set<PurchaseOption> = []
  ) async throws -> PurchaseResult { .userCancelled }
}

extension Transaction {
  @available(*, unavailable, message: "there is no screen: call beginRefundRequest()")
  public func beginRefundRequest(in scene: Any) async throws -> RefundRequestStatus {
    .userCancelled
  }

  @available(*, unavailable, message: "there is no screen: call beginRefundRequest(for:)")
  public static func beginRefundRequest(
    for transactionID: UInt64, in scene: Any
  ) async throws -> RefundRequestStatus { .userCancelled }
}

extension Message {
  @available(*, unavailable, message: "there is no screen: say reason in the app's own words")
  public func display(in scene: Any) throws {}
}

@available(*, unavailable, message: "there is no screen: show Product's texts in the app's own way")
open class SKStoreProductViewController: NSObject {}

@available(*, unavailable, message: "there is no screen: leave the overlay out on Linux")
open class SKOverlay: NSObject {}
