import Testing

@testable import renewctl

@Suite("Command line")
struct CommandLineTests {
  @Test("every verb explains itself with a line, its usage and an example that parses")
  func help() throws {
    for verb in VerbTable.all {
      let description = verb.description
      let help = Harness.run(helpOf: description.name)
      #expect(help.status == 0)
      #expect(help.lines[0].hasSuffix("."))
      #expect(help.output.contains("usage: renewctl \(description.name)"))
      let example = try #require(help.lines.last)
      #expect(example.contains("renewctl \(description.name)"), "\(example)")
      let words = example.split(separator: "#")[0].split(separator: " ").map(String.init)
      guard words.first == "renewctl", description.name != "run" else { continue }
      let (found, rest) = try #require(
        try VerbTable.find(Array(words.dropFirst().prefix { $0 != "&&" })))
      #expect(found.description.name == description.name)
      let arguments = try Arguments(rest, found.description)
      #expect(found.description.operandCount.contains(arguments.operands.count))
    }
  }

  @Test("the overview lists every verb once")
  func overview() {
    let overview = Harness.alone("help").lines
    for verb in VerbTable.all {
      let name = verb.description.name
      #expect(overview.count { $0.hasPrefix("  \(name)  ") } == 1, "\(name)")
    }
    #expect(Harness.alone().status == 2)
    #expect(Harness.alone("--help").status == 0)
  }

  @Test(
    "what is mistyped is refused with what may have been meant",
    arguments: [
      (["staus", "u1"], "did you mean status?"), (["status", "u1", "--ad", "x"], "--at"),
      (["clock", "creat", "a", "b"], "did you mean clock create?"), (["log", "raed"], "log read"),
      (["buy", "u1", "p", "--quantty=2"], "--quantity"), (["hlep"], "did you mean help?"),
    ])
  func nearest(words: [String], suggestion: String) {
    let outcome = Harness.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(suggestion), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(
    "wrong words are refused before a daemon is asked",
    arguments: [
      ["status"], ["status", "a", "b", "c"], ["buy", "u1"], ["advance"], ["advance", "soon"],
      ["advance", "1y", "--to", "2026-01-01"], ["status", "u1", "--at", "yesterday"],
      ["status", "u1", "--wait", "x"],
      ["status", "u1", "--socket"], ["status", "u1", "--json=yes"], ["refund"],
      ["billing"], ["billing", "fail"], ["billing", "fial", "u1"], ["billing", "resolve"],
      ["billing", "ok", "u1", "--subscription", "1"],
      ["refund", "u1", "--transaction", "1"], ["buy", "u1", "p", "--quantity", "0"],
      ["buy", "u1", "p", "--cancelled"], ["clock", "create", "c", "noon"], ["run"],
      ["status", "u1", "--at", "2025-01-01", "--at", "2025-01-02"], ["status", "u1", "-x"],
    ])
  func usage(words: [String]) {
    let outcome = Harness.run(words)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("renewctl: "))
  }

  @Test(
    "verbs of a later version are refused by name",
    arguments: [
      "webhook", "notifications",
    ])
  func later(verb: String) {
    let outcome = Harness.run([verb, "u1"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == "renewctl: this version of renewctl does not have the verb \(verb)\n")
  }

  @Test("options may stand before and behind the verb, and -- ends them")
  func positions() throws {
    let (verb, rest) = try #require(
      try VerbTable.find(["--socket", "/s", "--json", "clock", "--wait", "1", "list"]))
    #expect(verb.description.name == "clock list")
    #expect(rest == ["--socket", "/s", "--json", "--wait", "1"])
    let (read, words) = try #require(try VerbTable.find(["log", "--from", "3", "--json"]))
    #expect(read.description.name == "log read")
    #expect(words == ["--from", "3", "--json"])
    let arguments = try Arguments(["u1", "--", "--at"], Status.description)
    #expect(arguments.operands == ["u1", "--at"])
    let command = try Arguments(["--clock=@0", "sh", "-c", "x", "--json"], Run.description)
    #expect(command.operands == ["sh", "-c", "x", "--json"])
    #expect(command.value("clock") == "@0")
  }

  @Test("a daemon that is not there is status 69, with what to do; for programs as JSON")
  func unreachable() {
    let environment = ["RENEWD_SOCKET": "@renewctl-nobody"]
    let words = ["status", "u1", "--wait", "0"]
    let people = Harness.run(words, environment)
    #expect(people.status == 69)
    #expect(people.errors.contains("no daemon answers at @renewctl-nobody"))
    #expect(people.errors.contains("systemctl start renewd"))
    let programs = Harness.run(words + ["--json"], environment)
    #expect(programs.status == 69)
    #expect(programs.errors.hasPrefix(#"{"error":"renewctl.Unreachable","parameters":{"#))
  }

  @Test("a socket path too long for the kernel is named with its length and the limit")
  func longPath() {
    let path = "/tmp/" + String(repeating: "d", count: 120) + "/s.sock"
    let outcome = Harness.run(["status", "u1", "--socket", path])
    #expect(outcome.status == 2)
    for part in [path, "132 bytes", "at most 107", "shorter directory"] {
      #expect(outcome.errors.contains(part))
    }
  }

  @Test(
    "words come back from a shell as they were",
    arguments: [
      ("plain.path/x-1", "plain.path/x-1"), ("", "''"), ("a b", "'a b'"),
      ("it's", #"'it'\''s'"#), ("$(rm)", "'$(rm)'"), ("ü", "'ü'"),
    ])
  func shell(text: String, quoted: String) {
    #expect(ShellWord.quoted(text) == quoted)
  }

  @Test("a table is aligned, empty columns are left out, nothing trails")
  func table() {
    var table = Table(["NAME", "NOTHING", "PRICE", "END"], right: ["PRICE"])
    table.add(["a", nil, "9.99 USD", ""])
    table.add(["longer", "", "100.00 USD", "x"])
    #expect(
      table.lines == [
        "NAME         PRICE  END", "a         9.99 USD  -", "longer  100.00 USD  x",
      ])
  }
}

extension Harness {
  static func run(helpOf name: String) -> Outcome {
    run(name.split(separator: " ").map(String.init) + ["--help"])
  }

  static func run(_ words: [String], _ environment: [String: String] = [:]) -> Outcome {
    perform(words, Environment(environment), 120, false)
  }
}
