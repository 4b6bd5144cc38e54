/// What Apple would have told a server about an event: type and subtype (Domain.md 1.3). The raw
/// value is in the log.
public enum Notification: UInt8, Sendable, CaseIterable {
  case none = 0
  case subscribedInitialBuy = 1
  case subscribedResubscribe = 2
  case didRenew = 3
  case expiredVoluntary = 4
  case autoRenewEnabled = 5
  case autoRenewDisabled = 6
  case refund = 7
  case refundReversed = 8
  case oneTimeCharge = 9
  case didFailToRenew = 10
  case didFailToRenewGracePeriod = 11
  case gracePeriodExpired = 12
  case billingRecovery = 13
  case expiredBillingRetry = 14
  case planUpgrade = 15
  case planDowngrade = 16
  case planKept = 17
  case offerRedeemed = 18
  case offerUpgrade = 19
  case offerDowngrade = 20
  case consumptionRequest = 23
  case refundDeclined = 24
  case priceIncreasePending = 25
  case priceIncreaseAccepted = 26
  case expiredPriceIncrease = 27
  case expiredProductNotForSale = 28
  case renewalExtended = 29
  case extensionFailure = 30
  case extensionSummary = 31
  case revoke = 40

  public var type: String? {
    switch self {
    case .none: nil
    case .subscribedInitialBuy, .subscribedResubscribe: "SUBSCRIBED"
    case .didRenew, .billingRecovery: "DID_RENEW"
    case .didFailToRenew, .didFailToRenewGracePeriod: "DID_FAIL_TO_RENEW"
    case .gracePeriodExpired: "GRACE_PERIOD_EXPIRED"
    case .expiredVoluntary, .expiredBillingRetry, .expiredPriceIncrease,
      .expiredProductNotForSale:
      "EXPIRED"
    case .planUpgrade, .planDowngrade, .planKept: "DID_CHANGE_RENEWAL_PREF"
    case .offerRedeemed, .offerUpgrade, .offerDowngrade: "OFFER_REDEEMED"
    case .autoRenewEnabled, .autoRenewDisabled: "DID_CHANGE_RENEWAL_STATUS"
    case .refund: "REFUND"
    case .refundReversed: "REFUND_REVERSED"
    case .oneTimeCharge: "ONE_TIME_CHARGE"
    case .consumptionRequest: "CONSUMPTION_REQUEST"
    case .refundDeclined: "REFUND_DECLINED"
    case .priceIncreasePending, .priceIncreaseAccepted: "PRICE_INCREASE"
    case .renewalExtended: "RENEWAL_EXTENDED"
    case .extensionFailure, .extensionSummary: "RENEWAL_EXTENSION"
    case .revoke: "REVOKE"
    }
  }

  public var subtype: String? {
    switch self {
    case .subscribedInitialBuy: "INITIAL_BUY"
    case .subscribedResubscribe: "RESUBSCRIBE"
    case .expiredVoluntary: "VOLUNTARY"
    case .autoRenewEnabled: "AUTO_RENEW_ENABLED"
    case .autoRenewDisabled: "AUTO_RENEW_DISABLED"
    case .didFailToRenewGracePeriod: "GRACE_PERIOD"
    case .billingRecovery: "BILLING_RECOVERY"
    case .expiredBillingRetry: "BILLING_RETRY"
    case .expiredPriceIncrease: "PRICE_INCREASE"
    case .expiredProductNotForSale: "PRODUCT_NOT_FOR_SALE"
    case .priceIncreasePending: "PENDING"
    case .priceIncreaseAccepted: "ACCEPTED"
    case .extensionFailure: "FAILURE"
    case .extensionSummary: "SUMMARY"
    case .planUpgrade, .offerUpgrade: "UPGRADE"
    case .planDowngrade, .offerDowngrade: "DOWNGRADE"
    case .none, .didRenew, .refund, .refundReversed, .oneTimeCharge, .didFailToRenew,
      .gracePeriodExpired, .planKept, .offerRedeemed, .consumptionRequest, .refundDeclined,
      .renewalExtended, .revoke:
      nil
    }
  }
}
