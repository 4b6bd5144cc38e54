import JSON

/// A field that is missing, or is not of its type.
public struct FieldFault: Error, Equatable, Sendable {
  /// Where it is, such as `transaction.price` or `events[2].kind`.
  public let path: String
  /// What should be there, such as "an integer".
  public let expected: String

  public init(path: String, expected: String) {
    self.path = path
    self.expected = expected
  }
}

extension Coded {
  /// Takes the fields out of parameters; members that are not known are passed over.
  public mutating func read(_ parameters: JSONObject) throws(FieldFault) {
    try read(parameters, path: "")
  }

  fileprivate mutating func read(_ object: JSONObject, path: String) throws(FieldFault) {
    var reader = FieldReader(object: object, path: path)
    try code(with: &reader)
  }
}

extension Fields {
  public init(_ parameters: JSONObject) throws(FieldFault) {
    self.init()
    try read(parameters)
  }

  fileprivate init(_ object: JSONObject, path: String) throws(FieldFault) {
    self.init()
    try read(object, path: path)
  }
}

/// Takes fields out of a JSON object; `null` stands for a missing one.
private struct FieldReader: FieldCoder {
  typealias Failure = FieldFault

  let object: JSONObject
  let path: String

  private func fault(_ name: StaticString, _ expected: String) -> FieldFault {
    FieldFault(path: "\(path)\(name)", expected: expected)
  }

  private func read<Value>(
    _ name: StaticString, _ expected: String, _ take: (JSONValue) -> Value?
  ) throws(FieldFault) -> Value? {
    guard let member = object[name.description], !member.isNull else { return nil }
    guard let value = take(member) else { throw fault(name, expected) }
    return value
  }

  private func require<Value>(
    _ name: StaticString, _ expected: String, _ take: (JSONValue) -> Value?
  ) throws(FieldFault) -> Value {
    guard let value = try read(name, expected, take) else { throw fault(name, expected) }
    return value
  }

  mutating func text(_ name: StaticString, _ value: inout String) throws(FieldFault) {
    value = try require(name, "a string", \.stringValue)
  }

  mutating func text(_ name: StaticString, _ value: inout String?) throws(FieldFault) {
    value = try read(name, "a string", \.stringValue)
  }

  mutating func integer(_ name: StaticString, _ value: inout Int64) throws(FieldFault) {
    value = try require(name, "an integer", \.int64Value)
  }

  mutating func integer(_ name: StaticString, _ value: inout Int64?) throws(FieldFault) {
    value = try read(name, "an integer", \.int64Value)
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldFault) {
    value = try require(name, "true or false", \.boolValue)
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool?) throws(FieldFault) {
    value = try read(name, "true or false", \.boolValue)
  }

  mutating func texts(_ name: StaticString, _ value: inout [String]) throws(FieldFault) {
    var texts: [String]?
    try self.texts(name, &texts)
    guard let texts else { throw fault(name, "an array") }
    value = texts
  }

  mutating func texts(_ name: StaticString, _ value: inout [String]?) throws(FieldFault) {
    guard let elements = try read(name, "an array", \.arrayValue) else {
      value = nil
      return
    }
    let texts = elements.compactMap(\.stringValue)
    guard texts.count == elements.count else { throw fault(name, "an array of strings") }
    value = texts
  }

  mutating func object(_ name: StaticString, _ value: inout String?) throws(FieldFault) {
    value = try read(name, "an object", \.objectValue).map { JSONValue.object($0).compactText }
  }

  mutating func word<W: Word>(_ name: StaticString, _ value: inout W) throws(FieldFault) {
    value = W(rawValue: try require(name, "a string", \.stringValue))
  }

  mutating func word<W: Word>(_ name: StaticString, _ value: inout W?) throws(FieldFault) {
    value = try read(name, "a string", \.stringValue).map { W(rawValue: $0) }
  }

  mutating func value<V: NamedFields>(
    _ name: StaticString, _ value: inout V
  ) throws(FieldFault) {
    value = try V(try require(name, "an object", \.objectValue), path: "\(path)\(name).")
  }

  mutating func value<V: NamedFields>(
    _ name: StaticString, _ value: inout V?
  ) throws(FieldFault) {
    value = nil
    guard let member = try read(name, "an object", \.objectValue) else { return }
    value = try V(member, path: "\(path)\(name).")
  }

  mutating func values<V: NamedFields>(
    _ name: StaticString, _ value: inout [V]
  ) throws(FieldFault) {
    value = []
    for (index, element) in try require(name, "an array", \.arrayValue).enumerated() {
      guard let member = element.objectValue else { throw fault(name, "an array of objects") }
      value.append(try V(member, path: "\(path)\(name)[\(index)]."))
    }
  }

  mutating func valuesIfAny<V: NamedFields>(
    _ name: StaticString, _ value: inout [V]
  ) throws(FieldFault) {
    value = []
    if try read(name, "an array", \.arrayValue) != nil { try values(name, &value) }
  }
}
