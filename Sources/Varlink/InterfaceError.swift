/// Why a text or model is not an interface description.
public struct InterfaceError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// More bytes than `VarlinkLimits.descriptionBytesMax`.
    case tooLong
    /// Types nest deeper than `VarlinkLimits.typeDepthMax`.
    case tooDeep
    /// The text ends before what is named.
    case endBefore(String)
    /// Something stands where what is named should.
    case expected(String)
    /// A name of an interface, member or field that breaks the rules for such names.
    case malformedName(String)
    /// A member of the interface, a field of a struct or a value of an enumeration stands twice.
    case repeatedName(String)
    /// A field uses a type that the interface does not define.
    case undefinedType(String)
    /// An optional of an optional.
    case repeatedOptional
    /// A named type, by name, that is neither struct nor enumeration.
    case neitherStructNorEnumeration(String)
    /// A struct holds itself without an optional, array or map between: no value can exist.
    case endlessType(String)
    /// The service has an interface of this name already.
    case repeatedInterface(String)
  }

  public let reason: Reason
  /// The line in the text, from 1; 0 when a model was checked.
  public let line: Int
  /// The byte in the line, from 1; 0 when a model was checked.
  public let column: Int

  public init(_ reason: Reason, line: Int = 0, column: Int = 0) {
    self.reason = reason
    self.line = line
    self.column = column
  }
}

extension InterfaceError: CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public var description: String {
    line == 0 ? phrase : "line \(line), column \(column): \(phrase)"
  }

  private var phrase: String {
    switch reason {
    case .tooLong: "the description is longer than \(VarlinkLimits.descriptionBytesMax) bytes"
    case .tooDeep: "types nest more than \(VarlinkLimits.typeDepthMax) deep"
    case .endBefore(let what): "the text ends before \(what)"
    case .expected(let what): "expected \(what)"
    case .malformedName(let name): "'\(name)' is not a name here"
    case .repeatedName(let name): "\(name) is defined twice"
    case .undefinedType(let name): "the type \(name) is not defined"
    case .repeatedOptional: "an optional cannot be optional again"
    case .neitherStructNorEnumeration(let name): "\(name) is neither struct nor enumeration"
    case .endlessType(let name): "\(name) holds itself without end"
    case .repeatedInterface(let name): "the interface \(name) is registered already"
    }
  }
}
