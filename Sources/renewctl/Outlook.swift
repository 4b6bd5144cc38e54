import Client

/// What becomes of an account's access when the period that gives it is over, if nothing else
/// happens: the daemon's forecast for that moment.
struct Outlook {
  private let ahead: MembershipStatus?

  /// Nothing is known: the status is of the past, or not a store's to foretell.
  static let unknown = Outlook(ahead: nil)

  private init(ahead: MembershipStatus?) {
    self.ahead = ahead
  }

  /// Asks the daemon, where there is something to ask.
  init(after status: MembershipStatus, _ session: Session) throws(Failure) {
    guard status.basis != .past, let line = status.granting, line.origin == .store,
      line.status == .active, line.renewalInfo.willAutoRenew,
      let end = line.transaction.expirationDate
    else {
      self = .unknown
      return
    }
    do throws(Failure) {
      ahead = try session.answer(.status(account: status.account, at: end))
    } catch {
      // Another subscription of the account renews too often until then.
      guard error.reason == .forecastTooFar else { throw error }
      self = .unknown
    }
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
      guard let reason = later.renewalInfo.expirationReason, reason != 1 else {
        return "then it ends (renewed as often as the store lets it)"
      }
      return "then it ends (\(Words.expirationReason(reason)))"
    default: return nil
    }
  }
}

extension MembershipStatus {
  /// The subscription that entitles longest.
  var granting: Subscription? { subscriptions.filter(\.isEntitled).latest }
}

extension [Subscription] {
  /// The one whose access ends or ended last.
  var latest: Subscription? {
    self.max { ($0.accessEnd?.milliseconds ?? 0) < ($1.accessEnd?.milliseconds ?? 0) }
  }
}
