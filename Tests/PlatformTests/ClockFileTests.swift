import Foundation
import Testing

@testable import Platform

@Suite("The file with a clock's time")
struct ClockFileTests {
  @Test(
    "a time is seconds and a fraction that is still right when it is cut off to nanoseconds",
    arguments: [
      (0, "0.0000000005\n"), (1, "0.0010000005\n"), (999, "0.9990000005\n"),
      (1_738_317_600_123, "1738317600.1230000005\n"),
    ] as [(Int64, String)])
  func text(milliseconds: Int64, text: String) throws {
    #expect(ClockFile.text(milliseconds) == text)
  }

  @Test("each millisecond's fraction is read back as itself")
  func fractions() throws {
    for milliseconds in Int64(0)..<1000 {
      let fraction = try #require(Double(ClockFile.text(milliseconds).dropLast()))
      #expect(Int64(fraction * 1e9) == milliseconds * 1_000_000)
    }
  }

  @Test("a daemon with a test clock has written its time when it is ready, and follows it")
  func follows() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/now"
    let daemon = try TestDaemon(
      try Shop.options(in: folder) + ["--clock-file", path], in: folder)
    try daemon.ready()
    func shown() throws -> Double {
      try #require(Double(try String(contentsOfFile: path, encoding: .utf8).dropLast()))
    }
    let before = try shown()
    let client = try daemon.connect()
    for day in 1...20 {
      _ = try client.call("org.renewd.Clocks.Advance", #"{"by":"P1D"}"#)
      #expect(try shown() == before + Double(day) * 86400)
    }
  }

  @Test("a daemon that cannot keep the file stops and says why")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(
      try Shop.options(in: folder) + ["--clock-file", "/nonexistent/now"], in: folder)
    #expect(try daemon.wait() == ExitStatus.fault.rawValue)
    #expect(try daemon.says("cannot be kept in /nonexistent/now: No such file or directory"))
  }
}
