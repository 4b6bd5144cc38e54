/// Cuts an incoming byte stream into messages at each NUL.
///
/// It owns one buffer. Received bytes are appended, `next` hands out the messages in order as
/// ranges of `buffer`, and a range is valid until bytes are appended again. Every byte is searched
/// once and moved a bounded number of times, however the stream is cut.
public struct VarlinkFramer: Sendable {
  /// What was received and not yet dropped. A message is `buffer.span.extracting(range)`.
  public private(set) var buffer: [UInt8] = []
  /// The longest message allowed, in bytes without its NUL. It may change between messages.
  public var messageBytesMax: Int

  /// Bytes at the front of the buffer that were handed out.
  private var consumedBytes = 0
  /// Bytes at the front that were handed out or hold no NUL.
  private var searchedBytes = 0

  public init(messageBytesMax: Int = VarlinkLimits.requestBytesMax) {
    precondition(messageBytesMax > 0)
    self.messageBytesMax = messageBytesMax
  }

  /// Bytes received and not handed out. At the end of a stream it is not 0 if that cut a message.
  public var pendingBytes: Int { buffer.count - consumedBytes }

  /// Takes received bytes.
  public mutating func append(_ bytes: Span<UInt8>) {
    compact()
    bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
  }

  /// Takes received bytes.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Lets `fill` write up to `bytesMax` received bytes straight into the buffer.
  public mutating func append<Failure: Error>(
    bytesMax: Int, fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    compact()
    try buffer.append(addingCapacity: bytesMax, initializingWith: fill)
  }

  /// The next whole message, without its NUL; nil when none has fully arrived. Throws
  /// `.messageTooLong` as soon as that is certain, and at every call from then on.
  public mutating func next() throws(VarlinkError) -> Range<Int>? {
    let end = firstNUL()
    searchedBytes = end
    guard end - consumedBytes <= messageBytesMax else {
      throw .messageTooLong(bytesMax: messageBytesMax)
    }
    guard end < buffer.count else { return nil }
    let message = consumedBytes..<end
    consumedBytes = end + 1
    searchedBytes = consumedBytes
    return message
  }

  /// The index of the first NUL not yet handed out, or the end of the buffer.
  private func firstNUL() -> Int {
    let raw = buffer.span.bytes
    let count = raw.byteCount
    var index = searchedBytes
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while index &+ 8 <= count {
      let word = UInt64(
        littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
      let zeros = (word &- ones) & ~word & highs
      if zeros != 0 { return index + zeros.trailingZeroBitCount >> 3 }
      index += 8
    }
    while index < count, buffer[index] != 0 { index += 1 }
    return index
  }

  /// Drops what was handed out: all of it when nothing else is there, else only once it is at
  /// least half, so that the bytes moved never exceed the bytes received.
  private mutating func compact() {
    guard consumedBytes > 0 else { return }
    if consumedBytes == buffer.count {
      let isLarge = buffer.capacity > VarlinkLimits.idleBufferBytesMax
      buffer.removeAll(keepingCapacity: !isLarge)
    } else if consumedBytes >= buffer.count - consumedBytes {
      buffer.removeFirst(consumedBytes)
    } else {
      return
    }
    searchedBytes -= consumedBytes
    consumedBytes = 0
  }
}
