/// Damage that recovery, a reader or the verifier found in a file of the log.
public struct LogDamage: Hashable, Sendable, CustomStringConvertible {
  /// The file's name.
  public var file: String
  /// Byte offset in that file.
  public var offset: UInt64
  /// The sequence that was expected there.
  public var sequence: UInt64
  /// What is wrong, in a few words.
  public var what: String

  public init(file: String, offset: UInt64, sequence: UInt64, what: String) {
    self.file = file
    self.offset = offset
    self.sequence = sequence
    self.what = what
  }

  public var description: String {
    "\(file) is damaged at offset \(offset), sequence \(sequence): \(what)"
  }
}

/// A log that ends before a sequence which it is known to have reached: events are gone.
public struct LogLoss: Hashable, Sendable, CustomStringConvertible {
  /// The last segment there is.
  public var file: String
  /// Its size, bytes.
  public var fileByteCount: UInt64
  /// The last good sequence: where the log ends.
  public var lastSequence: UInt64
  /// What shows that it went on.
  public var witness: LogWitness

  public init(file: String, fileByteCount: UInt64, lastSequence: UInt64, witness: LogWitness) {
    self.file = file
    self.fileByteCount = fileByteCount
    self.lastSequence = lastSequence
    self.witness = witness
  }

  public var description: String {
    "events are lost: the log ends at sequence \(lastSequence), in \(file) of"
      + " \(fileByteCount) bytes, while \(witness.file) was made at sequence \(witness.sequence)"
  }
}

/// What shows how far a log had come at least.
public struct LogWitness: Hashable, Sendable {
  /// The file that says so.
  public var file: String
  public var sequence: UInt64

  public init(file: String, sequence: UInt64) {
    self.file = file
    self.sequence = sequence
  }

  /// A snapshot, by its sequence.
  init(snapshot sequence: UInt64) {
    self.init(file: LogNames.snapshot(sequence), sequence: sequence)
  }
}

/// What can go wrong with a log.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A call of the disk failed while nothing of the log was in doubt (reading, listing).
  case disk(DiskError)
  /// A write or sync failed after bytes may have reached the disk. Final: nothing may be
  /// appended before the log has been recovered.
  case failed(DiskError)
  /// There is no space for a new segment. Nothing was written; the same batch may be tried again.
  case noSpace(DiskError)
  /// Another process has the log.
  case locked(by: Int32?)
  /// The file was written in a format this program does not know yet.
  case newerFormat(file: String, version: UInt32)
  /// The log is damaged other than by a torn last write. Nothing was changed or deleted.
  case damaged(LogDamage)
  /// The log is whole as far as it goes, and has gone further. Nothing was changed or deleted.
  case lost(LogLoss)
  /// The place to start from is not a batch boundary of this log.
  case pointNotInLog(sequence: UInt64)
  /// There is no such record, or not yet.
  case noRecord(sequence: UInt64)
  /// The caller's visitor could not make sense of a record.
  case rejected(sequence: UInt64, reason: String)

  public var description: String {
    switch self {
    case .disk(let error): "the log could not be read: \(error)"
    case .failed(let error): "the log could not be written and takes no more: \(error)"
    case .noSpace(let error): "there is no space for a new log segment: \(error)"
    case .locked(let holder):
      if let holder {
        "the log is in use by process \(holder)"
      } else {
        "the log is in use by another process"
      }
    case .newerFormat(let file, let version):
      "\(file) is in log format \(version); this program reads formats up to \(formatVersion)"
    case .damaged(let damage): damage.description
    case .lost(let loss): loss.description
    case .pointNotInLog(let sequence): "the log has no batch that ends at sequence \(sequence)"
    case .noRecord(let sequence): "the log has no record \(sequence)"
    case .rejected(let sequence, let reason): "record \(sequence) cannot be read: \(reason)"
    }
  }
}
