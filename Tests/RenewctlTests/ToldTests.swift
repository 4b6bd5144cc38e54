import Client
import Testing

@testable import renewctl

/// Lines that the App Store told of, in words: what was not told is neither on nor off.
@Suite("Lines that were told of", .timeLimit(.minutes(10)))
struct ToldTests {
  private func line(
    _ status: Int64 = 1, _ also: [(String, JSONValue)] = []
  ) -> JSONValue {
    var line = Samples.subscription(status: status).objectValue!
    line["origin"] = .string("apple")
    line["renewalInfo"] = nil
    for (key, value) in also { line[key] = value }
    return .object(line)
  }

  private func status(_ line: JSONValue, entitled: Bool = true) throws -> [String] {
    let answer = Samples.status(subscriptions: [line], entitled: entitled)
    let harness = try Harness(["Status": answer.always])
    defer { harness.server.stop() }
    return harness.run("status", "u1").lines
  }

  @Test("B98: with a transaction alone, whether it renews is not known")
  func unknown() throws {
    let lines = try status(line())
    #expect(
      lines[0] == "u1 is entitled: pro.monthly is active until 2025-02-28T10:00:00Z, whether it"
        + " renews is not known")
    #expect(lines[2].contains(" unknown "))
    let awaited = try status(line(2, [("pending", .bool(true)), ("entitled", .bool(true))]))
    #expect(
      awaited[0] == "u1 is entitled: pro.monthly was paid until 2025-02-28T10:00:00Z, whether it"
        + " renews is not known, news of it is awaited")
  }

  @Test("whichever fact said it last says whether it renews, and why it ended")
  func effective() throws {
    #expect(try status(line(1, [("autoRenewStatus", .int(0))]))[0].hasSuffix("then it ends"))
    #expect(try status(line(1, [("autoRenewStatus", .int(1))]))[0].hasSuffix("then it renews"))
    for (reason, words) in [(1, "cancelled"), (9, "reason 9")] as [(Int64, String)] {
      let ended = try status(line(2, [("expirationIntent", .int(reason))]), entitled: false)
      #expect(ended[0].hasSuffix("expired on 2025-02-28T10:00:00Z (\(words))"))
    }
  }

  @Test("an end of grace that is assumed is said to be")
  func grace() throws {
    let lines = try status(
      line(4, [("assumedGraceEnd", .int(1_742_119_200_000)), ("entitled", .bool(true))]))
    #expect(
      lines[0] == "u1 is entitled: pro.monthly is in grace until 2025-03-16T10:00:00Z (assumed, its"
        + " end was not told), the payment has failed")
  }

  @Test("B100: without a price it is what it is by its reason, and words of later times are shown")
  func history() throws {
    func row(_ change: (inout JSONObject) -> Void) throws -> String {
      var transaction = Samples.transaction().objectValue!
      change(&transaction)
      let answer = JSONValue.members([("transactions", .array([.object(transaction)]))])
      let harness = try Harness(["History": answer.always])
      defer { harness.server.stop() }
      return harness.run("history", "u1").lines.last ?? ""
    }
    let unpriced = try row {
      $0["price"] = nil
      $0["currency"] = nil
    }
    #expect(unpriced.contains("purchase"))
    #expect(!unpriced.contains("shared"))
    #expect(try row { $0["inAppOwnershipType"] = .string("familyShared") }.contains("shared"))
    #expect(try row { $0["transactionReason"] = .string("GIFT") }.contains("GIFT"))
    let bare = try row {
      for name in ["transactionReason", "inAppOwnershipType", "type", "quantity", "isUpgraded"] {
        $0[name] = nil
      }
      $0["offerIdentifier"] = .string("spring")
    }
    #expect(bare.contains("pro.monthly"))
    #expect(bare.contains("spring"))
  }

  @Test("what could not be taken of a notification is named")
  func missing() throws {
    let answer = JSONValue.members([
      ("kind", .string("notification")), ("duplicate", .bool(false)), ("sequence", .int(7)),
      ("missing", .array([.string("signedTransactionInfo.productId")])),
    ])
    let harness = try Harness(["Submit": answer.always])
    defer { harness.server.stop() }
    #expect(
      harness.run("submit", "eyJh.eyJi.c").lines
        == ["took in the notification, without what lacks signedTransactionInfo.productId, #7"])
  }
}
