import Client

/// What becomes of an account's access when the period that gives it is over, if nothing else
/// happens: the daemon's forecast for that moment. Of access that is over, what was before.
struct Outlook {
  /// What hinders a renewal at a price that has not been agreed to.
  static let consent = "then it ends unless its higher price is agreed to"

  private var ahead: MembershipStatus?
  private var before: MembershipStatus?
  /// When subscriptions whose payment has failed are to be charged again with success, by their
  /// original transactions.
  private var retries: [String: Timestamp] = [:]

  /// Nothing is known: the status is of the past, or not a store's to foretell.
  static let unknown = Outlook(ahead: nil, before: nil)

  private init(ahead: MembershipStatus?, before: MembershipStatus?) {
    self.ahead = ahead
    self.before = before
  }

  /// Asks the daemon, where there is something to ask.
  init(after status: MembershipStatus, _ session: Session) throws(Failure) {
    try self.init(entitlementAfter: status, session)
    guard status.basis != .past else { return }
    for line in status.subscriptions where line.isInTrouble && line.origin == .store {
      guard let due = line.nextDue else { continue }
      do throws(Failure) {
        let later = try session.answer(.status(account: status.account, at: due))
          .subscriptions.first { $0.originalID == line.originalID }
        guard let later, later.transaction.id != line.transaction.id else { continue }
        retries[line.originalID] = due
      } catch {
        guard error.reason == .forecastTooFar else { throw error }
      }
    }
  }

  /// When a subscription whose payment has failed is charged again, and paid; nil where it is not.
  func retry(of line: Subscription) -> Timestamp? { retries[line.originalID] }

  private init(
    entitlementAfter status: MembershipStatus, _ session: Session
  ) throws(Failure) {
    if !status.isEntitled, let line = status.subscriptions.latest, line.origin == .store,
      line.status == .expired, line.expirationReason == 1,
      let moment = line.renewalInfo?.signedDate?.later(-1)
    {
      self.init(
        ahead: nil, before: try session.answer(.status(account: status.account, at: moment)))
      return
    }
    guard status.basis != .past, let line = status.granting, line.origin == .store,
      line.status == .active, line.willAutoRenew == true,
      let end = line.renewalMoment
    else {
      self = .unknown
      return
    }
    do throws(Failure) {
      let ahead = try session.answer(.status(account: status.account, at: end))
      self.init(ahead: ahead, before: nil)
    } catch {
      // Another subscription of the account renews too often until then.
      guard error.reason == .forecastTooFar else { throw error }
      self = .unknown
    }
  }

  /// Why a subscription has ended whose reason is that of a cancelled one; nil if it was cancelled.
  func uncancelledEnd(of line: Subscription) -> String? {
    let last = before?.subscriptions.first { $0.originalID == line.originalID }
    guard line.transaction.ownershipType != .familyShared,
      let end = line.transaction.expirationDate
    else { return nil }
    // No period is empty by itself.
    guard line.transaction.purchaseDate < end else { return Words.madeToExpire }
    guard let last, last.transaction.id == line.transaction.id,
      last.status == .active || last.isPending, last.willAutoRenew == true,
      let planned = last.transaction.expirationDate
    else { return nil }
    return end < planned ? Words.madeToExpire : Words.renewedToTheLast
  }

  /// How a subscription that is to renew will not, as the end of a sentence; nil if it will.
  func hindrance(of line: Subscription) -> String? {
    let later = ahead?.subscriptions.first { $0.originalID == line.originalID }
    guard let later, later.transaction.id == line.transaction.id, !later.isPending else {
      return nil
    }
    switch later.status {
    case .inGracePeriod, .inBillingRetryPeriod: return "then its payment will fail"
    case .expired:
      // It was not cancelled: such an end is a store's that renews only so often.
      guard let reason = later.expirationReason, reason != 1 else {
        return "then it ends (\(Words.renewedToTheLast))"
      }
      if reason == 3 { return Self.consent }
      return "then it ends (\(Words.expirationReason(reason)))"
    default: return nil
    }
  }
}

extension MembershipStatus {
  /// The subscription that entitles longest.
  var granting: Subscription? { subscriptions.filter(\.isEntitled).latest }
}

extension Subscription {
  /// Its payment has failed, and is tried again.
  var isInTrouble: Bool { status == .inGracePeriod || status == .inBillingRetryPeriod }

  /// When its renewal is over and done with: its charge may come ahead of the period's end, or the
  /// renewal behind it.
  var renewalMoment: Timestamp? {
    guard let nextDue, let end = transaction.expirationDate else {
      return nextDue ?? transaction.expirationDate
    }
    return Swift.max(nextDue, end)
  }

  /// How long behind the end of a period its renewal comes, milliseconds.
  var renewalDelay: Int64 {
    guard let moment = renewalMoment, let end = transaction.expirationDate else { return 0 }
    return moment.milliseconds - end.milliseconds
  }
}

extension Timestamp {
  /// So many milliseconds later.
  func later(_ span: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds + span)
  }
}

extension [Subscription] {
  /// The one whose access ends or ended last.
  var latest: Subscription? {
    self.max { ($0.accessEnd?.milliseconds ?? 0) < ($1.accessEnd?.milliseconds ?? 0) }
  }
}
