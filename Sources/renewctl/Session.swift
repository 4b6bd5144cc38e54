import Client

/// The connection of one run of the program, made at the first call.
final class Session {
  let address: SocketAddress
  let wait: Duration
  let format: OutputFormat
  private var connection: Connection?

  init(address: SocketAddress, wait: Duration, format: OutputFormat) {
    self.address = address
    self.wait = wait
    self.format = format
  }

  /// The session that options and environment describe.
  convenience init(_ arguments: Arguments, _ environment: Environment) throws(Failure) {
    let text = arguments.value("socket") ?? environment.text("RENEWD_SOCKET")
    let address = try Failure.wrapping { () throws(TransportError) in
      if let text { try SocketAddress(text) } else { SocketAddress.standard }
    }
    guard !(arguments.has("json") && arguments.has("jsonl")) else {
      throw .usage("--json and --jsonl exclude one another")
    }
    self.init(
      address: address, wait: try Self.wait(arguments),
      format: arguments.has("json") ? .json : arguments.has("jsonl") ? .jsonLines : .people)
  }

  private static func wait(_ arguments: Arguments) throws(Failure) -> Duration {
    guard let text = arguments.value("wait") else { return ClientLimits.connectWait }
    guard let seconds = Double(text), seconds >= 0, seconds.isFinite, seconds < 1_000_000 else {
      throw .usage("--wait takes seconds, not \"\(text)\"")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  /// Sends a call and waits for its reply. A call that only reads is sent again when the daemon
  /// ended the connection, as one does that is being restarted.
  func ask<Result>(_ call: Call<Result>) throws(Failure) -> (reply: Reply, answer: Result) {
    do throws(ClientError) {
      return try connected().ask(call)
    } catch {
      if case .transport = error { connection = nil }
      guard call.isRead, error == .transport(.closed) else { throw Failure(error) }
    }
    return try Failure.wrapping { () throws(ClientError) in try connected().ask(call) }
  }

  /// Sends a call and waits for its reply; calls `meanwhile` at every `pause` until it is there.
  func ask<Result>(
    _ call: Call<Result>, each pause: Duration, _ meanwhile: () throws(Failure) -> Void
  ) throws(Failure) -> (reply: Reply, answer: Result) {
    let connection = try Failure.wrapping { () throws(ClientError) in try connect() }
    let pending = try Failure.wrapping { () throws(TransportError) in try connection.send(call) }
    while !(try Failure.wrapping { () throws(ClientError) in
      try connection.hasReply(within: pause)
    }) { try meanwhile() }
    let reply = try Failure.wrapping { () throws(ClientError) in
      try connection.reply(to: pending)
    }
    return (reply, try Failure.wrapping { () throws(TransportError) in try reply.answer() })
  }

  /// Sends a call, for its answer only.
  func answer<Result>(_ call: Call<Result>) throws(Failure) -> Result { try ask(call).answer }

  /// Sends a call with `more`, on a connection of its own.
  func stream<Result>(_ call: Call<Result>) throws(Failure) -> ReplyStream<Result> {
    try Failure.wrapping { () throws(ClientError) in try connect().stream(call) }
  }

  private func connected() throws(ClientError) -> Connection {
    if let connection { return connection }
    let made = try connect()
    connection = made
    return made
  }

  private func connect() throws(ClientError) -> Connection {
    do throws(TransportError) {
      return try Connection(to: address, waitingUpTo: wait)
    } catch {
      throw .transport(error)
    }
  }
}
