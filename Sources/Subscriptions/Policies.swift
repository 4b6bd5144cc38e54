/// How the store decides where Apple's own rule is not known, or differs between its
/// environments (domain.md 2.2, 9.2). Facts already in the log never change with it.
public struct Policies: Sendable {
  public var monthEnd = MonthEndPolicy.anchored
  public var calendar = BillingCalendar.utc

  public init() {}
}
