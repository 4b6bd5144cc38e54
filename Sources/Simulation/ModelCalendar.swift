import Subscriptions

/// The reference model's calendar: it counts years, months and days one after another from 1970,
/// so that it shares no idea with the product's. UTC only.
enum ModelCalendar {
  static let dayMilliseconds: Int64 = 86_400_000

  static func dayCount(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) ? 29 : 28
    default: 31
    }
  }

  static func dayCount(year: Int64) -> Int64 {
    dayCount(month: 2, year: year) == 29 ? 366 : 365
  }

  /// The moment `count` months after another: the same day and time, or the month's last day.
  static func adding(months count: Int64, to milliseconds: Int64) -> Int64 {
    var days = milliseconds / dayMilliseconds
    let time = milliseconds % dayMilliseconds
    var year: Int64 = 1970
    while days >= dayCount(year: year) {
      days -= dayCount(year: year)
      year += 1
    }
    var month: Int64 = 1
    while days >= dayCount(month: month, year: year) {
      days -= dayCount(month: month, year: year)
      month += 1
    }
    let wantedDay = days + 1
    for _ in 0..<count {
      month += 1
      if month == 13 {
        month = 1
        year += 1
      }
    }
    var total: Int64 = 0
    for earlier in 1970..<year { total += dayCount(year: earlier) }
    for earlier in 1..<month { total += dayCount(month: earlier, year: year) }
    total += min(wantedDay, dayCount(month: month, year: year)) - 1
    return total * dayMilliseconds + time
  }
}

/// A length as the model has it: months or days, never both.
struct ModelLength: Equatable {
  var months: Int64 = 0
  var days: Int64 = 0

  /// Reads one number and one letter: `P1M`, `P2W`.
  init(_ text: String) {
    let number = Int64(text.dropFirst().dropLast()) ?? 0
    switch text.last {
    case "D": days = number
    case "W": days = 7 * number
    case "M": months = number
    case "Y": months = 12 * number
    default: break
    }
  }

  init(_ period: Period) {
    let length = Int64(period.length)
    if period.isCountedInMonths { months = length } else { days = length }
  }

  static let none = ModelLength(months: 0, days: 0)

  private init(months: Int64, days: Int64) {
    self.months = months
    self.days = days
  }

  var isMonths: Bool { months > 0 }

  static func + (left: ModelLength, right: ModelLength) -> ModelLength {
    ModelLength(months: left.months + right.months, days: left.days + right.days)
  }

  func times(_ count: Int64) -> ModelLength {
    ModelLength(months: months * count, days: days * count)
  }

  func after(_ milliseconds: Int64) -> Int64 {
    ModelCalendar.adding(months: months, to: milliseconds)
      + days * ModelCalendar.dayMilliseconds
  }
}
