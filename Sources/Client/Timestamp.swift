/// A moment: milliseconds since 1970-01-01T00:00:00Z, as the wire has it.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 UTC.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC: `2025-01-31T10:00:00Z`, with `.123` where there are milliseconds.
  public var description: String {
    let inDay = milliseconds.flooredRemainder(Civil.millisecondsInDay)
    let seconds = inDay / 1000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { Civil.padded($0, 2) }.joined(separator: ":")
    let fraction = inDay % 1000
    return "\(date)T\(clock)\(fraction == 0 ? "" : ".\(Civil.padded(fraction, 3))")Z"
  }

  /// The day in UTC: `2025-01-31`.
  public var date: String {
    let civil = Civil(day: milliseconds.flooredQuotient(Civil.millisecondsInDay))
    return [
      Civil.padded(civil.year, 4), Civil.padded(civil.month, 2), Civil.padded(civil.day, 2),
    ].joined(separator: "-")
  }
}

/// A day of the Gregorian calendar in UTC, by counting from March 1 of the year 0 so that the leap
/// day is the last of its year.
struct Civil: Equatable {
  static let millisecondsInDay: Int64 = 86_400_000
  private static let daysIn400Years: Int64 = 146_097
  /// From March 1 of the year 0 to January 1, 1970.
  private static let daysTo1970: Int64 = 719_468

  var year: Int64
  var month: Int64
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that lies a number of days after 1970-01-01.
  init(day number: Int64) {
    let days = number + Self.daysTo1970
    let cycle = days.flooredQuotient(Self.daysIn400Years)
    let inCycle = days.flooredRemainder(Self.daysIn400Years)
    let yearInCycle = (inCycle - inCycle / 1460 + inCycle / 36_524 - inCycle / 146_096) / 365
    let inYear = inCycle - (365 * yearInCycle + yearInCycle / 4 - yearInCycle / 100)
    let monthFromMarch = (5 * inYear + 2) / 153
    day = inYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearInCycle + cycle * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days after 1970-01-01; nil for a day that does not exist.
  var number: Int64? {
    guard (1...12).contains(month), day >= 1, day <= daysInMonth else { return nil }
    let marchYear = month <= 2 ? year - 1 : year
    let cycle = marchYear.flooredQuotient(400)
    let yearInCycle = marchYear.flooredRemainder(400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let inYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let inCycle = yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100 + inYear
    return cycle * Self.daysIn400Years + inCycle - Self.daysTo1970
  }

  private var daysInMonth: Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }

  fileprivate func flooredRemainder(_ divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
