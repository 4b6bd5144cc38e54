/// What a line goes by beside its newest facts, which depends on whose it is.
public enum Course: Hashable, Sendable {
  /// The store's own: its calendar, and what of it has been sold.
  case store(SoldCourse)
  /// One of the App Store's: what was told of it.
  case apple(ToldCourse)
}

/// How the store counts one of its own lines.
public struct SoldCourse: Hashable, Sendable {
  /// Where the calendar is counted from, and how much of it has been sold, in months or days
  /// (whichever the product's period is counted in): the n-th end is anchor + n × period.
  public var anchor = Instant(milliseconds: 0)
  public var anchorLength: Int32 = 0
  /// How many renewals have followed on the line's newest purchase.
  public var renewals: Int32 = 0
  /// How many periods of the current offer have been sold, the current one included.
  public var offerPeriods: Int32 = 0
  /// Whether the same offer was redeemed again, so that at the next renewal it begins anew.
  public var isOfferAnew = false
  /// Whether a charge ahead of the period's end failed: the next one is tried at the end.
  public var hasFailedCharge = false

  init() {}

  /// How many periods of the offer have been sold behind which the next one is counted.
  var offerPeriodsCounted: Int32 { isOfferAnew ? 0 : offerPeriods }

  /// Counts a new period, which no charge has failed for yet. Wraps only in a log of no store.
  mutating func count(_ reason: TransactionReason) {
    renewals = reason == .renewal ? (renewals &+ 1) & .max : 0
    hasFailedCharge = false
  }
}

/// What is kept of a line of the App Store's beside what it shows.
public struct ToldCourse: Hashable, Sendable {
  /// Up to when what time did to the line's status is in the log.
  var until: Instant
  /// How long access outlives the period while no news has come, as the policy was when the last
  /// fact did. Seconds.
  var leewaySeconds: Int32
  /// The status that was said outright.
  var status: Status?
  /// Whether it was told that renewal is on or off.
  var isRenewalTold = false
  /// Whether the end of grace is the policy's.
  var isGraceAssumed = false
}

extension Line {
  public var origin: Origin {
    switch course {
    case .store: .store
    case .apple: .apple
    }
  }

  /// How the store counts it; of a line of the App Store's it counts nothing, and keeps nothing.
  public internal(set) var sold: SoldCourse {
    get {
      guard case .store(let sold) = course else { return SoldCourse() }
      return sold
    }
    set {
      if case .store = course { course = .store(newValue) }
    }
  }

  /// What was told of it; nil of the store's own.
  var told: ToldCourse? {
    guard case .apple(let told) = course else { return nil }
    return told
  }

  /// How many renewals have followed on the line's newest purchase.
  public var renewals: Int32 { sold.renewals }

  /// Whether a charge ahead of the period's end failed: the next one is tried at the end.
  public var hasFailedCharge: Bool { sold.hasFailedCharge }

  /// What time did to a line of the App Store's is in the log up to a moment.
  mutating func notePassed(until: Instant) {
    guard case .apple(var told) = course else { return }
    told.until = until
    course = .apple(told)
  }
}
