import JSON

/// The first thing wrong with the parameters of a call or reply.
public struct ParameterFault: Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    case unknown
    case missing
    /// Another kind than the type's.
    case wrongType(expected: String)
    /// A number with a fraction or exponent, or past Int64.
    case notAnInteger
    /// No value of the enumeration.
    case notOneOf([String])
  }

  /// The path from the parameters, such as `offer.type` or `productIds[2]`.
  public let parameter: String
  public let reason: Reason

  /// One phrase for a person that reads after the parameter's name.
  public var phrase: String {
    switch reason {
    case .unknown: "is not a parameter of this method"
    case .missing: "is missing"
    case .wrongType(let expected): "must be \(expected)"
    case .notAnInteger: "must be an integer of 64 bits"
    case .notOneOf(let values): "must be one of \(values.joined(separator: ", "))"
    }
  }
}

extension InterfaceDescription {
  /// Checks the parameters of a call of a method; nil when they are right or when there is no such
  /// method. Given members are judged in their order, then the missing ones in the interface's.
  public func validate(parameters: JSONValue, against method: String) -> ParameterFault? {
    guard let fields = self.method(named: method)?.input else { return nil }
    return fault(in: parameters, .structure(fields), path: "")
  }

  /// Checks the parameters of a reply of a method.
  public func validate(reply: JSONValue, of method: String) -> ParameterFault? {
    guard let fields = self.method(named: method)?.output else { return nil }
    return fault(in: reply, .structure(fields), path: "")
  }

  /// Checks the parameters of an error of this interface, named without it.
  public func validate(parameters: JSONValue, ofError error: String) -> ParameterFault? {
    guard let fields = self.error(named: error) else { return nil }
    return fault(in: parameters, .structure(fields), path: "")
  }

  private func fault(
    in value: JSONValue, _ type: InterfaceType, path: String
  ) -> ParameterFault? {
    func wrong(_ expected: String) -> ParameterFault {
      ParameterFault(parameter: path, reason: .wrongType(expected: expected))
    }
    switch type {
    case .bool: return value.boolValue == nil ? wrong("true or false") : nil
    case .string: return value.stringValue == nil ? wrong("a string") : nil
    case .object: return value.objectValue == nil ? wrong("an object") : nil
    case .float: return value.kind == .number ? nil : wrong("a number")
    case .int:
      guard value.kind == .number else { return wrong("an integer") }
      let isInteger = value.int64Value != nil
      return isInteger ? nil : ParameterFault(parameter: path, reason: .notAnInteger)
    case .named(let name):
      guard let target = self.type(named: name) else { return wrong("a \(name)") }
      return fault(in: value, target, path: path)
    case .optional(let wrapped): return value.isNull ? nil : fault(in: value, wrapped, path: path)
    case .enumeration(let values):
      guard let text = value.stringValue else { return wrong("a string") }
      let isOne = values.contains(text)
      return isOne ? nil : ParameterFault(parameter: path, reason: .notOneOf(values))
    case .array(let element):
      guard let elements = value.arrayValue else { return wrong("an array") }
      for (index, item) in elements.enumerated() {
        if let fault = fault(in: item, element, path: "\(path)[\(index)]") { return fault }
      }
      return nil
    case .map(let element):
      guard let object = value.objectValue else { return wrong("an object") }
      for member in object.members {
        let fault = fault(in: member.value, element, path: Self.join(path, member.key))
        if let fault { return fault }
      }
      return nil
    case .structure(let fields):
      guard let object = value.objectValue else { return wrong("an object") }
      return fault(in: object, fields, path: path)
    }
  }

  private func fault(
    in object: JSONObject, _ fields: [InterfaceField], path: String
  ) -> ParameterFault? {
    for member in object.members {
      let path = Self.join(path, member.key)
      guard let field = fields.first(where: { $0.name == member.key }) else {
        return ParameterFault(parameter: path, reason: .unknown)
      }
      if let fault = fault(in: member.value, field.type, path: path) { return fault }
    }
    for field in fields where object[field.name] == nil {
      if case .optional = field.type { continue }
      return ParameterFault(parameter: Self.join(path, field.name), reason: .missing)
    }
    return nil
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}
