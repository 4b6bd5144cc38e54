/// Who may import whom: the table of the design, target by target.
enum ImportTable {
  /// What each target may import. A target that is not here may import nothing and be nothing.
  static let allowed: [String: Set<String>] = {
    let core: Set = ["Subscriptions", "JSON", "EventLog", "Varlink", "AppStore"]
    let ours = core.union(["Engine", "Crypto", "Platform", "Client", "Simulation"])
    return [
      "Time": [],
      "Subscriptions": ["Time"],
      "JSON": [],
      "EventLog": [],
      "Varlink": ["JSON"],
      "Contract": ["Varlink", "JSON", "Time"],
      "AppStore": ["Subscriptions", "JSON"],
      "Engine": core.union(["Contract", "Time"]),
      // What signs and verifies is declared in AppStore and made here, once for all who link both.
      "Crypto": ["AppStore", "CCrypto"],
      "Platform": ["Engine", "EventLog", "CLinux", "CSystemd"],
      "Client": ["Contract", "Varlink", "JSON", "Time", "CLinux"],
      "StoreKit": ["Client", "AppStore", "Crypto", "Foundation", "FoundationNetworking"],
      "StoreKitSupport": ["Foundation", "Observation"],
      "OSLog": ["StoreKitSupport"],
      "os": ["StoreKitSupport"],
      "Simulation": core.union(["Engine"]),
      "renewd": ["Platform", "Crypto"],
      "renewctl": ["Client", "CLinux"],
      "renewd-http": ["Client", "AppStore", "Crypto", "CMicroHTTPD", "CCurl"],
      "simulate": ["Simulation"],
      "bench": ours,
      "membership-demo": ["StoreKit", "Client", "Foundation"],
      "CLinux": [],
      "CStandstill": [],
      "CSystemd": [],
      "CCrypto": [],
      "CMicroHTTPD": [],
      "CCurl": [],
    ]
  }()

  static let executables: Set = [
    "renewd", "renewctl", "renewd-http", "simulate", "bench", "membership-demo",
  ]

  /// Targets that may touch the machine: clock, chance, environment, files, sockets, threads.
  static let shell = executables.union(["Platform", "Client", "StoreKit", "StoreKitSupport"])

  /// Parts of the toolchain that come with touching the machine.
  static let shellModules: Set = ["Glibc", "Synchronization"]

  static let mayUseFoundation: Set = ["StoreKit", "StoreKitSupport", "membership-demo"]

  static func findings(in file: SourceFile) -> [Finding] {
    guard let target = file.target else { return [] }
    guard var may = allowed[target] else {
      return [Finding(path: file.path, line: 1, text: "target \(target) is not in the table")]
    }
    if shell.contains(target) { may.formUnion(shellModules) }
    return file.imports.filter { !may.contains($0.module) }.map {
      Finding(path: file.path, line: $0.line, text: "\(target) may not import \($0.module)")
    }
  }

  static func foundationFindings(in file: SourceFile) -> [Finding] {
    guard let target = file.target, !mayUseFoundation.contains(target) else { return [] }
    return file.imports.filter { $0.module.hasPrefix("Foundation") }.map {
      Finding(path: file.path, line: $0.line, text: "\(target) is shipped without Foundation")
    }
  }

  /// A target as `Package.swift` declares it.
  struct Declared {
    let name: String
    let dependencies: [String]
    /// The folder it is made from, and whether that is one of ours below `Tests`.
    let folder: String
    var isForTests: Bool { folder.hasPrefix("Tests/") }
  }

  static func declared(in package: SourceFile) -> [Declared] {
    let text = package.lines.joined(separator: "\n")
    let start = /\.(executableTarget|target|systemLibrary|testTarget)\(\s*name:\s*"([^"]+)"/
    let starts = text.matches(of: start)
    return starts.enumerated().map { index, match in
      let next = index + 1 < starts.count ? starts[index + 1].range.lowerBound : text.endIndex
      let rest = text[match.range.upperBound..<next]
      let list = rest.firstMatch(of: /dependencies:\s*\[([^\]]*)\]/)?.output.1 ?? ""
      let dependencies = list.matches(of: /"([^"]+)"/).map { String($0.output.1) }
      let parent = match.output.1 == "testTarget" ? "Tests" : "Sources"
      let path = rest.firstMatch(of: /path:\s*"([^"]+)"/).map { String($0.output.1) }
      return Declared(
        name: String(match.output.2), dependencies: dependencies,
        folder: path ?? "\(parent)/\(match.output.2)")
    }
  }

  /// Imports of the package's own modules that the importing target does not depend on: such a
  /// build stands or falls by what happens to be compiled first.
  static func undeclaredImports(in files: [SourceFile], package: SourceFile) -> [Finding] {
    let declared = declared(in: package)
    let ours = Set(declared.map(\.name))
    return files.flatMap { file -> [Finding] in
      guard let target = declared.first(where: { file.path.hasPrefix($0.folder + "/") })
      else { return [] }
      return file.imports
        .filter { ours.contains($0.module) && !target.dependencies.contains($0.module) }
        .map {
          Finding(
            path: file.path, line: $0.line,
            text: "\(target.name) does not depend on \($0.module) in Package.swift")
        }
    }
  }

  static func packageFindings(in package: SourceFile, folders: [String]) -> [Finding] {
    func finding(_ text: String) -> Finding { Finding(path: package.path, line: 1, text: text) }
    let declared = declared(in: package).filter { !$0.isForTests }
    var found: [Finding] = []
    for target in declared {
      guard let may = allowed[target.name] else {
        found.append(finding("target \(target.name) is not in the table"))
        continue
      }
      found += target.dependencies.filter { !may.contains($0) }
        .map { finding("\(target.name) may not depend on \($0)") }
    }
    let names = Set(declared.map(\.name))
    found += folders.filter { !names.contains($0) }
      .map { finding("Sources/\($0) is no target of the package") }
    found += names.subtracting(folders).sorted().map { finding("target \($0) has no folder") }
    return found
  }
}
