/// What happens, as a sequence for tasks: reconnects and resumes after a restart of the daemon, and
/// ends only when its task is cancelled. Each iteration is a watch of its own.
///
/// ```
/// for try await item in client.watch(account: "u1") {
///   if case .event(let event) = item { print(event.kind) }
/// }
/// ```
public struct Watch: AsyncSequence, Sendable {
  public typealias Element = WatchItem
  public typealias Failure = ClientError

  let address: SocketAddress
  let account: String?
  let since: Int64?
  let signed: Bool
  let patience: Duration?

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: self) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private let watch: Watch
    private var worker: WatchWorker?
    private var hasEnded = false

    init(watch: Watch) {
      self.watch = watch
    }

    /// Awaits the next item; nil once the task is cancelled.
    public mutating func next() async throws(ClientError) -> WatchItem? {
      try await next(isolation: nil)
    }

    /// Awaits the next item; nil once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ClientError) -> WatchItem? {
      guard !hasEnded else { return nil }
      let worker = try startedWorker()
      let outcome = await withTaskCancellationHandler {
        await worker.next()
      } onCancel: {
        worker.interrupt.trigger()
      }
      switch outcome {
      case .success(let item): return item
      case .failure(.transport(.interrupted)):
        hasEnded = true
        return nil
      case .failure(let error):
        hasEnded = true
        throw error
      }
    }

    private mutating func startedWorker() throws(ClientError) -> WatchWorker {
      if let worker { return worker }
      let made = try WatchWorker.make(watch)
      worker = made
      return made
    }
  }
}

/// The thread on which a watch waits.
private actor WatchWorker {
  nonisolated let interrupt: Interrupt
  private nonisolated let executor = ThreadExecutor()
  private let session: WatchSession

  static func make(_ watch: Watch) throws(ClientError) -> WatchWorker {
    WatchWorker(watch, try ClientError.wrapping { () throws(TransportError) in try Interrupt() })
  }

  private init(_ watch: Watch, _ interrupt: Interrupt) {
    self.interrupt = interrupt
    session = WatchSession(
      address: watch.address, account: watch.account, since: watch.since,
      signed: watch.signed, patience: watch.patience, interrupt: interrupt)
  }

  deinit {
    executor.stop()
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func next() -> Result<WatchItem, ClientError> {
    do throws(ClientError) {
      return .success(try session.next())
    } catch {
      return .failure(error)
    }
  }
}
