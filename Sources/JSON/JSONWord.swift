/// Eight bytes of text looked at together.
enum JSONWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The high bit of each byte.
  static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Sets the high bit of each byte that is a control character, a quote or a backslash. Of bytes
  /// from 0x80 on it says nothing. A borrow may also mark a byte above a marked one, so only the
  /// lowest mark, or that there is none, means anything.
  @inline(__always)
  static func notPlain(_ word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5c)
    return (word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones)
  }
}
