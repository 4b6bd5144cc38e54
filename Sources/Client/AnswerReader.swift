/// What a method answers, made from a reply's parameters.
public protocol Answer: Sendable {
  /// Reads the fields it needs and ignores all others.
  init(from reader: AnswerReader) throws(TransportError)
}

/// Reads typed fields of a JSON object. A field that is missing or of another type throws
/// `.unexpectedAnswer` with its path; `null` stands for a missing one.
public struct AnswerReader: Sendable {
  private let object: JSONObject
  private let path: String

  public init(_ object: JSONObject) {
    self.init(object, path: "")
  }

  private init(_ object: JSONObject, path: String) {
    self.object = object
    self.path = path
  }

  public func string(_ key: String) throws(TransportError) -> String {
    try required(key, "a string", try stringIfPresent(key))
  }

  public func stringIfPresent(_ key: String) throws(TransportError) -> String? {
    try optional(key, "a string", \.stringValue)
  }

  public func integer(_ key: String) throws(TransportError) -> Int64 {
    try required(key, "an integer", try integerIfPresent(key))
  }

  public func integerIfPresent(_ key: String) throws(TransportError) -> Int64? {
    try optional(key, "an integer", \.int64Value)
  }

  public func bool(_ key: String) throws(TransportError) -> Bool {
    try required(key, "true or false", try boolIfPresent(key))
  }

  public func boolIfPresent(_ key: String) throws(TransportError) -> Bool? {
    try optional(key, "true or false", \.boolValue)
  }

  /// A time in milliseconds since 1970 UTC.
  public func time(_ key: String) throws(TransportError) -> Timestamp {
    Timestamp(milliseconds: try integer(key))
  }

  public func timeIfPresent(_ key: String) throws(TransportError) -> Timestamp? {
    try integerIfPresent(key).map(Timestamp.init(milliseconds:))
  }

  public func strings(_ key: String) throws(TransportError) -> [String] {
    var texts: [String] = []
    for element in try elements(key) {
      guard let text = element.stringValue else { throw fault(key, "an array of strings") }
      texts.append(text)
    }
    return texts
  }

  public func stringsIfPresent(_ key: String) throws(TransportError) -> [String]? {
    try optional(key, "an array", \.arrayValue) == nil ? nil : try strings(key)
  }

  /// An object as it came, as JSON without white space.
  public func jsonIfPresent(_ key: String) throws(TransportError) -> String? {
    try optional(key, "an object", \.objectValue).map { JSONValue.object($0).compactText }
  }

  public func value<A: Answer>(_ key: String) throws(TransportError) -> A {
    try required(key, "an object", try valueIfPresent(key))
  }

  public func valueIfPresent<A: Answer>(_ key: String) throws(TransportError) -> A? {
    guard let member = try optional(key, "an object", \.objectValue) else { return nil }
    return try A(from: AnswerReader(member, path: "\(path)\(key)."))
  }

  public func values<A: Answer>(_ key: String) throws(TransportError) -> [A] {
    var values: [A] = []
    for (index, element) in try elements(key).enumerated() {
      guard let member = element.objectValue else { throw fault(key, "an array of objects") }
      values.append(try A(from: AnswerReader(member, path: "\(path)\(key)[\(index)].")))
    }
    return values
  }

  /// The members as they came.
  public var members: JSONObject { object }

  private func elements(_ key: String) throws(TransportError) -> [JSONValue] {
    try required(key, "an array", try optional(key, "an array", \.arrayValue))
  }

  private func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(TransportError) -> Value? {
    guard let member = object[key], !member.isNull else { return nil }
    guard let value = read(member) else { throw fault(key, expected) }
    return value
  }

  private func required<Value>(
    _ key: String, _ expected: String, _ value: Value?
  ) throws(TransportError) -> Value {
    guard let value else { throw fault(key, expected) }
    return value
  }

  private func fault(_ key: String, _ expected: String) -> TransportError {
    .unexpectedAnswer(path: path + key, expected: expected)
  }
}
