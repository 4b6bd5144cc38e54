import CLinux
import Engine
import EventLog
import Glibc

/// Runs the engine: waits, tells it in one turn all that came in, carries out what it puts out,
/// sends what it wrote. The only thread that touches the engine and the connections.
final class EventLoop {
  let engine: Engine
  let writer: WriterThread
  let reader: ReaderThread
  let journal: Journal
  /// Reads the configuration again.
  let readConfiguration: () -> Result<Configuration, ConfigurationError>

  var manager: ServiceManager
  var connections: ConnectionTable
  let sources: EventSources
  let waker: Waker
  var listeners: [ListeningSocket]

  /// What epoll reports in one turn, and the bytes of one read.
  private let ready: UnsafeMutableBufferPointer<epoll_event>
  private var buffer = [UInt8](repeating: 0, count: Limits.readByteCount)
  /// What the engine wants done, until its place in the turn.
  private var outputs: [Output] = []
  /// Connections whose bytes are not read at present.
  private var paused: [ConnectionID] = []
  /// Connections whose output can go on, found in this turn.
  private var writable: [ConnectionID] = []
  /// Connections that end with this turn: all their bytes have gone or they are gone themselves.
  private var ended: [ConnectionID] = []
  private var closing: [ConnectionID] = []
  /// Connections whose client sends nothing more and may still read.
  private var halfClosed: [ConnectionID] = []
  var wakeTarget: Int64?
  var boottime: Int64 = 0
  var acceptPausedUntil: Int64 = 0
  var refusals = RefusalNotices()
  /// Ready is said, and connections are taken, once what the start brought is done and durable.
  private(set) var isReady = false
  private var engineStatus = ""
  /// Why the configuration that is on disk is not the one in force.
  var refusedConfiguration: String?
  private var lastProgress: Int64 = 0
  private var lastSweep: Int64 = 0
  private var writesUnderWay = 0
  /// Where the time of the clock `default` is kept for other programs.
  private var clockFile: ClockFile?
  private let announce: () throws(SystemError) -> Void
  var isStopping = false
  var isReloadAsked = false
  var exitStatus: Int32?

  init(
    engine: Engine, writer: WriterThread, reader: ReaderThread, waker: Waker, journal: Journal,
    manager: ServiceManager, listeners: [ListeningSocket], connectionsMax: Int,
    clockFile: ClockFile?,
    readConfiguration: @escaping () -> Result<Configuration, ConfigurationError>,
    announce: @escaping () throws(SystemError) -> Void
  ) throws(SystemError) {
    self.engine = engine
    self.writer = writer
    self.reader = reader
    self.waker = waker
    self.journal = journal
    self.manager = manager
    self.listeners = listeners
    self.clockFile = clockFile
    self.readConfiguration = readConfiguration
    self.announce = announce
    connections = try ConnectionTable(
      countMax: connectionsMax, countPerUserMax: Limits.connectionsPerUserMax,
      reserved: Limits.connectionsReserved)
    sources = try EventSources()
    ready = .allocate(capacity: Limits.readyPerTurnMax)
    try addSources()
  }

  deinit {
    ready.deallocate()
  }

  private func addSources() throws(SystemError) {
    try sources.addSignals()
    try sources.addTimers()
    try sources.addConnections(connections.descriptor)
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
    let code = epoll_ctl(
      connections.descriptor, EPOLL_CTL_ADD, waker.descriptor, &event)
    guard code == 0 else { throw .last }
  }

  /// Turns until the engine wants to leave.
  ///
  /// - Returns: the exit status.
  func run() throws(SystemError) -> Int32 {
    var turnsSinceLook = 0
    var readyCount = 0
    // What the start has put into the engine wants to be written.
    try turn(0)
    while exitStatus == nil {
      let isBusy = engine.hasMoreWork || isReloadAsked
      var isLookDue = turnsSinceLook >= Limits.turnsBetweenLooks
      if !isLookDue, isBusy || readyCount > 1 {
        readyCount = try poll()
        turnsSinceLook += 1
        isLookDue = readyCount == 0 && !isBusy
      } else {
        isLookDue = true
      }
      if isLookDue {
        turnsSinceLook = 0
        try sources.wait(blocking: !isBusy)
        readyCount = try poll()
      }
      try turn(readyCount)
    }
    drain()
    return exitStatus ?? 0
  }

  /// What has become ready on connections; never waits.
  private func poll(milliseconds: Int32 = 0) throws(SystemError) -> Int {
    let count = retrying {
      epoll_wait(connections.descriptor, ready.baseAddress, Int32(ready.count), milliseconds)
    }
    guard count >= 0 else { throw .last }
    return Int(count)
  }

  private func turn(_ readyCount: Int) throws(SystemError) {
    let reading = MachineClock.reading()
    boottime = reading.boottime
    step(.turn(reading))
    try takeHappened()
    takeReady(readyCount)
    if isReloadAsked { reload() }
    step(.end)
    // Before anything of this turn goes out: who hears of a moment finds the clock there.
    try clockFile?.follow(engine, journal)
    try performOutputs()
    for id in engine.takeDirty() { send(id) }
    for id in writable { send(id) }
    writable.removeAll(keepingCapacity: true)
    // What has gone out may let connections close.
    try performOutputs()
    if boottime - lastSweep >= Limits.sweepMilliseconds { sweep() }
    endConnections()
    resumeReading()
    try tick(realtime: reading.realtime)
    if !isReady { try becomeReady() }
  }

  /// Goes into service when nothing of the start is left to do or to write.
  private func becomeReady() throws(SystemError) {
    guard !isStopping, exitStatus == nil else { return }
    guard !engine.hasMoreWork, writesUnderWay == 0 else {
      if boottime - lastProgress >= Limits.progressMilliseconds {
        lastProgress = boottime
        manager.starting(status: "catching up with what fell due")
      }
      return
    }
    isReady = true
    for listener in listeners { try sources.addListener(listener.descriptor) }
    if let interval = manager.watchdogMicroseconds {
      try sources.addWatchdog(intervalMicroseconds: interval)
    }
    manager.ready(status: status)
    try announce()
  }

  /// The status line: the engine's, and what it cannot know.
  var status: String {
    guard let refusedConfiguration else { return engineStatus }
    return "\(engineStatus) · old configuration kept: \(refusedConfiguration)"
  }

  // MARK: What came in

  private func takeHappened() throws(SystemError) {
    let happened = sources.takeHappened()
    if happened.watchdog { pingWatchdog() }
    if happened.reload { isReloadAsked = true }
    if happened.stop { try stop() }
    for listener in happened.listeners { try accept(listener) }
  }

  private func takeReady(_ count: Int) {
    for index in 0..<count {
      let id = ready[index].data.u64
      let events = ready[index].events
      if id == 0 {
        waker.take()
        takeReports()
        continue
      }
      guard let place = connections.place(id) else { continue }
      if events & EPOLLOUT.rawValue != 0 { writable.append(id) }
      let isGone = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
      if connections[place].interest & EPOLLIN.rawValue != 0 {
        if events & ~EPOLLOUT.rawValue != 0 { receive(id, place, isGone: isGone) }
      } else if isGone {
        ended.append(id)
      }
    }
  }

  private func receive(_ id: ConnectionID, _ place: Int, isGone: Bool) {
    let descriptor = connections[place].descriptor
    let count = retrying {
      buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    }
    if count > 0 {
      connections.noteReceived(place, boottime)
      step(.received(id, buffer, count: count))
      if !engine.isReading(id) { pause(id) }
    } else if count == 0, !isGone {
      connections.setInterest(place, connections[place].interest & ~EPOLLIN.rawValue)
      halfClosed.append(id)
    } else if count == 0 || errno != EAGAIN {
      ended.append(id)
    }
  }

  private func pause(_ id: ConnectionID) {
    guard let place = connections.place(id) else { return }
    connections.setInterest(place, connections[place].interest & ~EPOLLIN.rawValue)
    paused.append(id)
  }

  private func resumeReading() {
    guard !paused.isEmpty else { return }
    paused.removeAll { id in
      guard let place = connections.place(id) else { return true }
      guard connections[place].closeDeadline == 0 else { return true }
      guard engine.isReading(id) else { return false }
      connections.setInterest(place, connections[place].interest | EPOLLIN.rawValue)
      return true
    }
  }

  private func takeReports() {
    for report in writer.takeReports() {
      if case .spares = report {} else { writesUnderWay -= 1 }
      switch report {
      case .written(let summary, let receipt):
        reader.extend(summary)
        step(.written(summary, receipt))
      case .failed(let batch, let error):
        step(.failed(batch, error))
      case .spares(let count, let lack):
        step(.spares(count, lack: lack))
      }
    }
    for report in reader.takeReports() { step(.read(report.id, report.result)) }
  }

  // MARK: What goes out

  /// Tells the engine what came in; what it wants done waits for its place in the turn.
  func step(_ input: Input) {
    outputs += engine.step(input)
  }

  private func performOutputs() throws(SystemError) {
    let taken = outputs
    outputs.removeAll()
    for output in taken {
      switch output {
      case .write(let batch):
        writesUnderWay += 1
        writer.write(batch)
      case .read(let id, let request): reader.read(id, request)
      case .wake(let instant): wakeTarget = instant?.milliseconds
      case .status(let text):
        engineStatus = text
        if isReady { manager.status(status) }
      case .notice(let notice): journal.send(notice)
      case .close(let id): beginClosing(id)
      case .reload: isReloadAsked = true
      case .exit(let status): exitStatus = status
      }
    }
  }

  /// One send; what the kernel does not take waits until it says that it can.
  private func send(_ id: ConnectionID) {
    guard let place = connections.place(id) else { return }
    let descriptor = connections[place].descriptor
    var isWhole = true
    var isGone = false
    let sent = engine.withOutput(of: id) { bytes in
      let count = retrying {
        Glibc.send(
          descriptor, bytes.baseAddress, bytes.count,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      isGone = count < 0 && errno != EAGAIN
      isWhole = count == bytes.count
      return max(0, count)
    }
    if let sent { step(.sent(id, count: sent)) }
    if isGone {
      ended.append(id)
      return
    }
    let interest = connections[place].interest & ~EPOLLOUT.rawValue
    connections.setInterest(place, isWhole ? interest : interest | EPOLLOUT.rawValue)
  }

  /// Closes a connection once what was sent to it has gone, but not for ever.
  private func beginClosing(_ id: ConnectionID) {
    guard let place = connections.place(id), connections[place].closeDeadline == 0 else { return }
    connections.setCloseDeadline(place, boottime + Limits.closeMillisecondsMax)
    connections.setInterest(place, connections[place].interest & ~EPOLLIN.rawValue)
    closing.append(id)
  }

  /// Cuts connections that have kept a message half sent for too long: its bytes take memory
  /// that nobody else may have.
  private func sweep() {
    lastSweep = boottime
    let oldest = boottime - Limits.partialMillisecondsMax
    var partial: [ConnectionID] = []
    connections.forEach { entry in
      if entry.lastReceived < oldest, engine.isAmidMessage(entry.id) { partial.append(entry.id) }
    }
    ended += partial
    guard !partial.isEmpty else { return }
    let seconds = Limits.partialMillisecondsMax / 1000
    journal.send(
      Notice(
        .connectionRefused, .warning,
        "\(partial.count) connections were cut: half a message had come and nothing more for "
          + "\(seconds) s"))
  }

  private func endConnections() {
    for id in closing { send(id) }
    closing.removeAll { id in
      guard let place = connections.place(id) else { return true }
      let isWaiting = connections[place].interest & EPOLLOUT.rawValue != 0
      if isWaiting, connections[place].closeDeadline > boottime { return false }
      ended.append(id)
      return true
    }
    halfClosed.removeAll { id in
      guard connections.place(id) != nil else { return true }
      guard !engine.isOwing(id) else { return false }
      ended.append(id)
      return true
    }
    guard !ended.isEmpty else { return }
    for id in ended where connections.place(id) != nil {
      step(.gone(id))
      connections.close(id)
    }
    ended.removeAll(keepingCapacity: true)
  }

  /// When to wake without being asked to: at the engine's time, at the latest some time from now,
  /// since the machine may sleep or its clock be set; and for what waits here.
  private func tick(realtime: Int64) throws(SystemError) {
    // A time that has passed the engine has seen; it says when it wants to be woken next.
    let target = wakeTarget.flatMap { $0 > realtime ? $0 : nil }
    try sources.wake(at: target, now: realtime)
    var next = closing.isEmpty ? Int64.max : boottime + Limits.closeMillisecondsMax
    if acceptPausedUntil > 0 {
      if acceptPausedUntil <= boottime {
        acceptPausedUntil = 0
        try sources.setListening(true)
      } else {
        next = min(next, acceptPausedUntil)
      }
    }
    try sources.tick(at: next, now: boottime)
  }

  /// At the end: lets clients take their last bytes, for a moment.
  private func drain() {
    let end = boottime + Limits.drainMillisecondsMax
    while boottime < end {
      var waiting: [ConnectionID] = []
      connections.forEach { entry in
        if entry.interest & EPOLLOUT.rawValue != 0 { waiting.append(entry.id) }
      }
      guard !waiting.isEmpty else { return }
      _ = try? poll(milliseconds: 10)
      for id in waiting { send(id) }
      for id in ended { connections.close(id) }
      ended.removeAll()
      boottime = MachineClock.milliseconds(CLOCK_BOOTTIME)
    }
  }
}
