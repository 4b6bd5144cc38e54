/// The calls of a `Disk`, as named in errors.
public enum DiskOperation: String, Sendable, CaseIterable {
  case list, open, create, size, read, write, preallocate, truncate
  case sync
  case syncDirectory = "sync directory"
  case rename, remove, lock
}

/// A call of a `Disk` that failed.
public struct DiskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public var operation: DiskOperation
  /// The file it was tried on; empty for the directory itself.
  public var file: String
  /// The error number, Linux's `errno`.
  public var code: Int32

  public init(_ operation: DiskOperation, file: String, code: Int32) {
    self.operation = operation
    self.file = file
    self.code = code
  }

  /// No such file (`ENOENT`).
  public static let codeMissing: Int32 = 2
  /// Input or output error (`EIO`).
  public static let codeInputOutput: Int32 = 5
  /// A handle that is not open (`EBADF`).
  public static let codeBadHandle: Int32 = 9
  /// The file exists already (`EEXIST`).
  public static let codeExists: Int32 = 17
  /// A file grew past a limit (`EFBIG`).
  public static let codeFileTooLarge: Int32 = 27
  /// No space left on the device (`ENOSPC`).
  public static let codeNoSpace: Int32 = 28
  /// The quota is used up (`EDQUOT`).
  public static let codeQuota: Int32 = 122

  /// Whether the call failed for want of space: the device is full, a quota is used up, or a
  /// limit on file size is reached.
  public var isNoSpace: Bool {
    code == Self.codeNoSpace || code == Self.codeQuota || code == Self.codeFileTooLarge
  }

  public var description: String {
    "\(operation.rawValue) of \(file.isEmpty ? "the log directory" : file) failed (error \(code))"
  }
}
