/// What a watch tells.
public enum WatchItem: Hashable, Sendable {
  /// The present state of one subscription; before the seam of a watch without a cursor.
  case subscription(Subscription)
  /// The present state is told; events follow from here on.
  case seam(sequence: Int64)
  case event(Event)
  /// Nothing happened up to here.
  case heartbeat(sequence: Int64)
}

/// A watch that goes on after the daemon was restarted: it reconnects and resumes after the last
/// event it told, so that none is missed and none is told twice. If a connection ends before the
/// seam, the present state is told from its beginning.
///
/// It blocks, belongs to one thread at a time, and never ends by itself.
public final class WatchSession {
  /// The last sequence told; where a new watch would go on. Nil before the seam.
  public private(set) var cursor: Int64?
  /// The reply that the last item was made of.
  public private(set) var lastReply: Reply?

  private let address: SocketAddress
  private let account: String?
  private let isSigned: Bool
  private let patience: Duration?
  private let interrupt: Interrupt?
  private var stream: ReplyStream<WatchReply>?

  /// Watches an account, or all of them. `since` is exclusive, 0 is the whole log; without it the
  /// present state comes first. `signed` adds signed forms. `patience` is how long it tries to
  /// reach a daemon that has gone before it throws; nil is for ever.
  public init(
    address: SocketAddress = .standard, account: String? = nil, since: Int64? = nil,
    signed: Bool = false, patience: Duration? = nil, interrupt: Interrupt? = nil
  ) {
    self.address = address
    self.account = account
    isSigned = signed
    self.patience = patience
    self.interrupt = interrupt
    cursor = since
  }

  /// Waits for the next item.
  public func next() throws(ClientError) -> WatchItem {
    var failingSince: ContinuousClock.Instant?
    var pause: Duration = .milliseconds(5)
    while true {
      do throws(ClientError) {
        if let item = try nextOfStream() { return item }
      } catch {
        guard case .transport(let transport) = error, transport.isPassing else { throw error }
        let start = failingSince ?? .now
        failingSince = start
        if let patience, start.duration(to: .now) + pause > patience { throw error }
      }
      stream = nil
      try ClientError.wrapping { () throws(TransportError) in
        try SocketConnector.sleep(pause, interrupt: interrupt)
      }
      pause = min(pause * 2, ClientLimits.watchPauseMax)
    }
  }

  /// The next item of the connection there is or can be made; nil when its last reply was taken.
  private func nextOfStream() throws(ClientError) -> WatchItem? {
    if stream == nil {
      let connection = try ClientError.wrapping { () throws(TransportError) in
        try Connection(to: address, waitingUpTo: .zero, interrupt: interrupt)
      }
      stream = try connection.stream(
        .watch(account: account, since: cursor, signed: isSigned ? true : nil))
    }
    guard let reply = try stream?.nextReply() else { return nil }
    let answer: WatchReply = try ClientError.wrapping { () throws(TransportError) in
      try reply.answer()
    }
    lastReply = reply
    return item(of: answer, continues: reply.continues)
  }

  private func item(of reply: WatchReply, continues: Bool) -> WatchItem {
    if let subscription = reply.subscription { return .subscription(subscription) }
    let isSeam = cursor == nil && continues
    // A daemon that stops before the seam gives no cursor: the rest of the state was not told.
    if cursor != nil || continues { cursor = reply.sequence }
    if let event = reply.event { return .event(event) }
    return isSeam ? .seam(sequence: reply.sequence) : .heartbeat(sequence: reply.sequence)
  }
}

extension TransportError {
  /// A daemon that is being restarted shows itself by these.
  var isPassing: Bool {
    switch self {
    case .closed, .unreachable: true
    case .addressEmpty, .addressTooLong, .permissionDenied, .timedOut, .interrupted, .system,
      .malformedReply, .unexpectedAnswer:
      false
    }
  }
}
