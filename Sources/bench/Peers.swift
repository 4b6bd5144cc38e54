import Glibc

/// What is measured beside the daemon, in the same run: a peer, and what the machine can do.
enum Peers {
  /// Redis on its Unix socket, with values as long as our reply; nil where it is not installed.
  static func redis(
    accounts: Int, valueBytes: Int, seconds: Double
  ) throws(BenchError) -> [(connections: Int, depth: Int, LoadResult)]? {
    let folder = try Machine.makeDirectory()
    defer { Machine.remove(folder) }
    let socket = "\(folder)/redis.sock"
    let words = [
      "redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
      "--dir", folder,
    ]
    guard let process = try? Machine.spawn(words) else { return nil }
    defer { Machine.end(process) }
    let started = Machine.now()
    while access(socket, F_OK) != 0 {
      guard Machine.now() - started < 5 else { return nil }
      usleep(1_000)
    }
    let value = String(repeating: "x", count: valueBytes)
    let set = LoadProtocol(terminator: 0x0a, terminatorsPerReply: 1) { number, bytes in
      append(["SET", Calls.account(number), value], to: &bytes)
    }
    var filler = try LoadDriver(path: socket, connections: 4, depth: Limits.fillDepth, set)
    _ = try filler.run(count: accounts)
    filler.closeAll()
    var results: [(connections: Int, depth: Int, LoadResult)] = []
    for (connections, depth) in [(50, 1), (50, 16)] {
      let get = LoadProtocol(terminator: 0x0a, terminatorsPerReply: 2) { number, bytes in
        append(["GET", Calls.account(Calls.scattered(number, accounts))], to: &bytes)
      }
      var driver = try LoadDriver(path: socket, connections: connections, depth: depth, get)
      results.append((connections, depth, try driver.run(seconds: seconds)))
      driver.closeAll()
    }
    return results
  }

  private static func append(_ words: [String], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "*\(words.count)\r\n".utf8)
    for word in words { bytes.append(contentsOf: "$\(word.utf8.count)\r\n\(word)\r\n".utf8) }
  }

  /// Microseconds of one small write and its sync, the middle of many.
  static func writeAndSync(in folder: String) throws(BenchError) -> Double {
    let file = open("\(folder)/floor", O_RDWR | O_CREAT, 0o600)
    guard file >= 0 else { throw BenchError("no file can be made in \(folder)") }
    defer { close(file) }
    let bytes = [UInt8](repeating: 7, count: Limits.floorBytes)
    posix_fallocate(file, 0, Limits.floorWrites * Limits.floorBytes)
    var times: [Double] = []
    for number in 0..<Limits.floorWrites {
      let started = Machine.now()
      _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, number * $0.count) }
      fdatasync(file)
      times.append((Machine.now() - started) * 1e6)
    }
    return times.sorted()[times.count / 2]
  }
}
