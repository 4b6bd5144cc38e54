import EventLog
import Subscriptions

/// What comes into the engine. The same inputs in the same order, to an engine that began from the
/// same log, come to the same outputs.
public enum Input: Sendable {
  /// The first turn of a process begins: a new log is given its first event, which fixes its role
  /// for good. What is to be done for it comes with the end of the turn, behind what the start has
  /// put into the log meanwhile.
  case started(ClockReading, Role, seed: UUIDBits)
  /// A turn begins with the one reading of the clocks that it goes by.
  case turn(ClockReading)
  /// A connection was accepted. Who is at its other end is fixed from here on.
  case connected(ConnectionID, Peer)
  /// Bytes came in, the first `count` of the array; any cut of the stream will do.
  case received(ConnectionID, [UInt8], count: Int)
  /// As many of the bytes that `withOutput` lends were sent.
  case sent(ConnectionID, count: Int)
  /// The connection is gone.
  case gone(ConnectionID)
  /// A batch has become durable.
  case written(BatchSummary, BatchReceipt)
  /// A batch could not be written.
  case failed(SealedBatch, LogError)
  /// The number of segments kept ready, and why there are no more of them.
  case spares(Int, lack: DiskError?)
  /// The reader has answered.
  case read(ReadID, ReadResult)
  /// The configuration was read again, or could not be.
  case reloaded(Result<Configuration, ReloadFailure>)
  /// The daemon is to leave.
  case stop
  /// The turn ends: what is left over is done, as far as one turn goes.
  case end
}

extension Engine {
  /// Takes one input in; what is to be done for it, in order.
  public func step(_ input: Input) -> [Output] {
    switch input {
    case .started(let reading, let role, let seed):
      start(reading, role: role, seed: seed)
      return []
    case .turn(let reading): beginTurn(reading)
    case .connected(let id, let peer): connect(id, peer: peer)
    case .received(let id, let bytes, let count): receive(id, bytes, count)
    case .sent(let id, let count): sent(count, to: id)
    case .gone(let id): disconnect(id)
    case .written(let summary, let receipt): batchWritten(summary, receipt)
    case .failed(let batch, let error): batchFailed(batch, error)
    case .spares(let count, let lack): sparesChanged(count, lack: lack)
    case .read(let id, let result): readFinished(id, result)
    case .reloaded(let result): reloaded(result)
    case .stop: stop()
    case .end: endTurn()
    }
    guard !outputs.isEmpty else { return [] }
    let taken = outputs
    outputs.removeAll(keepingCapacity: true)
    return taken
  }
}
