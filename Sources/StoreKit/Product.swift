import Foundation

/// A product on sale, with its price in the account's storefront.
public struct Product: Identifiable, Sendable {
  public let id: String
  public let type: ProductType
  public let displayName: String
  public let description: String
  public let price: Decimal
  /// The price with its currency, in English.
  public let displayPrice: String
  public let isFamilyShareable: Bool
  /// Nil where it is no auto-renewable subscription.
  public let subscription: SubscriptionInfo?
  /// The product as JSON, by Apple's names where they are known.
  public let jsonRepresentation: Data

  let currencyCode: String

  /// Writes prices as `displayPrice` has them.
  public var priceFormatStyle: Decimal.FormatStyle.Currency { .store(currencyCode) }

  /// Writes the length of the subscription's period.
  public var subscriptionPeriodFormatStyle: SubscriptionPeriod.FormatStyle {
    SubscriptionPeriod.FormatStyle(subscription?.subscriptionPeriod)
  }

  /// Writes the unit of the subscription's period.
  public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
    SubscriptionPeriod.Unit.FormatStyle()
  }

  /// Products by their ids, in no order that is promised. Ids that nothing is sold under are left
  /// out. Throws `StoreKitError`.
  public static func products<Identifiers>(
    for identifiers: Identifiers
  ) async throws -> [Product]
  where Identifiers: Collection, Identifiers.Element == String {
    try await StoreSession.shared.products(Array(identifiers)).found
  }

  /// The newest transaction of the product, in whatever state.
  public var latestTransaction: VerificationResult<Transaction>? {
    get async { await Transaction.latest(for: id) }
  }

  /// What entitles the account to the product now.
  @available(*, deprecated, renamed: "currentEntitlements")
  public var currentEntitlement: VerificationResult<Transaction>? {
    get async { await StoreSession.shared.currentEntitlements(product: id).first }
  }

  /// What entitles the account to the product now: bought, or shared with it.
  public var currentEntitlements: Transaction.Transactions {
    Transaction.currentEntitlements(for: id)
  }
}

extension Product: Hashable {
  public static func == (left: Product, right: Product) -> Bool {
    left.jsonRepresentation == right.jsonRepresentation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(jsonRepresentation)
  }
}

extension Decimal.FormatStyle.Currency {
  /// How this library writes prices: in English, whatever the machine's language, so that tests
  /// say the same everywhere.
  static func store(_ currencyCode: String) -> Self {
    Self(code: currencyCode, locale: Locale(identifier: "en_US"))
  }
}
