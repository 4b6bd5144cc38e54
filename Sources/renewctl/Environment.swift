import Glibc

/// The variables of the process, read once.
struct Environment {
  private(set) var variables: [String: String]

  init(_ variables: [String: String]) {
    self.variables = variables
  }

  /// The variables this process was started with.
  static func ofProcess() -> Environment {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text)
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return Environment(variables)
  }

  subscript(name: String) -> String? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// A variable that is set to something.
  func text(_ name: String) -> String? {
    guard let value = variables[name], !value.isEmpty else { return nil }
    return value
  }
}
