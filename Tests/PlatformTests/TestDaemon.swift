import Foundation

/// The real `renewd`, started for one test with a socket, a service manager and a standard error
/// of its own, and killed with it.
final class TestDaemon {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let pid: pid_t
  let folder: TemporaryFolder
  let manager: TestServiceManager
  private var status: Int32?

  var socketPath: String { "\(folder.path)/s.sock" }
  var stateDirectory: String { "\(folder.path)/state" }
  static let secondsMax = 60.0

  /// - Parameters:
  ///   - prefix: shell words before the program, such as a limit; it runs by `exec`.
  ///   - inherited: becomes descriptor 3.
  init(
    _ arguments: [String] = [], in folder: TemporaryFolder, isEphemeral: Bool = false,
    environment: [String: String] = [:], prefix: String = "", inherited: Int32? = nil
  ) throws {
    self.folder = folder
    manager = try TestServiceManager(path: "\(folder.path)/n\(Int.random(in: 0..<1_000_000))")
    var words = [try Self.binary(), "--config", try folder.write("r.conf", "")]
    if arguments.contains("--config") { words.removeLast(2) }
    words += isEphemeral ? ["--ephemeral"] : ["--state-directory", "\(folder.path)/state"]
    if !arguments.contains("--socket") { words += ["--socket", "\(folder.path)/s.sock"] }
    words += arguments
    let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    var variables = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path]
    variables["NOTIFY_SOCKET"] = manager.path
    variables.merge(environment) { $1 }
    pid = try Self.spawn(
      "\(prefix) exec \(quoted)", variables, errors: "\(folder.path)/stderr",
      inherited: inherited)
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      var ignored: Int32 = 0
      waitpid(pid, &ignored, 0)
    }
  }

  /// The program as it was built beside the tests.
  static func binary() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (tests as NSString).deletingLastPathComponent + "/renewd"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(description: "\(path) is not there: build the whole package first")
    }
    return path
  }

  private static func spawn(
    _ command: String, _ variables: [String: String], errors: String, inherited: Int32?
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, 3) }
    var arguments = ["/bin/sh", "-c", command].map { (text: String) in strdup(text) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, "/bin/sh", &actions, nil, &arguments, &environment)
    guard code == 0 else { throw Failure(description: "sh was not started: \(code)") }
    return pid
  }

  var errors: String {
    get throws { try String(contentsOfFile: "\(folder.path)/stderr", encoding: .utf8) }
  }

  /// Waits until the daemon has said something on standard error; false if it never does.
  func says(_ text: String) throws -> Bool {
    let end = Date().addingTimeInterval(Self.secondsMax)
    while Date() < end {
      if try errors.contains(text) { return true }
      usleep(2000)
    }
    return false
  }

  /// Waits until the daemon has told the service manager that it is ready.
  @discardableResult
  func ready() throws -> String {
    let end = Date().addingTimeInterval(Self.secondsMax)
    while Date() < end {
      if let message = try manager.next(seconds: 0.05) {
        if message.contains("READY=1") { return message }
      } else if hasExited() {
        throw Failure(description: "it ended with \(status ?? -1): \(try errors)")
      }
    }
    throw Failure(description: "it was not ready in time: \(try errors)")
  }

  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Stops it in its tracks, and waits until it stands.
  func freeze() throws {
    signal(SIGSTOP)
    try until("it stands still") {
      try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).contains(") T ")
    }
  }

  /// Waits for the end; the exit status, or the negative number of the signal it died of.
  func wait() throws -> Int32 {
    let end = Date().addingTimeInterval(Self.secondsMax)
    while Date() < end {
      if hasExited(), let status { return status }
      usleep(2000)
    }
    throw Failure(description: "it did not end: \(try errors)")
  }

  func stop() throws -> Int32 {
    signal(SIGTERM)
    return try wait()
  }

  private func hasExited() -> Bool {
    if status != nil { return true }
    var raw: Int32 = 0
    guard waitpid(pid, &raw, WNOHANG) == pid else { return false }
    status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
    return true
  }

  func connect() throws -> TestClient {
    try TestClient(path: socketPath)
  }
}

/// A service manager that only listens (sd_notify(3)).
final class TestServiceManager {
  let path: String
  private let descriptor: Int32

  init(path: String) throws {
    self.path = path
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let code = withAddress(path) { bind(descriptor, $0, $1) }
    guard code == 0 else { throw TestDaemon.Failure(description: "\(path): \(errno)") }
  }

  deinit { close(descriptor) }

  /// The next message; nil if none comes in time.
  func next(seconds: Double) throws -> String? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(seconds * 1000)) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw TestDaemon.Failure(description: "recv: \(errno)") }
    return String(decoding: bytes[0..<count], as: UTF8.self)
  }

  /// The first message that contains a text.
  func first(_ text: String, seconds: Double = TestDaemon.secondsMax) throws -> String {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if let message = try next(seconds: 0.05), message.contains(text) { return message }
    }
    throw TestDaemon.Failure(description: "the service manager was not told \(text)")
  }
}

/// Waits until something is so; what happens beside it may take its time.
func until(_ what: String, _ condition: () throws -> Bool) throws {
  let end = Date().addingTimeInterval(TestDaemon.secondsMax)
  while try !condition() {
    guard Date() < end else { throw TestDaemon.Failure(description: "never: \(what)") }
    usleep(2000)
  }
}

/// Tries until one attempt took a time within bounds that are a promise: what else the machine does
/// is no part of it, and does not do it each time. The seconds of the last attempt.
func bestTry(
  within bounds: ClosedRange<Double>, _ attempt: () throws -> Double
) rethrows -> Double {
  var seconds = try attempt()
  for _ in 1..<20 where !bounds.contains(seconds) { seconds = try attempt() }
  return seconds
}

/// A client that writes and reads messages as they are.
final class TestClient {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  init(path: String) throws {
    descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      throw TestDaemon.Failure(description: "\(path): connect failed with \(code)")
    }
    var limit = timeval(tv_sec: Int(TestDaemon.secondsMax), tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ method: String, _ parameters: String = "{}", more: Bool = false) throws {
    let flag = more ? "\"more\":true," : ""
    try send(
      bytes: Array("{\(flag)\"method\":\"\(method)\",\"parameters\":\(parameters)}".utf8) + [0])
  }

  func send(bytes: [UInt8]) throws {
    try Self.send(bytes, to: descriptor)
  }

  /// Sends all bytes, waiting for room; also from another thread than the one that reads.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + offset, $0.count - offset, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestDaemon.Failure(description: "send: \(errno)") }
      offset += count
    }
  }

  /// The next message; nil at the end of the stream.
  func receive() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let message = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return message
      }
      var part = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &part, part.count, 0)
      if count == 0 { return nil }
      guard count > 0 else {
        if errno == ECONNRESET { return nil }
        throw TestDaemon.Failure(description: "recv: \(errno)")
      }
      buffer.append(contentsOf: part[0..<count])
    }
  }

  func call(_ method: String, _ parameters: String = "{}") throws -> String {
    try send(method, parameters)
    guard let reply = try receive() else {
      throw TestDaemon.Failure(description: "\(method): the connection was closed")
    }
    return reply
  }
}

/// The address of a Unix socket, made without the code under test.
private func withAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
