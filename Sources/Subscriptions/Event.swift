/// The closed list of event kinds. The raw value is the record's tag in the log and never changes
/// its meaning; `EventFormat.md` says what each carries.
public enum EventKind: UInt8, Sendable, CaseIterable {
  case logCreated = 1
  case accountOpened = 2
  case clockCreated = 3
  case advanceStarted = 4
  case advanced = 5
  case clockAttached = 6
  case catalogueImported = 7
  case clockHeld = 8
  case clockAccepted = 9
  case bootObserved = 10
  case reset = 11
  case offerKeysImported = 12
  case purchased = 16
  case renewed = 17
  case expired = 18
  case autoRenewChanged = 19
  case refunded = 20
  case refundReversed = 21
  case finished = 22
  case renewalFailed = 23
  case graceEnded = 24
  case recovered = 25
  case planChangeScheduled = 26
  case upgraded = 27
  case billingChanged = 28
  case offerRedeemed = 29
  case offerNonceUsed = 30
  case offerStacked = 31
  case refundRequested = 32
  case refundDeclined = 33
  case priceIncreaseAnnounced = 34
  case priceIncreased = 35
  case priceIncreaseAccepted = 36
  case priceIncreaseCompleted = 37
  case removedFromSale = 38
  case renewalExtended = 39
  case extensionFailed = 40
  case massExtensionStarted = 41
  case massExtensionCompleted = 42
  case sharingStarted = 44
  case sharingEnded = 45
  case shared = 46
  case revoked = 47
  case askToBuyChanged = 48
  case purchasePending = 49
  case pendingEnded = 50
  case interruptedChanged = 51
  case simulatedErrorChanged = 52
  case restored = 53
  case rateChanged = 56
  case chargeFailed = 57
  case ingested = 60
  case linked = 61
  case unlinked = 62
  case statusPassed = 63
  case namesReported = 64
  case tokenGiven = 65
}

/// What Apple would have told a server about an event: type and subtype (domain.md 1.3). The raw
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

/// The part a daemon plays, fixed when its log is made.
public enum Role: UInt8, Sendable, CaseIterable {
  case store = 0
  case record = 1
}

/// Who asked for an event: the peer's uid and, where it gave one, its request id with a
/// fingerprint of the call, so that a repeated request is known across restarts.
public struct Caller: Hashable, Sendable {
  public var uid: UInt32
  public var requestID: String?
  public var fingerprint: UInt64

  public init(uid: UInt32, requestID: String? = nil, fingerprint: UInt64 = 0) {
    self.uid = uid
    self.requestID = requestID
    self.fingerprint = fingerprint
  }
}

/// A UUID's 128 bits, in two halves.
public struct UUIDBits: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// What happened to a subscription line: the new or changed facts, not how they were reached.
public struct LineFact: Hashable, Sendable {
  public var line: LineNumber
  public var account: AccountNumber
  /// The group's number in the text table; in the log only where the line begins.
  public var group: UInt32
  public var statusAfter: Status
  public var notification: Notification
  public var transaction: Transaction?
  public var renewal: RenewalInfo?
  /// The purchaser's line that a member's begins to follow; `noNumber` in all other events.
  public var source: LineNumber

  public init(
    line: LineNumber, account: AccountNumber, group: UInt32, statusAfter: Status,
    notification: Notification, transaction: Transaction? = nil, renewal: RenewalInfo? = nil,
    source: LineNumber = noNumber
  ) {
    self.line = line
    self.account = account
    self.group = group
    self.statusAfter = statusAfter
    self.notification = notification
    self.transaction = transaction
    self.renewal = renewal
    self.source = source
  }
}

/// What an event says. Cases that happen often hold fixed-size records without text.
public enum Fact: Hashable, Sendable {
  case logCreated(role: Role, seed: UUIDBits, identity: StoreIdentity? = nil)
  case accountOpened(
    account: AccountNumber, key: [UInt8], token: UUIDBits?, clock: ClockNumber)
  /// A purchase of the account's is about to come with a token that none of it has had.
  case tokenGiven(account: AccountNumber, token: UUIDBits)
  case clockCreated(clock: ClockNumber, name: String, time: Instant)
  case advanceStarted(clock: ClockNumber, target: Instant)
  case advanced(clock: ClockNumber, target: Instant, firstSequence: UInt64, events: UInt64)
  case clockAttached(account: AccountNumber, clock: ClockNumber)
  case catalogueImported(source: String, digest: UInt64, catalogue: Catalogue)
  case clockHeld(behindMilliseconds: Int64)
  case clockAccepted
  case bootObserved(boot: UUIDBits, realMinusBoot: Int64)
  case reset
  /// A line's fact; the kind is any that is about a subscription.
  case line(EventKind, LineFact)
  /// A purchase outside any subscription; the kind is `purchased`, `refunded`,
  /// `refundReversed`, `refundRequested`, `refundDeclined`, `shared`, `revoked` or `restored`.
  case purchase(
    EventKind, account: AccountNumber, notification: Notification, transaction: Transaction)
  /// The app has delivered a transaction; `line` is `noNumber` outside a subscription, where the
  /// id is the purchase's original one, which no restore changes.
  case finished(account: AccountNumber, line: LineNumber, transactionID: UInt64)
  /// What becomes of a product, and of all the lines that have it (see `Sweep`).
  case product(EventKind, ProductFact)
  /// A tester's switch: whether the account's charges fail from now on.
  case billingChanged(account: AccountNumber, fails: Bool)
  /// A tester's switch: the rate from now on; nil for the one that is configured.
  case rateChanged(RenewalRate?)
  /// A signed fact of the App Store's.
  indirect case ingested(IngestedFact)
  /// A chain of such facts comes to an account.
  indirect case linked(LinkedFact)
  /// A chain leaves an account.
  case unlinked(UnlinkedFact)
  /// Names that facts brought and no catalogue had.
  case namesReported(ReportedNames)
  /// An offer code waits for the end of the introductory offer that its line is in.
  case offerStacked(account: AccountNumber, line: LineNumber, offer: StackedOffer)
  /// A tester's switch, for one account or, where it is `noNumber`, for all.
  case switched(TesterSwitch, account: AccountNumber, isOn: Bool)
  /// A purchase was asked for, and waits.
  case purchasePending(PendingPurchase)
  /// It was made, by the events before, or declined.
  case pendingEnded(account: AccountNumber, id: UInt64, end: PendingEnd)
  /// A tester's switch: the error that a part of StoreKit fails with; nil for none.
  case simulatedErrorChanged(SimulatedAPI, SimulatedError?)
  /// From now on a member has what the purchaser has of shareable products.
  case sharingStarted(purchaser: AccountNumber, member: AccountNumber)
  case sharingEnded(purchaser: AccountNumber, member: AccountNumber, cause: SharingEnd)
  /// What makes signed offers believed, or not believed twice.
  case offerProof(OfferProof)

  public var kind: EventKind {
    switch self {
    case .logCreated: .logCreated
    case .accountOpened: .accountOpened
    case .tokenGiven: .tokenGiven
    case .clockCreated: .clockCreated
    case .advanceStarted: .advanceStarted
    case .advanced: .advanced
    case .clockAttached: .clockAttached
    case .catalogueImported: .catalogueImported
    case .clockHeld: .clockHeld
    case .clockAccepted: .clockAccepted
    case .bootObserved: .bootObserved
    case .reset: .reset
    case .line(let kind, _): kind
    case .purchase(let kind, _, _, _): kind
    case .finished: .finished
    case .product(let kind, _): kind
    case .billingChanged: .billingChanged
    case .rateChanged: .rateChanged
    case .ingested: .ingested
    case .linked: .linked
    case .unlinked: .unlinked
    case .namesReported: .namesReported
    case .offerStacked: .offerStacked
    case .switched(.askToBuy, _, _): .askToBuyChanged
    case .switched(.interrupted, _, _): .interruptedChanged
    case .purchasePending: .purchasePending
    case .pendingEnded: .pendingEnded
    case .simulatedErrorChanged: .simulatedErrorChanged
    case .sharingStarted: .sharingStarted
    case .sharingEnded: .sharingEnded
    case .offerProof(let proof): proof.kind
    }
  }

  /// The account whose chain the event belongs to; `noNumber` where it is nobody's.
  public var account: AccountNumber {
    switch self {
    case .accountOpened(let account, _, _, _): account
    case .tokenGiven(let account, _): account
    case .clockAttached(let account, _): account
    case .line(_, let fact): fact.account
    case .purchase(_, let account, _, _): account
    case .finished(let account, _, _): account
    case .billingChanged(let account, _): account
    case .ingested(let fact): fact.account
    case .linked(let fact): fact.account
    case .unlinked(let fact): fact.account
    case .offerStacked(let account, _, _): account
    case .switched(_, let account, _): account
    case .purchasePending(let purchase): purchase.account
    case .pendingEnded(let account, _, _): account
    case .sharingStarted(let purchaser, _): purchaser
    case .sharingEnded(let purchaser, _, _): purchaser
    case .offerProof(let proof): proof.account
    case .logCreated, .clockCreated, .advanceStarted, .advanced, .catalogueImported, .clockHeld,
      .clockAccepted, .bootObserved, .reset, .rateChanged, .namesReported, .product,
      .simulatedErrorChanged:
      noNumber
    }
  }
}

/// One fact in the log, with its time on its clock. Its sequence and the time it was recorded are
/// the log's to give.
public struct Event: Hashable, Sendable {
  public var at: Instant
  public var clock: ClockNumber
  public var caller: Caller?
  public var fact: Fact

  public init(at: Instant, clock: ClockNumber, caller: Caller? = nil, fact: Fact) {
    self.at = at
    self.clock = clock
    self.caller = caller
    self.fact = fact
  }
}

/// An event of a subscription line that nobody asked for, without text: what falls due, and most
/// of a log. It is the fast way through the fold.
public struct LineEvent: Hashable, Sendable {
  public var at: Instant
  public var clock: ClockNumber
  public var kind: EventKind
  public var fact: LineFact

  public init(at: Instant, clock: ClockNumber, kind: EventKind, fact: LineFact) {
    self.at = at
    self.clock = clock
    self.kind = kind
    self.fact = fact
  }
}

extension Event {
  public init(_ event: LineEvent) {
    self.init(at: event.at, clock: event.clock, fact: .line(event.kind, event.fact))
  }
}
