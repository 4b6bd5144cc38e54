/// A length of time as people say it: months, days and milliseconds, which do not convert into one
/// another. The daemon counts with it on the calendar.
public struct CalendarSpan: Hashable, Sendable {
  public private(set) var months: Int64 = 0
  public private(set) var days: Int64 = 0
  public private(set) var milliseconds: Int64 = 0

  /// Reads a span: ISO 8601 (`P1Y2M`, `PT36H`) or as systemd writes it (`1y`, `1month 3d`,
  /// `36h`; a number alone is seconds). Each unit stands once.
  public init(_ text: String) throws(TimeTextError) {
    guard !text.isEmpty, text.utf8.count <= ClientLimits.timeTextBytesMax else {
      throw .span(text)
    }
    var cursor = TextCursor(text)
    let isRead = cursor.take("P") != nil ? readISO8601(&cursor) : readSystemd(&cursor)
    guard isRead else { throw .span(text) }
  }

  /// The span as an ISO 8601 duration, which is what the daemon takes.
  public var iso8601: String {
    var date = ""
    if months != 0 { date += "\(months)M" }
    if days != 0 { date += "\(days)D" }
    let fraction = milliseconds % 1000
    let seconds =
      String(milliseconds / 1000)
      + (fraction == 0 ? "" : ".\(Civil.padded(fraction, 3))")
    let time = milliseconds == 0 && !date.isEmpty ? "" : "T\(seconds)S"
    return "P\(date)\(time)"
  }

  private mutating func readISO8601(_ cursor: inout TextCursor) -> Bool {
    var isTime = false
    var parts = 0
    var unitsLeft = Unit.allCases[...]
    while !cursor.isAtEnd {
      if !isTime, cursor.take("T") != nil {
        isTime = true
        parts = 0
      }
      guard let amount = Amount(&cursor),
        let letter = cursor.take("YMWDHS"),
        let unit = Unit(iso8601: letter, isTime: isTime),
        let position = unitsLeft.firstIndex(of: unit), add(amount, unit)
      else { return false }
      unitsLeft = unitsLeft[(position + 1)...]
      parts += 1
    }
    return parts > 0
  }

  private mutating func readSystemd(_ cursor: inout TextCursor) -> Bool {
    var unitsLeft = Set(Unit.allCases)
    cursor.skipSpaces()
    repeat {
      guard let amount = Amount(&cursor) else { return false }
      cursor.skipSpaces()
      guard let unit = Unit(systemd: cursor.word()), unitsLeft.remove(unit) != nil,
        add(amount, unit)
      else { return false }
      cursor.skipSpaces()
    } while !cursor.isAtEnd
    return true
  }

  /// Adds a part; false for a fraction of a unit that has none, and past `spanAmountMax`.
  private mutating func add(_ amount: Amount, _ unit: Unit) -> Bool {
    guard amount.whole <= ClientLimits.spanAmountMax else { return false }
    guard amount.thousandths == 0 || unit.milliseconds ?? 0 >= 1000 else { return false }
    switch unit {
    case .year: months += amount.whole * 12
    case .month: months += amount.whole
    case .week: days += amount.whole * 7
    case .day: days += amount.whole
    case .hour, .minute, .second, .millisecond:
      let factor = unit.milliseconds ?? 1
      milliseconds += amount.whole * factor + amount.thousandths * factor / 1000
    }
    return true
  }

  private struct Amount {
    var whole: Int64
    var thousandths: Int64 = 0

    init?(_ cursor: inout TextCursor) {
      guard let whole = cursor.number() else { return nil }
      self.whole = whole
      if cursor.take(".") != nil {
        guard let fraction = cursor.thousandths() else { return nil }
        thousandths = fraction
      }
    }
  }

  /// The units, the largest first.
  private enum Unit: CaseIterable {
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

    /// For the units of a day, which do not depend on the calendar.
    var milliseconds: Int64? {
      switch self {
      case .year, .month, .week, .day: nil
      case .hour: 3_600_000
      case .minute: 60_000
      case .second: 1000
      case .millisecond: 1
      }
    }
  }
}
