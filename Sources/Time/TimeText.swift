/// Times and spans as people write them, for command lines and configuration.
public enum TimeText {
  /// A time that a clock may show: RFC 3339, a date (midnight UTC), or `@seconds` since 1970.
  public static func instant(_ text: String) throws(TimeTextError) -> Instant {
    let instant = try moment(text)
    guard instant >= CalendarLimits.timeMin, instant <= CalendarLimits.timeMax else {
      throw .outsideClockRange(instant)
    }
    return instant
  }

  /// The same, whatever year it is of.
  public static func moment(_ text: String) throws(TimeTextError) -> Instant {
    try text.utf8.first == UInt8(ascii: "@") ? unixSeconds(text) : Instant(rfc3339: text)
  }

  /// A span: ISO 8601 (`P1Y2M`, `PT36H`) or as systemd writes it (`1y`, `1month 3d`, `36h`).
  public static func span(_ text: String) throws(TimeTextError) -> TimeSpan {
    var scanner = try scanner(text)
    if scanner.peek == UInt8(ascii: "-") { throw .spanNegative(text: text) }
    var builder = SpanBuilder(text: text)
    if scanner.take("P") {
      try readISO8601(&scanner, into: &builder)
    } else {
      try readSystemd(&scanner, into: &builder)
    }
    return builder.span
  }

  /// A scanner over a text that is neither empty nor longer than `CalendarLimits` allows.
  static func scanner(_ text: String) throws(TimeTextError) -> ByteScanner {
    let count = text.utf8.count
    guard count > 0 else { throw .empty }
    guard count <= CalendarLimits.textBytesMax else { throw .tooLong(bytes: count) }
    return ByteScanner(text)
  }

  /// `@1738317600` or `@1738317600.5`.
  private static func unixSeconds(_ text: String) throws(TimeTextError) -> Instant {
    var scanner = try scanner(text)
    scanner.skip()
    let isNegative = scanner.take("-")
    guard let seconds = scanner.number(digitsMax: 12) else { throw .notATime(text: text) }
    var milliseconds = Int64(seconds) * 1000
    if scanner.take(".") {
      guard let fraction = scanner.thousandths() else { throw .notATime(text: text) }
      milliseconds += Int64(fraction)
    }
    guard scanner.isAtEnd else { throw .notATime(text: text) }
    return Instant(milliseconds: isNegative ? -milliseconds : milliseconds)
  }

  /// What follows the `P`: at least one part, larger units first, `T` before the parts of a day.
  private static func readISO8601(
    _ scanner: inout ByteScanner, into builder: inout SpanBuilder
  ) throws(TimeTextError) {
    let text = builder.text
    var isTime = false
    var parts = 0
    while !scanner.isAtEnd {
      if !isTime, scanner.take("T") {
        isTime = true
        parts = 0
        continue
      }
      let amount = try amount(&scanner, text: text)
      guard let letter = scanner.peek else { throw .notASpan(text: text) }
      scanner.skip()
      guard let unit = SpanUnit(iso8601: letter, isTime: isTime) else {
        throw .unitUnknown(unit: String(decoding: [letter], as: UTF8.self))
      }
      try builder.add(amount, unit, inOrder: true)
      parts += 1
    }
    guard parts > 0 else { throw .notASpan(text: text) }
  }

  /// Numbers with units, spaces anywhere between; a number alone is seconds (systemd.time(7)).
  private static func readSystemd(
    _ scanner: inout ByteScanner, into builder: inout SpanBuilder
  ) throws(TimeTextError) {
    scanner.skipSpaces()
    repeat {
      let amount = try amount(&scanner, text: builder.text)
      scanner.skipSpaces()
      let name = scanner.word()
      guard let unit = SpanUnit(systemd: name) else { throw .unitUnknown(unit: name) }
      try builder.add(amount, unit, inOrder: false)
      scanner.skipSpaces()
    } while !scanner.isAtEnd
  }

  private static func amount(
    _ scanner: inout ByteScanner, text: String
  ) throws(TimeTextError) -> SpanAmount {
    guard scanner.peek != UInt8(ascii: "-") else { throw .spanNegative(text: text) }
    guard let first = scanner.peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      throw .notASpan(text: text)
    }
    guard let whole = scanner.number(digitsMax: 15) else { throw .spanTooLong(text: text) }
    guard scanner.take(".") else { return SpanAmount(whole: Int64(whole), thousandths: nil) }
    guard let fraction = scanner.thousandths() else { throw .notASpan(text: text) }
    return SpanAmount(whole: Int64(whole), thousandths: Int64(fraction))
  }
}

/// A number before a unit.
private struct SpanAmount {
  var whole: Int64
  var thousandths: Int64?
}

/// The units of a span, the largest first.
private enum SpanUnit: Int {
  case year, month, week, day, hour, minute, second, millisecond

  init?(iso8601 letter: UInt8, isTime: Bool) {
    switch (Character(Unicode.Scalar(letter)), isTime) {
    case ("Y", false): self = .year
    case ("M", false): self = .month
    case ("W", false): self = .week
    case ("D", false): self = .day
    case ("H", true): self = .hour
    case ("M", true): self = .minute
    case ("S", true): self = .second
    default: return nil
    }
  }

  /// The names of systemd.time(7), but for those finer than a millisecond.
  init?(systemd name: String) {
    switch name {
    case "y", "year", "years": self = .year
    case "M", "month", "months": self = .month
    case "w", "week", "weeks": self = .week
    case "d", "day", "days": self = .day
    case "h", "hr", "hour", "hours": self = .hour
    case "m", "min", "minute", "minutes": self = .minute
    case "", "s", "sec", "second", "seconds": self = .second
    case "ms", "msec": self = .millisecond
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .year: "year"
    case .month: "month"
    case .week: "week"
    case .day: "day"
    case .hour: "hour"
    case .minute: "minute"
    case .second: "second"
    case .millisecond: "millisecond"
    }
  }
}

/// Adds the parts of a span up.
private struct SpanBuilder {
  let text: String
  private(set) var span = TimeSpan()
  private var unitsSeen: UInt16 = 0
  private var last: SpanUnit?

  init(text: String) {
    self.text = text
  }

  mutating func add(
    _ amount: SpanAmount, _ unit: SpanUnit, inOrder: Bool
  ) throws(TimeTextError) {
    let bit: UInt16 = 1 << UInt16(unit.rawValue)
    if unitsSeen & bit != 0 { throw .unitOutOfOrder(unit: unit.name) }
    if inOrder, let last, last.rawValue > unit.rawValue {
      throw .unitOutOfOrder(unit: unit.name)
    }
    unitsSeen |= bit
    last = unit
    switch unit {
    case .year: try add(months: amount, times: 12, unit)
    case .month: try add(months: amount, times: 1, unit)
    case .week: try add(days: amount, times: 7, unit)
    case .day: try add(days: amount, times: 1, unit)
    case .hour: try add(milliseconds: amount, times: 3_600_000, unit)
    case .minute: try add(milliseconds: amount, times: 60_000, unit)
    case .second: try add(milliseconds: amount, times: 1000, unit)
    case .millisecond: try add(milliseconds: amount, times: 1, unit)
    }
  }

  private mutating func add(
    months amount: SpanAmount, times factor: Int64, _ unit: SpanUnit
  ) throws(TimeTextError) {
    span.months = try sum(span.months, amount, factor, unit)
  }

  private mutating func add(
    days amount: SpanAmount, times factor: Int64, _ unit: SpanUnit
  ) throws(TimeTextError) {
    span.days = try sum(span.days, amount, factor, unit)
  }

  private func sum(
    _ value: Int32, _ amount: SpanAmount, _ factor: Int64, _ unit: SpanUnit
  ) throws(TimeTextError) -> Int32 {
    guard amount.thousandths == nil else { throw .fractionNotAllowed(unit: unit.name) }
    let (product, overflow) = amount.whole.multipliedReportingOverflow(by: factor)
    guard !overflow, let result = Int32(exactly: Int64(value) + product) else {
      throw .spanTooLong(text: text)
    }
    return result
  }

  private mutating func add(
    milliseconds amount: SpanAmount, times factor: Int64, _ unit: SpanUnit
  ) throws(TimeTextError) {
    var fraction: Int64 = 0
    if let thousandths = amount.thousandths {
      guard factor >= 1000 else { throw .fractionNotAllowed(unit: unit.name) }
      fraction = thousandths * (factor / 1000)
    }
    let (product, overflow) = amount.whole.multipliedReportingOverflow(by: factor)
    guard !overflow, product <= CalendarLimits.millisecondsMax else {
      throw .spanTooLong(text: text)
    }
    span.milliseconds += product + fraction
  }
}
