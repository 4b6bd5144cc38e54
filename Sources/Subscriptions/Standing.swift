/// Something that a notification said outright, and when it was signed.
public struct Said<Value: Hashable & Sendable>: Hashable, Sendable {
  public var value: Value
  /// The latest signed date of the notification and of the signed texts inside it.
  public var at: Instant

  public init(_ value: Value, at: Instant) {
    self.value = value
    self.at = at
  }
}

/// A status as a notification said it.
public struct SaidStatus: Hashable, Sendable {
  public var status: Status
  /// Said by `data.status`, or by a type that means the end of access; else a type only lets it be
  /// concluded, and what was signed beside it may know better.
  public var isOutright: Bool
  /// How long grace lasts where no end of it is told, days, as the policy was; 0 for no grace.
  public var graceDays: Int64

  public init(_ status: Status, isOutright: Bool, graceDays: Int64 = 0) {
    self.status = status
    self.isOutright = isOutright
    self.graceDays = graceDays
  }
}

/// What notifications said of a line by their status, type and subtype: facts of their own beside
/// the signed transaction and renewal info (Domain.md 9.1), each with the date of its signature.
/// Of each the newest is believed; any order of arrival gives the same.
public struct Standing: Hashable, Sendable {
  public var status: Said<SaidStatus>?
  /// Whether renewal was turned on or off.
  public var renews: Said<Bool>?
  /// Why the line ended, or its payment failed.
  public var intent: Said<ExpirationIntent>?

  public init() {}

  public var isEmpty: Bool { status == nil && renews == nil && intent == nil }

  /// Takes in what another notification said.
  public mutating func take(_ other: Standing) {
    if let said = other.status, status.map({ said.comes(after: $0) }) ?? true { status = said }
    if let said = other.renews, renews.map({ said.comes(after: $0) }) ?? true { renews = said }
    if let said = other.intent, intent.map({ said.comes(after: $0) }) ?? true { intent = said }
  }
}

extension Said where Value == SaidStatus {
  /// Of two of one moment what was said outright counts, then an end before what is none.
  fileprivate func comes(after other: Self) -> Bool {
    (at, rank, value.graceDays) > (other.at, other.rank, other.value.graceDays)
  }

  private var rank: Int {
    let finality =
      switch value.status {
      case .active: 0
      case .gracePeriod: 1
      case .billingRetry: 2
      case .expired: 3
      case .revoked: 4
      }
    return finality + (value.isOutright ? Status.allCases.count : 0)
  }
}

extension Said where Value == Bool {
  /// Of two of one moment an end counts before what is none.
  fileprivate func comes(after other: Self) -> Bool {
    at != other.at ? at > other.at : !value && other.value
  }
}

extension Said where Value == ExpirationIntent {
  fileprivate func comes(after other: Self) -> Bool {
    at != other.at ? at > other.at : value.rawValue < other.value.rawValue
  }
}

extension ReportedNotification {
  /// What it says outright. What the renewal info beside it says itself is left to that.
  ///
  /// - Parameters:
  ///   - at: the latest signed date of it and its parts.
  ///   - graceDays: how long grace lasts where no end of it is told.
  func standing(
    beside renewal: ReportedRenewal?, hasTransaction: Bool, at: Instant, graceDays: Int64
  ) -> Standing {
    var standing = Standing()
    if var said = saidStatus(beside: renewal, hasTransaction: hasTransaction) {
      if said.status == .gracePeriod { said.graceDays = graceDays }
      standing.status = Said(said, at: at)
    }
    if type == Notification.autoRenewDisabled.type, renewal?.autoRenews == nil {
      if subtype == Notification.autoRenewDisabled.subtype { standing.renews = Said(false, at: at) }
      if subtype == Notification.autoRenewEnabled.subtype { standing.renews = Said(true, at: at) }
    }
    if renewal?.expirationIntent == nil, let intent { standing.intent = Said(intent, at: at) }
    return standing
  }

  private func saidStatus(
    beside renewal: ReportedRenewal?, hasTransaction: Bool
  ) -> SaidStatus? {
    if let status { return SaidStatus(status, isOutright: true) }
    switch type {
    case Notification.expiredVoluntary.type: return SaidStatus(.expired, isOutright: true)
    case Notification.gracePeriodExpired.type: return SaidStatus(.billingRetry, isOutright: true)
    // The transaction that is taken back may be an older one of the line.
    case Notification.revoke.type:
      return hasTransaction ? nil : SaidStatus(.revoked, isOutright: true)
    case Notification.didFailToRenew.type:
      if subtype == Notification.didFailToRenewGracePeriod.subtype {
        return SaidStatus(.gracePeriod, isOutright: false)
      }
      return renewal?.isInBillingRetry == nil ? SaidStatus(.billingRetry, isOutright: false) : nil
    case Notification.didRenew.type, Notification.subscribedInitialBuy.type:
      return SaidStatus(.active, isOutright: false)
    default: return nil
    }
  }

  /// Why it ended, by the subtype; why it is in trouble, by the type.
  private var intent: ExpirationIntent? {
    if type == Notification.didFailToRenew.type { return .billingError }
    guard type == Notification.expiredVoluntary.type else { return nil }
    switch subtype {
    case Notification.expiredVoluntary.subtype: return .cancelled
    case Notification.expiredBillingRetry.subtype: return .billingError
    case Notification.expiredPriceIncrease.subtype: return .noConsent
    case Notification.expiredProductNotForSale.subtype: return .productUnavailable
    default: return nil
    }
  }

  /// Whether its type says that the transaction in it was taken back.
  var takesBack: Bool {
    type == Notification.refund.type || type == Notification.revoke.type
  }
}
