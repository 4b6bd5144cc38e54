/// The types that several interfaces use. Each interface repeats those it needs, letter for
/// letter, since Varlink has no types across interfaces.
enum SharedTypes {
  static let transaction = """
    # One purchase or one period of a subscription. Times are milliseconds since 1970 UTC,
    # prices milliunits of the currency. forecast: it has not happened, but will if nothing else
    # does. uncatalogued: signed facts alone have named its product. restored: a restore gave it
    # this id. signedTransactionInfo: its compact JWS, where signed was asked for; what the App
    # Store signed is the text as it came. Of a signed fact of the App Store's each field is there
    # that was told, as it came, and none that was not; type, transactionReason (purchase, renewal)
    # and inAppOwnershipType (purchased, familyShared) may then be words that are not known here.
    # storefrontId and what follows signedTransactionInfo: of such facts alone.
    type Transaction (
      transactionId: string,
      originalTransactionId: string,
      webOrderLineItemId: ?string,
      account: ?string,
      productId: string,
      subscriptionGroupIdentifier: ?string,
      type: ?string,
      purchaseDate: int,
      originalPurchaseDate: ?int,
      expiresDate: ?int,
      quantity: ?int,
      price: ?int,
      currency: ?string,
      storefront: ?string,
      transactionReason: ?string,
      inAppOwnershipType: ?string,
      offerType: ?int,
      offerIdentifier: ?string,
      offerDiscountType: ?string,
      offerPeriod: ?string,
      isUpgraded: ?bool,
      revocationDate: ?int,
      revocationReason: ?int,
      revocationType: ?string,
      revocationPercentage: ?int,
      appAccountToken: ?string,
      environment: string,
      signedDate: ?int,
      finished: bool,
      forecast: bool,
      uncatalogued: ?bool,
      restored: ?bool,
      signedTransactionInfo: ?string,
      storefrontId: ?string,
      appTransactionId: ?string,
      previousOriginalTransactionId: ?string,
      billingPlanType: ?string,
      commitmentInfo: ?object,
      advancedCommerceInfo: ?object
    )
    """

  static let renewalInfo = """
    # What will happen at a subscription's next billing event. The offer is that of the renewal.
    # eligibleWinBackOfferIds: what a customer who left may redeem, best first.
    # signedRenewalInfo: its compact JWS, where signed was asked for, as in Transaction. What a
    # store says itself has every field down to renewalDate, isInBillingRetryPeriod,
    # recentSubscriptionStartDate and signedDate; of a signed fact of the App Store's each field is
    # there that was told, as it came, and none that was not. What follows signedRenewalInfo: of
    # such facts alone.
    type RenewalInfo (
      productId: ?string,
      autoRenewProductId: ?string,
      autoRenewStatus: ?int,
      renewalDate: ?int,
      renewalPrice: ?int,
      currency: ?string,
      isInBillingRetryPeriod: ?bool,
      expirationIntent: ?int,
      gracePeriodExpiresDate: ?int,
      priceIncreaseStatus: ?int,
      offerType: ?int,
      offerIdentifier: ?string,
      offerDiscountType: ?string,
      offerPeriod: ?string,
      eligibleWinBackOfferIds: ?[]string,
      recentSubscriptionStartDate: ?int,
      signedDate: ?int,
      signedRenewalInfo: ?string,
      appAccountToken: ?string,
      appTransactionId: ?string,
      renewalBillingPlanType: ?string,
      commitmentInfo: ?object,
      advancedCommerceInfo: ?object
    )
    """

  static let subscription = """
    # One subscription line. status: active 1, expired 2, billing retry 3, grace 4, revoked 5.
    # renewalInfo: absent where origin is apple and none has come. autoRenewStatus,
    # expirationIntent: of such a line, by whichever signed fact said it last, a notification's
    # subtype too; absent where none did. assumedGraceEnd: when its grace ends by the policy, since
    # no fact says when.
    type Subscription (
      originalTransactionId: string,
      account: ?string,
      subscriptionGroupIdentifier: string,
      status: int,
      entitled: bool,
      pending: bool,
      origin: (store, apple),
      transaction: Transaction,
      renewalInfo: ?RenewalInfo,
      autoRenewStatus: ?int,
      expirationIntent: ?int,
      assumedGraceEnd: ?int,
      nextDue: ?int,
      lastGraceStart: ?int,
      lastGraceEnd: ?int
    )
    """

  static let event = """
    # One fact in the log. at: its time on its clock; recorded: when it was written. rate: of
    # rateChanged, absent where the configured one is in force again. late: a signed fact that came
    # after newer ones of its line. environment: a signed fact's. productId and what
    # follows: of events about a product and all that have it. on: of a tester's switch, that
    # payments fail, or purchases wait for approval or are interrupted, from now on. made: of a
    # purchase that waited, that it was made, not declined. signedPayload: the App Store's own text
    # of a notification, as it came, where signed was asked for. statusTold,
    # consumptionRequestReason, notificationSignedDate: a signed notification's own.
    # assumedGraceEnd: as of a Subscription.
    type Event (
      sequence: int,
      at: int,
      recorded: int,
      clock: string,
      kind: string,
      account: ?string,
      originalTransactionId: ?string,
      transaction: ?Transaction,
      renewalInfo: ?RenewalInfo,
      statusAfter: ?int,
      notificationType: ?string,
      subtype: ?string,
      rate: ?string,
      member: ?string,
      productId: ?string,
      price: ?int,
      consent: ?bool,
      requestIdentifier: ?string,
      days: ?int,
      storefronts: ?[]string,
      succeeded: ?int,
      failed: ?int,
      pendingId: ?string,
      made: ?bool,
      on: ?bool,
      requestId: ?string,
      uid: ?int,
      late: bool,
      environment: ?string,
      signedPayload: ?string,
      statusTold: ?int,
      consumptionRequestReason: ?string,
      notificationSignedDate: ?int,
      assumedGraceEnd: ?int
    )
    """

  static let product = """
    # A product on sale, priced for a storefront. level 1 is a group's highest.
    type Product (
      productId: string,
      type: (autoRenewable, nonConsumable, consumable, nonRenewing),
      displayName: string,
      description: string,
      price: int,
      currency: string,
      displayPrice: string,
      familyShareable: bool,
      subscriptionGroupIdentifier: ?string,
      subscriptionGroupName: ?string,
      groupLevel: ?int,
      period: ?string,
      offers: []ProductOffer
    )

    # An offer of a product: period is the length of one offer period, periodCount how many.
    # eligibility: who may redeem a code (new, existing, expired); stackable: it follows the
    # introductory offer, and does not replace it; eligible: the switch of a win-back offer.
    type ProductOffer (
      type: (introductory, promotional, code, winBack),
      id: ?string,
      paymentMode: (freeTrial, payAsYouGo, payUpFront),
      period: string,
      periodCount: int,
      price: int,
      eligibility: ?[]string,
      stackable: ?bool,
      eligible: ?bool
    )
    """

  static let clock = """
    # A clock that accounts live by. now: its time; nextDue: when the daemon must act next.
    # held: the machine's clock jumped forward, and due work waits for Accept.
    # target: where a running advance is going.
    type Clock (
      name: string,
      now: int,
      kind: (system, test),
      accounts: int,
      nextDue: ?int,
      held: bool,
      target: ?int
    )
    """
}
