/// Why a text is not a time or a span. Every case carries what a person needs to mend it.
public enum TimeTextError: Error, Equatable, Sendable {
  case empty
  /// Longer than any time or span; the length in bytes.
  case tooLong(bytes: Int)
  /// Neither RFC 3339, nor a date, nor `@seconds`.
  case notATime(text: String)
  /// A date and time without `Z` or an offset.
  case zoneMissing(text: String)
  /// A field beyond its range, such as month 13 or 30 February.
  case fieldOutOfRange(field: TimeField, text: String)
  /// A time that no clock may show (`Limits`).
  case outsideClockRange(Instant)
  /// Neither ISO 8601 nor systemd's form.
  case notASpan(text: String)
  case unitUnknown(unit: String)
  /// The same unit twice, or in ISO 8601 a larger one after a smaller.
  case unitOutOfOrder(unit: String)
  /// A fraction of a day, week, month or year, or of a millisecond.
  case fractionNotAllowed(unit: String)
  case spanNegative(text: String)
  /// More than a span can hold.
  case spanTooLong(text: String)
}

/// The parts of a time's text.
public enum TimeField: String, Sendable {
  case month, day, hour, minute, second, offset
}

extension TimeTextError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty:
      "the text is empty"
    case .tooLong(let bytes):
      "\(bytes) bytes are too long for a time"
    case .notATime(let text):
      "'\(text)' is not a time; write 2025-01-31T10:00:00Z, 2025-01-31 or @1738317600"
    case .zoneMissing(let text):
      "'\(text)' does not say which zone it means; write Z for UTC or an offset such as -08:00"
    case .fieldOutOfRange(let field, let text):
      "'\(text)' has no such \(field.rawValue)"
    case .outsideClockRange(let instant):
      "\(instant.rfc3339) is outside what a clock may show: "
        + "\(CalendarLimits.timeMin.rfc3339) to \(CalendarLimits.timeMax.rfc3339)"
    case .notASpan(let text):
      "'\(text)' is not a span; write 1y, 1month 3d, 36h, P1Y or PT36H"
    case .unitUnknown(let unit):
      "'\(unit)' is not a unit; they are y, month, w, d, h, min (or m), s and ms"
    case .unitOutOfOrder(let unit):
      "the unit '\(unit)' stands twice or after a smaller one"
    case .fractionNotAllowed(let unit):
      "a fraction of '\(unit)' is not an exact length; use a smaller unit"
    case .spanNegative(let text):
      "'\(text)' goes back; clocks only go forward"
    case .spanTooLong(let text):
      "'\(text)' is longer than any clock can go"
    }
  }
}
