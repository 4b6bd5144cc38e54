import JSON

/// Where a value stands in a file.
indirect enum ConfigurationPath {
  case root
  case member(of: ConfigurationPath, key: String)
  case element(of: ConfigurationPath, index: Int)

  /// `$.products[3].displayPrice`; a key that is no plain word stands quoted in brackets.
  var text: String {
    switch self {
    case .root: "$"
    case .member(let parent, let key):
      Self.isPlain(key) ? "\(parent.text).\(key)" : "\(parent.text)[\(quoted(key))]"
    case .element(let parent, let index): "\(parent.text)[\(index)]"
    }
  }

  /// The path without its indices: the same for the same key of every element.
  var pattern: String {
    switch self {
    case .root: "$"
    case .member(let parent, let key): "\(parent.pattern).\(key)"
    case .element(let parent, _): "\(parent.pattern)[]"
    }
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// A text as errors and notices repeat it: as a JSON string, cut where it is long.
func quoted(_ text: String) -> String {
  guard text.utf8.count > AppStoreLimits.quotedBytesMax else {
    return JSONValue.string(text).compactText
  }
  var cut = ""
  for character in text {
    guard cut.utf8.count + character.utf8.count <= AppStoreLimits.quotedBytesMax else { break }
    cut.append(character)
  }
  return JSONValue.string(cut + "…").compactText
}

/// A value of the file together with its path, read with the kind that is expected of it.
/// `null` and a missing key are the same everywhere.
struct ConfigurationNode {
  let value: JSONValue
  let path: ConfigurationPath

  /// The member, unless it is missing or null.
  func member(_ key: String) -> ConfigurationNode? {
    guard case .object(let object) = value, let member = object[key], member != .null else {
      return nil
    }
    return ConfigurationNode(value: member, path: .member(of: path, key: key))
  }

  func path(of key: String) -> String {
    ConfigurationPath.member(of: path, key: key).text
  }

  func checkedObject() throws(StoreKitConfigurationError) -> JSONObject {
    guard case .object(let object) = value else { throw wrongKind(.object) }
    return object
  }

  /// The member, which must be an object.
  func object(_ key: String) throws(StoreKitConfigurationError) -> ConfigurationNode? {
    guard let member = member(key) else { return nil }
    _ = try member.checkedObject()
    return member
  }

  /// The elements of an array member that are not null; none where it is missing.
  func elements(_ key: String) throws(StoreKitConfigurationError) -> [ConfigurationNode] {
    guard let member = member(key) else { return [] }
    guard case .array(let values) = member.value else { throw member.wrongKind(.array) }
    var nodes: [ConfigurationNode] = []
    nodes.reserveCapacity(values.count)
    for (index, value) in values.enumerated() where value != .null {
      nodes.append(
        ConfigurationNode(value: value, path: .element(of: member.path, index: index)))
    }
    return nodes
  }

  func string(_ key: String) throws(StoreKitConfigurationError) -> String? {
    guard let member = member(key) else { return nil }
    guard case .string(let text) = member.value else { throw member.wrongKind(.string) }
    return text
  }

  /// A string that says something: an empty one counts as missing.
  func filledString(_ key: String) throws(StoreKitConfigurationError) -> String? {
    guard let text = try string(key), !text.isEmpty else { return nil }
    return text
  }

  /// A string, or the text of a number: hand-written files leave the quotes out of ids.
  func idText(_ key: String) throws(StoreKitConfigurationError) -> String? {
    guard let member = member(key) else { return nil }
    if case .number(let number) = member.value { return number.raw }
    return try string(key)
  }

  /// A member used as an identifier: not empty and of a bounded length.
  func identifier(_ key: String) throws(StoreKitConfigurationError) -> String? {
    guard let text = try idText(key), !text.isEmpty else { return nil }
    guard text.utf8.count <= AppStoreLimits.identifierBytesMax else {
      throw .invalid(
        path: path(of: key), value: quoted(text),
        remedy: "an identifier has at most \(AppStoreLimits.identifierBytesMax) bytes")
    }
    return text
  }

  func bool(_ key: String) throws(StoreKitConfigurationError) -> Bool? {
    guard let member = member(key) else { return nil }
    guard case .bool(let flag) = member.value else { throw member.wrongKind(.bool) }
    return flag
  }

  /// A whole number in `range`.
  func integer(
    _ key: String, in range: ClosedRange<Int64>
  ) throws(StoreKitConfigurationError) -> Int64? {
    guard let member = member(key) else { return nil }
    guard case .number(let number) = member.value else { throw member.wrongKind(.number) }
    guard let integer = number.int64, range.contains(integer) else {
      let bounds =
        range.upperBound == .max
        ? (range.lowerBound == .min ? "" : " of at least \(range.lowerBound)")
        : " from \(range.lowerBound) to \(range.upperBound)"
      throw .invalid(
        path: member.path.text, value: number.raw, remedy: "write a whole number\(bounds)")
    }
    return integer
  }

  /// A whole number of 64 bits.
  func integer(_ key: String) throws(StoreKitConfigurationError) -> Int64? {
    try integer(key, in: Int64.min...Int64.max)
  }

  func wrongKind(_ expected: JSONKind) -> StoreKitConfigurationError {
    .wrongKind(path: path.text, expected: expected, found: value.kind)
  }
}
