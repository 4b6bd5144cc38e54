/// The offsets from UTC of one zone, at every instant.
///
/// Made from the bytes of a zone file (`init(tzif:)`); reading the file is somebody else's work.
/// The file's rule for later years is written out over one full cycle of the calendar, 400
/// years, and later instants are looked up in that cycle, so that any year costs one search.
public struct TimeZoneRules: Sendable {
  /// When each stretch of constant offset begins, in seconds since 1970, ascending; the first
  /// began before everything. Empty for UTC alone.
  private let starts: [Int64]
  /// The offset of each stretch, in seconds east of UTC.
  private let offsets: [Int32]
  /// From here on (seconds since 1970) the offsets repeat those of 400 years before.
  private let cycleEnd: Int64

  /// True for `utc` only: no look-up is needed.
  @inline(__always)
  public var isUTC: Bool { starts.isEmpty }

  public static let utc = TimeZoneRules(starts: [], offsets: [], cycleEnd: .max)

  /// `starts` ascends strictly and begins with `Int64.min`, or is empty.
  init(starts: [Int64], offsets: [Int32], cycleEnd: Int64) {
    precondition(starts.count == offsets.count)
    self.starts = starts
    self.offsets = offsets
    self.cycleEnd = cycleEnd
  }

  /// Seconds east of UTC at `instant`.
  public func offsetSeconds(at instant: Instant) -> Int32 {
    if isUTC { return 0 }
    let (days, rest) = CivilDateTime.split(instant.milliseconds)
    let seconds = days * Self.secondsInDay + rest / 1000
    return offsets[stretch(at: seconds - cycles(before: seconds) * Self.secondsInCycle)]
  }

  /// The instant at which a wall clock in the zone shows `local`, in milliseconds past its own
  /// 1970-01-01T00:00.
  ///
  /// A local time that the zone skips is read with the offset from before the change, so that it
  /// comes out later by the length of the gap. One that it repeats is the first of the two, or
  /// the last if `preferLast`.
  func instant(localMilliseconds local: Int64, preferLast: Bool) -> Instant {
    if isUTC { return Instant(milliseconds: local) }
    let (days, rest) = CivilDateTime.split(local)
    let wholeSeconds = days * Self.secondsInDay + rest / 1000
    // Two days of margin: the cycle's end is a UTC time and this is a local one.
    let cycles = cycles(before: wholeSeconds + 2 * Self.secondsInDay)
    let offset = offset(
      local: wholeSeconds - cycles * Self.secondsInCycle, preferLast: preferLast)
    return Instant(milliseconds: local - Int64(offset) * 1000)
  }

  /// The offset to take off a local time, in seconds.
  private func offset(local: Int64, preferLast: Bool) -> Int32 {
    let earliest = local - Int64(CalendarLimits.zoneOffsetSecondsMax)
    var index = stretch(at: earliest)
    while index + 1 < starts.count, local - Int64(offsets[index]) >= starts[index + 1] {
      index += 1
    }
    // The local time is not after this stretch. If it is before it, it was skipped.
    if index > 0, local - Int64(offsets[index]) < starts[index] {
      return offsets[index - 1]
    }
    if preferLast, index + 1 < starts.count,
      local - Int64(offsets[index + 1]) >= starts[index + 1]
    {
      return offsets[index + 1]
    }
    return offsets[index]
  }

  /// The index of the stretch that holds `seconds`.
  private func stretch(at seconds: Int64) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= seconds { low = middle } else { high = middle }
    }
    return low
  }

  /// How many whole cycles to go back for `seconds` to fall before the table's end.
  @inline(__always)
  private func cycles(before seconds: Int64) -> Int64 {
    if seconds < cycleEnd { return 0 }
    return (seconds - cycleEnd) / Self.secondsInCycle + 1
  }

  static let secondsInDay: Int64 = 86_400
  static let secondsInCycle: Int64 = CivilDate.daysInCycle * secondsInDay
}
