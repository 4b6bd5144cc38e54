import Client
import Testing

@testable import renewctl

/// The verb `rate`.
@Suite("Rates on the command line", .timeLimit(.minutes(10)))
struct RateTests {
  private static func harness() throws -> Harness {
    try Harness([
      "SetRate": JSONValue.members([("sequence", .int(7))]).always,
      "GetRate": JSONValue.members([
        ("rate", .string("monthlyRenewalEveryHour")), ("configured", .string("realTime")),
        ("isSet", .bool(true)),
        (
          "lengths",
          .array([
            .members([("name", .string("P1M")), ("milliseconds", .int(3_600_000))]),
            .members([("name", .string("weeklyGrace")), ("milliseconds", .int(771_000))]),
          ])
        ), ("sequence", .int(7)),
      ]).always,
    ])
  }

  @Test(
    "Words and spans are Apple's rates",
    arguments: [
      (["monthly", "5min"], #"{"rate":"monthlyRenewalEveryFiveMinutes"}"#),
      (["monthly", "PT30S"], #"{"rate":"monthlyRenewalEveryThirtySeconds"}"#),
      (["every", "2s"], #"{"rate":"oneRenewalEveryTwoSeconds"}"#),
      (["every", "1d"], #"{"rate":"oneRenewalEveryDay"}"#),
      (["every", "24h"], #"{"rate":"oneRenewalEveryDay"}"#),
      (["real"], #"{"rate":"realTime"}"#),
      (["oneSecondIsOneDay"], #"{"rate":"oneSecondIsOneDay"}"#),
      (["default"], "{}"),
    ])
  func set(words: [String], parameters: String) throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let output = harness.runWords(["rate"] + words).output
    #expect(output.hasPrefix("what begins from now on runs ") && output.hasSuffix(", #7\n"))
    let sent = try #require(harness.server.calls.last?.parameters)
    #expect(JSONValue.object(sent).compactText == parameters)
  }

  @Test("Without words the rate is shown, with its lengths")
  func show() throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let lines = harness.run("rate").output.split(separator: "\n")
    #expect(lines.first == "monthlyRenewalEveryHour (set by a test; configured is realTime)")
    #expect(lines.contains { $0.hasPrefix("1 month") && $0.hasSuffix("1h") })
    #expect(lines.contains { $0.hasPrefix("grace, weekly") && $0.hasSuffix("12min 51s") })
  }

  @Test(
    "A length that there is no rate of is refused with those that there are",
    arguments: [["monthly", "7min"], ["every", "1month"], ["monthly"], ["real", "5min"]])
  func wrong(words: [String]) throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let result = harness.runWords(["rate"] + words)
    #expect(result.status == 2)
    #expect(harness.server.calls.isEmpty)
  }
}
