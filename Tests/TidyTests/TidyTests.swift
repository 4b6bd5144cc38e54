import Testing

/// Each rule of the house in two tests: the tree keeps it, and a planted breach of it is found.
@Suite("The tree keeps the rules of the house")
struct TidyTests {
  private func source(_ path: String, _ text: String) -> SourceFile {
    SourceFile(path: path, text: text)
  }

  private func check(_ findings: [Finding]) {
    #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
  }

  private func swiftFiles() throws -> [SourceFile] {
    try Repository.swiftFiles(below: "Sources")
  }

  @Test("imports follow the table")
  func importsFollowTheTable() throws {
    let files = try swiftFiles()
    #expect(files.count > 50, "the sources were not found")
    check(files.flatMap(ImportTable.findings))
  }

  @Test("an import against the table is found, however it is written")
  func plantedImport() {
    let text = """
      import EventLog
      // import Platform
      @testable import Platform
      public import struct Client.Client
      let text = "import Simulation"
      """
    let found = ImportTable.findings(in: source("Sources/Engine/Engine.swift", text))
    #expect(found.map(\.line) == [3, 4])
    let unknown = ImportTable.findings(in: source("Sources/Extra/Extra.swift", "let a = 1"))
    #expect(unknown.map(\.text) == ["target Extra is not in the table"])
    #expect(ImportTable.findings(in: source("Sources/JSON/A.swift", "import Glibc")).count == 1)
    #expect(ImportTable.findings(in: source("Sources/Platform/A.swift", "import Glibc")).isEmpty)
  }

  @Test("the package declares the targets of the table and depends along it")
  func packageFollowsTheTable() throws {
    let package = try Repository.file(at: "Package.swift")
    let folders = Set(
      try Repository.paths(below: "Sources").map { String($0.split(separator: "/")[1]) }
    ).subtracting(["README.md"])
    check(ImportTable.packageFindings(in: package, folders: folders.sorted()))
  }

  @Test("a dependency against the table, an unknown target and a missing one are found")
  func plantedDependency() {
    let text = """
      let package = Package(targets: [
        .target(name: "JSON"),
        .target(name: "Varlink", dependencies: ["JSON", "Engine"], path: "Sources/Varlink"),
        .executableTarget(
          name: "extra",
          dependencies: ["JSON"]),
        .executableTarget(name: "helper", dependencies: ["Engine"], path: "Tests/Helper"),
        .testTarget(name: "JSONTests", dependencies: ["Engine"]),
      ])
      """
    let found = ImportTable.packageFindings(
      in: source("Package.swift", text), folders: ["JSON", "Varlink", "EventLog"])
    #expect(
      found.map(\.text) == [
        "Varlink may not depend on Engine", "target extra is not in the table",
        "Sources/EventLog is no target of the package", "target extra has no folder",
      ])
  }

  @Test("a target, of tests too, depends on what it imports")
  func importsAreDeclared() throws {
    let files = try swiftFiles() + Repository.swiftFiles(below: "Tests")
    let package = try Repository.file(at: "Package.swift")
    check(ImportTable.undeclaredImports(in: files, package: package))
  }

  @Test("an import that the package does not declare is found, in tests and in programs for them")
  func plantedUndeclaredImport() {
    let package = """
      let package = Package(targets: [
        .target(name: "JSON"),
        .target(name: "EventLog"),
        .executableTarget(name: "probe", dependencies: ["EventLog"], path: "Tests/Probe"),
        .testTarget(name: "JSONTests", dependencies: ["JSON"]),
      ])
      """
    let files = [
      source("Sources/EventLog/A.swift", "import JSON"),
      source("Tests/JSONTests/A.swift", "import Testing\n@testable import EventLog\nimport JSON"),
      source("Tests/Probe/A.swift", "import EventLog\nimport JSON"),
    ]
    let found = ImportTable.undeclaredImports(in: files, package: source("Package.swift", package))
    #expect(
      found.map(\.description) == [
        "Sources/EventLog/A.swift:1: EventLog does not depend on JSON in Package.swift",
        "Tests/JSONTests/A.swift:2: JSONTests does not depend on EventLog in Package.swift",
        "Tests/Probe/A.swift:2: probe does not depend on JSON in Package.swift",
      ])
  }

  @Test("the page of the house names files that are there")
  func pageOfTheHouse() throws {
    let page = try Repository.file(at: "Sources/README.md")
    let names = Set(
      try Repository.paths(below: "Sources").map { String($0.split(separator: "/").last!) })
    let text = page.lines.joined(separator: "\n")
    let named = text.matches(of: /`(?:[\w-]+\/)*([\w+-]+\.(?:swift|md))`/).map { String($0.1) }
    let parts = text.matches(of: /`((?:Engine|State)\+\w+)`/).map { "\($0.1).swift" }
    #expect(named.count > 10 && parts.count > 3)
    #expect((named + parts).filter { !names.contains($0) } == [])
  }

  @Test("no shipped target imports Foundation")
  func noFoundation() throws {
    check(try swiftFiles().flatMap(ImportTable.foundationFindings))
  }

  @Test("an import of Foundation is found, its parts too")
  func plantedFoundation() {
    for module in ["Foundation", "FoundationEssentials", "FoundationNetworking"] {
      let file = source("Sources/renewd/Options.swift", "import \(module)")
      #expect(ImportTable.foundationFindings(in: file).count == 1)
    }
    let allowed = source("Sources/StoreKit/Product.swift", "import Foundation")
    #expect(ImportTable.foundationFindings(in: allowed).isEmpty)
  }

  @Test("only the shell touches the machine")
  func onlyTheShellTouchesTheMachine() throws {
    check(try swiftFiles().flatMap(MachineUse.findings))
  }

  @Test("a clock, chance, the environment, a file, a socket and a task are found in the core")
  func plantedMachineUse() {
    let uses = [
      "let now = ContinuousClock.now", "let n = Int.random(in: 0..<9)", "_ = list.shuffled()",
      "let home = getenv(name)", "let file = fopen(path, mode)", "var address = sockaddr_un()",
      "Task { run() }", "DispatchQueue.main.sync {}", "print(state)", #"let t = "\(getenv(n))""#,
    ]
    for use in uses {
      let file = source("Sources/Engine/Engine.swift", "import EventLog\n\(use)\n")
      #expect(MachineUse.findings(in: file).map(\.line) == [2], "\(use)")
      #expect(MachineUse.findings(in: source("Sources/Platform/Loop.swift", use)).isEmpty)
    }
    let clean = [
      "// a Task that fopen would do", #"let name = "Task""#, "let task = Tasks()",
      "let n = Int.random(in: 0..<9, using: &generator)", "/* print() */ let a = 1",
      "case .new(let print): use(print)", "fingerprint(a)", "printer.print(page)",
    ]
    for line in clean {
      #expect(MachineUse.findings(in: source("Sources/Engine/A.swift", line)).isEmpty, "\(line)")
    }
  }

  @Test("lines have at most 100 columns")
  func lineLengths() throws {
    check(try Repository.writtenFiles().flatMap(Sizes.lineFindings))
  }

  @Test("a line of 101 columns is found, one of 100 is not")
  func plantedLine() {
    let lines = [String(repeating: "ä", count: 100), String(repeating: "a", count: 101)]
    let file = source("Scripts/x", lines.joined(separator: "\n"))
    #expect(Sizes.lineFindings(in: file).map(\.line) == [2])
  }

  @Test("functions have at most 60 lines")
  func functionLengths() throws {
    let files = try swiftFiles() + Repository.swiftFiles(below: "Tests")
    check(files.flatMap(Sizes.functionFindings))
  }

  @Test("a function of 61 lines is found, one of 60 and a signature without a body are not")
  func plantedFunction() {
    func function(_ head: String, lines: Int) -> String {
      "\(head) {\n" + String(repeating: "  call { $0 }\n", count: lines - 2) + "}\n"
    }
    let heads = [
      "func a(_ b: () -> Void = {}) -> Int", "init?(x: Int) throws(E)", "var c: A.B",
      "static func == (a: A, b: A) -> Bool", "subscript(i: Int) -> Int", "deinit",
    ]
    for head in heads {
      let long = source("Sources/JSON/A.swift", "let x = 1\n" + function(head, lines: 61))
      #expect(Sizes.functionFindings(in: long).map(\.line) == [2], "\(head)")
      let fits = source("Sources/JSON/A.swift", function(head, lines: 60))
      #expect(Sizes.functionFindings(in: fits).isEmpty, "\(head)")
    }
    let bodiless = "protocol P {\n  func a()\n  var b: Int\n}\n" + function("enum A", lines: 70)
    #expect(Sizes.functionFindings(in: source("Sources/JSON/A.swift", bodiless)).isEmpty)
    let stored = "var a: [Int] = []\n" + function("struct S", lines: 70)
    #expect(Sizes.functionFindings(in: source("Sources/JSON/A.swift", stored)).isEmpty)
  }

  @Test("files have at most 500 lines")
  func fileLengths() throws {
    check(try Repository.writtenFiles().flatMap(Sizes.fileFindings))
  }

  @Test("a file of 501 lines is found, one of 500 is not")
  func plantedFile() {
    let line = "let a = 1\n"
    let long = source("Sources/JSON/A.swift", String(repeating: line, count: 501))
    #expect(Sizes.fileFindings(in: long).count == 1)
    let fits = source("Sources/JSON/A.swift", String(repeating: line, count: 500))
    #expect(Sizes.fileFindings(in: fits).isEmpty)
  }

  @Test("nothing says of itself that it is unfinished")
  func noMarks() throws {
    check(try Repository.writtenFiles().flatMap(Marks.findings))
  }

  @Test("each mark of unfinished work is found, in comments too")
  func plantedMarks() {
    for word in Marks.words {
      let file = source("Sources/JSON/A.swift", "let a = 1  // \(word): later")
      #expect(Marks.findings(in: file).count == 1)
    }
    #expect(Marks.findings(in: source("Sources/JSON/A.swift", "let methodology = 1")).isEmpty)
  }

  @Test("limits are in Limits.swift, each with its reason")
  func limitsHaveReasons() throws {
    check(try swiftFiles().flatMap(Conventions.limitFindings))
  }

  @Test("a limit elsewhere and a limit without a reason are found")
  func plantedLimit() {
    let hidden = source("Sources/JSON/Reader.swift", "  static let depthMax = 16\n")
    #expect(Conventions.limitFindings(in: hidden).count == 1)
    let text = """
      enum Limits {
        /// Deeper documents are made by machines to hurt.
        static let depthMax = 16

        static let bytesMax = 65_536
      }
      """
    let bare = source("Sources/JSON/Limits.swift", text)
    #expect(Conventions.limitFindings(in: bare).map(\.line) == [5])
  }

  @Test("main.swift is one call")
  func mainIsOneCall() throws {
    check(try swiftFiles().flatMap(Conventions.mainFindings))
  }

  @Test("a main.swift of two statements is found, a call over several lines is not")
  func plantedMain() {
    let two = source("Sources/renewd/main.swift", "import Platform\nlet d = Daemon()\nd.run()\n")
    #expect(Conventions.mainFindings(in: two).count == 1)
    let one = source("Sources/renewd/main.swift", "import Platform\n\nDaemon.main(\n  1\n)\n")
    #expect(Conventions.mainFindings(in: one).isEmpty)
  }

  @Test("the top of the tree holds only what belongs there")
  func topLevel() throws {
    check(Conventions.topLevelFindings(try Repository.topLevel()))
  }

  @Test("a stray file at the top is found")
  func plantedTopLevel() {
    let found = Conventions.topLevelFindings(["Sources", "notes.txt", ".build"])
    #expect(found.map(\.path) == ["notes.txt"])
  }

  @Test("each kind of journal message has an entry in the catalogue")
  func journalCatalogue() throws {
    let catalogue = try Repository.file(at: "systemd/renewd.catalog")
    let code = try Repository.swiftFiles(below: "Sources/Platform")
    check(JournalCatalogue.findings(code: code, catalogue: catalogue))
  }

  @Test("a message without an entry and an entry without a message are found")
  func plantedMessage() {
    let known = String(repeating: "a", count: 32)
    let unknown = String(repeating: "b", count: 32)
    let stale = String(repeating: "c", count: 32)
    let found = JournalCatalogue.findings(
      code: [source("Sources/Platform/Journal.swift", #""\#(known)" "\#(unknown)""#)],
      catalogue: source("systemd/renewd.catalog", "-- \(known)\nSubject: a\n\n-- \(stale)\n"))
    #expect(found.map(\.text) == ["no entry for \(unknown)", "no message has \(stale)"])
  }

  @Test("a switch over an enum of ours names its cases")
  func switchesNameTheirCases() throws {
    check(try swiftFiles().flatMap(Switches.defaultFindings))
  }

  @Test("few switches are over all facts")
  func switchesOverFacts() throws {
    let found = try swiftFiles().flatMap(Switches.factSwitches)
    #expect(found.count >= 4, "they were not found")
    #expect(
      found.count <= Switches.factSwitchesMax,
      "\(found.map(\.description).joined(separator: "\n"))")
  }

  @Test("a default over an enum, and a switch over all facts, are found")
  func plantedSwitches() {
    let text = """
      func name(_ fact: Fact) -> Int {
        switch fact {
        case .log, .clock,
          .catalogue:
          switch count {
          case 1: return 1
          default: return 2
          }
        case .tester, .appStore: return 3
        default:
          return 4
        }
      }
      """
    let file = source("Sources/Engine/A.swift", text)
    #expect(Switches.defaultFindings(in: file).map(\.line) == [2])
    #expect(Switches.factSwitches(in: file).map(\.line) == [2])
    #expect(Switches.defaultFindings(in: source("Sources/Client/A.swift", text)).isEmpty)
  }

  @Test("a function that is one switch may be long; one that is not, may not")
  func longSwitches() {
    let cases = (0..<70).map { "    case .a\($0): \($0)" }.joined(separator: "\n")
    let one = "func a() -> Int {\n    switch self {\n\(cases)\n    }\n}"
    let rest = [String](repeating: "    b()", count: 10).joined(separator: "\n")
    let more = "func a() -> Int {\n    switch self {\n\(cases)\n    }\n\(rest)\n}"
    #expect(Sizes.functionFindings(in: source("Sources/JSON/A.swift", one)).isEmpty)
    #expect(Sizes.functionFindings(in: source("Sources/JSON/A.swift", more)).count == 1)
  }

  private func citations() throws -> Citations {
    let names = try Repository.paths(below: "Sources").map {
      String($0.split(separator: "/").last!)
    }
    let domain = try Repository.file(at: "Sources/Subscriptions/Domain.md")
    return Citations(
      pages: Set(names.filter { $0.hasSuffix(".md") } + ["README.md"]),
      domain: domain.lines.joined(separator: "\n"))
  }

  @Test("what is cited is there: pages of the tree, and sections and numbers of Domain.md")
  func citationsAreThere() throws {
    let citations = try citations()
    #expect(citations.pages.contains("Rules.md"))
    let pages = try Repository.paths(below: "Sources").filter { $0.hasSuffix(".md") }
      .map(Repository.file)
    let texts =
      try pages + Repository.writtenFiles().filter { !$0.path.hasPrefix("Tests/TidyTests/") }
    #expect(texts.count > 400, "the tree was not found")
    check(texts.flatMap { citations.findings(in: $0.path, $0.lines.joined(separator: "\n")) })
  }

  @Test("a page that is not in the tree, and a section that Domain.md has not, are found")
  func plantedCitations() throws {
    let citations = try citations()
    let text = """
      /// The rules (Domain.md 1.3, Rules.md); Domain.md 8.82, Domain.md E22b and Domain.md, B54.
      /// See nowhere.md.
      /// Domain.md 1.99
      /// Domain.md B999 and Domain.md 8.89
      """
    let found = citations.findings(in: "a.swift", text)
    #expect(found.map(\.line) == [2, 3, 4, 4])
  }
}
