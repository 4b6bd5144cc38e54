/// A zone's rule for all later years, in the form of POSIX's TZ variable: `PST8PDT,M3.2.0,M11.1.0`.
struct PosixTimeZone {
  /// Seconds east of UTC; POSIX writes them west.
  let standardOffset: Int
  private let summer: Summer?

  fileprivate struct Summer {
    var offset: Int
    var begins: Day
    var ends: Day
  }

  /// A day of the year and a time on it.
  fileprivate struct Day {
    enum Form {
      /// The `week`-th (5: last) such weekday of a month.
      case weekday(month: UInt8, week: Int, weekday: Int)
      /// 1 to 365; 29 February is never counted.
      case ordinalWithoutLeapDay(Int)
      /// 0 to 365.
      case ordinal(Int)
    }
    var form: Form
    /// Seconds after local midnight.
    var time: Int
  }

  /// When, in seconds since 1970, an offset begins to hold.
  struct Change {
    var at: Int64
    var offset: Int
  }

  init(text: [UInt8]) throws(TimeZoneError) {
    var scanner = ByteScanner(text)
    guard let rule = Self.parse(&scanner), scanner.isAtEnd else {
      throw .ruleInvalid(text: String(decoding: text, as: UTF8.self))
    }
    self = rule
  }

  private init(standardOffset: Int, summer: Summer?) {
    self.standardOffset = standardOffset
    self.summer = summer
  }

  /// The changes of one year, in order; none where the zone has no summer time.
  func changes(in year: Int32) -> [Change] {
    guard let summer else { return [] }
    let begins = Change(
      at: summer.begins.localSeconds(in: year) - Int64(standardOffset), offset: summer.offset)
    let ends = Change(
      at: summer.ends.localSeconds(in: year) - Int64(summer.offset), offset: standardOffset)
    return begins.at <= ends.at ? [begins, ends] : [ends, begins]
  }

  private static func parse(_ scanner: inout ByteScanner) -> PosixTimeZone? {
    guard skipName(&scanner), let west = time(&scanner, hoursMax: 24) else { return nil }
    if scanner.isAtEnd { return PosixTimeZone(standardOffset: -west, summer: nil) }
    guard skipName(&scanner) else { return nil }
    var summerWest = west - 3600
    if scanner.peek != UInt8(ascii: ",") {
      guard let given = time(&scanner, hoursMax: 24) else { return nil }
      summerWest = given
    }
    guard scanner.take(","), let begins = day(&scanner),
      scanner.take(","), let ends = day(&scanner)
    else { return nil }
    return PosixTimeZone(
      standardOffset: -west,
      summer: Summer(offset: -summerWest, begins: begins, ends: ends))
  }

  /// Three or more letters, or letters, digits and signs in angle brackets.
  private static func skipName(_ scanner: inout ByteScanner) -> Bool {
    let quoted = scanner.take("<")
    var length = 0
    while let byte = scanner.peek, isNameByte(byte, quoted: quoted) {
      scanner.skip()
      length += 1
    }
    return length >= 3 && (!quoted || scanner.take(">"))
  }

  private static func isNameByte(_ byte: UInt8, quoted: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
    default: false
    }
  }

  /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
  private static func time(_ scanner: inout ByteScanner, hoursMax: Int) -> Int? {
    let isNegative = scanner.take("-")
    if !isNegative { _ = scanner.take("+") }
    guard let hours = scanner.number(digitsMax: 3), hours <= hoursMax else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where scanner.take(":") {
      guard let value = scanner.number(digitsMax: 2), value < 60 else { return nil }
      seconds += value * unit
    }
    return isNegative ? -seconds : seconds
  }

  private static func day(_ scanner: inout ByteScanner) -> Day? {
    guard let form = dayForm(&scanner) else { return nil }
    guard scanner.take("/") else { return Day(form: form, time: 2 * 3600) }
    guard let time = time(&scanner, hoursMax: CalendarLimits.zoneRuleHoursMax) else { return nil }
    return Day(form: form, time: time)
  }

  private static func dayForm(_ scanner: inout ByteScanner) -> Day.Form? {
    if scanner.take("M") {
      guard let month = scanner.number(digitsMax: 2), (1...12).contains(month),
        scanner.take("."), let week = scanner.number(digitsMax: 1), (1...5).contains(week),
        scanner.take("."), let weekday = scanner.number(digitsMax: 1), weekday <= 6
      else { return nil }
      return .weekday(month: UInt8(month), week: week, weekday: weekday)
    }
    if scanner.take("J") {
      guard let day = scanner.number(digitsMax: 3), (1...365).contains(day) else { return nil }
      return .ordinalWithoutLeapDay(day)
    }
    guard let day = scanner.number(digitsMax: 3), day <= 365 else { return nil }
    return .ordinal(day)
  }
}

extension PosixTimeZone.Day {
  /// The moment in one year, in seconds of local time past 1970-01-01T00:00.
  fileprivate func localSeconds(in year: Int32) -> Int64 {
    let newYear = CivilDate(year: year, month: 1, day: 1)!.daysSince1970
    let days: Int64
    switch form {
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: Int(month), day: 1)!
      var day = (weekday - first.weekday + 7) % 7 + (week - 1) * 7
      if day >= Int(CivilDate.daysIn(month: month, of: year)) { day -= 7 }
      days = first.daysSince1970 + Int64(day)
    case .ordinalWithoutLeapDay(let ordinal):
      let leap = CivilDate.isLeap(year) && ordinal >= 60 ? 1 : 0
      days = newYear + Int64(ordinal - 1 + leap)
    case .ordinal(let ordinal):
      days = newYear + Int64(ordinal)
    }
    return days * TimeZoneRules.secondsInDay + Int64(time)
  }
}
