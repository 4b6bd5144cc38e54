extension Instant {
  /// `2025-01-31T10:00:00Z`; milliseconds as `.123` only where they are not zero.
  ///
  /// Years outside 0 to 9999, which RFC 3339 cannot write, come with a sign.
  public var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of `rfc3339` without building a string.
  public func appendRFC3339(to bytes: inout [UInt8]) {
    let civil = CivilDateTime(utc: self)
    let year = Int(civil.date.year)
    if !(0...9999).contains(year) { bytes.append(UInt8(ascii: year < 0 ? "-" : "+")) }
    Self.append(year.magnitude, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(UInt(civil.date.month), digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(UInt(civil.date.day), digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    let seconds = UInt(civil.millisecondOfDay / 1000)
    Self.append(seconds / 3600, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds / 60 % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds % 60, digits: 2, to: &bytes)
    let fraction = UInt(civil.millisecondOfDay % 1000)
    if fraction != 0 {
      bytes.append(UInt8(ascii: "."))
      Self.append(fraction, digits: 3, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// At least `digits` digits.
  private static func append(_ value: UInt, digits: Int, to bytes: inout [UInt8]) {
    var place: UInt = 1
    for _ in 1..<digits { place *= 10 }
    while value / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / place % 10))
      place /= 10
    }
  }

  /// Reads RFC 3339, or a date alone (midnight UTC).
  ///
  /// `T` and `Z` may be small and `T` a space, as the RFC lets. Fractions finer than a
  /// millisecond are cut off. Second 60 is refused: Unix time has no leap seconds.
  public init(rfc3339 text: String) throws(TimeTextError) {
    var scanner = try TimeText.scanner(text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
      scanner.take("-"), let day = scanner.digits(2)
    else { throw .notATime(text: text) }
    guard (1...12).contains(month) else { throw .fieldOutOfRange(field: .month, text: text) }
    guard let date = CivilDate(year: Int32(year), month: month, day: day) else {
      throw .fieldOutOfRange(field: .day, text: text)
    }
    let midnight = date.daysSince1970 * CivilDateTime.millisecondsInDay
    if scanner.isAtEnd {
      self.init(milliseconds: midnight)
      return
    }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else {
      throw .notATime(text: text)
    }
    let time = try Self.timeOfDay(&scanner, text: text)
    let offset = try Self.offset(&scanner, text: text)
    guard scanner.isAtEnd else { throw .notATime(text: text) }
    self.init(milliseconds: midnight + time - offset)
  }

  /// `hh:mm:ss[.fraction]` in milliseconds.
  private static func timeOfDay(
    _ scanner: inout ByteScanner, text: String
  ) throws(TimeTextError) -> Int64 {
    guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2),
      scanner.take(":"), let second = scanner.digits(2)
    else { throw .notATime(text: text) }
    guard hour <= 23 else { throw .fieldOutOfRange(field: .hour, text: text) }
    guard minute <= 59 else { throw .fieldOutOfRange(field: .minute, text: text) }
    guard second <= 59 else { throw .fieldOutOfRange(field: .second, text: text) }
    var fraction = 0
    if scanner.take(".") {
      guard let thousandths = scanner.thousandths() else { throw .notATime(text: text) }
      fraction = thousandths
    }
    return Int64(((hour * 60 + minute) * 60 + second) * 1000 + fraction)
  }

  /// `Z` or `+hh:mm` or `-hh:mm`, in milliseconds east of UTC.
  private static func offset(
    _ scanner: inout ByteScanner, text: String
  ) throws(TimeTextError) -> Int64 {
    if scanner.isAtEnd { throw .zoneMissing(text: text) }
    if scanner.take("Z") || scanner.take("z") { return 0 }
    let isWest = scanner.take("-")
    guard isWest || scanner.take("+"), let hours = scanner.digits(2), scanner.take(":"),
      let minutes = scanner.digits(2)
    else { throw .notATime(text: text) }
    guard hours <= 23, minutes <= 59 else { throw .fieldOutOfRange(field: .offset, text: text) }
    let offset = Int64((hours * 60 + minutes) * 60_000)
    return isWest ? -offset : offset
  }
}

extension Instant: CustomStringConvertible {
  public var description: String { self == .never ? "never" : rfc3339 }
}
