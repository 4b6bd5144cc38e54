/// A pull reader over one JSON text, for paths that must not allocate.
///
/// The caller asks for what it expects, in the order of the text, and the scanner checks RFC 8259
/// and UTF-8 as it goes. It owns no memory: ranges it returns index the span it was made with. It
/// never looks for repeated keys, because the caller knows which keys it has seen. Once a call has
/// thrown, the position is that of the error's neighbourhood and only `position` is meaningful.
///
/// ```
/// var scanner = JSONScanner(parameters, depthMax: 16)
/// try scanner.beginObject()
/// while try scanner.nextKey() != nil {
///   if scanner.keyEquals("at") { at = try scanner.int64() } else { try scanner.skipValue() }
/// }
/// try scanner.finish()
/// ```
public struct JSONScanner: ~Copyable, ~Escapable {
  /// The whole text.
  public let bytes: Span<UInt8>
  /// How many arrays and objects may be open at once.
  public let depthMax: Int
  /// The offset in bytes of the next byte to read.
  public internal(set) var position: Int
  /// How many arrays and objects are open.
  public internal(set) var depth: Int
  /// The raw bytes of the newest key, between its quotes.
  public internal(set) var key: Range<Int>
  /// Whether `key` holds escapes, so that its raw bytes are not its text.
  public internal(set) var keyHasEscapes: Bool

  /// No element has been read since the innermost array or object began. One flag serves all
  /// levels: ending an inner one means the outer one has an element.
  var isFirst: Bool

  /// Reads `bytes` from its first byte; `depthMax` is at most `JSONLimits.depthCeiling`.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, depthMax: Int) {
    precondition(depthMax >= 0 && depthMax <= JSONLimits.depthCeiling)
    self.bytes = bytes
    self.depthMax = depthMax
    position = 0
    depth = 0
    key = 0..<0
    keyHasEscapes = false
    isFirst = true
  }

  // MARK: Structure

  /// Enters an object.
  public mutating func beginObject() throws(JSONError) {
    try open(UInt8(ascii: "{"), .object)
  }

  /// Enters an array.
  public mutating func beginArray() throws(JSONError) {
    try open(UInt8(ascii: "["), .array)
  }

  /// Reads the next key of the innermost object and stops at its value; nil when the object ended,
  /// which also leaves it. The range is the raw text between the quotes.
  public mutating func nextKey() throws(JSONError) -> Range<Int>? {
    guard try advance(to: UInt8(ascii: "}")) else { return nil }
    let token = try scanKey()
    key = token.range
    keyHasEscapes = token.hasEscapes
    return token.range
  }

  /// Stops at the next element of the innermost array; false when the array ended, which also
  /// leaves it.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try advance(to: UInt8(ascii: "]"))
  }

  /// Checks that nothing but white space follows.
  public mutating func finish() throws(JSONError) {
    skipWhiteSpace()
    guard position == bytes.count else { throw .trailingBytes(at: position) }
  }

  /// The kind of the value that comes next, by its first byte; the position stays before it.
  public mutating func kind() throws(JSONError) -> JSONKind {
    skipWhiteSpace()
    switch try need() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw unexpected()
    }
  }

  // MARK: Keys

  /// Whether the newest key is `name`, escapes resolved.
  @inlinable
  public func keyEquals(_ name: StaticString) -> Bool {
    if keyHasEscapes { return keyString() == name.description }
    return rangeEquals(key, name)
  }

  /// The newest key as text.
  public func keyString() -> String {
    decode(JSONStringToken(key, hasEscapes: keyHasEscapes))
  }

  /// Whether the raw bytes of `range` are those of `name`.
  @inlinable
  public func rangeEquals(_ range: Range<Int>, _ name: StaticString) -> Bool {
    range.count == name.utf8CodeUnitCount && hasPrefix(name, at: range.lowerBound)
  }

  /// Whether the text at `start` begins with `name`, eight bytes at a time.
  @usableFromInline
  func hasPrefix(_ name: StaticString, at start: Int) -> Bool {
    let count = name.utf8CodeUnitCount
    guard start >= 0, start <= bytes.count - count else { return false }
    let raw = bytes.bytes
    let other = UnsafeRawPointer(name.utf8Start)
    var index = 0
    while index &+ 8 <= count {
      let left = raw.unsafeLoadUnaligned(
        fromUncheckedByteOffset: start &+ index, as: UInt64.self)
      guard left == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
        return false
      }
      index &+= 8
    }
    while index < count {
      guard bytes[unchecked: start &+ index] == other.load(fromByteOffset: index, as: UInt8.self)
      else { return false }
      index &+= 1
    }
    return true
  }

  // MARK: Cursor

  /// Reads a key and its colon and stops at the value.
  @inline(__always)
  mutating func scanKey() throws(JSONError) -> JSONStringToken {
    guard try need() == UInt8(ascii: "\"") else { throw unexpected() }
    let token = try scanString()
    skipWhiteSpace()
    guard try need() == UInt8(ascii: ":") else { throw unexpected() }
    position &+= 1
    skipWhiteSpace()
    return token
  }

  /// The next byte, or an error at the end of the text.
  @inline(__always)
  func need() throws(JSONError) -> UInt8 {
    guard position < bytes.count else { throw .unexpectedEnd(at: position) }
    return bytes[unchecked: position]
  }

  /// The error for the byte at the position.
  func unexpected() -> JSONError {
    guard position < bytes.count else { return .unexpectedEnd(at: position) }
    return .unexpectedByte(bytes[position], at: position)
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    var index = position
    // One comparison turns away every byte that a value, key or sign can start with.
    while index < bytes.count, bytes[unchecked: index] <= 0x20 {
      switch bytes[unchecked: index] {
      case 0x20, 0x09, 0x0a, 0x0d: index &+= 1
      default:
        position = index
        return
      }
    }
    position = index
  }

  mutating func open(_ bracket: UInt8, _ kind: JSONKind) throws(JSONError) {
    skipWhiteSpace()
    guard try need() == bracket else { throw wrong(kind) }
    guard depth < depthMax else { throw .tooDeep(depthMax: depthMax, at: position) }
    depth &+= 1
    position &+= 1
    isFirst = true
  }

  /// Steps over the comma before an element, if one is due; false at the closing bracket.
  @inline(__always)
  private mutating func advance(to bracket: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    let byte = try need()
    if byte == bracket {
      precondition(depth > 0, "no array or object is open")
      depth &-= 1
      position &+= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else { throw unexpected() }
    position &+= 1
    skipWhiteSpace()
    return true
  }

  /// The error when a value of `expected` was asked for: another kind, or no value at all.
  mutating func wrong(_ expected: JSONKind) -> JSONError {
    do throws(JSONError) {
      _ = try kind()
      return .wrongKind(expected: expected, at: position)
    } catch {
      return error
    }
  }
}

/// Where a string's raw text lies, and whether it must be decoded.
public struct JSONStringToken: Equatable, Sendable {
  /// The bytes between the quotes.
  public let range: Range<Int>
  /// Whether there are escapes among them.
  public let hasEscapes: Bool

  init(_ range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}
