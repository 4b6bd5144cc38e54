import Client
import Foundation
import Testing

@testable import renewctl

@Suite("Signed forms on the command line")
struct SignedTests {
  private static func signed(_ text: String) -> JSONValue {
    Samples.transaction(also: [("signedTransactionInfo", .string(text))])
  }

  private static func verdict(_ code: String?) -> JSONValue {
    var object = JSONObject([("valid", .bool(code == nil)), ("sequence", .int(3))])
    object["code"] = code.map { .string($0) }
    object["reason"] = code.map { .string("because of \($0)") }
    return .object(object)
  }

  @Test("history --signed prints a JWS a line and nothing else")
  func history() throws {
    let harness = try Harness([
      "History": { call in
        #expect(call.parameters["signed"] == .bool(true))
        let isFirst = call.parameters["from"] == nil
        var page = JSONObject([
          ("transactions", .array([Self.signed(isFirst ? "a.b.c" : "d.e.f")]))
        ])
        if isFirst { page["next"] = .string("7") }
        return JSONValue.object(page).always(call)
      }
    ])
    defer { harness.server.stop() }
    #expect(harness.run("history", "u1", "--signed").lines == ["a.b.c", "d.e.f"])
  }

  @Test("status --signed prints each form behind its name, below the table")
  func status() throws {
    let line = Samples.subscription(
      transaction: Self.signed("a.b.c"),
      renewalInfo: Samples.renewalInfo(also: [("signedRenewalInfo", .string("d.e.f"))]))
    let harness = try Harness(["Status": Samples.status(subscriptions: [line]).always])
    defer { harness.server.stop() }
    let lines = harness.run("status", "u1", "--signed").lines
    #expect(
      lines.suffix(2) == ["signedTransactionInfo a.b.c", "signedRenewalInfo d.e.f"])
  }

  @Test("verify takes an id with its product, a signed text, a file, and says why not")
  func verify() throws {
    let harness = try Harness([
      "Verify": { call in
        let text = call.parameters["signedTransactionInfo"]?.stringValue
        let id = call.parameters["transactionId"]?.stringValue
        #expect((text == nil) != (id == nil))
        #expect(id == nil || call.parameters["productId"] == .string("p"))
        let isGood = text == "a.b.c" || id == "7"
        return Self.verdict(isGood ? nil : "badSignature").always(call)
      }
    ])
    defer { harness.server.stop() }
    let file = FileManager.default.temporaryDirectory.appending(path: "jws-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(harness.run("verify", "u1", "7", "p").lines == ["valid"])
    #expect(harness.run("verify", "u1", "a.b.c").status == 0)
    try "a.b.c\n".write(to: file, atomically: true, encoding: .utf8)
    #expect(harness.run("verify", "u1", file.path).lines == ["valid"])
    try "hello".write(to: file, atomically: true, encoding: .utf8)
    let bad = harness.run("verify", "u1", file.path)
    #expect(bad.status == 1)
    #expect(bad.lines == ["not valid: because of badSignature"])
  }

  @Test("verify says what is missing or too long by itself")
  func verifyAlone() throws {
    let harness = try Harness([:])
    defer { harness.server.stop() }
    #expect(harness.run("verify", "u1", "7").status == 2)
    #expect(harness.run("verify", "u1", "no-such-file").status == 3)
    let file = FileManager.default.temporaryDirectory.appending(path: "jws-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try String(repeating: "a", count: 1 << 20)
      .write(to: file, atomically: true, encoding: .utf8)
    let long = harness.run("verify", "u1", file.path)
    #expect(long.status == 1)
    #expect(long.lines == ["not valid: the text is 1048576 bytes long; at most 49152 are read"])
    let json = harness.run("verify", "u1", file.path, "--json")
    #expect(json.status == 1 && json.output.contains(#""code":"tooLong""#))
  }

  @Test("app-transaction prints the JWS")
  func appTransaction() throws {
    let harness = try Harness([
      "AppTransaction": JSONValue.members([("signedAppTransactionInfo", .string("a.b.c"))]).always
    ])
    defer { harness.server.stop() }
    #expect(harness.run("app-transaction", "u1").lines == ["a.b.c"])
  }
}
