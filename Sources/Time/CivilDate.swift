/// A day of the proleptic Gregorian calendar, without time or zone.
///
/// The conversions to and from a count of days are exact for every year an `Int32` of days can
/// reach. A `CivilDate` always names a day that exists; `adding(months:)` keeps it so by clamping.
public struct CivilDate: Hashable, Sendable {
  public let year: Int32
  /// 1 to 12.
  public let month: UInt8
  /// 1 to 31, within the month.
  public let day: UInt8

  /// The date of these fields, or nil where no such day exists.
  public init?(year: Int32, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1,
      day <= Int(Self.daysIn(month: UInt8(month), of: year))
    else { return nil }
    self.init(existingYear: year, month: UInt8(month), day: UInt8(day))
  }

  private init(existingYear year: Int32, month: UInt8, day: UInt8) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date `days` days after 1970-01-01.
  ///
  /// Years are counted from March here, so that the leap day is the last of its year and the
  /// length of every earlier month follows one straight line.
  public init(daysSince1970 days: Int64) {
    let shifted = days + Self.daysFromMarchYearZero
    let cycle = (shifted >= 0 ? shifted : shifted - (Self.daysInCycle - 1)) / Self.daysInCycle
    let dayOfCycle = UInt32(truncatingIfNeeded: shifted - cycle * Self.daysInCycle)
    let leapsBefore =
      dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / UInt32(Self.daysInCycle - 1)
    let yearOfCycle = (dayOfCycle - leapsBefore) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let marchYear = Int64(yearOfCycle) + cycle * 400
    self.init(
      existingYear: Int32(truncatingIfNeeded: month <= 2 ? marchYear + 1 : marchYear),
      month: UInt8(truncatingIfNeeded: month), day: UInt8(truncatingIfNeeded: day))
  }

  /// Days after 1970-01-01; negative before it.
  public var daysSince1970: Int64 {
    let marchYear = Int64(month <= 2 ? year - 1 : year)
    let cycle = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfCycle = marchYear - cycle * 400
    let monthFromMarch = month > 2 ? Int64(month) - 3 : Int64(month) + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * Self.daysInCycle + dayOfCycle - Self.daysFromMarchYearZero
  }

  /// The same day `months` months later; a day the month does not have becomes its last.
  ///
  /// `months` is within `CalendarLimits.stepMonthsMax`.
  public func adding(months: Int64) -> CivilDate {
    let total = Int64(year) * 12 + Int64(month) - 1 + months
    let newYear = (total >= 0 ? total : total - 11) / 12
    let newMonth = UInt8(truncatingIfNeeded: total - newYear * 12 + 1)
    let year = Int32(truncatingIfNeeded: newYear)
    return CivilDate(
      existingYear: year, month: newMonth, day: min(day, Self.daysIn(month: newMonth, of: year)))
  }

  /// 0 is Sunday, 6 is Saturday.
  public var weekday: Int {
    let index = (daysSince1970 + 4) % 7
    return Int(index >= 0 ? index : index + 7)
  }

  public static func isLeap(_ year: Int32) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// `month` is 1 to 12.
  public static func daysIn(month: UInt8, of year: Int32) -> UInt8 {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    return 30 + ((month ^ (month >> 3)) & 1)
  }

  /// Days in 400 years, after which the calendar repeats.
  static let daysInCycle: Int64 = 146_097

  /// Days from 1 March of the year 0 to 1970-01-01.
  private static let daysFromMarchYearZero: Int64 = 719_468
}

extension CivilDate: Comparable {
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}
