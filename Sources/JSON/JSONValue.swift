/// A JSON value as a tree, for tools, tests and cold paths. It keeps the order of members and the
/// text of numbers; hot paths use `JSONScanner`, which allocates nothing.
public indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Reads one value that fills the whole text. `depthMax` bounds the nesting of arrays and
  /// objects and is at most `JSONLimits.depthCeiling`. A repeated key is an error.
  public static func parse(
    _ bytes: Span<UInt8>, depthMax: Int
  ) throws(JSONError) -> JSONValue {
    var scanner = JSONScanner(bytes, depthMax: depthMax)
    let value = try scanner.value()
    try scanner.finish()
    return value
  }

  /// Reads one value that fills the whole text.
  public static func parse(_ bytes: [UInt8], depthMax: Int) throws(JSONError) -> JSONValue {
    try parse(bytes.span, depthMax: depthMax)
  }

  /// An integer.
  public static func int(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

  /// An object of members in order; traps on a repeated key.
  public static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members))
  }

  // MARK: Access

  /// The kind of the value.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The truth value, if it is one.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer, if it is a number written as an integer in range.
  public var int64Value: Int64? {
    if case .number(let number) = self { number.int64 } else { nil }
  }

  /// The text, if it is a string.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, if it is an object.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of an object; nil for a missing key and for any other kind.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// The element of an array; nil outside it and for any other kind.
  public subscript(index: Int) -> JSONValue? {
    guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  // MARK: Text

  /// Writes the value without white space.
  public func write(into writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let number): writer.number(number)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(into: &writer) }
      writer.endArray()
    case .object(let object):
      writer.beginObject()
      for member in object.members {
        writer.key(member.key)
        member.value.write(into: &writer)
      }
      writer.endObject()
    }
  }

  /// The text without white space.
  public var compactText: String {
    var writer = JSONWriter()
    write(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The text for people: a member or element a line, two spaces a level, no line end at the end.
  public var prettyText: String {
    var writer = JSONWriter()
    writePretty(into: &writer, level: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func writePretty(into writer: inout JSONWriter, level: Int) {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      writer.beginArray()
      for element in elements {
        writer.lineBreak(level: level + 1)
        element.writePretty(into: &writer, level: level + 1)
      }
      writer.lineBreakBeforeEnd(level: level)
      writer.endArray()
    case .object(let object) where !object.isEmpty:
      writer.beginObject()
      for member in object.members {
        writer.lineBreak(level: level + 1)
        writer.key(member.key)
        writer.bytes.append(UInt8(ascii: " "))
        member.value.writePretty(into: &writer, level: level + 1)
      }
      writer.lineBreakBeforeEnd(level: level)
      writer.endObject()
    case .null, .bool, .number, .string, .array, .object: write(into: &writer)
    }
  }
}

extension JSONScanner {
  /// Reads the next value as a tree; a repeated key is an error.
  public mutating func value() throws(JSONError) -> JSONValue {
    switch try kind() {
    case .null:
      _ = try isNull()
      return .null
    case .bool: return .bool(try bool())
    case .number:
      let range = try numberRange()
      return .number(JSONNumber(checked: decode(JSONStringToken(range, hasEscapes: false))))
    case .string: return .string(try string())
    case .array:
      var elements: [JSONValue] = []
      try beginArray()
      while try nextElement() { elements.append(try value()) }
      return .array(elements)
    case .object:
      var object = JSONObject()
      try beginObject()
      while let range = try nextKey() {
        let name = keyString()
        guard object.append(name, try value()) else {
          throw .duplicateKey(at: range.lowerBound - 1)
        }
      }
      return .object(object)
    }
  }
}
