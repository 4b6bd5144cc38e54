import Foundation
import Testing

@testable import Platform

/// The shop of these tests, with what each of them needs and no more.
enum Shop {
  static let catalogue = """
    {"identifier":"6F1E5A11","products":[{"displayPrice":"0.99","familyShareable":false,\
    "internalID":"1","localizations":[],"productID":"coins","referenceName":"coins",\
    "type":"Consumable"}],"settings":{},"subscriptionGroups":[{"id":"A1","localizations":[],\
    "name":"Pro","subscriptions":[{"adHocOffers":[],"codeOffers":[],"displayPrice":"9.99",\
    "familyShareable":false,"groupNumber":1,"internalID":"2","introductoryOffer":null,\
    "localizations":[],"productID":"pro","recurringSubscriptionPeriod":"P1M",\
    "referenceName":"pro","subscriptionGroupID":"A1","type":"RecurringSubscription"}]}],\
    "version":{"major":2,"minor":0}}
    """

  static func options(in folder: TemporaryFolder) throws -> [String] {
    [
      "--catalog", try folder.write("shop.storekit", catalogue),
      "--clock", "2025-01-31T10:00:00Z",
    ]
  }

  static let purchase = "org.renewd.Store.Purchase"
  static let check = "org.renewd.Membership.Check"
  static let advance = "org.renewd.Clocks.Advance"
}

@Suite("The daemon as a process", .serialized)
struct DaemonTests {
  @Test("it sells, renews and answers, and after a kill it answers the same")
  func killedAndStartedAgain() throws {
    let folder = try TemporaryFolder()
    let options = try Shop.options(in: folder)
    let questions = ["org.renewd.Membership.Status", "org.renewd.Membership.History"]
    var answers: [String] = []
    do {
      let daemon = try TestDaemon(options, in: folder)
      try daemon.ready()
      let client = try daemon.connect()
      let sold = try client.call(Shop.purchase, #"{"account":"u1","productId":"pro"}"#)
      #expect(sold.contains("\"result\":\"success\""))
      let advanced = try client.call(Shop.advance, #"{"by":"P3M"}"#)
      #expect(advanced.contains("\"events\":3"), "\(advanced)")
      for question in questions {
        answers.append(try client.call(question, #"{"account":"u1"}"#))
      }
      daemon.signal(SIGKILL)
      #expect(try daemon.wait() == -SIGKILL)
    }
    // The socket's file is still there: nobody answers on it, so it is taken over.
    let daemon = try TestDaemon(options, in: folder)
    try daemon.ready()
    let client = try daemon.connect()
    for (question, answer) in zip(questions, answers) {
      #expect(try client.call(question, #"{"account":"u1"}"#) == answer)
    }
    #expect(try daemon.stop() == 0)
    #expect(try !folder.names.contains("s.sock"))
    #expect(try daemon.errors.contains("--clock has no effect"))
  }

  @Test("a second daemon on the same log leaves with 75 and names the first")
  func secondDaemon() throws {
    let folder = try TemporaryFolder()
    let first = try TestDaemon(in: folder)
    try first.ready()
    let second = try TestDaemon(["--socket", "\(folder.path)/2.sock"], in: folder)
    #expect(try second.wait() == 75)
    #expect(try second.errors.contains("the log is in use by process \(first.pid)"))
    #expect(try !folder.names.contains("2.sock"))
    #expect(try first.connect().call("org.varlink.service.GetInfo").contains("renewd"))
  }

  @Test("a damaged log is refused with 74, by file, offset and sequence, and left as it is")
  func damagedLog() throws {
    let folder = try TemporaryFolder()
    let options = try Shop.options(in: folder)
    let daemon = try TestDaemon(options, in: folder)
    try daemon.ready()
    let client = try daemon.connect()
    for number in 0..<50 {
      _ = try client.call(Shop.purchase, "{\"account\":\"u\(number)\",\"productId\":\"coins\"}")
    }
    #expect(try daemon.stop() == 0)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory)
        .first { $0.hasSuffix(".log") })
    let path = "\(daemon.stateDirectory)/\(name)"
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 2000)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: 2000)
    try file.write(contentsOf: Data([byte ^ 1]))
    try file.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let again = try TestDaemon(options, in: folder)
    #expect(try again.wait() == 74)
    let text = try again.errors
    #expect(text.contains("\(name) is damaged at offset "))
    #expect(text.contains(", sequence "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(
    "a temporary log goes with the daemon, however it is asked to end",
    arguments: [SIGTERM, SIGINT])
  func ephemeral(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, isEphemeral: true)
    try daemon.ready()
    #expect(try folder.names.contains { $0.hasPrefix("renewd-") })
    daemon.signal(signal)
    #expect(try daemon.wait() == 0)
    #expect(try !folder.names.contains { $0.hasPrefix("renewd-") })
  }

  @Test("a temporary log goes also when the start fails")
  func ephemeralFailure() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(
      ["--catalog", try folder.write("bad.storekit", "{\"products\":7}")], in: folder,
      isEphemeral: true)
    #expect(try daemon.wait() == 78)
    #expect(try daemon.errors.contains("bad.storekit is wrong at "))
    #expect(try !folder.names.contains { $0.hasPrefix("renewd-") })
  }

  // B79
  @Test("a socket path that is too long ends with 78 before anything is made")
  func longSocketPath() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(String(repeating: "d", count: 120))/s.sock"
    let daemon = try TestDaemon(["--socket", path], in: folder)
    #expect(try daemon.wait() == 78)
    #expect(try daemon.errors.contains("\(path) has \(path.utf8.count) bytes"))
    #expect(try !folder.names.contains("state"))
  }

  @Test("a wrong configuration ends with 78 and is named with file and line")
  func wrongConfiguration() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("w.conf", "[daemon]\n\nsokcet = x\n")
    let daemon = try TestDaemon(["--config", path], in: folder)
    #expect(try daemon.wait() == 78)
    #expect(
      try daemon.errors
        == "renewd: error: \(path):3: [daemon] has no key sokcet; did you mean socket?\n")
  }

  @Test("who started it by --ready-fd is told once it is ready")
  func readyDescriptor() throws {
    let folder = try TemporaryFolder()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    // The daemon gets its copy as descriptor 3 and no other.
    for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    let daemon = try TestDaemon(["--ready-fd", "3"], in: folder, inherited: ends[1])
    close(ends[1])
    try daemon.ready()
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(ends[0], &bytes, 100) == 8)
    #expect(String(decoding: bytes[0..<8], as: UTF8.self) == "READY=1\n")
    #expect(read(ends[0], &bytes, 100) == 0)
    close(ends[0])
  }

  @Test("a limit on file sizes is a full disk, not a signal")
  func fileSizeLimit() throws {
    let folder = try TemporaryFolder()
    let options = try Shop.options(in: folder)
    let first = try TestDaemon(options, in: folder)
    try first.ready()
    _ = try first.connect().call(Shop.purchase, #"{"account":"u1","productId":"pro"}"#)
    #expect(try first.stop() == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: first.stateDirectory)
    where name.hasPrefix("spare") {
      try FileManager.default.removeItem(atPath: "\(first.stateDirectory)/\(name)")
    }
    let second = try TestDaemon(options, in: folder, prefix: "ulimit -f 4096;")
    try second.ready()
    let client = try second.connect()
    let bought = try client.call(Shop.purchase, #"{"account":"u2","productId":"pro"}"#)
    #expect(bought.contains("org.renewd.DiskFull"), "\(bought)")
    #expect(try client.call(Shop.check, #"{"account":"u1"}"#).contains("\"entitled\":true"))
    let advanced = try client.call(Shop.advance, #"{"by":"P1M"}"#)
    #expect(advanced.contains("\"events\":1"), "\(advanced)")
    #expect(try second.stop() == 0)
  }

  @Test("its log can be read, exported and verified without it")
  func logCommands() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(try Shop.options(in: folder), in: folder)
    try daemon.ready()
    _ = try daemon.connect().call(Shop.purchase, #"{"account":"u1","productId":"pro"}"#)
    func output(_ words: [String]) throws -> (text: String, status: Int32) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try TestDaemon.binary())
      process.arguments = ["log"] + words
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
    // The daemon still has it open: nothing is locked and nothing is changed.
    let all = try output(["read", daemon.stateDirectory])
    #expect(all.status == 0)
    let lines = all.text.split(separator: "\n")
    #expect(lines.count > 3)
    for (index, line) in lines.enumerated() {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["sequence"] as? Int == index + 1)
    }
    let some = try output(["read", daemon.stateDirectory, "--from", "2", "--count", "2"])
    #expect(some.text == lines[1...2].map { $0 + "\n" }.joined())
    #expect(try daemon.stop() == 0)
    let report = try output(["verify", daemon.stateDirectory])
    #expect(report.status == 0)
    #expect(report.text.contains("\"events\":\(lines.count)"))
    let export = try output(["export", daemon.stateDirectory])
    #expect(export.text == all.text + report.text)
    #expect(try output(["fork", daemon.stateDirectory]).status == 2)
    #expect(try output(["verify", "/nonexistent"]).status == 2)
  }
}
