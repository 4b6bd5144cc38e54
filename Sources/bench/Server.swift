import Glibc

/// A daemon under measurement, on a directory and a socket of its own.
struct Server {
  let folder: String
  private let program: String
  private(set) var process: pid_t = 0

  var socket: String { "\(folder)/renewd.sock" }

  init() throws(BenchError) {
    folder = try Machine.makeDirectory()
    program = "\(Machine.ownFolder())/renewd"
    guard access(program, X_OK) == 0 else {
      throw BenchError("\(program) is missing; Scripts/bench builds it")
    }
    mkdir("\(folder)/state", 0o700)
  }

  /// Starts the daemon and waits until it answers; the seconds that took.
  mutating func start() throws(BenchError) -> Double {
    let started = Machine.now()
    process = try Machine.spawn([
      program, "--state-directory", "\(folder)/state", "--socket", socket, "--catalog",
      "builtin:", "--clock", "2025-01-01T00:00:00Z",
    ])
    while true {
      if let descriptor = try? LoadDriver.connect(socket) {
        close(descriptor)
        _ = try call("org.renewd.Log.Describe", "{}")
        return Machine.now() - started
      }
      guard Machine.now() - started < Limits.patienceSeconds else {
        throw BenchError("renewd does not start")
      }
      usleep(500)
    }
  }

  func stop() {
    Machine.end(process)
  }

  func remove() {
    Machine.remove(folder)
  }

  /// One call by itself; its reply's text.
  func call(_ method: String, _ parameters: String) throws(BenchError) -> String {
    let descriptor = try LoadDriver.connect(socket)
    defer { close(descriptor) }
    var request: [UInt8] = []
    Calls.append(method, parameters, to: &request)
    _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Limits.readBytes)
    while reply.last != Calls.terminator {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { throw BenchError("\(method) got no reply") }
      reply.append(contentsOf: buffer[0..<count])
    }
    let text = String(decoding: reply.dropLast(), as: UTF8.self)
    guard !text.hasPrefix(#"{"error""#) else { throw BenchError("\(method): \(text)") }
    return text
  }

  /// A number in a reply, by its name.
  func number(_ name: String, in reply: String) throws(BenchError) -> Int {
    guard let start = reply.utf8.firstRange(of: Array("\"\(name)\":".utf8)) else {
      throw BenchError("the reply has no \(name): \(reply)")
    }
    let digits = reply.utf8[start.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard let value = Int(String(decoding: Array(digits), as: UTF8.self)) else {
      throw BenchError("the reply's \(name) is no number: \(reply)")
    }
    return value
  }
}
