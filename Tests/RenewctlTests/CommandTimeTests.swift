import Testing

@testable import renewctl

@Suite("The time of a run's command")
struct CommandTimeTests {
  private static let there = "/bin/sh"

  @Test(
    "what is missing is named with what to do",
    arguments: [
      (
        ["/no/libfaketimeMT.so.1"], [there],
        "--time needs libfaketime, which is not installed: apt-get install libfaketime"
      ),
      (
        [there], ["/no/lib.so"],
        "--time needs librenewd-standstill.so, which comes with renewctl and is not beside it"
      ),
    ])
  func missing(fakers: [String], standstills: [String], sentence: String) {
    do throws(Failure) {
      _ = try CommandTime(fakers: fakers, standstills: standstills)
      Issue.record("both are there")
    } catch {
      #expect(error.sentence == sentence)
      #expect(error.code == .unavailable)
    }
  }

  @Test("a log without a test clock named default has no time to follow")
  func noClock() {
    do throws(Failure) {
      try CommandTime.check("/no/now")
      Issue.record("there is a clock")
    } catch {
      #expect(error.code == .usage)
      #expect(error.sentence.hasSuffix("add --clock TIME"))
    }
  }

  @Test("what was said to libfaketime before is not heard, and other libraries stay")
  func environment() throws {
    var environment = Environment([
      "FAKETIME": "+1y", "FAKETIME_SHARED": "a b", "LD_PRELOAD": "libm.so.6", "HOME": "/",
    ])
    try CommandTime(fakers: ["/no/one", Self.there], standstills: [Self.there])
      .apply(to: &environment, file: "/tmp/now")
    #expect(environment["FAKETIME"] == nil)
    #expect(environment["FAKETIME_SHARED"] == nil)
    #expect(environment["HOME"] == "/")
    #expect(environment["LD_PRELOAD"] == "/bin/sh:/bin/sh:libm.so.6")
    #expect(environment["FAKETIME_TIMESTAMP_FILE"] == "/tmp/now")
  }
}
