/// The limits of what a clock shows, of calendar arithmetic and of the texts that name times.
public enum CalendarLimits {
  /// Clocks run from 2000-01-01 to the end of 2099, which is also how long the signing certificates
  /// are valid.
  public static let timeMin = Instant(milliseconds: 946_684_800_000)
  public static let timeMax = Instant(milliseconds: 4_102_444_799_999)

  /// Arithmetic saturates at this many milliseconds on either side of 1970: 100 million days,
  /// so that no sum of an anchor and a period can overflow 64 bits.
  static let millisecondsMax: Int64 = 8_640_000_000_000_000

  /// A step of arithmetic is at most this many days, for the same reason.
  static let stepDaysMax: Int64 = 100_000_000

  /// A step of arithmetic is at most this many months: about as long as `stepDaysMax`.
  static let stepMonthsMax: Int64 = 3_000_000

  /// The longest text read as a time or a span, in bytes: the longest sensible one is about 40,
  /// and an error repeats the text.
  static let textBytesMax = 96

  /// The most transitions read from a zone file: the largest zone has fewer than 300, and the
  /// "fat" form of a file adds two a year to 2037.
  static let zoneTransitionsMax = 4096

  /// The latest transition a zone file may list, in seconds since 1970: the end of the year 9999,
  /// the last that the texts of times can name.
  static let zoneTransitionSecondsMax: Int64 = 253_402_300_799

  /// The most local-time types in a zone file: RFC 8536 numbers them with one byte.
  static let zoneTypesMax = 256

  /// The largest offset from UTC either way, in seconds: RFC 8536 asks for less than 26 hours.
  static let zoneOffsetSecondsMax = 93_599

  /// A POSIX rule's time of day reaches at most 167 hours either way (RFC 8536, 3.3.1).
  static let zoneRuleHoursMax = 167
}
