/// Why a subscription ended or is in trouble (Domain.md 3.2, expirationIntent).
public enum ExpirationIntent: UInt8, Sendable {
  case cancelled = 1
  case billingError = 2
  case noConsent = 3
  case productUnavailable = 4
  case other = 5
}

/// What a customer said to a higher price (Domain.md 3.2, priceIncreaseStatus).
public enum PriceIncreaseStatus {
  public static let pending: UInt8 = 0
  /// Agreed to, or told where nobody is asked.
  public static let accepted: UInt8 = 1
}

/// What will happen at a line's next billing event: one mutable record a line (Domain.md 3.2).
public struct RenewalInfo: Hashable, Sendable {
  /// The product that the next renewal is of.
  public var autoRenewProduct: ProductNumber
  public var autoRenews: Bool
  public var isInBillingRetry: Bool
  /// The rate at which the renewal failed that billing is retried for: it fixes how long. Where a
  /// payment after that began a cycle anew, the rate of its first period.
  public var retryRate: RenewalRate
  public var expirationIntent: ExpirationIntent?
  /// The end of the newest period.
  public var renewalDate: Instant
  /// Milliunits, the offer that applies to the next renewal included.
  public var renewalPrice: Int64
  /// `.never` where there is none.
  public var gracePeriodExpiresDate: Instant
  /// The start of the newest chain of paid service (Domain.md 1.6).
  public var recentSubscriptionStartDate: Instant
  public var signedDate: Instant
  /// 0 not answered, 1 agreed or told; nil where no increase is under way.
  public var priceIncreaseStatus: UInt8?
  /// The storefront of the next renewal: a number in `Storefront.all`, or `noStorefront` in what
  /// was written before it stood here, and in what the App Store told.
  public var storefront: UInt16
  /// The offer of the next renewal.
  public var offer: AppliedOffer?
  /// The appAccountToken that the next renewal will carry.
  public var token: TokenReference

  public init(
    autoRenewProduct: ProductNumber, autoRenews: Bool = true, renewalDate: Instant,
    renewalPrice: Int64, recentSubscriptionStartDate: Instant, signedDate: Instant,
    storefront: UInt16 = noStorefront, token: TokenReference = .opening
  ) {
    self.autoRenewProduct = autoRenewProduct
    self.autoRenews = autoRenews
    self.isInBillingRetry = false
    self.retryRate = .realTime
    self.expirationIntent = nil
    self.renewalDate = renewalDate
    self.renewalPrice = renewalPrice
    self.gracePeriodExpiresDate = .never
    self.recentSubscriptionStartDate = recentSubscriptionStartDate
    self.signedDate = signedDate
    self.priceIncreaseStatus = nil
    self.storefront = storefront
    self.offer = nil
    self.token = token
  }
}
