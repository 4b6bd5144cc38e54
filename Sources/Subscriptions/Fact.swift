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

/// What happened to a purchase outside any subscription.
public struct PurchaseFact: Hashable, Sendable {
  public var account: AccountNumber
  public var notification: Notification
  public var transaction: Transaction

  public init(account: AccountNumber, notification: Notification, transaction: Transaction) {
    self.account = account
    self.notification = notification
    self.transaction = transaction
  }
}

/// What an event says, by families. What happens often holds fixed-size records without text.
public enum Fact: Hashable, Sendable {
  case log(LogFact)
  case account(AccountFact)
  case clock(ClockFact)
  case catalogue(CatalogueFact)
  case line(LineKind, LineFact)
  case purchase(PurchaseKind, PurchaseFact)
  /// What becomes of a product, and of all the lines that have it (see `Sweep`).
  case product(ProductKind, ProductFact)
  case tester(TesterFact)
  case appStore(AppStoreFact)

  public var kind: EventKind { subject.kind }

  /// The account whose chain the event belongs to; `noNumber` where it is nobody's.
  public var account: AccountNumber { subject.account }

  private var subject: (kind: EventKind, account: AccountNumber) {
    switch self {
    case .line(let kind, let fact): (.line(kind), fact.account)
    case .purchase(let kind, let fact): (.purchase(kind), fact.account)
    case .account(let fact): (.account(fact.kind), fact.account)
    case .tester(let fact): (.tester(fact.kind), fact.account)
    case .appStore(let fact): (.appStore(fact.kind), fact.account)
    case .log(let fact): (.log(fact.kind), noNumber)
    case .clock(let fact): (.clock(fact.kind), noNumber)
    case .catalogue(let fact): (.catalogue(fact.kind), noNumber)
    case .product(let kind, _): (.product(kind), noNumber)
    }
  }
}

/// Something that was sold, or befell what was sold.
public struct Sold {
  public var transaction: Transaction
  /// `noNumber` outside a subscription.
  public var line: LineNumber
  public var account: AccountNumber
}

extension Fact {
  /// What the event of a line or a purchase is about; nil of any other, and of one that changes no
  /// transaction.
  public var sold: Sold? {
    if case .line(_, let fact) = self {
      return fact.transaction.map { Sold(transaction: $0, line: fact.line, account: fact.account) }
    }
    if case .purchase(_, let fact) = self {
      return Sold(transaction: fact.transaction, line: noNumber, account: fact.account)
    }
    return nil
  }
}

/// Of the log itself.
public enum LogFact: Hashable, Sendable {
  case logCreated(role: Role, seed: UUIDBits, identity: StoreIdentity? = nil)
  case bootObserved(boot: UUIDBits, realMinusBoot: Int64)
  case reset

  public var kind: LogKind {
    switch self {
    case .logCreated: .logCreated
    case .bootObserved: .bootObserved
    case .reset: .reset
    }
  }
}

/// Of an account, beside what it has bought.
public enum AccountFact: Hashable, Sendable {
  case accountOpened(account: AccountNumber, key: [UInt8], token: UUIDBits?, clock: ClockNumber)
  /// A purchase of the account's is about to come with a token that none of it has had.
  case tokenGiven(account: AccountNumber, token: UUIDBits)
  case clockAttached(account: AccountNumber, clock: ClockNumber)
  /// The app has delivered a transaction; `line` is `noNumber` outside a subscription, where the
  /// id is the purchase's original one, which no restore changes.
  case finished(account: AccountNumber, line: LineNumber, transactionID: UInt64)
  /// A signed offer's nonce is used up, whatever became of the purchase; `noNumber` where the
  /// account is none.
  case offerNonceUsed(account: AccountNumber, nonce: UUIDBits)
  /// An offer code waits for the end of the introductory offer that its line is in.
  case offerStacked(account: AccountNumber, line: LineNumber, offer: StackedOffer)
  /// A purchase was asked for, and waits.
  case purchasePending(PendingPurchase)
  /// It was made, by the events before, or declined.
  case pendingEnded(account: AccountNumber, id: UInt64, end: PendingEnd)
  /// From now on a member has what the purchaser has of shareable products.
  case sharingStarted(purchaser: AccountNumber, member: AccountNumber)
  case sharingEnded(purchaser: AccountNumber, member: AccountNumber, cause: SharingEnd)

  public var kind: AccountKind {
    switch self {
    case .accountOpened: .accountOpened
    case .tokenGiven: .tokenGiven
    case .clockAttached: .clockAttached
    case .finished: .finished
    case .offerNonceUsed: .offerNonceUsed
    case .offerStacked: .offerStacked
    case .purchasePending: .purchasePending
    case .pendingEnded: .pendingEnded
    case .sharingStarted: .sharingStarted
    case .sharingEnded: .sharingEnded
    }
  }

  public var account: AccountNumber {
    switch self {
    case .accountOpened(let account, _, _, _), .tokenGiven(let account, _),
      .clockAttached(let account, _), .finished(let account, _, _),
      .offerNonceUsed(let account, _), .offerStacked(let account, _, _),
      .pendingEnded(let account, _, _), .sharingStarted(let account, _),
      .sharingEnded(let account, _, _):
      account
    case .purchasePending(let purchase): purchase.account
    }
  }
}

/// Of the clocks that accounts live by.
public enum ClockFact: Hashable, Sendable {
  case clockCreated(clock: ClockNumber, name: String, time: Instant)
  case advanceStarted(clock: ClockNumber, target: Instant)
  case advanced(clock: ClockNumber, target: Instant, firstSequence: UInt64, events: UInt64)
  case clockHeld(behindMilliseconds: Int64)
  case clockAccepted

  public var kind: ClockKind {
    switch self {
    case .clockCreated: .clockCreated
    case .advanceStarted: .advanceStarted
    case .advanced: .advanced
    case .clockHeld: .clockHeld
    case .clockAccepted: .clockAccepted
    }
  }
}

/// Of what is on sale.
public enum CatalogueFact: Hashable, Sendable {
  case catalogueImported(source: String, digest: UInt64, catalogue: Catalogue)
  /// A catalogue's source brought these keys, in place of those it had before.
  case offerKeysImported(source: String, keys: [OfferKey])

  public var kind: CatalogueKind {
    switch self {
    case .catalogueImported: .catalogueImported
    case .offerKeysImported: .offerKeysImported
    }
  }
}

/// Of what a tester has switched. Where no account is named, a switch is for all.
public enum TesterFact: Hashable, Sendable {
  /// Whether the account's charges fail from now on.
  case billingChanged(account: AccountNumber, fails: Bool)
  case switched(TesterSwitch, account: AccountNumber, isOn: Bool)
  /// The error that a part of StoreKit fails with; nil for none.
  case simulatedErrorChanged(SimulatedAPI, SimulatedError?)
  /// The rate from now on; nil for the one that is configured.
  case rateChanged(RenewalRate?)

  public var kind: TesterKind {
    switch self {
    case .billingChanged: .billingChanged
    case .switched(.askToBuy, _, _): .askToBuyChanged
    case .switched(.interrupted, _, _): .interruptedChanged
    case .simulatedErrorChanged: .simulatedErrorChanged
    case .rateChanged: .rateChanged
    }
  }

  public var account: AccountNumber {
    switch self {
    case .billingChanged(let account, _), .switched(_, let account, _): account
    case .simulatedErrorChanged, .rateChanged: noNumber
    }
  }
}

/// Of what the App Store signed.
public enum AppStoreFact: Hashable, Sendable {
  /// A signed fact was taken in.
  indirect case ingested(IngestedFact)
  /// A chain of such facts comes to an account.
  indirect case linked(LinkedFact)
  /// A chain leaves an account.
  case unlinked(UnlinkedFact)
  /// Names that facts brought and no catalogue had.
  case namesReported(ReportedNames)

  public var kind: AppStoreKind {
    switch self {
    case .ingested: .ingested
    case .linked: .linked
    case .unlinked: .unlinked
    case .namesReported: .namesReported
    }
  }

  public var account: AccountNumber {
    switch self {
    case .ingested(let fact): fact.account
    case .linked(let fact): fact.account
    case .unlinked(let fact): fact.account
    case .namesReported: noNumber
    }
  }
}
