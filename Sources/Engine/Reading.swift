import EventLog
import Subscriptions

/// An event with what the log knows of it.
public struct StoredEvent: Sendable, Hashable {
  public var sequence: UInt64
  /// When it was recorded: the batch's time, milliseconds since 1970 on the machine's clock.
  public var recorded: Int64
  public var event: Subscriptions.Event
}

/// A question to the reader, answered from durable records alone.
public enum ReadRequest: Sendable {
  /// An account's events, oldest first, by its chain from the newest back to the cursor: the
  /// `countMax` that come next after it.
  case chain(RecordPointer, after: UInt64 = 0, countMax: Int = .max)
  /// Records in the order of their sequence, at most `countMax`, none after `last`.
  case records(from: UInt64, last: UInt64, countMax: Int)
  /// Single records by their sequences, which rise.
  case listed([UInt64])
  /// The records of the block in which a transaction id was given out.
  case block(mark: UInt64, last: UInt64)
  case verify
  /// The next slice of a check of the whole log; the first begins it.
  case check
  /// Fold the last snapshot and what follows it, up to `last`, into a new one.
  case snapshot(last: UInt64)
}

/// What the reader found.
public enum ReadResult: Sendable {
  case events([StoredEvent])
  case verified(VerifyReport)
  /// A slice of the check is done: what the whole of it found, or nil while there is more.
  case checked(VerifyReport?)
  case snapshot(sequence: UInt64, bytes: UInt64)
  case failed(LogError)
}

/// What a walk over the whole log counted.
public struct VerifyReport: Sendable, Equatable {
  public var segments: Int
  public var batches: UInt64
  public var events: UInt64
  public var bytes: UInt64
  public var firstDamage: String?

  public init(
    segments: Int, batches: UInt64, events: UInt64, bytes: UInt64, firstDamage: String?
  ) {
    self.segments = segments
    self.batches = batches
    self.events = events
    self.bytes = bytes
    self.firstDamage = firstDamage
  }
}
