import CSystemd
import Glibc

/// Tells the service manager how the daemon is (sd_notify(3)). Without one, nothing happens.
struct ServiceManager {
  private var hasStopped = false
  /// The watchdog's interval in microseconds; nil where none is asked for.
  let watchdogMicroseconds: UInt64?

  init() {
    var interval: UInt64 = 0
    watchdogMicroseconds = sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  /// Ready, with the first ping of the watchdog, which counts from here on.
  func ready(status: String) {
    send("READY=1\nWATCHDOG=1\nSTATUS=\(Self.line(status))")
  }

  func status(_ text: String) {
    send("STATUS=\(Self.line(text))")
  }

  func watchdog() {
    send("WATCHDOG=1")
  }

  /// Starting takes longer, and how far it is.
  func starting(status: String) {
    send("EXTEND_TIMEOUT_USEC=\(Limits.startExtensionMicroseconds)\nSTATUS=\(Self.line(status))")
  }

  /// Both lines are needed: without the time a `Type=notify-reload` unit waits for ever.
  func reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=\(MachineClock.monotonicMicroseconds())")
  }

  /// A reload has ended, well or not.
  func reloaded(status: String) {
    send("READY=1\nSTATUS=\(Self.line(status))")
  }

  /// Leaving; said once.
  mutating func stopping() {
    guard !hasStopped else { return }
    hasStopped = true
    send("STOPPING=1\nSTATUS=stopping")
  }

  private func send(_ text: String) {
    // A manager that cannot be told will notice by itself: it waits for READY, and the watchdog.
    sd_notify(0, text)
  }

  private static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(text.map { $0.isNewline ? " " : $0 })
  }
}
