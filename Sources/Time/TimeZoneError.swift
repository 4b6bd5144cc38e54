/// Why the bytes of a time zone file could not be read.
public enum TimeZoneError: Error, Equatable, Sendable {
  /// The file does not begin as RFC 8536 says.
  case notAZoneFile
  /// Version 1 files have no 64-bit times and no rule for later years.
  case versionTooOld
  /// The file ends inside the part named.
  case truncated(part: String)
  /// A count in the header is beyond `CalendarLimits`, or there is no local-time type at all.
  case countOutOfRange(name: String, count: Int)
  /// A transition is not later than the one before it; the index counts from 0.
  case transitionsOutOfOrder(index: Int)
  /// A transition after the year 9999.
  case transitionTooLate(index: Int)
  /// A transition names a local-time type that the file does not have.
  case typeMissing(index: Int)
  /// An offset from UTC of 26 hours or more.
  case offsetOutOfRange(seconds: Int)
  /// The zone counts leap seconds (a "right/" zone); Unix time has none.
  case leapSeconds
  /// The rule for later years is not a POSIX TZ text.
  case ruleInvalid(text: String)
}

extension TimeZoneError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAZoneFile:
      "not a time zone file: it does not begin with TZif"
    case .versionTooOld:
      "a time zone file of version 1, which has no rule for later years; install a current tzdata"
    case .truncated(let part):
      "the time zone file ends inside its \(part)"
    case .countOutOfRange(let name, let count):
      "the time zone file says that it has \(count) \(name)"
    case .transitionsOutOfOrder(let index):
      "transition \(index) of the time zone file is not later than the one before it"
    case .transitionTooLate(let index):
      "transition \(index) of the time zone file is after the year 9999"
    case .typeMissing(let index):
      "transition \(index) of the time zone file names a local time type that is not there"
    case .offsetOutOfRange(let seconds):
      "an offset from UTC of \(seconds) s is 26 hours or more"
    case .leapSeconds:
      "the time zone file counts leap seconds; take the zone that is not under right/"
    case .ruleInvalid(let text):
      "the time zone file's rule for later years is not understood: \(text)"
    }
  }
}
