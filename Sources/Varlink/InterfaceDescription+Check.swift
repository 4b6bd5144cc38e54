extension InterfaceDescription {
  /// Checks a model: names well-formed and given once, named types defined, and no struct that
  /// must hold itself.
  public func check() throws(InterfaceError) {
    guard InterfaceName.isInterface(name.utf8) else {
      throw InterfaceError(.malformedName(name))
    }
    let defined = try definedTypes()
    for member in members {
      switch member.definition {
      case .type(let type):
        switch type {
        case .structure, .enumeration: try check(type, defined, depth: 1)
        case .bool, .int, .float, .string, .object, .named, .array, .map, .optional:
          throw InterfaceError(.neitherStructNorEnumeration(member.name))
        }
      case .method(let input, let output):
        try check(.structure(input), defined, depth: 1)
        try check(.structure(output), defined, depth: 1)
      case .error(let fields): try check(.structure(fields), defined, depth: 1)
      }
    }
    try checkEnds(defined)
  }

  /// The named types, once all members' names are known to be good.
  private func definedTypes() throws(InterfaceError) -> [String: InterfaceType] {
    var names: Set<String> = []
    var defined: [String: InterfaceType] = [:]
    for member in members {
      guard InterfaceName.isMember(member.name.utf8) else {
        throw InterfaceError(.malformedName(member.name))
      }
      guard names.insert(member.name).inserted else {
        throw InterfaceError(.repeatedName(member.name))
      }
      if case .type(let type) = member.definition { defined[member.name] = type }
    }
    return defined
  }

  private func check(
    _ type: InterfaceType, _ defined: [String: InterfaceType], depth: Int
  ) throws(InterfaceError) {
    guard depth <= VarlinkLimits.typeDepthMax + 1 else { throw InterfaceError(.tooDeep) }
    switch type {
    case .bool, .int, .float, .string, .object: break
    case .named(let name):
      guard defined[name] != nil else { throw InterfaceError(.undefinedType(name)) }
    case .structure(let fields):
      try checkNames(fields.map(\.name))
      for field in fields { try check(field.type, defined, depth: depth + 1) }
    case .enumeration(let values): try checkNames(values)
    case .array(let element), .map(let element): try check(element, defined, depth: depth + 1)
    case .optional(.optional): throw InterfaceError(.repeatedOptional)
    case .optional(let wrapped): try check(wrapped, defined, depth: depth + 1)
    }
  }

  private func checkNames(_ names: [String]) throws(InterfaceError) {
    var seen: Set<String> = []
    for name in names {
      guard InterfaceName.isField(name.utf8) else { throw InterfaceError(.malformedName(name)) }
      guard seen.insert(name).inserted else { throw InterfaceError(.repeatedName(name)) }
    }
  }

  /// Follows the types a struct cannot do without; coming back to one on the way has no end.
  private func checkEnds(_ defined: [String: InterfaceType]) throws(InterfaceError) {
    var finished: Set<String> = []
    for member in members {
      guard case .type(let type) = member.definition else { continue }
      var open: [(name: String, rest: [String])] = [(member.name, type.required)]
      var isOpen: Set<String> = [member.name]
      while var top = open.popLast() {
        guard let next = top.rest.popLast() else {
          finished.insert(top.name)
          isOpen.remove(top.name)
          continue
        }
        open.append(top)
        if isOpen.contains(next) { throw InterfaceError(.endlessType(next)) }
        guard !finished.contains(next), let type = defined[next] else { continue }
        open.append((next, type.required))
        isOpen.insert(next)
      }
    }
  }
}

extension InterfaceType {
  /// The named types that any value of this one contains.
  fileprivate var required: [String] {
    switch self {
    case .bool, .int, .float, .string, .object, .enumeration, .array, .map, .optional: []
    case .named(let name): [name]
    case .structure(let fields): fields.flatMap(\.type.required)
    }
  }
}
