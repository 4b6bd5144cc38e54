import JSON

extension Coded {
  /// Writes the fields as the members of an object that is open already; those that are nil are
  /// left out.
  public func writeMembers(into writer: inout JSONWriter) {
    var value = self
    var coder = FieldWriter(json: JSONWriter())
    // The writer's bytes are moved, not copied.
    swap(&coder.json, &writer)
    value.code(with: &coder)
    swap(&coder.json, &writer)
  }

  /// Writes the fields as an object.
  public func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(into: &writer)
    writer.endObject()
  }
}

/// Writes fields as members of an object.
private struct FieldWriter: FieldCoder {
  typealias Failure = Never

  var json: JSONWriter

  mutating func text(_ name: StaticString, _ value: inout String) {
    json.key(name)
    json.string(value)
  }

  mutating func text(_ name: StaticString, _ value: inout String?) {
    if var value { text(name, &value) }
  }

  mutating func integer(_ name: StaticString, _ value: inout Int64) {
    json.key(name)
    json.int(value)
  }

  mutating func integer(_ name: StaticString, _ value: inout Int64?) {
    if var value { integer(name, &value) }
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool) {
    json.key(name)
    json.bool(value)
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool?) {
    if var value { flag(name, &value) }
  }

  mutating func texts(_ name: StaticString, _ value: inout [String]) {
    json.key(name)
    json.beginArray()
    for text in value { json.string(text) }
    json.endArray()
  }

  mutating func texts(_ name: StaticString, _ value: inout [String]?) {
    if var value { texts(name, &value) }
  }

  mutating func object(_ name: StaticString, _ value: inout String?) {
    guard let value else { return }
    json.key(name)
    json.raw(Array(value.utf8))
  }

  mutating func word<W: Word>(_ name: StaticString, _ value: inout W) {
    json.key(name)
    json.string(value.rawValue)
  }

  mutating func word<W: Word>(_ name: StaticString, _ value: inout W?) {
    if var value { word(name, &value) }
  }

  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V) {
    json.key(name)
    json.beginObject()
    value.code(with: &self)
    json.endObject()
  }

  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V?) {
    if var value { self.value(name, &value) }
  }

  mutating func values<V: NamedFields>(_ name: StaticString, _ value: inout [V]) {
    json.key(name)
    json.beginArray()
    for var element in value {
      json.beginObject()
      element.code(with: &self)
      json.endObject()
    }
    json.endArray()
  }

  mutating func valuesIfAny<V: NamedFields>(_ name: StaticString, _ value: inout [V]) {
    if !value.isEmpty { values(name, &value) }
  }
}
