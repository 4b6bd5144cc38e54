import JSON
import Simulation
import Testing

/// Purchases that wait, and errors at will, through the socket. Every reply is held against the
/// description of its method (`TestDaemon`).
@Suite("Ask to Buy, interrupted purchases and simulated errors through the socket")
struct WaitingTests {
  @Test("Case 73: a purchase that waits gives nothing until it is approved, three days later")
  func askToBuy() throws {
    let daemon = try TestDaemon()
    try daemon.call("Testing.SetAskToBuy", #"{"account":"u1","enabled":true}"#)
    let asked = #"{"account":"u1","productId":"monthly","requestId":"r1"}"#
    let pending = try daemon.call("Store.Purchase", asked)
    #expect(pending.text("result") == "pending" && pending["transaction"] == nil)
    let id = try #require(pending.text("pendingId"))
    // The same request gets the same answer, also after a restart.
    try daemon.restart()
    #expect(try daemon.call("Store.Purchase", asked).parameters == pending.parameters)
    #expect(try daemon.isEntitled("u1") == false)
    #expect(try daemon.history("u1").isEmpty)
    #expect(try daemon.log().allSatisfy { $0["notificationType"] == nil })
    let waiting = try daemon.call("Testing.Pending", #"{"account":"u1"}"#).list("purchases")
    #expect(waiting.map { $0["pendingId"]?.stringValue } == [id])
    try daemon.advance(to: january + 3 * day)
    let approval = #"{"account":"u1","requestId":"r2"}"#
    let bought = try daemon.call("Testing.ApproveAskToBuy", approval)
    #expect(bought.text("result") == "success")
    #expect(bought["transaction"]?["purchaseDate"]?.int64Value == january + 3 * day)
    let again = try daemon.call("Testing.ApproveAskToBuy", approval)
    #expect(again.parameters == bought.parameters)
    #expect(try daemon.isEntitled("u1") == true)
    #expect(
      try daemon.error("Testing.ApproveAskToBuy", #"{"pendingId":"\#(id)"}"#)
        == "TransactionNotFound")
  }

  @Test("Several that wait are named by their ids; a declined one is gone")
  func several() throws {
    let daemon = try TestDaemon()
    try daemon.call("Testing.SetAskToBuy", #"{"enabled":true}"#)
    for product in ["coins", "lifetime"] {
      try daemon.call("Store.Purchase", #"{"account":"u1","productId":"\#(product)"}"#)
    }
    let reply = try daemon.reply("Testing.ApproveAskToBuy", #"{"account":"u1"}"#)
    #expect(reply.error == "org.renewd.Ambiguous")
    let ids = reply.list("candidates").compactMap(\.stringValue)
    #expect(ids.count == 2)
    try daemon.call("Testing.DeclineAskToBuy", #"{"pendingId":"\#(ids[0])"}"#)
    let bought = try daemon.call("Testing.ApproveAskToBuy", #"{"account":"u1"}"#)
    #expect(bought["transaction"]?["productId"]?.stringValue == "lifetime")
    #expect(
      try daemon.error("Testing.DeclineAskToBuy", #"{"account":"u1"}"#) == "TransactionNotFound")
    #expect(
      try daemon.error("Testing.ApproveAskToBuy", "{}") == "InvalidParameter")
    try daemon.call("Testing.SetAskToBuy", #"{"account":"u1","enabled":false}"#)
    try daemon.buy("u1", "coins")
  }

  @Test("An interrupted purchase comes to nothing for the app, and is completed afterwards")
  func interrupted() throws {
    let daemon = try TestDaemon()
    try daemon.call("Testing.SetInterrupted", #"{"account":"u1","enabled":true}"#)
    let first = try daemon.call(
      "Store.Purchase", #"{"account":"u1","productId":"coins","quantity":3}"#)
    #expect(first.text("result") == "userCancelled" && first["transaction"] == nil)
    #expect(try daemon.error("Testing.ResolveInterrupted", #"{"account":"u1"}"#) == "NotPossible")
    try daemon.call("Testing.SetInterrupted", #"{"account":"u1","enabled":false}"#)
    try daemon.call("Log.Snapshot")
    try daemon.restart()
    let resolved = try daemon.call("Testing.ResolveInterrupted", #"{"account":"u1"}"#)
    #expect(resolved["transaction"]?["quantity"]?.int64Value == 3)
    #expect(try daemon.history("u1").count == 1)
    let story = try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
      .compactMap { $0["text"]?.stringValue }.joined()
    #expect(story.contains("the purchase of coins was interrupted"))
  }

  @Test(
    "A simulated error refuses the calls that stand for its part of StoreKit, until it is cleared",
    arguments: [
      ("loadProducts", "networkError", "Store.Products", "{}"),
      (
        "purchase", "productUnavailable", "Store.Purchase",
        #"{"account":"u1","productId":"coins"}"#
      ),
      ("subscriptionStatus", "unknown", "Membership.Status", #"{"account":"u1"}"#),
      (
        "verification", "invalidSignature", "Membership.Verify",
        #"{"account":"u1","transactionId":"1","productId":"coins"}"#
      ),
    ])
  func simulated(api: String, error: String, method: String, parameters: String) throws {
    let daemon = try TestDaemon()
    try daemon.call(method, parameters)
    try daemon.call("Testing.SetSimulatedError", #"{"api":"\#(api)","error":"\#(error)"}"#)
    let refused = try daemon.reply(method, parameters)
    #expect(refused.error == "org.renewd.SimulatedError")
    #expect(refused.text("api") == api && refused.text("error") == error)
    let faults = try daemon.call("Testing.Faults").list("errors")
    #expect(faults.map { $0["error"]?.stringValue } == [error])
    try daemon.restart()
    #expect(try daemon.error(method, parameters) == "SimulatedError")
    try daemon.call("Testing.SetSimulatedError", #"{"api":"\#(api)"}"#)
    try daemon.call(method, parameters)
    #expect(
      try daemon.error("Testing.SetSimulatedError", #"{"api":"\#(api)","error":"nonsense"}"#)
        == "InvalidParameter")
  }
}
