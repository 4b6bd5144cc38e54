/// A piece of one file in memory, for reading it from front to back in large steps.
final class StreamBuffer {
  private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var start: UInt64 = 0
  private var count = 0

  deinit {
    storage.deallocate()
  }

  /// Another file begins.
  func forget() {
    count = 0
  }

  /// Makes the bytes at `offset` available; the caller has seen that the file, `size` bytes long,
  /// has them. A file that has become shorter meanwhile reads as zeros, which no checksum takes
  /// for a batch.
  func load<D: Disk>(
    _ disk: D, _ file: DiskFile, at offset: UInt64, count wanted: Int, of size: UInt64
  ) throws(LogError) {
    if offset >= start, offset + UInt64(wanted) <= start + UInt64(count) { return }
    let length = max(wanted, Int(min(UInt64(Limits.streamByteCount), size - offset)))
    if storage.count < length {
      storage.deallocate()
      storage = .allocate(byteCount: length, alignment: 16)
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: storage[0..<length])
    let got = try reading { () throws(DiskError) in
      try disk.read(file, at: offset, into: target)
    }
    for index in got..<max(got, length) { storage[index] = 0 }
    start = offset
    count = length
  }

  /// Bytes made available before.
  func part(_ offset: UInt64, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(storage).part(Int(offset - start), count)
  }
}
