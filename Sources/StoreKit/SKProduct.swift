import Foundation

/// A product on sale, as the original interface has it.
open class SKProduct: NSObject, @unchecked Sendable {
  /// What a period is counted in.
  public enum PeriodUnit: UInt, Sendable {
    case day = 0
    case week
    case month
    case year
  }

  private let product: Product?

  /// A product without any property, for a test's own subclass.
  public override init() {
    product = nil
  }

  init(_ product: Product) {
    self.product = product
  }

  open var productIdentifier: String { product?.id ?? "" }
  open var localizedTitle: String { product?.displayName ?? "" }
  open var localizedDescription: String { product?.description ?? "" }
  open var price: NSDecimalNumber { NSDecimalNumber(decimal: product?.price ?? 0) }
  /// English, with the storefront's currency.
  open var priceLocale: Locale { .store(product?.currencyCode) }
  open var isFamilyShareable: Bool { product?.isFamilyShareable ?? false }
  open var subscriptionPeriod: SKProductSubscriptionPeriod? {
    (product?.subscription?.subscriptionPeriod).map(SKProductSubscriptionPeriod.init)
  }
  open var subscriptionGroupIdentifier: String? { product?.subscription?.subscriptionGroupID }
  open var introductoryPrice: SKProductDiscount? {
    (product?.subscription?.introductoryOffer).map {
      SKProductDiscount($0, locale: priceLocale)
    }
  }
  /// Promotional offers; the introductory one is not among them.
  open var discounts: [SKProductDiscount] {
    (product?.subscription?.promotionalOffers ?? []).map {
      SKProductDiscount($0, locale: priceLocale)
    }
  }
  /// Content that Apple hosted, which it stopped in 2022.
  open var isDownloadable: Bool { false }
  open var downloadContentLengths: [NSNumber] { [] }
  open var contentVersion: String { "" }
  open var downloadContentVersion: String { "" }
}

extension Locale {
  /// How this library writes prices: in English, with the storefront's currency.
  static func store(_ currencyCode: String?) -> Locale {
    Locale(identifier: currencyCode.map { "en_US@currency=\($0)" } ?? "en_US")
  }
}

/// How long a subscription or an offer lasts.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
  private let period: Product.SubscriptionPeriod?

  /// A period without any property, for a test's own subclass.
  public override init() {
    period = nil
  }

  init(_ period: Product.SubscriptionPeriod) {
    self.period = period
  }

  open var numberOfUnits: Int { period?.value ?? 0 }
  open var unit: SKProduct.PeriodUnit {
    switch period?.unit {
    case .day, nil: .day
    case .week: .week
    case .month: .month
    case .year: .year
    }
  }
}

/// An offer of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
  /// How an offer is paid.
  public enum PaymentMode: UInt, Sendable {
    case payAsYouGo = 0
    case payUpFront
    case freeTrial
  }

  /// Which customers an offer is for.
  public enum `Type`: UInt, Sendable {
    case introductory = 0
    case subscription
  }

  private let offer: Product.SubscriptionOffer?
  private let locale: Locale

  /// An offer without any property, for a test's own subclass.
  public override init() {
    offer = nil
    locale = .store(nil)
  }

  init(_ offer: Product.SubscriptionOffer, locale: Locale) {
    self.offer = offer
    self.locale = locale
  }

  open var price: NSDecimalNumber { NSDecimalNumber(decimal: offer?.price ?? 0) }
  open var priceLocale: Locale { locale }
  open var identifier: String? { offer?.id }
  open var subscriptionPeriod: SKProductSubscriptionPeriod {
    (offer?.period).map(SKProductSubscriptionPeriod.init) ?? SKProductSubscriptionPeriod()
  }
  open var numberOfPeriods: Int { offer?.periodCount ?? 0 }
  open var paymentMode: PaymentMode {
    switch offer?.paymentMode {
    case .some(.payUpFront): .payUpFront
    case .some(.freeTrial): .freeTrial
    default: .payAsYouGo
    }
  }
  open var type: `Type` { offer?.type == .introductory ? .introductory : .subscription }
}
