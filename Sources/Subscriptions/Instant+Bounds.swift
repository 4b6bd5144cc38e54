extension Instant {
  /// Whether a time that comes from outside is one that milliseconds since 1970 UTC make sense of.
  public var isWithinBounds: Bool {
    self >= Limits.outsideTimeMin && self <= Limits.outsideTimeMax
  }

  /// Why a time from outside is not taken; nil where it is. A sentence without its full stop, to
  /// stand behind the field's name.
  public var boundsFault: String? {
    guard !isWithinBounds else { return nil }
    let rule = "a time is milliseconds since 1970 UTC, of the years 2000 to 2100"
    return unitGuess.map { "\(milliseconds) looks like \($0); \(rule)" }
      ?? "\(milliseconds) is out of bounds; \(rule)"
  }

  /// The unit in which the number would be such a time.
  private var unitGuess: String? {
    let (asSeconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
    if !overflow, Instant(milliseconds: asSeconds).isWithinBounds { return "seconds" }
    if Instant(milliseconds: milliseconds / 1_000).isWithinBounds { return "microseconds" }
    if Instant(milliseconds: milliseconds / 1_000_000).isWithinBounds { return "nanoseconds" }
    return nil
  }
}
