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
  public mutating func key(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    let source = UnsafeBufferPointer(start: name.utf8Start, count: count)
    comma()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: source)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A key of any text.
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  public mutating func string(_ text: String) {
    var text = text
    value()
    text.withUTF8 { quote($0) }
  }

  /// A text known when compiling; it may hold anything.
  public mutating func string(_ text: StaticString) {
    value()
    quote(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A text that is valid UTF-8 by the caller's word.
  public mutating func string(utf8: Span<UInt8>) {
    value()
    utf8.withUnsafeBufferPointer { quote($0) }
  }

  public mutating func int(_ number: Int64) {
    value()
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(number.magnitude)
  }

  public mutating func uint(_ number: UInt64) {
    value()
    digits(number)
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

  private mutating func digits(_ number: UInt64) {
    if number < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
      return
    }
    // 20 digits hold the greatest UInt64.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var index = 20
      var rest = number
      while rest != 0 {
        index -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[index...]))
    }
  }

  /// The text in quotes: runs that need no escape are copied whole.
  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<text.count {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      escape(byte)
      start = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    bytes.append(UInt8(ascii: "\""))
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
