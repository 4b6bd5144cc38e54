import Glibc

/// The first figures: polls, purchases, signatures, time travel, replay, sizes. It prints what it
/// finds and fails only where it cannot measure.
enum Bench {
  static func main() -> Never {
    do throws(BenchError) {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      guard !options.isHelp else {
        print(Options.help)
        exit(0)
      }
      try run(options)
      exit(0)
    } catch {
      Report.fail(error.message)
      exit(70)
    }
  }

  private static func run(_ options: Options) throws(BenchError) {
    var server = try Server()
    defer {
      server.stop()
      server.remove()
    }
    let empty = try server.start()
    Report.title("renewd with \(options.accounts) accounts, \(options.seconds) s a load")
    Report.row("start to ready, empty log", empty * 1_000, "ms")
    let floor = try Peers.writeAndSync(in: server.folder)
    Report.row("floor: write and sync of 4 KiB", floor, "µs")
    let made = try purchases(server, options)
    try fill(server, from: made, to: options.accounts)
    try sizes(server)
    let redis = try polls(server, options)
    if !redis { Report.note("redis-server is not installed: no peer for the polls") }
    try Signatures.measure(seconds: options.seconds)
    try travel(server)
    try replay(&server)
  }

  // MARK: Purchases

  /// Durable purchases, one connection and fifty; how many accounts that made.
  private static func purchases(
    _ server: Server, _ options: Options
  ) throws(BenchError) -> Int {
    var made = 0
    for connections in [1, 50] {
      var driver = try LoadDriver(
        path: server.socket, connections: connections, depth: 1, Calls.purchase(from: made))
      let result = try driver.run(seconds: options.seconds)
      driver.closeAll()
      made += result.replies
      Report.load("durable purchases, \(connections) at once", result)
    }
    return made
  }

  private static func fill(_ server: Server, from made: Int, to count: Int) throws(BenchError) {
    guard made < count else { return }
    var driver = try LoadDriver(
      path: server.socket, connections: 8, depth: Limits.fillDepth, Calls.purchase(from: made))
    let result = try driver.run(count: count - made)
    driver.closeAll()
    Report.load("durable purchases, 8 × \(Limits.fillDepth) at once", result)
  }

  private static func sizes(_ server: Server) throws(BenchError) {
    let log = try server.call("org.renewd.Log.Describe", "{}")
    let lines = try server.number("subscriptions", in: log)
    let events = try server.number("sequence", in: log)
    let bytes = try server.number("bytes", in: log)
    let memory = try Machine.residentBytes(of: server.process)
    Report.row("subscriptions", Double(lines), "")
    Report.row("log, bytes an event", Double(bytes) / Double(events), "B")
    Report.row("resident memory", Double(memory) / 1_048_576, "MiB")
    Report.row("resident memory a subscription", Double(memory) / Double(lines), "B")
  }

  // MARK: Polls

  private static func polls(_ server: Server, _ options: Options) throws(BenchError) -> Bool {
    let accounts = options.accounts
    var ours: [Double] = []
    for (method, connections, depth) in [
      ("Check", 1, 1), ("Check", 50, 1), ("Check", 50, 16), ("Status", 50, 1),
      ("Status", 50, 16),
    ] {
      var driver = try LoadDriver(
        path: server.socket, connections: connections, depth: depth,
        Calls.poll("org.renewd.Membership.\(method)", accounts: accounts))
      let result = try driver.run(seconds: options.seconds)
      driver.closeAll()
      Report.load("\(method), \(connections) × \(depth)", result)
      if method == "Check", connections == 50 { ours.append(result.perSecond) }
    }
    let reply = try server.call(
      "org.renewd.Membership.Check", #"{"account":"\#(Calls.account(0))"}"#)
    guard
      let peers = try Peers.redis(
        accounts: accounts, valueBytes: reply.utf8.count, seconds: options.seconds)
    else { return false }
    for (index, peer) in peers.enumerated() {
      Report.load("peer: Redis GET, \(peer.connections) × \(peer.depth)", peer.2)
      Report.row("ratio: Check to Redis GET", ours[index] / peer.2.perSecond, "×")
    }
    return true
  }

  // MARK: Time

  /// A month and then eleven more, in one call each.
  private static func travel(_ server: Server) throws(BenchError) {
    for span in ["P1M", "P11M"] {
      let before = try server.number(
        "bytes", in: server.call("org.renewd.Log.Describe", "{}"))
      let started = Machine.now()
      let reply = try server.call("org.renewd.Clocks.Advance", #"{"by":"\#(span)"}"#)
      let seconds = Machine.now() - started
      let events = try server.number("events", in: reply)
      let after = try server.number("bytes", in: server.call("org.renewd.Log.Describe", "{}"))
      Report.row("renewals a second, advance \(span)", Double(events) / seconds, "/s")
      Report.row("log, bytes a renewal", Double(after - before) / Double(events), "B")
    }
  }

  private static func replay(_ server: inout Server) throws(BenchError) {
    let log = try server.call("org.renewd.Log.Describe", "{}")
    let events = try server.number("sequence", in: log)
    server.stop()
    Machine.removeSnapshots(in: "\(server.folder)/state")
    let replayed = try server.start()
    Report.row("replay without a snapshot", Double(events) / replayed, "events/s")
    let started = Machine.now()
    _ = try server.call("org.renewd.Log.Snapshot", "{}")
    Report.row("making a snapshot", (Machine.now() - started) * 1_000, "ms")
    server.stop()
    let restarted = try server.start()
    Report.row("start to ready with a snapshot", restarted * 1_000, "ms")
  }
}
