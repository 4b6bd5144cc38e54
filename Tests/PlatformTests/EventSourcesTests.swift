import Foundation
import Testing

@testable import Platform

@Suite("What the loop waits for", .serialized)
struct EventSourcesTests {
  private func sources() throws -> EventSources {
    let sources = try EventSources()
    try sources.addTimers()
    return sources
  }

  private var now: Int64 { MachineClock.milliseconds(CLOCK_REALTIME) }

  /// Waits once; how long that took, in milliseconds.
  private func wait(_ sources: EventSources) throws -> Int64 {
    let start = now
    try sources.wait(blocking: true)
    return now - start
  }

  @Test("it wakes at the time asked for, not before")
  func wakeAtTime() throws {
    let sources = try sources()
    let target = now + 60
    try sources.wake(at: target, now: now)
    #expect(try wait(sources) < 1000)
    #expect(now >= target)
  }

  @Test("a time that is past wakes at once")
  func wakeAtPast() throws {
    let sources = try sources()
    try sources.wake(at: now - 1000, now: now)
    #expect(try wait(sources) < 1000)
  }

  // B15: no sleep is long, whatever is asked for.
  @Test("a far time and none at all leave a sleep within the limit, set once and not in each turn")
  func sleepIsCapped() throws {
    let sources = try sources()
    let start = now
    try sources.wake(at: nil, now: start)
    #expect(sources.armedWake == start + Limits.sleepMillisecondsMax)
    try sources.wake(at: start + 23 * 3_600_000, now: start + 10)
    #expect(sources.armedWake == start + Limits.sleepMillisecondsMax)
    // The machine slept, or its clock was set: what was armed is past, or far away.
    let later = start + 24 * 3_600_000
    try sources.wake(at: nil, now: later)
    #expect(sources.armedWake == later + Limits.sleepMillisecondsMax)
    try sources.wake(at: nil, now: start)
    #expect(sources.armedWake == start + Limits.sleepMillisecondsMax)
    try sources.wake(at: start + 500, now: start)
    #expect(sources.armedWake == start + 500)
  }

  @Test("a tick comes by the clock that goes on through suspend, and can be called off")
  func tick() throws {
    let sources = try sources()
    let boottime = MachineClock.milliseconds(CLOCK_BOOTTIME)
    try sources.tick(at: boottime + 20, now: boottime)
    try sources.tick(at: Int64.max, now: boottime)
    try sources.wake(at: now + 80, now: now)
    #expect(try wait(sources) >= 70)
    try sources.tick(at: boottime + 120, now: boottime)
    #expect(try wait(sources) < 1000)
    #expect(MachineClock.milliseconds(CLOCK_BOOTTIME) >= boottime + 120)
  }

  @Test("new connections are told with their socket, until they are looked away from")
  func listeners() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/s"
    let listener = try ListeningSocket(path: path, mode: 0o600, group: nil)
    defer { listener.close() }
    let sources = try sources()
    try sources.addListener(listener.descriptor)
    let client = try TestClient(path: path)
    _ = try wait(sources)
    #expect(sources.takeHappened().listeners == [listener.descriptor])
    #expect(sources.takeHappened().listeners == [])
    try sources.setListening(false)
    try sources.wait(blocking: false)
    #expect(sources.takeHappened().listeners == [])
    try sources.setListening(true)
    try sources.wait(blocking: false)
    #expect(sources.takeHappened().listeners == [listener.descriptor])
    withExtendedLifetime(client) {}
  }

  @Test("the watchdog's ping is due twice in each interval")
  func watchdog() throws {
    let sources = try sources()
    try sources.addWatchdog(intervalMicroseconds: 100_000)
    let shortest = try (0..<3).map { _ in
      let elapsed = try wait(sources)
      #expect(sources.takeHappened().watchdog)
      return elapsed
    }.min()
    #expect(try #require(shortest) < 1000)
  }
}
