import Glibc
import Varlink

/// One connection to the daemon: the blocking core of the client. Calls are answered in the order
/// they were sent; several may be under way. It belongs to one thread at a time and closes when
/// the last reference goes.
///
/// A connection that failed once stays failed: every later use throws `.closed`.
public final class Connection {
  /// How long a reply may take; nil, the default, waits as long as the daemon works.
  public var timeout: Duration?

  private let descriptor: Int32
  private let interrupt: Interrupt?
  private var framer = VarlinkFramer(messageBytesMax: VarlinkLimits.replyBytesMax)
  /// A message that `hasReply` found.
  private var arrived: [UInt8]?
  private var isBroken = false
  /// Calls sent, and calls whose last reply was taken.
  private var sent: UInt64 = 0
  private var answered: UInt64 = 0

  /// Connects. While nobody listens it tries again, up to `wait`, since the daemon may be
  /// starting. `interrupt` ends any wait from another thread.
  public init(
    to address: SocketAddress = .standard, waitingUpTo wait: Duration = ClientLimits.connectWait,
    interrupt: Interrupt? = nil
  ) throws(TransportError) {
    descriptor = try SocketConnector(address: address, wait: wait, interrupt: interrupt).connect()
    self.interrupt = interrupt
  }

  deinit {
    Glibc.close(descriptor)
  }

  // MARK: Calls

  /// Sends a call and waits for its answer. No other call may be under way.
  public func call<Result>(_ call: Call<Result>) throws(ClientError) -> Result {
    try receive(try ClientError.wrapping { () throws(TransportError) in try send(call) })
  }

  /// Sends a call and waits for its answer, together with the reply as it came.
  public func ask<Result>(
    _ call: Call<Result>
  ) throws(ClientError) -> (reply: Reply, answer: Result) {
    let reply = try reply(
      to: try ClientError.wrapping { () throws(TransportError) in try send(call) })
    return (reply, try ClientError.wrapping { () throws(TransportError) in try reply.answer() })
  }

  /// Sends a call without waiting for its answer, which `receive` fetches later.
  public func send<Result>(_ call: Call<Result>) throws(TransportError) -> PendingCall<Result> {
    try send(call, more: false)
    return PendingCall(number: sent)
  }

  /// Waits for the answer of a call. Answers are received in the order the calls were sent;
  /// anything else is a programmer's error.
  public func receive<Result>(_ pending: PendingCall<Result>) throws(ClientError) -> Result {
    let reply = try reply(to: pending)
    return try ClientError.wrapping { () throws(TransportError) in try reply.answer() }
  }

  /// Waits for the reply of a call, errors of the daemon thrown, without reading its parameters.
  public func reply<Result>(to pending: PendingCall<Result>) throws(ClientError) -> Reply {
    precondition(pending.number == answered + 1, "answers are received in the order of the calls")
    return try nextReply()
  }

  /// Waits until the next reply has arrived, at most for `pause`; whether it has.
  public func hasReply(within pause: Duration) throws(ClientError) -> Bool {
    try ClientError.wrapping { () throws(TransportError) in
      let deadline = ContinuousClock.now + pause
      while arrived == nil {
        arrived = try takeMessage()
        if arrived != nil { continue }
        if try read(flags: Int32(MSG_DONTWAIT)) { continue }
        guard try wait(for: Int16(POLLIN), until: deadline) != 0 else { return false }
      }
      return true
    }
  }

  /// Sends a call with `more` and gives its replies one by one.
  public func stream<Result>(
    _ call: Call<Result>
  ) throws(ClientError) -> ReplyStream<Result> {
    try ClientError.wrapping { () throws(TransportError) in try send(call, more: true) }
    return ReplyStream(connection: self, number: sent)
  }

  /// The next reply to the oldest call under way.
  func nextReply() throws(ClientError) -> Reply {
    precondition(answered < sent, "no call is under way")
    let (reply, parameters) = try ClientError.wrapping { () throws(TransportError) in
      let reply = try Reply(message: try nextMessage())
      return (reply, reply.errorName == nil ? JSONObject() : try reply.parameters())
    }
    if !reply.continues { answered += 1 }
    if let name = reply.errorName {
      throw .refused(RenewdError(name: name, parameters: parameters))
    }
    return reply
  }

  // MARK: Bytes

  private func send<Result>(_ call: Call<Result>, more: Bool) throws(TransportError) {
    guard !isBroken else { throw .closed }
    try write(
      VarlinkMessage.encodeCall(
        method: call.method, parametersText: call.parameters, more: more))
    sent += 1
  }

  /// Writes all bytes. Takes replies in meanwhile: the daemon stops reading from a client that
  /// does not read from it.
  private func write(_ bytes: [UInt8]) throws(TransportError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + written, bytes.count - written,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        let events = try wait(for: Int16(POLLIN | POLLOUT), until: nil)
        if events & Int16(POLLIN) != 0 { try read(flags: Int32(MSG_DONTWAIT)) }
      } else if errno != EINTR {
        throw broken(errno == EPIPE || errno == ECONNRESET ? .closed : .last("send"))
      }
    }
  }

  private func nextMessage() throws(TransportError) -> [UInt8] {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      if let message = try takeMessage() { return message }
      guard interrupt != nil || deadline != nil else {
        // Nothing but the socket to wait for: the kernel waits in the same call.
        try read(flags: 0)
        continue
      }
      if try read(flags: Int32(MSG_DONTWAIT)) { continue }
      guard try wait(for: Int16(POLLIN), until: deadline) != 0 else {
        throw broken(.timedOut(after: timeout ?? .zero))
      }
    }
  }

  /// The next message that has arrived whole.
  private func takeMessage() throws(TransportError) -> [UInt8]? {
    if let message = arrived {
      arrived = nil
      return message
    }
    do throws(VarlinkError) {
      if let range = try framer.next() { return Array(framer.buffer[range]) }
    } catch {
      throw broken(.malformedReply(error))
    }
    guard !isBroken else { throw .closed }
    return nil
  }

  /// Takes in what has arrived; false when nothing has.
  @discardableResult
  private func read(flags: Int32) throws(TransportError) -> Bool {
    let chunk = ClientLimits.readBytesMax
    while true {
      var count = 0
      framer.append(bytesMax: chunk) { span in
        span.withUnsafeMutableBufferPointer { buffer, initialized in
          count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
          initialized = max(count, 0)
        }
      }
      if count > 0 { return true }
      if count == 0 || errno == ECONNRESET { throw broken(.closed) }
      if errno == EAGAIN { return false }
      if errno != EINTR { throw broken(.last("recv")) }
    }
  }

  /// Waits until the socket is ready and says for what; 0 when the deadline has passed.
  private func wait(
    for events: Int16, until deadline: ContinuousClock.Instant?
  ) throws(TransportError) -> Int16 {
    while true {
      // Without an interrupt the second entry is ignored: poll skips negative descriptors.
      var polled = [
        pollfd(fd: descriptor, events: events, revents: 0),
        pollfd(fd: interrupt?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let pause = deadline.map { Poll.milliseconds($0 - .now) } ?? -1
      let count = poll(&polled, nfds_t(polled.count), pause)
      if polled[1].revents != 0 { throw broken(.interrupted) }
      if count >= 0 { return count == 0 ? 0 : polled[0].revents }
      if errno != EINTR { throw broken(.last("poll")) }
    }
  }

  /// Notes that the connection cannot be used any more.
  private func broken(_ error: TransportError) -> TransportError {
    isBroken = true
    return error
  }
}

extension TransportError {
  /// The failure of the call that has just set errno.
  static func last(_ call: String) -> TransportError { .system(call: call, code: errno) }
}

/// A call whose answer has not been received.
public struct PendingCall<Result: Parameters>: Sendable {
  /// The how-manieth call of its connection it is.
  let number: UInt64
}

/// The replies to a call that was sent with `more`, one by one.
public struct ReplyStream<Result: Parameters> {
  private let connection: Connection
  private let number: UInt64
  private var hasEnded = false

  init(connection: Connection, number: UInt64) {
    self.connection = connection
    self.number = number
  }

  /// Waits for the next reply; nil after the last. `isLast` tells the last one.
  public mutating func nextReply() throws(ClientError) -> Reply? {
    guard !hasEnded else { return nil }
    do throws(ClientError) {
      let reply = try connection.nextReply()
      hasEnded = !reply.continues
      return reply
    } catch {
      hasEnded = true
      throw error
    }
  }

  /// Waits for the next answer; nil after the last.
  public mutating func next() throws(ClientError) -> Result? {
    guard let reply = try nextReply() else { return nil }
    return try ClientError.wrapping { () throws(TransportError) in try reply.answer() }
  }
}
