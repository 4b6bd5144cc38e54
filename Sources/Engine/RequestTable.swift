/// Which event answered which request id: a number for each, in the order of the events. Whether
/// an event really is the one asked for is read in the log, so that two ids with one hash do no
/// harm. Kept for a day and for the last `Limits.requestIDsKept` at least.
struct RequestTable: Sendable {
  private struct Entry: Sendable {
    var hash: UInt64
    var sequence: UInt64
    var recorded: Int64
  }

  private var sequences: [UInt64: UInt64] = [:]
  private var entries: [Entry] = []
  /// Entries at the front that were let go.
  private var dropped = 0

  init() {}

  static func hash(uid: UInt32, requestID: String) -> UInt64 {
    var hash = FNV1a()
    withUnsafeBytes(of: uid) { hash.add($0) }
    hash.add(requestID.utf8)
    return hash.value
  }

  subscript(hash: UInt64) -> UInt64? {
    sequences[hash]
  }

  mutating func insert(hash: UInt64, sequence: UInt64, recorded: Int64) {
    sequences[hash] = sequence
    entries.append(Entry(hash: hash, sequence: sequence, recorded: recorded))
    let oldest = recorded - Limits.requestIDsKeptMilliseconds
    while entries.count - dropped > Limits.requestIDsKept, entries[dropped].recorded < oldest {
      let entry = entries[dropped]
      if sequences[entry.hash] == entry.sequence { sequences[entry.hash] = nil }
      dropped += 1
    }
    if dropped > entries.count / 2 {
      entries.removeFirst(dropped)
      dropped = 0
    }
  }

  // MARK: Snapshots

  func encodeSnapshot(into bytes: inout [UInt8]) {
    func append(_ value: UInt64) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for entry in entries[dropped...] {
      append(entry.hash)
      append(entry.sequence)
      append(UInt64(bitPattern: entry.recorded))
    }
  }

  init?(snapshot bytes: UnsafeRawBufferPointer) {
    guard bytes.count % Self.entryByteCount == 0 else { return nil }
    func number(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    for start in stride(from: 0, to: bytes.count, by: Self.entryByteCount) {
      insert(
        hash: number(start), sequence: number(start + 8),
        recorded: Int64(bitPattern: number(start + 16)))
    }
  }

  private static let entryByteCount = 24
}
