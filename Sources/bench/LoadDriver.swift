import Glibc

/// A protocol as the driver sees it: how a request is written, and how the end of a reply is
/// known. The same driver loads our socket and a peer's.
struct LoadProtocol {
  /// Each reply ends with the n-th of these bytes.
  var terminator: UInt8
  var terminatorsPerReply: Int
  /// Appends the request with this number.
  var request: (Int, inout [UInt8]) -> Void
}

/// What a load came to.
struct LoadResult {
  var replies: Int
  var seconds: Double
  /// Microseconds from a request's being sent to its reply's end, sorted.
  var latencies: [Float]

  var perSecond: Double { Double(replies) / seconds }

  func percentile(_ share: Double) -> Double {
    guard !latencies.isEmpty else { return 0 }
    return Double(latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))])
  }
}

/// Drives a Unix socket with so many connections, each with so many requests under way, on one
/// thread: as many as it can get answered in a time, or a given number.
struct LoadDriver {
  private struct Lane {
    var descriptor: Int32
    var unsent: [UInt8] = []
    var sentTimes: [Double] = []
    var firstTime = 0
    var terminators = 0
  }

  private var lanes: [Lane] = []
  private let wire: LoadProtocol
  private let depth: Int
  private var next = 0
  private var buffer = [UInt8](repeating: 0, count: Limits.readBytes)
  private var latencies: [Float] = []
  private var replies = 0

  init(
    path: String, connections: Int, depth: Int, _ wire: LoadProtocol
  ) throws(BenchError) {
    self.wire = wire
    self.depth = depth
    for _ in 0..<connections { lanes.append(Lane(descriptor: try Self.connect(path))) }
  }

  static func connect(_ path: String) throws(BenchError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw BenchError("nobody answers on \(path)")
    }
    return descriptor
  }

  /// Loads for so many seconds, or until `count` requests are answered, whichever is given.
  mutating func run(seconds: Double? = nil, count: Int? = nil) throws(BenchError) -> LoadResult {
    let started = Machine.now()
    let deadline = started + (seconds ?? Limits.patienceSeconds * 10)
    let last = count.map { next + $0 } ?? Int.max
    for lane in lanes.indices { try fill(lane, before: last) }
    while true {
      let now = Machine.now()
      let isOver = now >= deadline
      if lanes.allSatisfy({ $0.sentTimes.count == $0.firstTime }) { break }
      var polls = lanes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), Int32(Limits.patienceSeconds * 1_000)) > 0 else {
        throw BenchError("the server stopped answering")
      }
      for lane in lanes.indices where polls[lane].revents != 0 {
        try take(lane)
        if !isOver { try fill(lane, before: last) }
      }
    }
    let result = LoadResult(
      replies: replies, seconds: Machine.now() - started, latencies: latencies.sorted())
    latencies.removeAll()
    replies = 0
    return result
  }

  func closeAll() {
    for lane in lanes { close(lane.descriptor) }
  }

  private mutating func fill(_ lane: Int, before last: Int) throws(BenchError) {
    let now = Machine.now()
    while lanes[lane].sentTimes.count - lanes[lane].firstTime < depth, next < last {
      wire.request(next, &lanes[lane].unsent)
      lanes[lane].sentTimes.append(now)
      next += 1
    }
    guard !lanes[lane].unsent.isEmpty else { return }
    let taken = lanes[lane].unsent.withUnsafeBytes {
      send(lanes[lane].descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard taken >= 0 else { throw BenchError("the server closed a connection") }
    lanes[lane].unsent.removeFirst(taken)
  }

  private mutating func take(_ lane: Int) throws(BenchError) {
    let count = buffer.withUnsafeMutableBytes {
      recv(lanes[lane].descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { throw BenchError("the server closed a connection") }
    let now = Machine.now()
    for index in 0..<count where buffer[index] == wire.terminator {
      lanes[lane].terminators += 1
      guard lanes[lane].terminators == wire.terminatorsPerReply else { continue }
      lanes[lane].terminators = 0
      let first = lanes[lane].firstTime
      latencies.append(Float((now - lanes[lane].sentTimes[first]) * 1e6))
      lanes[lane].firstTime += 1
      replies += 1
    }
    if lanes[lane].firstTime == lanes[lane].sentTimes.count {
      lanes[lane].sentTimes.removeAll(keepingCapacity: true)
      lanes[lane].firstTime = 0
    }
  }
}
