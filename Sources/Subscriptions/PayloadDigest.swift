/// The SHA-256 of a signed payload: the last word where two versions of a fact were signed in the
/// same millisecond, so that any order of arrival gives the same state.
public struct PayloadDigest: Hashable, Comparable, Sendable {
  /// The 32 bytes as four numbers, the first eight bytes first, each big-endian.
  public var words: (UInt64, UInt64, UInt64, UInt64)

  public init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    words = (first, second, third, fourth)
  }

  /// - Parameter bytes: 32 of them; nil for any other number.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.init(words[0], words[1], words[2], words[3])
  }

  /// The first half, which names what was submitted where it has no UUID of its own.
  public var prefix: UUIDBits { UUIDBits(high: words.0, low: words.1) }

  public static func == (left: PayloadDigest, right: PayloadDigest) -> Bool {
    left.words == right.words
  }

  public static func < (left: PayloadDigest, right: PayloadDigest) -> Bool {
    left.words < right.words
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
