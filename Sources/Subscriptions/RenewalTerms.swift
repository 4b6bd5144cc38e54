/// When a store's renewals happen, and how many of them: policies where Apple's own rule is not
/// known, or differs between its environments (Domain.md 2.4 and 9.2). By default a renewal happens
/// at the very end of its period, for ever.
public struct RenewalTerms: Hashable, Sendable {
  /// How long before the end of a period the next one is charged, milliseconds.
  public var lead: Int64 = 0
  /// How long after the end of a period its renewal is dealt with, milliseconds. Not both.
  public var lag: Int64 = 0
  /// How many renewals follow on a purchase before renewal is turned off.
  public var renewalsMax = Int32.max
  /// How long access goes on behind the end of a period whose renewal is still to be dealt with,
  /// milliseconds.
  public var expiryLeeway: Int64 = 0
  /// How long it is from one try of billing to the next where a renewal failed, milliseconds.
  public var billingRetryInterval = Instant.millisecondsPerDay

  public init() {}
}

extension Line {
  /// Whether the period is over and its renewal, which is to come, has not been dealt with yet
  /// (Domain.md 8, case 6).
  public func isPending(at now: Instant, _ terms: RenewalTerms) -> Bool {
    if origin == .apple { return isPending(at: now) }
    return status(at: now) == .expired && upcoming(terms)?.kind == .renew
  }

  /// Whether the line gives access: by its status, or by the leeway while its renewal is pending.
  public func entitles(at now: Instant, _ terms: RenewalTerms) -> Bool {
    if origin == .apple { return isEntitling(at: now) }
    return status(at: now).entitles
      || (terms.expiryLeeway > 0 && isPending(at: now, terms)
        && now < transaction.expiresDate.advanced(byMilliseconds: terms.expiryLeeway))
  }

  /// When access by it ends if nothing else happens; nil where it gives none.
  public func accessEnd(at now: Instant, _ terms: RenewalTerms) -> Instant? {
    guard entitles(at: now, terms) else { return nil }
    if origin == .apple { return accessEnd(at: now) }
    switch status(at: now) {
    case .gracePeriod: return renewal.gracePeriodExpiresDate
    case .active: return transaction.expiresDate
    case .expired, .billingRetry, .revoked:
      return transaction.expiresDate.advanced(byMilliseconds: terms.expiryLeeway)
    }
  }
}
