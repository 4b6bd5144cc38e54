import EventLog

/// The disk of a simulated daemon: a `MemoryDisk`, except that a planted bug may make syncs do
/// nothing, as a writer that forgets them would.
public final class SimulatedDisk: Disk {
  public let memory: MemoryDisk
  var forgetsDataSyncs = false
  var forgetsDirectorySyncs = false

  init(_ memory: MemoryDisk) {
    self.memory = memory
  }

  public func list() throws(DiskError) -> [String] { try memory.list() }

  public func open(_ name: String, for access: DiskAccess) throws(DiskError) -> DiskFile {
    try memory.open(name, for: access)
  }

  public func close(_ file: DiskFile) { memory.close(file) }

  public func size(of file: DiskFile) throws(DiskError) -> UInt64 { try memory.size(of: file) }

  public func read(
    _ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DiskError) -> Int {
    try memory.read(file, at: offset, into: buffer)
  }

  public func write(
    _ file: DiskFile, at offset: UInt64, bytes: UnsafeRawBufferPointer
  ) throws(DiskError) {
    try memory.write(file, at: offset, bytes: bytes)
  }

  public func preallocate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    try memory.preallocate(file, byteCount: byteCount)
  }

  public func truncate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    try memory.truncate(file, byteCount: byteCount)
  }

  public func syncData(_ file: DiskFile) throws(DiskError) {
    if !forgetsDataSyncs { try memory.syncData(file) }
  }

  public func syncDirectory() throws(DiskError) {
    if !forgetsDirectorySyncs { try memory.syncDirectory() }
  }

  public func rename(_ name: String, to newName: String) throws(DiskError) {
    try memory.rename(name, to: newName)
  }

  public func remove(_ name: String) throws(DiskError) { try memory.remove(name) }

  public func lock(_ name: String) throws(DiskError) -> DiskLock { try memory.lock(name) }
}
