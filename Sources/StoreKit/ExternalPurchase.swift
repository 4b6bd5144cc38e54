import Foundation

// Purchases outside the App Store. An app needs an entitlement of Apple's for them, and a customer
// is asked on a sheet; here is neither. All is as for an app that lacks the entitlement: nothing
// can be presented or opened, and who tries it nevertheless is told `StoreKitError.notEntitled`.

/// Purchases outside the App Store, in the app.
public enum ExternalPurchase: Sendable {
  /// How the notice ended.
  public enum NoticeResult: Hashable, Sendable {
    case cancelled
    case continuedWithExternalPurchaseToken(token: String)
  }

  /// Whether the notice can be presented: never here.
  public static var canPresent: Bool { get async { false } }

  /// Throws `StoreKitError.notEntitled`; ask `canPresent` first.
  public static func presentNoticeSheet() async throws -> NoticeResult {
    throw StoreKitError.notEntitled
  }
}

/// Purchases outside the App Store, behind a link to an address that Apple was told.
public enum ExternalPurchaseLink: Sendable {
  /// Whether the link can be opened: never here.
  public static var canOpen: Bool { get async { false } }

  /// The addresses that may be opened: none.
  public static var eligibleURLs: [URL]? { get async { nil } }

  /// Throws `StoreKitError.notEntitled`; ask `canOpen` first.
  public static func open() async throws { throw StoreKitError.notEntitled }

  /// Throws `StoreKitError.notEntitled`; ask `canOpen` first.
  public static func open(url: URL) async throws { throw StoreKitError.notEntitled }
}

/// Purchases outside the App Store, behind links of the app's own.
public enum ExternalPurchaseCustomLink: Sendable {
  /// How the notice ended.
  public enum NoticeResult: Hashable, Sendable {
    case cancelled
    case continued
  }

  /// Where the link leads.
  public enum NoticeType: Int, Hashable, Sendable {
    case withinApp
    case browser
  }

  /// Names a customer in reports of sales.
  public struct Token: Hashable, Sendable {
    public let value: String
  }

  /// Whether the app may link out: never here.
  public static var isEligible: Bool { get async { false } }

  /// Throws `StoreKitError.notEntitled`; ask `isEligible` first.
  public static func showNotice(type: NoticeType) async throws -> NoticeResult {
    throw StoreKitError.notEntitled
  }

  /// Throws `StoreKitError.notEntitled`; ask `isEligible` first.
  public static func token(for tokenType: String) async throws -> Token? {
    throw StoreKitError.notEntitled
  }
}

/// Accounts outside the App Store.
public enum ExternalLinkAccount: Sendable {
  /// Whether the link can be opened: never here.
  public static var canOpen: Bool { get async { false } }

  /// Throws `StoreKitError.notEntitled`; ask `canOpen` first.
  public static func open() async throws { throw StoreKitError.notEntitled }
}
