import JSON

/// What the parameters of a call or a reply become.
public protocol Parameters: Sendable {
  init(_ parameters: JSONObject) throws(FieldFault)
}

/// Something of the wire that has fields. One list of them reads it, writes it and describes it, so
/// that the three never differ.
public protocol Coded: Sendable {
  /// Shows each field to `coder`, in the order of the description.
  mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure)
}

/// A struct of the wire.
public protocol Fields: Coded, Parameters {
  init()
}

extension Fields {
  /// A struct with what `set` says.
  public init(_ set: (inout Self) -> Void) {
    self.init()
    set(&self)
  }
}

/// A struct or an enumeration that has a name in the interfaces.
public protocol NamedType {
  /// Its name, such as `Transaction`.
  static var typeName: String { get }
  /// What stands above it in the descriptions.
  static var about: String { get }
  static var definition: InterfaceType { get }
}

/// A struct that has a name in the interfaces.
public protocol NamedFields: Fields, NamedType {}

/// A word out of a list that may grow: one that is not known here is kept as it came.
public protocol Word: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
  /// The words that are known, in the order of the description.
  static var known: [Self] { get }
}

extension Word {
  /// The word on the wire.
  public var description: String { rawValue }
}

/// A list of words that has a name in the interfaces.
public protocol NamedWord: Word, NamedType {}

/// Reads, writes or describes fields. A value that is nil stands for a field that is not there;
/// fields whose values are not optional must be there.
public protocol FieldCoder {
  associatedtype Failure: Error

  mutating func text(_ name: StaticString, _ value: inout String) throws(Failure)
  mutating func text(_ name: StaticString, _ value: inout String?) throws(Failure)
  mutating func integer(_ name: StaticString, _ value: inout Int64) throws(Failure)
  mutating func integer(_ name: StaticString, _ value: inout Int64?) throws(Failure)
  mutating func flag(_ name: StaticString, _ value: inout Bool) throws(Failure)
  mutating func flag(_ name: StaticString, _ value: inout Bool?) throws(Failure)
  mutating func texts(_ name: StaticString, _ value: inout [String]) throws(Failure)
  mutating func texts(_ name: StaticString, _ value: inout [String]?) throws(Failure)
  /// Any JSON object, as its text without white space.
  mutating func object(_ name: StaticString, _ value: inout String?) throws(Failure)
  /// One of the words that are known; a reader takes others as they are.
  mutating func word<W: Word>(_ name: StaticString, _ value: inout W) throws(Failure)
  mutating func word<W: Word>(_ name: StaticString, _ value: inout W?) throws(Failure)
  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V) throws(Failure)
  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V?) throws(Failure)
  mutating func values<V: NamedFields>(_ name: StaticString, _ value: inout [V]) throws(Failure)
  /// A list that is there only where it has some.
  mutating func valuesIfAny<V: NamedFields>(
    _ name: StaticString, _ value: inout [V]) throws(Failure)
}

extension FieldCoder {
  /// A flag that is there only where it is set.
  public mutating func mark(_ name: StaticString, _ value: inout Bool) throws(Failure) {
    var mark = value ? true : nil
    try flag(name, &mark)
    value = mark ?? false
  }

  /// A list of texts that is there only where it has some.
  public mutating func textsIfAny(
    _ name: StaticString, _ value: inout [String]
  ) throws(Failure) {
    var texts = value.isEmpty ? nil : value
    try self.texts(name, &texts)
    value = texts ?? []
  }

  /// A word that the descriptions call a string, since its list is not theirs to close.
  public mutating func open<W: Word>(_ name: StaticString, _ value: inout W) throws(Failure) {
    var raw = value.rawValue
    try text(name, &raw)
    value = W(rawValue: raw)
  }

  public mutating func open<W: Word>(_ name: StaticString, _ value: inout W?) throws(Failure) {
    var raw = value?.rawValue
    try text(name, &raw)
    value = raw.map { W(rawValue: $0) }
  }
}

extension NamedFields {
  /// The struct as the interfaces define it.
  public static var definition: InterfaceType { .structure(Self().fields) }
}

extension NamedWord {
  /// The list as the interfaces define it.
  public static var definition: InterfaceType { .enumeration(known.map(\.rawValue)) }
}

// MARK: Describing

extension Coded {
  /// The fields as an interface describes them.
  public var fields: [InterfaceField] {
    var value = self
    var describer = FieldDescriber()
    value.code(with: &describer)
    return describer.fields
  }
}

/// Notes names and types.
private struct FieldDescriber: FieldCoder {
  typealias Failure = Never

  var fields: [InterfaceField] = []

  private mutating func note(_ name: StaticString, _ type: InterfaceType) {
    fields.append(InterfaceField(name.description, type))
  }

  private func type<W: Word>(of word: W.Type) -> InterfaceType {
    if let named = word as? any NamedType.Type { return .named(named.typeName) }
    return .enumeration(word.known.map(\.rawValue))
  }

  mutating func text(_ name: StaticString, _ value: inout String) { note(name, .string) }
  mutating func text(_ name: StaticString, _ value: inout String?) {
    note(name, .optional(.string))
  }
  mutating func integer(_ name: StaticString, _ value: inout Int64) { note(name, .int) }
  mutating func integer(_ name: StaticString, _ value: inout Int64?) {
    note(name, .optional(.int))
  }
  mutating func flag(_ name: StaticString, _ value: inout Bool) { note(name, .bool) }
  mutating func flag(_ name: StaticString, _ value: inout Bool?) { note(name, .optional(.bool)) }
  mutating func texts(_ name: StaticString, _ value: inout [String]) {
    note(name, .array(.string))
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]?) {
    note(name, .optional(.array(.string)))
  }
  mutating func object(_ name: StaticString, _ value: inout String?) {
    note(name, .optional(.object))
  }
  mutating func word<W: Word>(_ name: StaticString, _ value: inout W) {
    note(name, type(of: W.self))
  }
  mutating func word<W: Word>(_ name: StaticString, _ value: inout W?) {
    note(name, .optional(type(of: W.self)))
  }
  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V) {
    note(name, .named(V.typeName))
  }
  mutating func value<V: NamedFields>(_ name: StaticString, _ value: inout V?) {
    note(name, .optional(.named(V.typeName)))
  }
  mutating func values<V: NamedFields>(_ name: StaticString, _ value: inout [V]) {
    note(name, .array(.named(V.typeName)))
  }
  mutating func valuesIfAny<V: NamedFields>(_ name: StaticString, _ value: inout [V]) {
    note(name, .optional(.array(.named(V.typeName))))
  }
}
