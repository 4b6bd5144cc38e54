extension JSONScanner {
  /// Steps over a string, its opening quote at the position, and checks every byte of it.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> JSONStringToken {
    let start = position &+ 1
    let end = plainEnd(from: start)
    guard end < bytes.count, bytes[unchecked: end] == UInt8(ascii: "\"") else {
      return try scanString(from: start, plainEnd: end)
    }
    position = end &+ 1
    return JSONStringToken(Range(uncheckedBounds: (start, end)), hasEscapes: false)
  }

  /// The rest of a string that holds more than plain ASCII, or does not end.
  @inline(never)
  private mutating func scanString(
    from start: Int, plainEnd end: Int
  ) throws(JSONError) -> JSONStringToken {
    var hasEscapes = false
    position = end
    while true {
      let byte = try need()
      switch byte {
      case UInt8(ascii: "\""):
        let range = start..<position
        position &+= 1
        return JSONStringToken(range, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try scanEscape()
      case 0x00...0x1f: throw .controlCharacter(byte, at: position)
      default: try scanMultibyte(byte)
      }
      position = plainEnd(from: position)
    }
  }

  /// The end of a run of bytes that stand for themselves: ASCII but quote, backslash and controls.
  @inline(__always)
  private func plainEnd(from start: Int) -> Int {
    let raw = bytes.bytes
    let count = bytes.count
    var index = start
    while index &+ 8 <= count {
      let word = UInt64(
        littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
      let marks = (word | JSONWord.notPlain(word)) & JSONWord.highs
      if marks != 0 { return index &+ marks.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count {
      let byte = bytes[unchecked: index]
      guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5c else { break }
      index &+= 1
    }
    return index
  }

  /// Steps over an escape, the backslash at the position; a surrogate must come with its pair.
  private mutating func scanEscape() throws(JSONError) {
    let start = position
    position += 1
    switch try need() {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      let unit = try scanHex(escape: start)
      guard unit & 0xf800 == 0xd800 else { return }
      guard unit < 0xdc00, position &+ 1 < bytes.count,
        bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
      else { throw .loneSurrogate(at: start) }
      position += 2
      let low = try scanHex(escape: position - 2)
      guard low & 0xfc00 == 0xdc00 else { throw .loneSurrogate(at: start) }
    default: throw .malformedEscape(at: start)
    }
  }

  private mutating func scanHex(escape: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Self.hexDigit(try need()) else { throw .malformedEscape(at: escape) }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Steps over one scalar of two to four bytes, by the table of well-formed sequences of the
  /// Unicode standard (table 3-7): the second byte's range depends on the first.
  private mutating func scanMultibyte(_ lead: UInt8) throws(JSONError) {
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xbf
    switch lead {
    case 0xc2...0xdf: length = 2
    case 0xe0: (length, low) = (3, 0xa0)
    case 0xed: (length, high) = (3, 0x9f)
    case 0xe1...0xef: length = 3
    case 0xf0: (length, low) = (4, 0x90)
    case 0xf1...0xf3: length = 4
    case 0xf4: (length, high) = (4, 0x8f)
    default: throw .malformedUTF8(at: position)
    }
    let start = position
    position += 1
    for _ in 1..<length {
      let byte = try need()
      guard byte >= low, byte <= high else { throw .malformedUTF8(at: start) }
      (low, high) = (0x80, 0xbf)
      position += 1
    }
  }

  // MARK: Decoding

  /// The text of a string that this scanner has read.
  public func decode(_ token: JSONStringToken) -> String {
    if token.hasEscapes {
      var buffer: [UInt8] = []
      append(token, to: &buffer)
      return String(decoding: buffer, as: UTF8.self)
    }
    return bytes.extracting(token.range).withUnsafeBufferPointer {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Appends the text of a string that this scanner has read, as UTF-8.
  public func append(_ token: JSONStringToken, to buffer: inout [UInt8]) {
    guard token.hasEscapes else {
      bytes.extracting(token.range).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
      return
    }
    var index = token.range.lowerBound
    while index < token.range.upperBound {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        index = appendEscape(at: index, to: &buffer)
      } else {
        buffer.append(byte)
        index += 1
      }
    }
  }

  /// Appends what the checked escape at `index` stands for; returns the index after it.
  private func appendEscape(at index: Int, to buffer: inout [UInt8]) -> Int {
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0c)
    case UInt8(ascii: "n"): buffer.append(0x0a)
    case UInt8(ascii: "r"): buffer.append(0x0d)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"):
      var value = hex(at: index + 2)
      var end = index + 6
      if value & 0xf800 == 0xd800 {
        value = 0x10000 + (value & 0x3ff) << 10 + hex(at: index + 8) & 0x3ff
        end += 6
      }
      buffer.append(contentsOf: UTF8.encode(Unicode.Scalar(value)!)!)
      return end
    case let byte: buffer.append(byte)
    }
    return index + 2
  }

  private func hex(at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for offset in 0..<4 { value = value << 4 | Self.hexDigit(bytes[index + offset])! }
    return value
  }
}
