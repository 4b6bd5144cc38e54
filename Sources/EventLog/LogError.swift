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
    case .pointNotInLog(let sequence): "the log has no batch that ends at sequence \(sequence)"
    case .noRecord(let sequence): "the log has no record \(sequence)"
    case .rejected(let sequence, let reason): "record \(sequence) cannot be read: \(reason)"
    }
  }
}
