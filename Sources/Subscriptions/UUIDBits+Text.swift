extension UUIDBits {
  /// Reads 8-4-4-4-12 hexadecimal digits, upper or lower case.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    var halves: [UInt64] = [0, 0]
    var digits = 0
    for (index, byte) in bytes.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      halves[digits / 16] = halves[digits / 16] << 4 | UInt64(digit)
      digits += 1
    }
    self.init(high: halves[0], low: halves[1])
  }

  /// The usual text, lower case, as the wire has it.
  public var text: String {
    func hex(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: digits - text.count) + text
    }
    return [
      hex(high >> 32, 8), hex(high >> 16 & 0xffff, 4), hex(high & 0xffff, 4),
      hex(low >> 48, 4), hex(low & 0xffff_ffff_ffff, 12),
    ].joined(separator: "-")
  }
}
