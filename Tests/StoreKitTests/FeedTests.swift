import Client
import Foundation
import Testing

@testable import StoreKit

/// Who hears what: the rules of `Transaction.updates` and of the payment queue, tried on the value
/// that decides them, without a daemon.
@Suite("Who hears of a transaction")
struct FeedTests {
  /// Everything that came to a listener.
  private func heard<Element>(
    _ broadcast: inout Broadcast<Element>, _ body: () -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    _ = broadcast.add(continuation)
    body()
    continuation.finish()
    return stream
  }

  private struct Ears {
    let updates: AsyncStream<VerificationResult<StoreKit.Transaction>>
    let queue: AsyncStream<QueueNews>
    private let finish: [@Sendable () -> Void]

    init(_ feed: inout StoreFeed) {
      let (updates, updatesEnd) = AsyncStream<VerificationResult<StoreKit.Transaction>>
        .makeStream()
      let (queue, queueEnd) = AsyncStream<QueueNews>.makeStream()
      _ = feed.updates.add(updatesEnd)
      _ = feed.queue.add(queueEnd)
      (self.updates, self.queue) = (updates, queue)
      finish = [{ updatesEnd.finish() }, { queueEnd.finish() }]
    }

    /// The ids each heard, in order.
    func heard() async -> (updates: [UInt64], queue: [String]) {
      for end in finish { end() }
      var ids: [UInt64] = []
      for await result in updates { ids.append(result.unsafePayloadValue.id) }
      var queued: [String] = []
      for await news in queue {
        switch news {
        case .delivery(let delivery): queued.append(delivery.told.id)
        case .waitEnded(let id): queued.append("end of \(id)")
        }
      }
      return (ids, queued)
    }
  }

  private func delivery(
    _ id: Int, original: Int? = nil, at: Int64 = 1_000, revoked: Int64? = nil,
    type: String = "autoRenewable"
  ) throws -> Delivery {
    var members: [(String, JSONValue)] = [
      ("transactionId", .string("\(id)")),
      ("originalTransactionId", .string("\(original ?? id)")),
      ("productId", .string("pro")), ("type", .string(type)), ("purchaseDate", .int(at)),
      ("originalPurchaseDate", .int(1_000)), ("quantity", .int(1)),
      ("transactionReason", .string("purchase")), ("inAppOwnershipType", .string("purchased")),
      ("isUpgraded", .bool(false)), ("environment", .string("Sandbox")),
      ("signedDate", .int(at)), ("finished", .bool(false)), ("forecast", .bool(false)),
    ]
    if let revoked { members.append(("revocationDate", .int(revoked))) }
    let told = try Client.Transaction(JSONObject(members))
    let payload = Data(#"{"transactionId":"\#(id)"}"#.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let value = StoreKit.Transaction(SignedForm(text: "e30.\(payload).AA"))
    return Delivery(told: told, result: .unverified(value, .invalidSignature))
  }

  private func event(
    _ sequence: Int64, _ kind: EventKind, original: Int? = nil, requestID: String? = nil,
    pendingID: String? = nil
  ) throws -> Event {
    var members: [(String, JSONValue)] = [
      ("sequence", .int(sequence)), ("at", .int(1_000)), ("recorded", .int(1_000)),
      ("clock", .string("default")), ("kind", .string(kind.rawValue)), ("late", .bool(false)),
    ]
    if let original { members.append(("originalTransactionId", .string("\(original)"))) }
    if let requestID { members.append(("requestId", .string(requestID))) }
    if let pendingID { members.append(("pendingId", .string(pendingID))) }
    return try Event(JSONObject(members))
  }

  @Test("the launch tells each unfinished transaction once, to the first who listens (case 66)")
  func launch() async throws {
    var feed = StoreFeed()
    feed.launch([try delivery(1), try delivery(2)])
    let first = Ears(&feed)
    let second = Ears(&feed)
    #expect(await first.heard() == ([1, 2], ["1", "2"]))
    #expect(await second.heard() == ([], []))
  }

  @Test("a restore is no news, and what comes after it is of the restored transaction")
  func restored() async throws {
    var feed = StoreFeed()
    feed.know(try delivery(1))
    feed.launch([])
    let ears = Ears(&feed)
    feed.take(try event(5, .restored, original: 1), try delivery(2, original: 1))
    #expect(feed.newestTransaction(originalID: "1")?.told.id == "2")
    feed.take(
      try event(6, .refunded, original: 1), try delivery(2, original: 1, revoked: 2_000))
    #expect(await ears.heard() == ([2], ["2"]))
  }

  @Test("a local purchase is not repeated, whether its event comes before the answer or after it")
  func localPurchase() async throws {
    for eventFirst in [true, false] {
      var feed = StoreFeed()
      feed.launch([])
      let ears = Ears(&feed)
      feed.begin("r", productID: "pro", by: .product)
      let bought = try event(5, .purchased, original: 1, requestID: "r")
      if eventFirst { feed.take(bought, try delivery(1)) }
      feed.end("r", transactionID: "1", sequence: 5)
      if !eventFirst { feed.take(bought, try delivery(1)) }
      #expect(await ears.heard() == ([], []))
    }
  }

  @Test("a purchase of the payment queue is news to updates, and not repeated by the queue")
  func queuePurchase() async throws {
    var feed = StoreFeed()
    feed.launch([])
    let ears = Ears(&feed)
    feed.begin("r", productID: "pro", by: .paymentQueue)
    feed.take(try event(5, .purchased, original: 1, requestID: "r"), try delivery(1))
    feed.end("r", transactionID: "1", sequence: 5)
    #expect(await ears.heard() == ([1], []))
  }

  @Test("a purchase made while the launch is read is not told as unfinished")
  func purchaseDuringLaunch() async throws {
    for answerFirst in [true, false] {
      var feed = StoreFeed()
      let ears = Ears(&feed)
      feed.begin("r", productID: "pro", by: .product)
      if answerFirst { feed.end("r", transactionID: "2", sequence: 5) }
      feed.launch([try delivery(1, type: "consumable"), try delivery(2)])
      if !answerFirst { feed.end("r", transactionID: "2", sequence: 5) }
      #expect(await ears.heard() == ([1], ["1"]))
    }
  }

  @Test("a purchase whose answer was lost is news when its event comes")
  func lostAnswer() async throws {
    var feed = StoreFeed()
    feed.launch([])
    let ears = Ears(&feed)
    feed.begin("r", productID: "pro", by: .product)
    feed.take(try event(5, .purchased, original: 1, requestID: "r"), try delivery(1))
    feed.end("r", transactionID: nil, sequence: nil)
    #expect(await ears.heard() == ([1], ["1"]))
  }

  @Test("the queue hears that a purchase waits no more, after what came of it (case 73)")
  func waitEnded() async throws {
    var feed = StoreFeed()
    feed.launch([])
    let ears = Ears(&feed)
    feed.begin("r", productID: "pro", by: .paymentQueue)
    feed.take(try event(4, .purchasePending, requestID: "r", pendingID: "9"), nil)
    feed.end("r", transactionID: nil, sequence: nil)
    feed.take(try event(5, .purchased, original: 1), try delivery(1))
    feed.take(try event(6, .pendingEnded, pendingID: "9"), nil)
    #expect(await ears.heard() == ([1], ["1", "end of 9"]))
  }

  @Test("an approval that overtakes the answer is told after it")
  func earlyApproval() async throws {
    var feed = StoreFeed()
    feed.launch([])
    var ears = Ears(&feed)
    feed.begin("r", productID: "pro", by: .paymentQueue)
    feed.take(try event(4, .purchasePending, requestID: "r", pendingID: "9"), nil)
    feed.take(try event(5, .purchased, original: 1, requestID: "approval"), try delivery(1))
    feed.take(try event(6, .pendingEnded, requestID: "approval", pendingID: "9"), nil)
    #expect(await ears.heard() == ([], []))
    ears = Ears(&feed)
    feed.end("r", transactionID: nil, sequence: nil)
    #expect(await ears.heard() == ([1], ["1", "end of 9"]))
  }

  @Test("renewals come with a new id, refunds with the same one (case 52)")
  func renewalAndRefund() async throws {
    var feed = StoreFeed()
    feed.know(try delivery(1))
    feed.launch([])
    let ears = Ears(&feed)
    feed.take(try event(5, .renewed, original: 1), try delivery(2, original: 1, at: 2_000))
    feed.take(
      try event(6, .refunded, original: 1),
      try delivery(2, original: 1, at: 2_000, revoked: 2_500))
    #expect(await ears.heard() == ([2, 2], ["2", "2"]))
  }

  @Test("an event that repeats a known transaction tells none of it (case 70)")
  func repeated() async throws {
    var feed = StoreFeed()
    feed.know(try delivery(1))
    feed.launch([])
    let ears = Ears(&feed)
    feed.take(try event(5, .autoRenewChanged, original: 1), try delivery(1))
    feed.take(try event(6, .autoRenewChanged, original: 1), nil)
    #expect(await ears.heard() == ([], []))
  }

  @Test("what was told at launch is not told again by its event")
  func launchBeforeEvent() async throws {
    var feed = StoreFeed()
    feed.launch([try delivery(7, type: "consumable")])
    let ears = Ears(&feed)
    feed.take(try event(5, .purchased, original: 7), try delivery(7, type: "consumable"))
    feed.take(
      try event(6, .refunded, original: 7), try delivery(7, revoked: 2_000, type: "consumable"))
    #expect(await ears.heard() == ([7, 7], ["7", "7"]))
  }

  @Test("who listens late hears nothing that this process finished, in whatever order it is told")
  func finished() async throws {
    for finishFirst in [true, false] {
      var feed = StoreFeed()
      feed.launch([try delivery(1)])
      feed.begin("r", productID: "pro", by: .paymentQueue)
      feed.end("r", transactionID: "2", sequence: 5)
      if finishFirst { feed.finish("2", sequence: 6) }
      feed.take(
        try event(5, .purchased, original: 2, requestID: "r"), try delivery(2, type: "consumable"))
      if !finishFirst { feed.finish("2", sequence: 6) }
      feed.take(try event(6, .finished, original: 2), nil)
      #expect(await Ears(&feed).heard() == ([1], ["1"]))
    }
  }

  @Test("a launch that was read before something was finished does not tell it")
  func finishedDuringLaunch() async throws {
    var feed = StoreFeed()
    feed.finish("1", sequence: 6)
    feed.launch([try delivery(1), try delivery(2)])
    #expect(await Ears(&feed).heard() == ([2], ["2"]))
  }

  @Test("the refund of what was finished waits for who listens late")
  func refundOfFinished() async throws {
    var feed = StoreFeed()
    feed.launch([try delivery(1, type: "consumable")])
    feed.finish("1", sequence: 6)
    feed.take(
      try event(7, .refunded, original: 1), try delivery(1, revoked: 2_000, type: "consumable"))
    #expect(await Ears(&feed).heard() == ([1], ["1"]))
  }

  @Test("what was finished elsewhere waits no more, once the daemon says what is not finished")
  func finishedElsewhere() async throws {
    var feed = StoreFeed()
    feed.launch([try delivery(1), try delivery(2)])
    #expect(feed.mayFinishWaiting(try event(6, .finished, original: 1)))
    feed.keepWaiting(["2"])
    #expect(await Ears(&feed).heard() == ([2], ["2"]))
    #expect(!feed.mayFinishWaiting(try event(7, .finished, original: 2)))
  }

  @Test("another account's launch begins afresh, and who listened goes on listening")
  func otherAccount() async throws {
    var feed = StoreFeed()
    feed.launch([try delivery(1)])
    feed.forget()
    let ears = Ears(&feed)
    #expect(!feed.hasLaunched)
    feed.launch([try delivery(2)])
    #expect(await ears.heard() == ([2], ["2"]))
  }

  @Test("at most so many transactions wait for a first listener, the newest")
  func waiting() async {
    var broadcast = Broadcast<Int>(keeping: 2)
    for number in 1...3 { broadcast.tell(number) }
    let stream = heard(&broadcast) {}
    var numbers: [Int] = []
    for await number in stream { numbers.append(number) }
    #expect(numbers == [2, 3])
  }
}
