import CLinux
import CSystemd
import Glibc

/// What the loop waits for besides the bytes of connections, over sd-event(3): signals, timers,
/// steps of the clock, new connections. Handlers only note what happened; the loop acts on it in
/// its turn. It lives as long as the process: the handlers point at it.
final class EventSources {
  /// What has happened since it was last taken.
  struct Happened {
    var stop = false
    var reload = false
    var watchdog = false
    var listeners: [Int32] = []
  }

  private var event: OpaquePointer?
  private var happened = Happened()
  private var wakeTimer: OpaquePointer?
  private var tickTimer: OpaquePointer?
  private var watchdogTimer: OpaquePointer?
  private var watchdogInterval: UInt64 = 0
  /// What the timers were last set to, in milliseconds of their clocks.
  private(set) var armedWake: Int64 = 0
  private var armedTick = Int64.max
  private var listenerSources: [OpaquePointer?] = []
  private var stepDescriptor: Int32 = -1

  init() throws(SystemError) {
    try Self.check(sd_event_new(&event))
  }

  /// Throws where a call of sd-event failed; they answer with negative error numbers.
  private static func check(_ result: Int32) throws(SystemError) {
    guard result >= 0 else { throw SystemError(code: -result) }
  }

  private var context: UnsafeMutableRawPointer {
    Unmanaged.passUnretained(self).toOpaque()
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> EventSources {
    guard let context else { preconditionFailure("handlers are given the sources") }
    return Unmanaged<EventSources>.fromOpaque(context).takeUnretainedValue()
  }

  /// Signals to stop and to reload. They must be blocked in every thread.
  func addSignals() throws(SystemError) {
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      var source: OpaquePointer?
      try Self.check(
        sd_event_add_signal(
          event, &source, signal,
          { _, info, context in
            let sources = EventSources.from(context)
            if info?.pointee.ssi_signo == UInt32(SIGHUP) {
              sources.happened.reload = true
            } else {
              sources.happened.stop = true
            }
            return 0
          }, context))
      try Self.check(sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IMPORTANT)))
    }
  }

  /// The epoll descriptor of the connections. It comes last of all, so that it does not hide
  /// the others; the loop looks at it in every turn anyway.
  func addConnections(_ descriptor: Int32) throws(SystemError) {
    var source: OpaquePointer?
    try Self.check(
      sd_event_add_io(event, &source, descriptor, EPOLLIN.rawValue, { _, _, _, _ in 0 }, context))
    try Self.check(sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IDLE)))
  }

  func addListener(_ descriptor: Int32) throws(SystemError) {
    var source: OpaquePointer?
    try Self.check(
      sd_event_add_io(
        event, &source, descriptor, EPOLLIN.rawValue,
        { _, descriptor, _, context in
          EventSources.from(context).happened.listeners.append(descriptor)
          return 0
        }, context))
    listenerSources.append(source)
  }

  /// Stops or goes on looking at the listening sockets.
  func setListening(_ isListening: Bool) throws(SystemError) {
    for source in listenerSources {
      try Self.check(
        sd_event_source_set_enabled(source, Int32(isListening ? SD_EVENT_ON : SD_EVENT_OFF)))
    }
  }

  /// Forgets the listening sockets, which may be closed then.
  func removeListeners() {
    for source in listenerSources { sd_event_source_disable_unref(source) }
    listenerSources = []
  }

  /// The timers, both off, and the watch for steps of the clock.
  func addTimers() throws(SystemError) {
    let nothing: sd_event_time_handler_t = { _, _, _ in 0 }
    let accuracy = Limits.timerAccuracyMicroseconds
    try Self.check(
      sd_event_add_time(
        event, &wakeTimer, CLOCK_REALTIME, UInt64.max, accuracy, nothing, context))
    try Self.check(
      sd_event_add_time(
        event, &tickTimer, CLOCK_BOOTTIME, UInt64.max, accuracy, nothing, context))
    for timer in [wakeTimer, tickTimer] {
      try Self.check(sd_event_source_set_enabled(timer, Int32(SD_EVENT_OFF)))
    }
    try addClockSteps()
  }

  /// A timer that never comes but is cancelled when the realtime clock is set (timerfd_create(2)).
  private func addClockSteps() throws(SystemError) {
    stepDescriptor = timerfd_create(
      CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard stepDescriptor >= 0 else { throw .last }
    try armClockSteps()
    var source: OpaquePointer?
    try Self.check(
      sd_event_add_io(
        event, &source, stepDescriptor, EPOLLIN.rawValue,
        { _, descriptor, _, context in
          var count: UInt64 = 0
          // ECANCELED is what is waited for; the turn that follows reads the clocks.
          _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
          do throws(SystemError) {
            try EventSources.from(context).armClockSteps()
          } catch {
            return -error.code
          }
          return 0
        }, context))
  }

  private func armClockSteps() throws(SystemError) {
    var time = itimerspec()
    time.it_value.tv_sec = Int.max
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    guard timerfd_settime(stepDescriptor, flags, &time, nil) == 0 else { throw .last }
  }

  /// A ping is due twice in each interval.
  func addWatchdog(intervalMicroseconds: UInt64) throws(SystemError) {
    watchdogInterval = intervalMicroseconds / 2
    try Self.check(
      sd_event_add_time_relative(
        event, &watchdogTimer, CLOCK_MONOTONIC, watchdogInterval,
        Limits.timerAccuracyMicroseconds,
        { timer, _, context in
          let sources = EventSources.from(context)
          sources.happened.watchdog = true
          sd_event_source_set_time_relative(timer, sources.watchdogInterval)
          return sd_event_source_set_enabled(timer, Int32(SD_EVENT_ONESHOT))
        }, context))
    try Self.check(
      sd_event_source_set_priority(watchdogTimer, Int64(SD_EVENT_PRIORITY_IMPORTANT)))
  }

  /// Wakes the loop when the realtime clock shows `target`, in milliseconds since 1970, and in
  /// any case before it has slept for longer than the limit. Called in each turn, so it leaves
  /// the timer alone where that will do.
  func wake(at target: Int64?, now: Int64) throws(SystemError) {
    let latest = now + Limits.sleepMillisecondsMax
    if let target, target < latest {
      guard armedWake != target else { return }
      armedWake = target
    } else {
      guard armedWake <= now || armedWake > latest else { return }
      armedWake = latest
    }
    try Self.set(wakeTimer, armedWake)
  }

  /// Wakes the loop so many milliseconds after boot, or somewhat earlier; `Int64.max`: not.
  func tick(at boottime: Int64, now: Int64) throws(SystemError) {
    let isArmed = armedTick > now && armedTick < Int64.max
    guard boottime < Int64.max else {
      if armedTick < Int64.max {
        armedTick = Int64.max
        try Self.set(tickTimer, nil)
      }
      return
    }
    if isArmed, armedTick <= boottime { return }
    armedTick = boottime
    try Self.set(tickTimer, boottime)
  }

  private static func set(_ timer: OpaquePointer?, _ milliseconds: Int64?) throws(SystemError) {
    guard let milliseconds else {
      try check(sd_event_source_set_enabled(timer, Int32(SD_EVENT_OFF)))
      return
    }
    try check(sd_event_source_set_time(timer, UInt64(max(0, milliseconds)) * 1000))
    try check(sd_event_source_set_enabled(timer, Int32(SD_EVENT_ONESHOT)))
  }

  /// Waits until something happens, or only looks.
  func wait(blocking: Bool) throws(SystemError) {
    let result = sd_event_run(event, blocking ? UInt64.max : 0)
    guard result < 0, result != -EINTR else { return }
    throw SystemError(code: -result)
  }

  func takeHappened() -> Happened {
    guard happened.stop || happened.reload || happened.watchdog || !happened.listeners.isEmpty
    else { return happened }
    let taken = happened
    happened = Happened()
    return taken
  }
}
