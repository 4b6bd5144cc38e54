/// Where a subscription that began on a 31st goes after a shorter month (Domain.md 2.2).
///
/// Apple's own rule is not published, so it is a policy.
public enum MonthEndPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// The n-th period ends at anchor + n × period: 31 January, 28 February, 31 March.
  case anchored
  /// Each period ends one period after the one before: 31 January, 28 February, 28 March.
  case chained
}
