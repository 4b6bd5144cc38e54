extension TimeZoneRules {
  /// Reads a zone file (RFC 8536, version 2 or later), such as
  /// `/usr/share/zoneinfo/America/Los_Angeles`.
  public init(tzif bytes: [UInt8]) throws(TimeZoneError) {
    var reader = TimeZoneFileReader(bytes: bytes)
    let first = try reader.header()
    guard first.version >= UInt8(ascii: "2") else { throw .versionTooOld }
    try reader.skip(first.dataBytes(timeBytes: 4), part: "first data block")
    let header = try reader.header()
    try header.check()
    var stretches = try reader.stretches(header)
    try reader.skip(
      header.abbreviationBytes + header.standardFlags + header.utcFlags, part: "data block")
    let rule = try reader.rule()
    self = stretches.rules(followedBy: rule)
  }
}

/// The six counts of a data block, and the version.
private struct TimeZoneFileHeader {
  var version: UInt8
  var utcFlags: Int
  var standardFlags: Int
  var leapSeconds: Int
  var transitions: Int
  var types: Int
  var abbreviationBytes: Int

  func dataBytes(timeBytes: Int) -> Int {
    transitions * (timeBytes + 1) + types * 6 + abbreviationBytes
      + leapSeconds * (timeBytes + 4) + standardFlags + utcFlags
  }

  func check() throws(TimeZoneError) {
    guard leapSeconds == 0 else { throw .leapSeconds }
    guard transitions <= CalendarLimits.zoneTransitionsMax else {
      throw .countOutOfRange(name: "transitions", count: transitions)
    }
    guard (1...CalendarLimits.zoneTypesMax).contains(types) else {
      throw .countOutOfRange(name: "local time types", count: types)
    }
  }
}

/// The stretches of constant offset that a file lists.
private struct TimeZoneStretches {
  var starts: [Int64]
  var offsets: [Int32]

  mutating func append(start: Int64, offset: Int32) {
    if let last = starts.last, start <= last {
      // Only a rule's own transitions can meet: a zone that is on summer time all year ends
      // it and begins it at the same instant. The later word counts.
      offsets[offsets.count - 1] = offset
      return
    }
    starts.append(start)
    offsets.append(offset)
  }

  /// The whole table: the file's transitions, and the rule's after the last of them.
  mutating func rules(followedBy rule: PosixTimeZone?) -> TimeZoneRules {
    guard let rule else {
      return TimeZoneRules(starts: starts, offsets: offsets, cycleEnd: .max)
    }
    let last = starts[starts.count - 1]
    if last == .min { offsets[0] = Int32(rule.standardOffset) }
    let floor = CivilDate(year: Self.firstRuleYear, month: 1, day: 1)!.daysSince1970
    let lastDay = max(floor, last / TimeZoneRules.secondsInDay)
    let firstYear = CivilDate(daysSince1970: lastDay).year - 1
    // A year before and two after the cycle, for transitions near its ends.
    let cycleFirstYear = firstYear + 3
    for year in firstYear...(cycleFirstYear + 401) {
      for change in rule.changes(in: year) where change.at > last {
        append(start: change.at, offset: Int32(change.offset))
      }
    }
    let end = CivilDate(year: cycleFirstYear + 400, month: 1, day: 1)!
    return TimeZoneRules(
      starts: starts, offsets: offsets,
      cycleEnd: end.daysSince1970 * TimeZoneRules.secondsInDay)
  }

  /// Where a rule begins that no transition precedes: before every year we promise.
  private static let firstRuleYear: Int32 = 1800
}

private struct TimeZoneFileReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func skip(_ count: Int, part: String) throws(TimeZoneError) {
    guard count <= bytes.count - position else { throw .truncated(part: part) }
    position += count
  }

  /// A big-endian number of `count` bytes; the caller has made sure that they are there.
  private mutating func number(_ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<count {
      value = value << 8 | UInt64(bytes[position])
      position += 1
    }
    return value
  }

  mutating func header() throws(TimeZoneError) -> TimeZoneFileHeader {
    let start = position
    guard bytes.count - start >= 4, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else {
      throw .notAZoneFile
    }
    try skip(44, part: "header")
    position = start + 4
    let version = bytes[position]
    position = start + 20
    return TimeZoneFileHeader(
      version: version, utcFlags: Int(number(4)), standardFlags: Int(number(4)),
      leapSeconds: Int(number(4)), transitions: Int(number(4)), types: Int(number(4)),
      abbreviationBytes: Int(number(4)))
  }

  /// The transition times, their types and the types' offsets, put together.
  mutating func stretches(
    _ header: TimeZoneFileHeader
  ) throws(TimeZoneError) -> TimeZoneStretches {
    let length = header.transitions * 9 + header.types * 6
    guard length <= bytes.count - position else { throw .truncated(part: "data block") }
    var times: [Int64] = []
    times.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions { times.append(Int64(bitPattern: number(8))) }
    let typeIndices = bytes[position..<(position + header.transitions)]
    position += header.transitions
    var typeOffsets: [Int32] = []
    for _ in 0..<header.types {
      let seconds = Int(Int32(truncatingIfNeeded: number(4)))
      position += 2
      guard abs(seconds) <= CalendarLimits.zoneOffsetSecondsMax else {
        throw .offsetOutOfRange(seconds: seconds)
      }
      typeOffsets.append(Int32(seconds))
    }
    // Before the first transition type 0 holds (RFC 8536, 3.2).
    var result = TimeZoneStretches(starts: [.min], offsets: [typeOffsets[0]])
    for (index, type) in typeIndices.enumerated() {
      guard times[index] > result.starts[index] else {
        throw .transitionsOutOfOrder(index: index)
      }
      guard times[index] <= CalendarLimits.zoneTransitionSecondsMax else {
        throw .transitionTooLate(index: index)
      }
      guard Int(type) < typeOffsets.count else { throw .typeMissing(index: index) }
      result.starts.append(times[index])
      result.offsets.append(typeOffsets[Int(type)])
    }
    return result
  }

  /// The rule for later years, between two line ends; nil where the file leaves it empty.
  mutating func rule() throws(TimeZoneError) -> PosixTimeZone? {
    let lineEnd = UInt8(ascii: "\n")
    try skip(1, part: "rule for later years")
    guard bytes[position - 1] == lineEnd,
      let end = bytes[position...].firstIndex(of: lineEnd)
    else { throw .truncated(part: "rule for later years") }
    if end == position { return nil }
    return try PosixTimeZone(text: Array(bytes[position..<end]))
  }
}
