/// Why a text is no time or span; the sentence says what would be one.
public struct TimeTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public let description: String

  static func time(_ text: String) -> TimeTextError {
    TimeTextError(
      description: "\"\(text)\" is no time; write 2025-01-31T10:00:00Z, 2025-01-31 or @1738317600")
  }

  static func range(_ text: String) -> TimeTextError {
    TimeTextError(description: "\"\(text)\" is outside the years 1970 to 9999")
  }

  static func span(_ text: String) -> TimeTextError {
    TimeTextError(
      description: "\"\(text)\" is no span of time; write P1Y, PT36H, 1y, \"1month 3d\" or 36h")
  }
}

extension Timestamp {
  /// Reads a time as people write it: RFC 3339 with its zone, a date (midnight UTC), or `@` with
  /// seconds since 1970, in the years 1970 to 9999. Digits finer than a millisecond are dropped.
  public init(_ text: String) throws(TimeTextError) {
    guard text.utf8.count <= ClientLimits.timeTextBytesMax,
      let milliseconds = text.hasPrefix("@") ? Self.unix(text) : Self.rfc3339(text)
    else { throw .time(text) }
    guard (0...ClientLimits.timeMillisecondsMax).contains(milliseconds) else {
      throw .range(text)
    }
    self.init(milliseconds: milliseconds)
  }

  private static func unix(_ text: String) -> Int64? {
    var cursor = TextCursor(text)
    _ = cursor.take("@")
    let isNegative = cursor.take("-") != nil
    // Twelve digits of seconds reach past the year 9999 and stay far inside 64 bits.
    guard let seconds = cursor.number(), seconds < 1_000_000_000_000 else { return nil }
    var milliseconds = seconds * 1000
    if cursor.take(".") != nil {
      guard let fraction = cursor.thousandths() else { return nil }
      milliseconds += fraction
    }
    return cursor.isAtEnd ? (isNegative ? -milliseconds : milliseconds) : nil
  }

  private static func rfc3339(_ text: String) -> Int64? {
    var cursor = TextCursor(text)
    guard let year = cursor.number(digits: 4), cursor.take("-") != nil,
      let month = cursor.number(digits: 2), cursor.take("-") != nil,
      let day = cursor.number(digits: 2),
      let number = Civil(year: year, month: month, day: day).number
    else { return nil }
    let midnight = number * Civil.millisecondsInDay
    if cursor.isAtEnd { return midnight }
    guard cursor.take("Tt ") != nil, let inDay = timeOfDay(&cursor),
      let offset = zoneOffset(&cursor), cursor.isAtEnd
    else { return nil }
    return midnight + inDay - offset
  }

  private static func timeOfDay(_ cursor: inout TextCursor) -> Int64? {
    guard let minutes = hoursAndMinutes(&cursor), cursor.take(":") != nil,
      let second = cursor.number(digits: 2), second < 60
    else { return nil }
    let milliseconds = minutes * 60_000 + second * 1000
    guard cursor.take(".") != nil else { return milliseconds }
    return cursor.thousandths().map { milliseconds + $0 }
  }

  private static func zoneOffset(_ cursor: inout TextCursor) -> Int64? {
    if cursor.take("Zz") != nil { return 0 }
    guard let sign = cursor.take("+-"), let minutes = hoursAndMinutes(&cursor) else { return nil }
    return minutes * 60_000 * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Minutes from `HH:MM`.
  private static func hoursAndMinutes(_ cursor: inout TextCursor) -> Int64? {
    guard let hour = cursor.number(digits: 2), hour < 24, cursor.take(":") != nil,
      let minute = cursor.number(digits: 2), minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
