/// The keys that Xcode writes, by the object they stand in (Domain.md 5). A key that is here and
/// not read is known to change nothing that is simulated; one that is not here gets a notice.
enum ConfigurationKeys {
  static let file: Set<String> = [
    "version", "identifier", "products", "nonRenewingSubscriptions", "subscriptionGroups",
    "settings", "appPolicies", "subscriptionOffersKeyPair",
  ]

  static let version: Set<String> = ["major", "minor"]

  static let product: Set<String> = [
    "productID", "referenceName", "type", "displayPrice", "familyShareable", "internalID",
    "localizations",
  ]

  static let group: Set<String> = ["id", "name", "localizations", "subscriptions"]

  static let subscription: Set<String> = product.union([
    "subscriptionGroupID", "groupNumber", "recurringSubscriptionPeriod", "introductoryOffer",
    "introductoryOffers", "adHocOffers", "codeOffers", "winbackOffers", "billingPlans",
  ])

  static let offer: Set<String> = [
    "internalID", "paymentMode", "subscriptionPeriod", "numberOfPeriods", "displayPrice",
    "offerID", "referenceName", "eligibility", "isStackable", "isEligible", "billingPlanType",
  ]

  static let billingPlan: Set<String> = [
    "billingPlanType", "displayPrice", "commitmentDisplayPrice", "internalID", "isEnabled",
  ]

  static let localization: Set<String> = ["locale", "displayName", "description"]

  static let settings: Set<String> = [
    "_timeRate", "_compatibilityTimeRate", "_failTransactionsEnabled", "_storeKitError",
    "_storeKitErrors", "_storefront", "_locale", "_askToBuyEnabled",
    "_billingGracePeriodEnabled", "_billingIssuesEnabled", "_renewalBillingIssuesEnabled",
    "_disableDialogs", "_applicationInternalID", "_developerTeamID", "_lastSynchronizedDate",
  ]

  static let simulatedError: Set<String> = ["name", "enabled", "current"]

  static let simulatedErrorChoice: Set<String> = ["type", "index"]
}
