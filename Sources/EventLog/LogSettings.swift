/// A CRC-32C: continues `seed`, an earlier result (0 to begin), over `bytes`.
public typealias Checksum = @Sendable (_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32

/// What a caller chooses about a log. None of it is needed to read one back.
public struct LogSettings: Sendable {
  /// Bytes of a new segment, a multiple of 4096.
  public let segmentByteCount: Int
  /// Bytes of a batch, unless one record alone is larger.
  public let batchByteCountMax: Int
  /// Segments kept ready. With 0 no reserve is kept and no claim is refused.
  public let spareCount: Int
  /// How checksums are computed; a faster one may be given, never a different one.
  public let checksum: Checksum

  public init(
    segmentByteCount: Int = Limits.segmentByteCountDefault,
    batchByteCountMax: Int = Limits.batchByteCountMax,
    spareCount: Int = Limits.spareCountDefault,
    checksum: @escaping Checksum = crc32c
  ) {
    precondition(
      (Limits.segmentByteCountMin...Limits.segmentByteCountMax).contains(segmentByteCount)
        && segmentByteCount % Limits.sectorByteCount == 0, "a segment is 16 KiB to 1 GiB")
    precondition(batchByteCountMax >= 1024 && spareCount >= 0)
    self.segmentByteCount = segmentByteCount
    self.batchByteCountMax = min(batchByteCountMax, segmentByteCount / 4)
    self.spareCount = spareCount
    self.checksum = checksum
  }

  /// Where the data of a segment of this many bytes must end at the latest: the tail mark has
  /// its place after it.
  static func capacity(ofSegment byteCount: Int) -> Int {
    byteCount - Limits.sectorByteCount
  }

  /// A batch is not opened in less than this.
  var batchByteCountMin: Int {
    min(Limits.batchByteCountMin, segmentByteCount / 16)
  }
}
