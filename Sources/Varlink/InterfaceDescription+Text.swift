extension InterfaceDescription {
  /// The canonical text: parsing it gives this model again. Structs that fit stand on one line,
  /// others give each field a line; comments stand above what they describe.
  public var text: String {
    var text = Self.comments(documentation, level: 0)
    text += "interface \(name)\n"
    for member in members {
      text += "\n" + Self.comments(member.documentation, level: 0)
      switch member.definition {
      case .type(let type):
        text += Self.fit("type \(member.name) ", type)
      case .method(let input, let output):
        let head = Self.fit("method \(member.name)", .structure(input))
        let lastLine = head.split(separator: "\n").last ?? ""
        let body = Self.fit("\(lastLine) -> ", .structure(output))
        text += head.dropLast(lastLine.count) + body
      case .error(let fields):
        text += Self.fit("error \(member.name) ", .structure(fields))
      }
      text += "\n"
    }
    return text
  }

  /// The head and the type behind it, on one line if that is short enough.
  private static func fit(_ head: String, _ type: InterfaceType) -> String {
    if !type.hasDocumentation {
      let line = head + type.text
      if line.utf8.count <= VarlinkLimits.textLineBytesMax { return line }
    }
    return head + type.brokenText(level: 0)
  }

  static func comments(_ lines: [String], level: Int) -> String {
    let indent = String(repeating: "  ", count: level)
    return lines.map { $0.isEmpty ? "\(indent)#\n" : "\(indent)# \($0)\n" }.joined()
  }
}

extension InterfaceType {
  /// The type on one line, without comments.
  public var text: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .named(let name): name
    case .structure(let fields):
      "(" + fields.map { "\($0.name): \($0.type.text)" }.joined(separator: ", ") + ")"
    case .enumeration(let values): "(" + values.joined(separator: ", ") + ")"
    case .array(let element): "[]" + element.text
    case .map(let element): "[string]" + element.text
    case .optional(let wrapped): "?" + wrapped.text
    }
  }

  fileprivate var hasDocumentation: Bool {
    switch self {
    case .bool, .int, .float, .string, .object, .named, .enumeration: false
    case .structure(let fields):
      fields.contains { !$0.documentation.isEmpty || $0.type.hasDocumentation }
    case .array(let element), .map(let element), .optional(let element): element.hasDocumentation
    }
  }

  /// The type with a line for each field of the outermost struct, and of inner ones where they
  /// need it.
  fileprivate func brokenText(level: Int) -> String {
    let indent = String(repeating: "  ", count: level + 1)
    let end = "\n" + String(repeating: "  ", count: level) + ")"
    switch self {
    case .bool, .int, .float, .string, .object, .named: return text
    case .structure(let fields):
      let lines = fields.map { field in
        let head = "\(indent)\(field.name): "
        let line = head + field.type.text
        let fits =
          line.utf8.count < VarlinkLimits.textLineBytesMax && !field.type.hasDocumentation
        return InterfaceDescription.comments(field.documentation, level: level + 1)
          + (fits ? line : head + field.type.brokenText(level: level + 1))
      }
      return "(\n" + lines.joined(separator: ",\n") + end
    case .enumeration(let values):
      return "(\n" + values.map { indent + $0 }.joined(separator: ",\n") + end
    case .array(let element): return "[]" + element.brokenText(level: level)
    case .map(let element): return "[string]" + element.brokenText(level: level)
    case .optional(let wrapped): return "?" + wrapped.brokenText(level: level)
    }
  }
}
