extension InterfaceTexts {
  static let clocks = """
    # The clocks that accounts live by: the machine's, and test clocks that stand still until
    # advanced. For admins.
    interface org.renewd.Clocks

    \(SharedTypes.clock)

    \(SharedTypes.transaction)

    \(SharedTypes.renewalInfo)

    \(SharedTypes.event)

    method List() -> (clocks: []Clock)

    method Create(name: string, at: int, requestId: ?string) -> (clock: Clock)

    # Moves a test clock forward, to a moment or by an ISO 8601 duration (P1M, PT36H), and does
    # everything that falls due up to and including it. Answers when all is durable; nextDue of
    # the clock is what is due next. At the clock's own time nothing happens, and a time before it
    # is InvalidTime. With more, each event comes in a reply of its own, the last has the totals.
    method Advance(clock: ?string, to: ?int, by: ?string, requestId: ?string) -> (
      clock: Clock,
      firstSequence: int,
      lastSequence: int,
      events: int,
      event: ?Event
    )

    # Moves an account, and its family with it, to a clock.
    method Attach(account: string, clock: string, requestId: ?string) -> (sequence: int)

    # Lets a held system clock go on: one that leapt more than 48 hours beyond where it was.
    method Accept(clock: string) -> (clock: Clock)
    """

  static let testing = """
    # What a tester does to a subscription. For admins; store logs only. A method that takes
    # account, transactionId and originalTransactionId wants exactly one of them.
    interface org.renewd.Testing

    \(SharedTypes.transaction)

    # Refunds a transaction. For an account: the current one of its only subscription or lasting
    # purchase; Ambiguous names them where there are several. percentage is 1 to 100, the whole
    # if absent; reason 0 other, 1 an issue with the app.
    method Refund(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      percentage: ?int,
      reason: ?int,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Takes a refund back.
    method ReverseRefund(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # A customer asks for a refund: the app's server would be asked about consumption, and the
    # subscription does not renew any more. Refund gives it, DeclineRefund does not; a request
    # that is not decided yet is not made twice. For an account as in Refund.
    method RequestRefund(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Declines a refund that was asked for. Renewal stays off until it is turned on. For an
    # account as in Refund, of those whose refund is asked for.
    method DeclineRefund(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Makes a subscription product dearer, for who buys it from now on and for the subscriptions
    # that renew to it. Each of those is told by an event of its own: with consent it is asked
    # (PRICE_INCREASE/PENDING), and expires at the end of its period unless it agrees; else it is
    # told (PRICE_INCREASE/ACCEPTED) and renews at the new price. Not reached are those with
    # renewal off (turned on again, they pay the new price), in billing trouble (they owe what they
    # owe), and with an offer for the next renewal. price: milliunits, not below the present one;
    # the same again asks again who has not answered. Answers when all are told; subscriptions:
    # how many.
    method AnnouncePriceIncrease(
      productId: string,
      price: int,
      consent: bool,
      requestId: ?string
    ) -> (subscriptions: int, sequence: int)

    # The customer agrees to a price increase that waits for an answer. For an account: its only
    # subscription that is asked.
    method ConsentToPriceIncrease(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # The customer does not agree: renewal is turned off.
    method DeclinePriceIncrease(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Takes a product off sale: buying it is ProductNotFound, and a subscription that would renew
    # to it expires instead (EXPIRED/PRODUCT_NOT_FOR_SALE). Catalog.Import brings it back.
    method RemoveFromSale(productId: string, requestId: ?string) -> (sequence: int)

    # Lets the current period end 1 to 90 days later, and what follows it with it. reason: 0
    # undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage; it is told to
    # nobody. NotPossible in a free offer period, in grace or billing retry, after the end, for a
    # family member's subscription, and a third time within 365 days; its reason says which.
    method Extend(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      days: int,
      reason: int,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # The same for every subscription to a product that has not ended, in the storefronts named or
    # in all: each is extended (RENEWAL_EXTENDED) or, where it cannot be, told so
    # (RENEWAL_EXTENSION/FAILURE), and RENEWAL_EXTENSION/SUMMARY comes last. requestIdentifier
    # names it, 1 to 128 bytes: the same again, for whatever product, changes nothing and is
    # answered as the first time, with the product that was extended then.
    method ExtendAll(
      productId: string,
      days: int,
      reason: int,
      requestIdentifier: string,
      storefronts: ?[]string,
      requestId: ?string
    ) -> (
      requestIdentifier: string,
      productId: string,
      succeeded: int,
      failed: int,
      sequence: int
    )

    # Ends the period now, if it has not ended, and begins the next one, which is paid. Renewal is
    # on after it, and no price increase waits; later charges fail as before.
    method ForceRenewal(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Ends the subscription now, without a renewal; in grace and billing retry too.
    method Expire(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # Whether an account's renewals can be paid from now on. One that cannot begins billing
    # trouble, with a grace period where the configuration has one. With succeed what is owed is
    # paid when it is tried next, a day later at most; nextDue of its subscription says when, and
    # ResolveBilling pays it at once. A first purchase, and one outside billing trouble, is not
    # concerned. Without account it is for all but those that were told to succeed.
    method SetBilling(account: ?string, outcome: (succeed, fail), requestId: ?string) -> (
      sequence: int
    )

    # Pays what is owed: ends the grace period or the billing retry of a subscription. The
    # account's later renewals can be paid too.
    method ResolveBilling(
      account: ?string,
      transactionId: ?string,
      originalTransactionId: ?string,
      requestId: ?string
    ) -> (transaction: Transaction, sequence: int)

    # How fast subscriptions run: on the calendar (realTime), or at a rate of Xcode, of Apple's
    # sandbox or of TestFlight, by Apple's names. A rate gives the length of periods, offers, grace
    # periods and the billing retry.
    type RenewalRate (
      realTime,
      oneHourIsOneDay,
      thirtyMinutesIsOneDay,
      fiveMinutesIsOneDay,
      oneMinuteIsOneDay,
      thirtySecondsIsOneDay,
      oneSecondIsOneDay,
      monthlyRenewalEveryHour,
      monthlyRenewalEveryThirtyMinutes,
      monthlyRenewalEveryFifteenMinutes,
      monthlyRenewalEveryFiveMinutes,
      monthlyRenewalEveryThreeMinutes,
      monthlyRenewalEveryThirtySeconds,
      oneRenewalEveryFifteenMinutes,
      oneRenewalEveryFiveMinutes,
      oneRenewalEveryMinute,
      oneRenewalEveryThirtySeconds,
      oneRenewalEveryTenSeconds,
      oneRenewalEveryTwoSeconds,
      oneRenewalEveryDay
    )

    # How long something lasts at a rate: a period by its ISO 8601 text (P1W to P1Y), the grace
    # period of weekly subscriptions (weeklyGrace) and of others (grace), or the billingRetry.
    type RateLength (name: string, milliseconds: int)

    # The rate in force, the one that is configured, and whether a test set another. lengths is
    # empty in real time.
    method GetRate() -> (
      rate: RenewalRate,
      configured: RenewalRate,
      isSet: bool,
      lengths: []RateLength,
      sequence: int
    )

    # Sets the rate of all that begins from now on; what has begun keeps its end. Without rate the
    # configured one is in force again. While a clock is being advanced: ClockBusy.
    method SetRate(rate: ?RenewalRate, requestId: ?string) -> (sequence: int)
    # Purchases of an account, or of all that have no switch of their own if account is absent, must
    # be approved: Purchase answers pending, and nothing is charged or given until ApproveAskToBuy.
    method SetAskToBuy(account: ?string, enabled: bool, requestId: ?string) -> (sequence: int)

    # A purchase that waits is made now, by the rules of now. Names exactly one of account, whose
    # only one it is, and the pendingId that Purchase answered.
    method ApproveAskToBuy(account: ?string, pendingId: ?string, requestId: ?string) -> (
      result: (success, pending, userCancelled),
      transaction: ?Transaction,
      sequence: int
    )

    # A purchase that waits for approval is not made.
    method DeclineAskToBuy(account: ?string, pendingId: ?string, requestId: ?string) -> (
      sequence: int
    )

    # Purchases are interrupted, as by new terms to agree to: Purchase answers userCancelled and
    # leaves one that ResolveInterrupted completes once they are interrupted no more.
    method SetInterrupted(account: ?string, enabled: bool, requestId: ?string) -> (sequence: int)

    method ResolveInterrupted(account: ?string, pendingId: ?string, requestId: ?string) -> (
      result: (success, pending, userCancelled),
      transaction: ?Transaction,
      sequence: int
    )

    # A purchase that waits, and why.
    type PendingPurchase (
      pendingId: string,
      account: string,
      productId: string,
      quantity: int,
      reason: (askToBuy, interrupted),
      requestDate: int
    )

    # The purchases that wait, of one account or of all, oldest first.
    method Pending(account: ?string) -> (purchases: []PendingPurchase)

    # The parts of StoreKit that can be made to fail.
    type SimulatedApi (
      loadProducts,
      purchase,
      verification,
      appStoreSync,
      subscriptionStatus,
      appTransaction,
      manageSubscriptions,
      refundRequest,
      offerCodeRedeem
    )

    # A part of StoreKit, and the error it fails with, by StoreKit's name.
    type SimulatedFault (api: SimulatedApi, error: string)

    # The calls that stand for a part of StoreKit are refused with SimulatedError from now on; error
    # is absent to end that. loadProducts: Products. purchase: Purchase. verification: Verify.
    # appStoreSync: Restore. subscriptionStatus: Status. appTransaction: AppTransaction.
    # manageSubscriptions: SetAutoRenew. refundRequest: RequestRefund. offerCodeRedeem: Purchase
    # with an offer code.
    method SetSimulatedError(api: SimulatedApi, error: ?string, requestId: ?string) -> (
      sequence: int
    )

    # What is switched for all accounts, and which errors are simulated.
    method Faults() -> (
      askToBuy: bool,
      interrupted: bool,
      billingFails: bool,
      errors: []SimulatedFault
    )

    # Family Sharing: to gets what account has of shareable products, by transactions of its own
    # that follow account's, and what account buys of them from now on. At most five members; all
    # live on account's clock, where an unknown one is opened. An account is in one family at most.
    method Share(account: string, to: string, requestId: ?string) -> (sequence: int)

    # Ends sharing with one member, or with all if to is absent: they lose all they had by it. cause
    # is for the story; memberLeft if absent with to, turnedOff without.
    method Unshare(
      account: string,
      to: ?string,
      cause: ?(turnedOff, memberLeft, purchaserLeft),
      requestId: ?string
    ) -> (sequence: int)

    # Empties accounts and subscriptions. Catalogue and clocks stay; sequence and ids go on.
    method Reset(requestId: ?string) -> (sequence: int)
    """

  static let log = """
    # The log itself. For admins.
    interface org.renewd.Log

    \(SharedTypes.transaction)

    \(SharedTypes.renewalInfo)

    \(SharedTypes.event)

    # role: what the log was made for. sequence: its last event. durable: the last one on disk.
    # facts: signed facts taken in; unknownNotifications: those of them of a type that this version
    # does not know; duplicates: facts since the start that were here before; unlinked: lines and
    # purchases that signed facts told of and that are nobody's. checked: the last event that the
    # check of all segments after the start found sound, once it is through; damage: what is known
    # to be wrong in the log, and where.
    method Describe() -> (
      role: (store, record),
      sequence: int,
      durable: int,
      bytes: int,
      segments: int,
      accounts: int,
      subscriptions: int,
      facts: ?int,
      unknownNotifications: ?int,
      duplicates: ?int,
      unlinked: ?int,
      checked: ?int,
      damage: ?string
    )

    # Events in their order, at most count of them; next is where to go on, absent at the end.
    # signed adds signed forms, dated as each event; of the App Store's facts the texts as they
    # came.
    method Read(from: int, count: ?int, signed: ?bool) -> (events: []Event, next: ?int)

    # Walks over the whole log and checks it.
    method Verify() -> (
      segments: int,
      batches: int,
      events: int,
      bytes: int,
      damage: ?string
    )

    # Writes a snapshot, so that the next start need not read the whole log.
    method Snapshot() -> (sequence: int, bytes: int)
    """

  static let catalog = """
    # What is sold. For admins.
    interface org.renewd.Catalog

    \(SharedTypes.product)

    type Group (id: string, name: string, products: []string)

    # Takes in the text of an Xcode .storekit file. source names it, so that a newer text of the
    # same source takes its place; products that it lacks go off sale. unchanged: the log has it.
    method Import(text: string, source: ?string, requestId: ?string) -> (
      products: int,
      notices: []string,
      unchanged: bool,
      sequence: int
    )

    method Describe() -> (products: []Product, groups: []Group)
    """

  static let daemon = """
    # The daemon. For admins.
    interface org.renewd.Daemon

    # An option, its value, and where it came from.
    type Option (name: string, value: string, origin: string)

    # Reads the configuration again. A wrong one is refused and the old one stays.
    method Reload() -> (options: []Option)

    method Describe() -> (
      version: string,
      role: (store, record),
      environment: string,
      bundleId: string,
      status: string,
      sequence: int,
      options: []Option
    )
    """
}
