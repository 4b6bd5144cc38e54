import Engine
import Glibc

/// The machine's clocks.
enum MachineClock {
  /// One reading for a turn of the loop.
  @inline(__always)
  static func reading() -> ClockReading {
    ClockReading(realtime: milliseconds(CLOCK_REALTIME), boottime: milliseconds(CLOCK_BOOTTIME))
  }

  /// Milliseconds of one of Linux's clocks.
  @inline(__always)
  static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // The clocks above exist on every kernel that this daemon starts on, and the pointer is good:
    // nothing is left that could fail.
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Microseconds of the monotonic clock, as `MONOTONIC_USEC=` wants them.
  static func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  /// What tells one boot of the machine from another, as two numbers. Zeros where the kernel
  /// does not say: then every start looks like the same boot, and a clock that was set meanwhile
  /// like one that stepped.
  static func bootIdentity() -> (high: UInt64, low: UInt64) {
    let bytes = try? readFile("/proc/sys/kernel/random/boot_id", byteCountMax: 64)
    let digits = (bytes ?? []).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return (0, 0) }
    func number(_ part: ArraySlice<Int>) -> UInt64 { part.reduce(0) { $0 << 4 | UInt64($1) } }
    return (number(digits[0..<16]), number(digits[16..<32]))
  }

  /// Bytes that nobody can guess, for the identity of a new log.
  static func randomNumber() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
