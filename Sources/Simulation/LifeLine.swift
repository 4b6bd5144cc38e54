import Subscriptions

/// A line as its events so far tell it. Fixed-size and without references: lives copy it for each
/// event.
struct LifeLine {
  let account: AccountNumber
  let group: UInt32
  /// The status that its last event left.
  var status: Status
  var transaction: Transaction
  var renewal: RenewalInfo
  /// Where its billing days stand.
  var cycle: LifeCycle
  /// How many renewals followed on its last purchase.
  var renewals: Int32 = 0
  /// The next period was charged ahead of its time, in vain.
  var hasFailedCharge = false
  /// How many more periods the running offer sells.
  var offerPeriodsLeft: Int32 = 0
  /// The renewal info's offer begins with the next period, and does not go on.
  var isOfferNext = false
  /// A code that waits for the end of the introductory offer.
  var stacked: StackedOffer?
  var hadIntroduction = false
  /// Paid after all, or renewed by force: it may live beside a line that was begun meanwhile.
  var wasRecovered = false
  /// When it was extended last, and before that.
  var extended = Instant.never
  var extendedBefore = Instant.never
  /// Since when its account's payments succeed again; `.never` while they fail.
  var payableSince = Instant.never
  /// When its renewal failed.
  var failedAt = Instant.never
  /// The purchaser's line that it follows; `noNumber` where it is no member's.
  var source: LineNumber = noNumber

  var isShared: Bool { transaction.ownership == .familyShared }

  /// Nothing more comes of it by itself: it was taken back, or has ended.
  var isOver: Bool {
    transaction.revocation != nil
      || (renewal.expirationIntent != nil && !renewal.isInBillingRetry)
  }

  /// Domain.md 1.2, row by row.
  func status(at now: Instant) -> Status {
    if let revocation = transaction.revocation, revocation.date <= now { return .revoked }
    if now < transaction.expiresDate { return .active }
    guard renewal.isInBillingRetry else { return .expired }
    let grace = renewal.gracePeriodExpiresDate
    return grace != .never && now < grace ? .gracePeriod : .billingRetry
  }

  /// The period is over, and its renewal will be dealt with late (Domain.md 2.4).
  func isPending(at now: Instant, _ policies: Policies) -> Bool {
    policies.terms.lag > 0 && !isOver && !renewal.isInBillingRetry && renewal.autoRenews
      && renewals < policies.terms.renewalsMax && now >= transaction.expiresDate
  }

  /// The start of the newest chain of service with a period from `start` on: a gap in paid service
  /// that is too long begins another (Domain.md 1.6).
  func chainStart(with start: Instant, _ policies: Policies) -> Instant {
    var end = transaction.expiresDate
    if let revocation = transaction.revocation { end = min(end, revocation.date) }
    return start.milliseconds - end.milliseconds > policies.recentStartGap
      ? start : renewal.recentSubscriptionStartDate
  }
}

/// A product as catalogues and events so far tell it.
struct LifeGood {
  var entry: CatalogueProduct
  var price: Int64
  var isOnSale = true
  var isWithdrawn = false
}

/// An account as its events so far tell it.
struct LifeCustomer {
  var fails = false
  /// It was told to succeed, which beats the switch for all.
  var pays = false
  var asksToBuy: Bool?
  var isInterrupted: Bool?
  /// What it paid and was not given back, milliunits.
  var balance: Int64 = 0
  /// Whom it shares with, and who shares with it.
  var members: [AccountNumber] = []
  var purchaser: AccountNumber?
  /// What it has outside subscriptions, but for what is used up: newest last.
  var owned: [Transaction] = []
}

/// What a transaction cost and what of that was given back, milliunits.
struct LifePayment {
  var price: Int64 = 0
  var prorated: Int64 = 0
  var refunded: Int64 = 0
  var isGivenBack = false
  /// An upgrade took its place.
  var isReplaced = false
}
