/// The daemon, for tasks: calls are awaited, made on a thread of the client's own, one after the
/// other over one connection. A connection that has ended is made anew by the next call; a call
/// that only reads is then sent once more by itself.
///
/// ```
/// let client = RenewdClient()
/// let check = try await client.call(.check(account: "u1", entitlement: "pro"))
/// ```
public actor RenewdClient {
  /// Where the daemon listens.
  public nonisolated let address: SocketAddress

  private nonisolated let executor = ThreadExecutor()
  private let wait: Duration
  private var open: (connection: Connection, interrupt: Interrupt)?
  /// Whether a call has waited in vain: those behind it need not do the same, one by one.
  private var hasWaited = false

  /// Connects at the first call. `wait` is how long a call waits for a daemon that is starting;
  /// where it did not come by then, later calls try once, until one finds it there.
  public init(
    address: SocketAddress = .standard, waitingUpTo wait: Duration = ClientLimits.connectWait
  ) {
    self.address = address
    self.wait = wait
  }

  deinit {
    executor.stop()
  }

  /// The client's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Sends a call and awaits its answer. Cancelling the task ends the wait with `.interrupted`,
  /// while the daemon may still do what was asked.
  public func call<Result>(_ call: Call<Result>) async throws(ClientError) -> Result {
    do throws(ClientError) {
      return try await attempt(call)
    } catch .transport(.closed) where call.isRead {
      return try await attempt(call)
    }
  }

  /// Sends calls of one kind together and awaits their answers, each with its own refusal.
  public func call<Result>(
    _ calls: [Call<Result>]
  ) async throws(ClientError) -> [Swift.Result<Result, RenewdError>] {
    try await connected { (connection) throws(ClientError) in
      var pending: [PendingCall<Result>] = []
      for call in calls {
        pending.append(
          try ClientError.wrapping { () throws(TransportError) in try connection.send(call) })
      }
      var answers: [Swift.Result<Result, RenewdError>] = []
      for call in pending {
        do throws(ClientError) {
          answers.append(.success(try connection.receive(call)))
        } catch {
          guard case .refused(let refusal) = error else { throw error }
          answers.append(.failure(refusal))
        }
      }
      return answers
    }
  }

  /// Events as they happen, over connections of their own. `since` is exclusive, 0 is the whole
  /// log; without it the present state comes first. `signed` adds signed forms. `patience` is how
  /// long a watch tries to reach a daemon that has gone; nil is for ever.
  public nonisolated func watch(
    account: String? = nil, since: Int64? = nil, signed: Bool = false,
    patience: Duration? = nil
  ) -> Watch {
    Watch(
      address: address, account: account, since: since, signed: signed, patience: patience)
  }

  private func attempt<Result>(_ call: Call<Result>) async throws(ClientError) -> Result {
    try await connected { (connection) throws(ClientError) in try connection.call(call) }
  }

  /// Calls `body` with a connection; drops the connection if that fails.
  private func connected<Value>(
    _ body: (Connection) throws(ClientError) -> Value
  ) async throws(ClientError) -> Value {
    let interrupt = try interruptOfConnection()
    let outcome: Swift.Result<Value, ClientError> = await withTaskCancellationHandler {
      do throws(ClientError) {
        return .success(try body(try connection(interrupt)))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      interrupt.trigger()
    }
    if case .failure(.transport) = outcome { open = nil }
    // Cancelled just after its answer came: the connection must not carry that to the next call.
    if Task.isCancelled { open = nil }
    return try outcome.get()
  }

  private func interruptOfConnection() throws(ClientError) -> Interrupt {
    if let open { return open.interrupt }
    return try ClientError.wrapping { () throws(TransportError) in try Interrupt() }
  }

  private func connection(_ interrupt: Interrupt) throws(ClientError) -> Connection {
    if let open { return open.connection }
    let made: Connection
    do throws(TransportError) {
      made = try Connection(
        to: address, waitingUpTo: hasWaited ? .zero : wait, interrupt: interrupt)
    } catch {
      if case .unreachable = error { hasWaited = true }
      throw .transport(error)
    }
    hasWaited = false
    open = (made, interrupt)
    return made
  }
}
