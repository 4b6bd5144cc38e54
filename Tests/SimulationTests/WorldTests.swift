import JSON
import Simulation
import Testing

@Suite("The simulated world")
struct WorldTests {
  private func world(seed: UInt64, isChaotic: Bool) throws -> World {
    var options = World.Options()
    options.isChaotic = isChaotic
    options.seed = seed
    let world = World(options)
    try world.start()
    return world
  }

  private let purchase = JSONValue.members([
    ("account", .string("u")), ("productId", .string("coins")),
  ])

  @Test("The same seed gives the same outputs twice")
  func isRepeatable() throws {
    func run(_ seed: UInt64) throws -> RunningHash {
      let world = try world(seed: seed, isChaotic: true)
      let client = world.connect()
      for _ in 0..<20 { world.call(client, "org.renewd.Store.Purchase", purchase) }
      return world.outputs
    }
    #expect(try run(7) == run(7))
    #expect(try run(7) != run(8))
  }

  @Test("A loss of power takes what was not synced, and never what was answered")
  func losesUnsynced() throws {
    var lost = 0
    for seed in UInt64(0)..<60 {
      let world = try world(seed: seed, isChaotic: true)
      let client = world.connect()
      world.send("org.renewd.Store.Purchase", purchase, from: client)
      for _ in 0..<(seed % 5) { world.turn() }
      let isAnswered = client.takeReply() != nil
      world.losePower()
      try world.start()
      world.reconnect(client)
      let count = world.call(
        client, "org.renewd.Membership.History", .members([("account", .string("u"))]))?
        .list("transactions").count
      if isAnswered { #expect(count == 1) }
      if count == 0 { lost += 1 }
    }
    #expect(lost > 5, "power was lost between the call and the sync, too")
  }

  @Test("Time stands still between calls, and is passed with the daemon's own wake-ups")
  func timePasses() throws {
    let world = try world(seed: 1, isChaotic: false)
    let client = world.connect()
    let start = world.machine.realtime
    world.call(
      client, "org.renewd.Store.Purchase",
      .members([("account", .string("u")), ("productId", .string("weekly"))]))
    #expect(world.machine.realtime == start)
    let week: Int64 = 7 * 86_400_000
    world.pass(3 * week)
    let log = try #require(
      world.call(client, "org.renewd.Log.Read", .members([("from", .int(1))])))
    let recorded = log.list("events").filter { $0["kind"]?.stringValue == "renewed" }
      .compactMap { $0["recorded"]?.int64Value }
    #expect(recorded == [start + week, start + 2 * week, start + 3 * week])
  }
}
