/// A Varlink interface description as a model: what a `.varlink` text says, in its order.
///
/// A model made by `parse` is sound: names are well-formed and stand once, every named type is
/// defined. One made by hand is checked with `check`.
public struct InterfaceDescription: Equatable, Sendable {
  /// The name, such as `org.renewd.Membership`.
  public var name: String
  /// The comment lines above the interface, without `#` and one space.
  public var documentation: [String]
  /// Types, methods and errors in the order of the text.
  public var members: [Member]

  public init(name: String, documentation: [String] = [], members: [Member] = []) {
    self.name = name
    self.documentation = documentation
    self.members = members
  }

  /// A type, method or error.
  public struct Member: Equatable, Sendable {
    public var name: String
    /// The comment lines above the member, without `#` and one space.
    public var documentation: [String]
    public var definition: Definition

    public init(name: String, documentation: [String] = [], definition: Definition) {
      self.name = name
      self.documentation = documentation
      self.definition = definition
    }
  }

  /// What a member is.
  public enum Definition: Equatable, Sendable {
    /// A named struct or enumeration.
    case type(InterfaceType)
    case method(input: [InterfaceField], output: [InterfaceField])
    case error([InterfaceField])
  }

  /// The struct or enumeration of a name.
  public func type(named name: String) -> InterfaceType? {
    for member in members where member.name == name {
      if case .type(let type) = member.definition { return type }
    }
    return nil
  }

  /// The parameters a method takes and gives.
  public func method(
    named name: String
  ) -> (input: [InterfaceField], output: [InterfaceField])? {
    for member in members where member.name == name {
      if case .method(let input, let output) = member.definition { return (input, output) }
    }
    return nil
  }

  /// The parameters an error carries.
  public func error(named name: String) -> [InterfaceField]? {
    for member in members where member.name == name {
      if case .error(let fields) = member.definition { return fields }
    }
    return nil
  }

  /// The names of the methods in the order of the text.
  public var methodNames: [String] {
    members.compactMap { member in
      if case .method = member.definition { member.name } else { nil }
    }
  }
}

/// A type as it is used by a field.
public indirect enum InterfaceType: Equatable, Sendable {
  case bool
  case int
  case float
  case string
  /// Any JSON object.
  case object
  /// A type of the same interface.
  case named(String)
  case structure([InterfaceField])
  case enumeration([String])
  case array(InterfaceType)
  /// An object with any keys and values of one type; of empty structs it is a set of strings.
  case map(InterfaceType)
  /// The value may be null or missing.
  case optional(InterfaceType)
}

/// A field of a struct.
public struct InterfaceField: Equatable, Sendable {
  public var name: String
  public var type: InterfaceType
  /// The comment lines above the field, without `#` and one space.
  public var documentation: [String]

  public init(_ name: String, _ type: InterfaceType, documentation: [String] = []) {
    self.name = name
    self.type = type
    self.documentation = documentation
  }
}
