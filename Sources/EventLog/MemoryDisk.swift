/// A directory in memory that behaves as a real one may: what is not synced can be lost or torn
/// when power is, calls can fail, space can run out. Everything follows from one seed and the
/// calls made. For tests and simulation; it belongs to one thread.
public final class MemoryDisk: Disk {
  /// What is to go wrong.
  public struct Faults: Sendable {
    /// Calls that fail, by their number (`operationCount`), with their error number.
    public var failures: [Int: Int32] = [:]
    /// The space there is in bytes; nil is no end of it.
    public var byteCountMax: UInt64?

    public init(failures: [Int: Int32] = [:], byteCountMax: UInt64? = nil) {
      self.failures = failures
      self.byteCountMax = byteCountMax
    }
  }

  /// What is to go wrong from now on.
  public var faults: Faults
  /// Calls made so far, failed ones included; the next call has this number.
  public private(set) var operationCount = 0
  /// Syncs of a file handle one of whose syncs had failed before. Must stay 0.
  public private(set) var syncsAfterFailure = 0

  private var random: SeededGenerator
  private var entries: [String: MemoryFile] = [:]
  private var durableEntries: [String: MemoryFile] = [:]
  private var changes: [Change] = []
  private var handles: [Int32: Handle] = [:]
  private var handlesGiven: Int32 = 0
  private var locks: [String: Int32] = [:]

  private struct Handle {
    var name: String
    var file: MemoryFile
    var isWritable: Bool
    var hasFailedSync = false
  }

  /// A change of the directory that is not yet durable.
  private enum Change {
    case link(String, MemoryFile)
    case rename(String, String, MemoryFile)
    case remove(String)
  }

  public init(seed: UInt64 = 0, faults: Faults = Faults()) {
    random = SeededGenerator(seed: seed)
    self.faults = faults
  }

  // MARK: Standing outside

  /// The names of all files, ascending.
  public var names: [String] { entries.keys.sorted() }

  /// Bytes of all files together.
  public var byteCount: UInt64 { entries.values.reduce(0) { $0 + UInt64($1.bytes.count) } }

  /// The bytes of a file; nil where there is none of that name.
  public func contents(of name: String) -> [UInt8]? { entries[name]?.bytes }

  /// Puts a file in place, or another in its stead, durable at once.
  public func setContents(of name: String, _ bytes: [UInt8]) {
    let file = MemoryFile(durable: bytes)
    entries[name] = file
    durableEntries[name] = file
  }

  /// Takes a file away, durable at once.
  public func discard(_ name: String) {
    entries[name] = nil
    durableEntries[name] = nil
  }

  /// The process dies: handles and locks are gone, everything written stays.
  public func kill() {
    handles.removeAll()
    locks.removeAll()
  }

  /// Power is lost: as `kill`, and what was not synced is there, torn or gone.
  public func losePower() {
    kill()
    for change in changes where Bool.random(using: &random) { make(change, durable: true) }
    changes.removeAll()
    entries = durableEntries
    var seen: Set<ObjectIdentifier> = []
    for name in names {
      guard let file = entries[name], seen.insert(ObjectIdentifier(file)).inserted else { continue }
      file.losePower(&random)
    }
  }

  /// A disk of its own with the same contents, nothing open, and another seed.
  public func copy(seed: UInt64) -> MemoryDisk {
    let other = MemoryDisk(seed: seed)
    var copies: [ObjectIdentifier: MemoryFile] = [:]
    func copied(_ file: MemoryFile) -> MemoryFile {
      if let copy = copies[ObjectIdentifier(file)] { return copy }
      let copy = file.copy()
      copies[ObjectIdentifier(file)] = copy
      return copy
    }
    other.entries = entries.mapValues(copied)
    other.durableEntries = durableEntries.mapValues(copied)
    other.changes = changes.map { change in
      switch change {
      case .link(let name, let file): .link(name, copied(file))
      case .rename(let name, let newName, let file): .rename(name, newName, copied(file))
      case .remove(let name): .remove(name)
      }
    }
    return other
  }

  private func make(_ change: Change, durable: Bool) {
    func apply(_ entries: inout [String: MemoryFile]) {
      switch change {
      case .link(let name, let file): entries[name] = file
      case .remove(let name): entries[name] = nil
      case .rename(let name, let newName, let file):
        entries[name] = nil
        entries[newName] = file
      }
    }
    if durable { apply(&durableEntries) } else { apply(&entries) }
  }

  // MARK: Disk

  /// Counts a call and says whether it is to fail.
  private func begin(_ operation: DiskOperation, _ file: String) throws(DiskError) {
    let number = operationCount
    operationCount += 1
    if let code = faults.failures[number] {
      throw DiskError(operation, file: file, code: code)
    }
  }

  private func handle(
    _ file: DiskFile, _ operation: DiskOperation, writing: Bool = false
  ) throws(DiskError) -> Handle {
    guard let handle = handles[file.rawValue], handle.isWritable || !writing else {
      throw DiskError(operation, file: "", code: DiskError.codeBadHandle)
    }
    return handle
  }

  public func list() throws(DiskError) -> [String] {
    try begin(.list, "")
    return names
  }

  public func open(_ name: String, for access: DiskAccess) throws(DiskError) -> DiskFile {
    try begin(access == .createExclusive ? .create : .open, name)
    switch access {
    case .read, .readWrite:
      guard let file = entries[name] else {
        throw DiskError(.open, file: name, code: DiskError.codeMissing)
      }
      return give(name, file, isWritable: access == .readWrite)
    case .createExclusive:
      guard entries[name] == nil else {
        throw DiskError(.create, file: name, code: DiskError.codeExists)
      }
      return give(name, create(name), isWritable: true)
    }
  }

  private func create(_ name: String) -> MemoryFile {
    let file = MemoryFile()
    entries[name] = file
    changes.append(.link(name, file))
    return file
  }

  private func give(_ name: String, _ file: MemoryFile, isWritable: Bool) -> DiskFile {
    handlesGiven += 1
    handles[handlesGiven] = Handle(name: name, file: file, isWritable: isWritable)
    return DiskFile(rawValue: handlesGiven)
  }

  public func close(_ file: DiskFile) {
    handles[file.rawValue] = nil
    locks = locks.filter { $0.value != file.rawValue }
  }

  public func size(of file: DiskFile) throws(DiskError) -> UInt64 {
    let handle = try handle(file, .size)
    try begin(.size, handle.name)
    return UInt64(handle.file.bytes.count)
  }

  public func read(
    _ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DiskError) -> Int {
    let handle = try handle(file, .read)
    try begin(.read, handle.name)
    let bytes = handle.file.bytes
    guard offset < UInt64(bytes.count) else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: buffer[0..<count])
        .copyMemory(from: $0.part(Int(offset), count))
    }
    return count
  }

  public func write(
    _ file: DiskFile, at offset: UInt64, bytes: UnsafeRawBufferPointer
  ) throws(DiskError) {
    let handle = try handle(file, .write, writing: true)
    do throws(DiskError) {
      try begin(.write, handle.name)
      try checkSpace(.write, handle, Int(offset) + bytes.count)
    } catch {
      // What fails may have begun.
      if error.isNoSpace { throw error }
      let count = Int.random(in: 0...bytes.count, using: &random)
      handle.file.write(bytes.part(0, count), at: Int(offset))
      throw error
    }
    handle.file.write(bytes, at: Int(offset))
  }

  public func preallocate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    let handle = try handle(file, .preallocate, writing: true)
    try begin(.preallocate, handle.name)
    try checkSpace(.preallocate, handle, Int(byteCount))
    handle.file.extend(to: Int(byteCount))
  }

  private func checkSpace(
    _ operation: DiskOperation, _ handle: Handle, _ byteCount: Int
  ) throws(DiskError) {
    guard let limit = faults.byteCountMax else { return }
    let more = max(0, byteCount - handle.file.bytes.count)
    if more > 0, self.byteCount + UInt64(more) > limit {
      throw DiskError(operation, file: handle.name, code: DiskError.codeNoSpace)
    }
  }

  public func truncate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    let handle = try handle(file, .truncate, writing: true)
    try begin(.truncate, handle.name)
    handle.file.shorten(to: Int(byteCount))
  }

  public func syncData(_ file: DiskFile) throws(DiskError) {
    let handle = try handle(file, .sync)
    if handle.hasFailedSync { syncsAfterFailure += 1 }
    do throws(DiskError) {
      try begin(.sync, handle.name)
    } catch {
      handles[file.rawValue]?.hasFailedSync = true
      handle.file.failSync(&random)
      throw error
    }
    handle.file.sync()
  }

  public func syncDirectory() throws(DiskError) {
    try begin(.syncDirectory, "")
    for change in changes { make(change, durable: true) }
    changes.removeAll()
  }

  public func rename(_ name: String, to newName: String) throws(DiskError) {
    try begin(.rename, name)
    guard let file = entries[name] else {
      throw DiskError(.rename, file: name, code: DiskError.codeMissing)
    }
    let change = Change.rename(name, newName, file)
    make(change, durable: false)
    changes.append(change)
  }

  public func remove(_ name: String) throws(DiskError) {
    try begin(.remove, name)
    guard entries[name] != nil else {
      throw DiskError(.remove, file: name, code: DiskError.codeMissing)
    }
    make(.remove(name), durable: false)
    changes.append(.remove(name))
  }

  public func lock(_ name: String) throws(DiskError) -> DiskLock {
    try begin(.lock, name)
    if locks[name] != nil { return .held(by: nil) }
    let file = give(name, entries[name] ?? create(name), isWritable: true)
    locks[name] = file.rawValue
    return .taken(file)
  }
}
