import JSON
import Simulation
import Testing

@Suite("A daemon in a simulated world")
struct FirstTests {
  @Test("A purchase, a month's advance and a status survive a kill")
  func storySurvivesKill() throws {
    var options = World.Options()
    options.clock = 1_738_317_600_000
    let world = World(options)
    try world.start()
    let root = world.connect()
    let bought = try #require(
      world.call(
        root, "org.renewd.Store.Purchase",
        .members([("account", .string("u1")), ("productId", .string("monthly"))])))
    #expect(bought.error == nil)
    let advanced = try #require(
      world.call(root, "org.renewd.Clocks.Advance", .members([("by", .string("P1M"))])))
    #expect(advanced.int("events") == 1)
    let account = JSONValue.members([("account", .string("u1"))])
    let before = try #require(world.call(root, "org.renewd.Membership.Status", account))
    try world.restart()
    world.reconnect(root)
    let after = try #require(world.call(root, "org.renewd.Membership.Status", account))
    #expect(before == after)
    #expect(after.flag("entitled") == true)
    let current = after.list("subscriptions").first?["transaction"]
    #expect(current?["purchaseDate"]?.int64Value == 1_740_736_800_000)
  }
}
