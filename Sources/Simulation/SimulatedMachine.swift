import Engine
import Subscriptions

/// The machine's clocks as a daemon reads them. Time passes only when told to.
public struct SimulatedMachine: Sendable {
  /// CLOCK_REALTIME, milliseconds since 1970.
  public private(set) var realtime: Int64
  /// CLOCK_BOOTTIME, milliseconds.
  public private(set) var boottime: Int64
  /// The kernel's boot id.
  public private(set) var boot: UUIDBits

  public init(realtime: Int64) {
    self.realtime = realtime
    boottime = 60_000
    boot = UUIDBits(high: 0xb007, low: 1)
  }

  /// What the daemon sees at the beginning of a turn.
  public var reading: ClockReading {
    ClockReading(realtime: realtime, boottime: boottime)
  }

  /// Time passes, awake or suspended: both clocks go on together.
  public mutating func pass(_ milliseconds: Int64) {
    realtime += milliseconds
    boottime += milliseconds
  }

  /// Somebody sets the clock: realtime jumps, boottime does not.
  public mutating func step(_ milliseconds: Int64) {
    realtime += milliseconds
  }

  /// The machine is off for a while, then boots.
  public mutating func reboot(after milliseconds: Int64) {
    realtime += milliseconds
    boottime = 5_000
    boot.low += 1
  }
}
