import AppStore
import EventLog
import Subscriptions
import Varlink

/// The daemon's core: everything it decides, without a socket, a disk or a clock. Its shell tells
/// it what has come in and carries out what it puts out; the same inputs give the same outputs.
///
/// One thread owns it. It holds the whole state and the open batch; it never waits.
public final class Engine {
  let books: Books
  public var state: State { books.state }
  var appender: LogAppender
  public internal(set) var configuration: Configuration
  let signing: Signing
  let service: VarlinkService
  var sessions: [ConnectionID: Session] = [:]
  /// Connections in the order in which they came, so that nothing depends on a table's order.
  var order: [ConnectionID] = []
  var outputs: [Output] = []
  var dirty: [ConnectionID] = []
  /// Connections with whole calls that this turn had no more time for.
  var backlog: [ConnectionID] = []
  var reading = ClockReading(realtime: 0, boottime: 0)
  let boot: UUIDBits
  /// Whether the machine's clock shows what no clock may show.
  var isClockWrong = false
  /// realtime − boottime as last seen, nil before the first turn.
  var drift: Int64?
  var isWriting = false
  /// A batch that had no space, and when to try it again on the machine's clock.
  var deferred: (batch: SealedBatch, at: Int64)?
  /// The first event whose batch is not sealed.
  var firstUnsealed: UInt64
  var isFailed = false
  /// When the stop began, milliseconds since the boot; nil before it.
  var stoppedAt: Int64?
  var hasExited = false
  /// New purchases are refused for want of space.
  var isDiskFull = false
  /// Why a segment to be kept in reserve could not be made; nil where all are there.
  var spaceLack: DiskError?
  /// Signed facts since the start that were here before.
  var duplicateCount: UInt64 = 0
  var requests = RequestTable()
  var recent = RecentEvents()
  var watchers: [ConnectionID] = []
  /// A watch's reader has taken something and may have room for more.
  var needsFeed = false
  var reads: [ReadID: ConnectionID] = [:]
  /// Reads that wait until what they ask for is durable.
  var waitingReads: [(sequence: UInt64, id: ReadID, request: ReadRequest)] = []
  var nextReadID: ReadID = 1
  /// The connections that wait for the end of a clock's advance.
  var advanceWaiters: [ClockNumber: [ConnectionID]] = [:]
  var snapshotSequence: UInt64
  var isSnapshotting = false
  var check = BackgroundCheck()
  /// What is known to be wrong in the log, with its place; nil for nothing.
  var damage: String?
  /// Due work waits until then, on the machine's clock, where even the reserve is used up.
  var dueBlockedUntil: Int64 = 0
  var status = StatusLine()
  var journal = JournalQueue()
  var lastWake: Instant?
  var segments: Int
  var logBytes: UInt64

  public init(
    _ recovered: RecoveredState, configuration: Configuration, boot: UUIDBits, signing: Signing
  ) {
    books = Books(recovered.state, policies: configuration.policies)
    appender = recovered.appender
    requests = recovered.requests
    snapshotSequence = recovered.snapshotSequence
    segments = recovered.segments
    logBytes = recovered.bytes
    firstUnsealed = recovered.appender.nextSequence
    self.configuration = configuration
    self.boot = boot
    self.signing = signing
    var service = Engine.described
    service.identity.version = configuration.version
    self.service = service
    spaceLack = recovered.spaceLack
    if spaceLack != nil { noteFullDisk() }
  }

  var durable: UInt64 { appender.durableSequence }

  /// The interfaces, parsed once however many engines a process makes: a test makes many.
  private static let described: VarlinkService = {
    var service = VarlinkService(
      .init(
        vendor: "renewd", product: "renewd", version: "",
        url: "file:///usr/share/doc/renewd/README.md"))
    for description in InterfaceTexts.descriptions {
      do throws(InterfaceError) {
        try service.register(description)
      } catch {
        preconditionFailure("an interface's description is wrong: \(error)")
      }
    }
    return service
  }()

  // MARK: A turn

  func beginTurn(_ reading: ClockReading) {
    self.reading = reading
    appender.recorded = reading.realtime
    observeClocks()
    moveSystemClock()
  }

  /// Ends a turn: a slice of what is due, calls that are left, watches, a batch for the writer.
  func endTurn() {
    guard !hasExited else { return }
    if !isFailed {
      retryDeferred()
      if !isStopping { doDueWork() }
      serveBacklog()
      needsFeed = false
      feedWatches()
      sendBatch()
      releaseReads()
      snapshotIfDue()
      checkIfDue()
    }
    finishStopping()
    tellJournal()
    outputStatus()
    outputWake()
  }

  /// Whether another turn should begin at once.
  public var hasMoreWork: Bool {
    guard !isFailed, !hasExited else { return false }
    let hasBatch = appender.openRecordCount > 0 || appender.sealedCount > 0
    return !backlog.isEmpty || needsFeed || (hasBatch && !isWriting && deferred == nil)
      || (hasDueWork && !isStopping)
  }

  /// The connections to which something may be sent since the last look.
  public func takeDirty() -> [ConnectionID] {
    let taken = dirty
    dirty.removeAll(keepingCapacity: true)
    for id in taken { sessions[id]?.isDirty = false }
    return taken
  }

  // MARK: Connections

  func connect(_ id: ConnectionID, peer: Peer) {
    let roles = configuration.roles(of: peer)
    sessions[id] = Session(
      id: id, peer: peer, roles: roles,
      messageBytesMax: roles.contains(.admin)
        ? VarlinkLimits.importRequestBytesMax : VarlinkLimits.requestBytesMax)
    sessions[id]?.activeAt = reading.boottime
    order.append(id)
  }

  func receive(_ id: ConnectionID, _ bytes: [UInt8], _ count: Int) {
    guard let session = sessions[id], !session.isClosing else { return }
    bytes.withUnsafeBytes {
      session.framer.append(UnsafeRawBufferPointer(rebasing: $0[0..<count]))
    }
    session.activeAt = reading.boottime
    if session.isServing { serve(session) } else { refuseWhileBusy(session) }
  }

  func disconnect(_ id: ConnectionID) {
    guard sessions.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
    watchers.removeAll { $0 == id }
    for clock in advanceWaiters.keys { advanceWaiters[clock]?.removeAll { $0 == id } }
  }

  /// Calls `body` with what may be sent; `Input.sent` says how much of it was. Nil where there is
  /// nothing.
  public func withOutput<Value>(
    of id: ConnectionID, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    guard let session = sessions[id], session.released > session.sent else { return nil }
    let range = session.sent..<session.released
    return session.output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  func sent(_ count: Int, to id: ConnectionID) {
    guard let session = sessions[id], session.released > session.sent else { return }
    session.sent += count
    if count > 0, case .watching = session.mode { needsFeed = true }
    if session.sent == session.output.count {
      session.output.removeAll(keepingCapacity: session.output.count <= Limits.outputBytesMax)
      session.sent = 0
      session.released = 0
    }
    guard session.sent >= session.released else { return }
    if session.isClosing, session.holds.isEmpty { outputs.append(.close(id)) }
    if session.isServing, !session.isClosing, session.framer.pendingBytes > 0 {
      addBacklog(session)
    }
  }

  /// Whether more bytes should be read from the connection now.
  public func isReading(_ id: ConnectionID) -> Bool {
    guard let session = sessions[id], !session.isClosing else { return false }
    return session.framer.pendingBytes <= session.framer.messageBytesMax
      && session.unsentBytes <= Limits.outputBytesMax
  }

  func markDirty(_ session: Session) {
    guard !session.isDirty, session.released > session.sent || session.isClosing else { return }
    session.isDirty = true
    dirty.append(session.id)
  }

  func addBacklog(_ session: Session) {
    guard !session.isInBacklog else { return }
    session.isInBacklog = true
    backlog.append(session.id)
  }
}
