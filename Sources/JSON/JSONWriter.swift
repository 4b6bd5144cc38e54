/// Writes JSON text into a byte buffer, commas included. It allocates only to grow the buffer.
///
/// The caller pairs begin and end and gives each member a key; the writer does not check that. It
/// can go on at the end of a buffer that holds earlier messages:
/// `var writer = JSONWriter(appendingTo: buffer)` … `buffer = writer.take()` copies nothing when
/// the buffer is passed with `consume` or moved out of its place.
public struct JSONWriter: Sendable {
  /// All bytes so far, those of the buffer it was given first.
  public var bytes: [UInt8]
  /// A value was written at this level, so another needs a comma. One flag serves all levels:
  /// ending an inner level means the outer one has a value.
  @usableFromInline
  var needsComma = false

  /// Writes into an empty buffer.
  public init() {
    bytes = []
  }

  /// Writes behind what `buffer` holds.
  public init(appendingTo buffer: consuming [UInt8]) {
    bytes = buffer
  }

  /// Gives the buffer back and leaves the writer empty.
  public mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    needsComma = false
    return taken
  }

  /// Drops what was written but keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Drops all but the first `count` bytes, which must end where a text ended.
  public mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    needsComma = false
  }

  /// Ends a text with `terminator`; another may follow behind it.
  public mutating func endText(terminator: UInt8) {
    bytes.append(terminator)
    needsComma = false
  }

  // MARK: Structure

  public mutating func beginObject() {
    begin(UInt8(ascii: "{"))
  }

  public mutating func endObject() {
    end(UInt8(ascii: "}"))
  }

  public mutating func beginArray() {
    begin(UInt8(ascii: "["))
  }

  public mutating func endArray() {
    end(UInt8(ascii: "]"))
  }

  /// A key that needs no escapes: it must hold no quote, backslash or control character.
  @inlinable
  public mutating func key(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    assert(Self.isPlain(name), "this key needs escapes: write it as a String")
    let comma = needsComma ? 1 : 0
    emit(count + 4) { out in
      // Written even when no comma is due: the quote then takes its place.
      out[0] = UInt8(ascii: ",")
      let text = out + comma
      text[0] = UInt8(ascii: "\"")
      (text + 1).update(from: name.utf8Start, count: count)
      text[count + 1] = UInt8(ascii: "\"")
      text[count + 2] = UInt8(ascii: ":")
      return comma + count + 3
    }
    needsComma = false
  }

  /// A key of any text. A literal takes the other `key`, which need not look for escapes.
  @_disfavoredOverload
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  /// A text of any content. A literal takes the other `string`.
  @_disfavoredOverload
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { quote($0) }
  }

  /// A text known when compiling; it may hold anything.
  public mutating func string(_ text: StaticString) {
    quote(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A text that is valid UTF-8 by the caller's word.
  public mutating func string(utf8: Span<UInt8>) {
    utf8.withUnsafeBufferPointer { quote($0) }
  }

  public mutating func int(_ number: Int64) {
    digits(number.magnitude, isNegative: number < 0)
  }

  public mutating func uint(_ number: UInt64) {
    digits(number, isNegative: false)
  }

  public mutating func number(_ number: JSONNumber) {
    value()
    bytes.append(contentsOf: number.raw.utf8)
  }

  public mutating func bool(_ flag: Bool) {
    value()
    if flag { literal("true") } else { literal("false") }
  }

  public mutating func null() {
    value()
    literal("null")
  }

  /// A value already in JSON text.
  public mutating func raw(_ json: [UInt8]) {
    value()
    bytes.append(contentsOf: json)
  }

  /// A value already in JSON text.
  public mutating func raw(_ json: Span<UInt8>) {
    value()
    json.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// A value already in JSON text.
  public mutating func raw(_ json: StaticString) {
    value()
    literal(json)
  }

  public mutating func value(_ tree: JSONValue) {
    tree.write(into: &self)
  }

  /// Text known when compiling, put in as it is, commas included; what follows it gets no comma.
  /// For the replies sent most, whose keys and signs between two values are one piece.
  @inlinable
  public mutating func fragment(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    precondition(count > 0)
    emit(count) { out in
      out.update(from: text.utf8Start, count: count)
      return count
    }
    needsComma = false
  }
}

// MARK: Parts

extension JSONWriter {
  @inline(__always)
  mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// The comma before a value, and the note that one was written.
  @inline(__always)
  mutating func value() {
    comma()
    needsComma = true
  }

  @inline(__always)
  private mutating func begin(_ bracket: UInt8) {
    comma()
    bytes.append(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Makes room for `capacity` bytes and keeps as many as `fill` says it wrote: one check of the
  /// buffer for a whole token instead of one for each byte.
  @inlinable
  @inline(__always)
  mutating func emit(_ capacity: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
    bytes.append(addingCapacity: capacity) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        count = fill(buffer.baseAddress!)
      }
    }
  }

  private mutating func digits(_ number: UInt64, isNegative: Bool) {
    var count = 1
    var bound: UInt64 = 10
    // 20 digits hold the greatest UInt64, and ten to the 20th would overflow.
    while number >= bound, count < 20 {
      count += 1
      bound &*= 10
    }
    let comma = needsComma ? 1 : 0
    let sign = isNegative ? 1 : 0
    // The comma and the sign, as above: what is not due is written over.
    emit(count + 2) { out in
      out[0] = UInt8(ascii: ",")
      out[comma] = UInt8(ascii: "-")
      let text = out + (comma + sign)
      let pairs = Self.digitPairs.utf8Start
      var rest = number
      var index = count
      while rest >= 100 {
        let quotient = rest / 100
        let pair = Int(truncatingIfNeeded: rest &- quotient &* 100) &* 2
        index &-= 2
        text[index] = pairs[pair]
        text[index &+ 1] = pairs[pair &+ 1]
        rest = quotient
      }
      let pair = Int(truncatingIfNeeded: rest) &* 2
      text[0] = pairs[pair &+ 1]
      if index == 2 {
        text[0] = pairs[pair]
        text[1] = pairs[pair &+ 1]
      }
      return comma + sign + count
    }
    needsComma = true
  }

  /// All numbers of two digits in order: half the divisions.
  private static let digitPairs: StaticString = """
    00010203040506070809101112131415161718192021222324\
    25262728293031323334353637383940414243444546474849\
    50515253545556575859606162636465666768697071727374\
    75767778798081828384858687888990919293949596979899
    """

  /// The text in quotes.
  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    let plain = Self.plainPrefix(of: text)
    guard plain == text.count else {
      quoteWithEscapes(text, plain: plain)
      return
    }
    let comma = needsComma ? 1 : 0
    emit(text.count + 3) { out in
      out[0] = UInt8(ascii: ",")
      let quoted = out + comma
      quoted[0] = UInt8(ascii: "\"")
      if let source = text.baseAddress { (quoted + 1).update(from: source, count: text.count) }
      quoted[text.count + 1] = UInt8(ascii: "\"")
      return comma + text.count + 2
    }
    needsComma = true
  }

  /// The text in quotes: runs that need no escape are copied whole.
  private mutating func quoteWithEscapes(_ text: UnsafeBufferPointer<UInt8>, plain: Int) {
    value()
    bytes.append(UInt8(ascii: "\""))
    var rest = text[...]
    var plain = plain
    while true {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest.prefix(plain)))
      rest = rest.dropFirst(plain)
      guard let byte = rest.first else { break }
      escape(byte)
      rest = rest.dropFirst()
      plain = Self.plainPrefix(of: UnsafeBufferPointer(rebasing: rest))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a literal needs no escape.
  @usableFromInline
  static func isPlain(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return plainPrefix(of: UnsafeBufferPointer(start: text.utf8Start, count: count)) == count
  }

  /// How many bytes from the first need no escape.
  private static func plainPrefix(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let count = text.count
    let raw = UnsafeRawBufferPointer(text)
    var index = 0
    while index &+ 8 <= count {
      let word = UInt64(
        littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let marks = JSONWord.notPlain(word) & ~word
      if marks & JSONWord.highs != 0 { break }
      index &+= 8
    }
    while index < count {
      let byte = text[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index &+= 1
    }
    return index
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case 0x00...0x1f:
      literal("u00")
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0x0f
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }

  /// The comma due and a new line, before a key or element of pretty text.
  mutating func lineBreak(level: Int) {
    comma()
    needsComma = false
    lineBreakBeforeEnd(level: level)
  }

  mutating func lineBreakBeforeEnd(level: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }
}
