import Client
import Foundation
import Testing

@testable import renewctl

@Suite("Administration", .timeLimit(.minutes(10)))
struct AdministrationTests {
  private static let info = JSONValue.members([
    ("vendor", .string("renewd")), ("product", .string("renewd")),
    ("version", .string(Program.version)), ("url", .string("")), ("interfaces", .array([])),
  ])

  private static func daemon(role: String = "store", status: String = "1 member") -> JSONValue {
    .members([
      ("version", .string(Program.version)), ("role", .string(role)),
      ("environment", .string("Sandbox")), ("bundleId", .string("com.example.app")),
      ("status", .string(status)), ("sequence", .int(5)),
      (
        "options",
        .array([
          .members([
            ("name", .string("socket")), ("value", .string("/s")),
            ("origin", .string("command line")),
          ]),
          .members([
            ("name", .string("clock")), ("value", .string("")), ("origin", .string("default")),
          ]),
        ])
      ),
    ])
  }

  private static let log: [String: JSONValue] = [
    "sequence": .int(5), "durable": .int(5), "bytes": .int(2048), "segments": .int(1),
    "accounts": .int(1), "subscriptions": .int(1), "role": .string("store"),
  ]

  /// A daemon whose `Describe` fits its interface.
  private static func healthy(
    held: Bool = false, products: Int = 1, daemon: JSONValue = daemon()
  ) throws -> Harness {
    let product = JSONValue.members([
      ("productId", .string("pro.monthly")), ("type", .string("autoRenewable")),
      ("displayName", .string("Pro\u{1B}[2J")), ("description", .string("")),
      ("price", .int(9990)), ("currency", .string("USD")), ("displayPrice", .string("9.99")),
      ("familyShareable", .bool(false)), ("offers", .array([])),
    ])
    return try Harness([
      "GetInfo": info.always,
      "Describe": { call in
        let interface = call.method.split(separator: ".")[2]
        switch interface {
        case "Daemon": return [.reply(daemon)]
        case "Log": return [.reply(.members(log.sorted { $0.key < $1.key }))]
        default:
          return [
            .reply(
              .members([
                ("products", .array(Array(repeating: product, count: products))),
                ("groups", .array([])),
              ]))
          ]
        }
      },
      "List": JSONValue.members([("clocks", .array([Samples.clock(held: held)]))]).always,
    ])
  }

  @Test("doctor finds nothing wrong with a healthy daemon")
  func healthyDaemon() throws {
    let harness = try Self.healthy()
    defer { harness.server.stop() }
    let outcome = harness.run("doctor")
    #expect(outcome.status == 0, "\(outcome.output)")
    let subjects = ["socket", "version", "daemon", "log", "clock", "catalogue", "time zones"]
    for (line, subject) in zip(outcome.lines, subjects) {
      #expect(line.hasPrefix("ok       \(subject)"))
    }
    #expect(outcome.lines.count == subjects.count)
    #expect(harness.run("doctor", "--json").lines.allSatisfy { $0.contains(#""ok":true"#) })
  }

  @Test("doctor says what to do about a clock that jumped and an empty shop")
  func problems() throws {
    let held = try Self.healthy(held: true, products: 0)
    defer { held.server.stop() }
    let outcome = held.run("doctor")
    #expect(outcome.status == 75)
    #expect(outcome.output.contains("renewctl clock accept"))
    #expect(outcome.output.contains("renewctl catalog import"))
    let record = try Self.healthy(products: 0, daemon: Self.daemon(role: "record"))
    defer { record.server.stop() }
    #expect(record.run("doctor").status == 0)
    let full = try Self.healthy(daemon: Self.daemon(status: "disk full: reads only"))
    defer { full.server.stop() }
    #expect(full.run("doctor").status == 75)
    #expect(full.run("doctor").output.contains("Reads, renewals and cancels go on"))
    #expect(!full.run("doctor").output.contains("damaged"))
    let nearly = try Self.healthy(
      daemon: Self.daemon(status: "disk nearly full: no space for a reserve segment"))
    defer { nearly.server.stop() }
    #expect(nearly.run("doctor").status == 75)
    let both = try Self.healthy(
      daemon: Self.daemon(status: "holding renewals: the clock jumped · disk full: reads only"))
    defer { both.server.stop() }
    #expect(both.run("doctor").output.contains("Make room in "))
  }

  @Test("doctor says what this user may do where that is not all")
  func reader() throws {
    let refusal: Harness.Handler = { _ in
      [.error("org.renewd.PermissionDenied", .members([("role", .string("admin"))]))]
    }
    let harness = try Harness([
      "GetInfo": Self.info.always, "Describe": refusal, "Products": refusal, "List": refusal,
      "Check": Samples.check().always,
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("doctor")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("may read; what needs admin was not checked"))
  }

  @Test("doctor without a daemon is status 69, and says how to start one")
  func nobody() {
    let outcome = Harness.run(["doctor", "--wait", "0"], ["RENEWD_SOCKET": "@nobody-here"])
    #expect(outcome.status == 69)
    #expect(outcome.lines[0].hasPrefix("problem  socket"))
    #expect(outcome.output.contains("systemctl start renewd"))
  }

  @Test("env prints shell lines, version both versions, reload what differs from the defaults")
  func identity() throws {
    let harness = try Harness([
      "Describe": Self.daemon().always, "GetInfo": Self.info.always,
      "Trust": Samples.trust().always,
      "Reload": JSONValue.members([("options", Self.daemon()["options"]!)]).always,
    ])
    defer { harness.server.stop() }
    let cache = FileManager.default.temporaryDirectory.appending(path: "rc-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: cache) }
    let lines = harness.run("env", environment: ["XDG_CACHE_HOME": cache.path]).lines
    let root = try #require(lines.dropFirst().first)
    #expect(
      lines == [
        "export RENEWD_SOCKET=\(harness.server.address)", root,
        "export RENEWD_BUNDLE_ID=com.example.app",
      ])
    let file = root.replacing("export RENEWD_ROOT_CA=", with: "")
    #expect(file.hasPrefix("\(cache.path)/renewd/renewd-root-"))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data([0x30, 0x00, 0xff]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path + "/renewd").count == 1)
    #expect(
      harness.run("version").lines == [
        "renewctl \(Program.version)", "renewd \(Program.version) at \(harness.server.address)",
      ])
    #expect(Harness.alone("--version").output == "renewctl \(Program.version)\n")
    #expect(
      harness.run("reload").lines == [
        "reloaded", "OPTION  VALUE  FROM", "socket  /s     command line",
      ])
  }

  @Test("a wrong configuration is status 78 where it is reloaded")
  func reload() throws {
    let harness = try Harness([
      "Reload": { _ in
        [
          .error(
            "org.renewd.InvalidParameter",
            .members([
              ("parameter", .string("renewd.conf:3")), ("reason", .string("no such key")),
            ]))
        ]
      }
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("reload")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("renewd.conf:3: no such key"))
  }

  @Test("log verify is status 74 for a damaged log and says where")
  func verify() throws {
    func found(_ damage: String?) -> JSONValue {
      var object = JSONObject([
        ("segments", .int(1)), ("batches", .int(2)), ("events", .int(5)), ("bytes", .int(300)),
      ])
      object["damage"] = damage.map { .string($0) }
      return .object(object)
    }
    let sound = try Harness(["Verify": found(nil).always])
    defer { sound.server.stop() }
    let good = sound.run("log", "verify")
    #expect(good.output == "sound: 5 events in 2 batches, 1 segment, 300 bytes\n")
    #expect(good.status == 0)
    let damaged = try Harness(["Verify": found("segment 1 at 4096, after #3").always])
    defer { damaged.server.stop() }
    let bad = damaged.run("log", "verify")
    #expect(bad.status == 74)
    #expect(bad.output.hasPrefix("damaged: segment 1 at 4096, after #3 ("))
  }

  @Test("the log is read page by page, as many events as asked for")
  func log() throws {
    let harness = try Harness([
      "Read": { call in
        let from = call.parameters["from"]!.int64Value!
        let count = call.parameters["count"]?.int64Value ?? 4
        let last = min(from + min(count, 4) - 1, 10)
        var page = JSONObject([
          ("events", .array((from...last).map { Samples.event($0, "renewed") }))
        ])
        page["next"] = last < 10 ? .int(last + 1) : nil
        return [.reply(.object(page))]
      }
    ])
    defer { harness.server.stop() }
    #expect(harness.run("log", "--jsonl").lines.count == 10)
    #expect(harness.run("log", "read", "--from", "9").lines.count == 2)
    let some = harness.run("log", "--from", "2", "--count", "6")
    #expect(some.lines.count == 6)
    #expect(some.lines[5].contains("#7"))
    #expect(harness.server.calls.last?.parameters["count"] == .int(2))
  }

  @Test("what a catalogue calls a product cannot steer a terminal")
  func names() throws {
    let harness = try Self.healthy()
    defer { harness.server.stop() }
    let outcome = harness.run("catalog")
    #expect(outcome.output.contains("Pro?[2J"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("importing sends the text of a file, and refuses what is no text")
  func importing() throws {
    let answer = JSONValue.members([
      ("products", .int(2)), ("notices", .array([.string("odd")])), ("unchanged", .bool(false)),
      ("sequence", .int(7)),
    ])
    let harness = try Harness(["Import": answer.always])
    defer { harness.server.stop() }
    let path = #filePath
    let outcome = harness.run("catalog", "import", path, "--source", "shop")
    #expect(outcome.lines == ["notice: odd", "2 products on sale, #7"])
    let parameters = try #require(harness.server.calls.first?.parameters)
    #expect(parameters["source"] == .string("shop"))
    #expect(parameters["text"]?.stringValue?.contains("what is no text") == true)
    #expect(harness.run("catalog", "import", "/no/such/file").status == 3)
    #expect(harness.run("catalog", "import", "/proc/self/exe").status == 78)
  }

  @Test("options of a later version are refused by name")
  func later() {
    let outcome = Harness.alone("run", "--webhook", "http://localhost", "--", "true")
    #expect(outcome.status == 2)
    #expect(outcome.errors == "renewctl: this version of renewctl does not have --webhook\n")
  }
}
