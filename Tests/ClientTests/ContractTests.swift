import Client
import Foundation
import Testing

/// The client against the descriptions that the daemon gives of itself.
@Suite("Contract")
struct ContractTests {
  /// The descriptions as the daemon gives them; `InterfaceTests` hold them to that.
  private static let texts = try! String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../EngineTests/Golden/interfaces.varlink").standardizedFileURL,
    encoding: .utf8)

  @Test("every error of the daemon has a meaning and a sentence of its own")
  func errors() {
    let names = Self.texts.matches(of: /\nerror (\w+)/).map { String($0.output.1) }
    #expect(names.count > 20)
    var sentences: Set<String> = []
    for name in names {
      let error = RenewdError(name: "org.renewd.\(name)", parameters: JSONObject())
      #expect(error.reason != .unknown, "\(name)")
      sentences.insert(error.description)
    }
    #expect(sentences.count == names.count)
  }

  @Test("every method of the daemon has a call, and every call is a method of the daemon")
  func methods() {
    var described: [String] = []
    var interface = ""
    for match in Self.texts.matches(of: /\n(interface|method) ([\w.]+)/) {
      if match.1 == "interface" {
        interface = String(match.2)
      } else {
        described.append("\(interface).\(match.2)")
      }
    }
    #expect(described.count > 25)
    #expect(described.sorted() == Self.calls.sorted())
  }

  private static var calls: [String] {
    let span = try! CalendarSpan("1d")
    let target = TestTarget.account("u1")
    return [
      Call.status(account: "u1").method, Call.check(account: "u1").method,
      Call.verify(account: "u1", transactionID: "1", productID: "p").method,
      Call.history(account: "u1").method, Call.ledger(account: "u1").method,
      Call.explain(account: "u1").method,
      Call.watch().method, Call.trust().method, Call.products().method,
      Call.appTransaction(account: "u1").method,
      Call.purchase(account: "u1", productID: "p").method, Call.finish(transactionID: "1").method,
      Call.unfinished(account: "u1").method, Call.restore(account: "u1").method,
      Call.setAutoRenew(originalID: "1", enabled: true).method, Call.clocks().method,
      Call.submit(signed: "").method, Call.link(account: "u1", originalID: "1").method,
      Call.createClock(name: "c", at: Samples.january).method, Call.advance(by: span).method,
      Call.attach(account: "u1", clock: "c").method, Call.acceptClock(name: "system").method,
      Call.refund(target).method, Call.reverseRefund(target).method,
      Call.announcePriceIncrease(productID: "p", price: 1, needsConsent: true).method,
      Call.consentToPriceIncrease(target).method, Call.declinePriceIncrease(target).method,
      Call.removeFromSale(productID: "p").method, Call.extend(target, days: 1).method,
      Call.extendAll(productID: "p", days: 1, requestIdentifier: "e").method,
      Call.requestRefund(target).method, Call.declineRefund(target).method,
      Call.forceRenewal(target).method, Call.expire(target).method, Call.reset().method,
      Call.rate().method, Call.setRate(nil).method,
      Call.setBilling(account: "u1", outcome: .fail).method, Call.resolveBilling(target).method,
      Call.setAskToBuy(enabled: true).method, Call.setInterrupted(enabled: true).method,
      Call.approveAskToBuy(.account("u1")).method, Call.declineAskToBuy(.account("u1")).method,
      Call.resolveInterrupted(.account("u1")).method, Call.pending().method,
      Call.setSimulatedError(nil, api: .purchase).method, Call.faults().method,
      Call.share(account: "u1", with: "u2").method, Call.unshare(account: "u1").method,
      Call.describeLog().method, Call.readLog(from: 1).method, Call.verifyLog().method,
      Call.snapshotLog().method, Call.importCatalogue(text: "").method,
      Call.describeCatalogue().method, Call.reload().method, Call.describeDaemon().method,
    ]
  }

  @Test("what the service itself refuses has its meaning too")
  func service() {
    func reason(_ name: String, _ key: String) -> RenewdError.Reason {
      RenewdError(
        name: "org.varlink.service.\(name)", parameters: JSONObject([(key, .string("x"))])
      ).reason
    }
    #expect(reason("InvalidParameter", "parameter") == .invalidParameter(name: "x", reason: ""))
    #expect(reason("InterfaceNotFound", "interface") == .interfaceNotFound(name: "x"))
    #expect(reason("MethodNotFound", "method") == .methodNotFound(name: "x"))
    #expect(reason("MethodNotImplemented", "method") == .methodNotFound(name: "x"))
    #expect(reason("ExpectedMore", "none") == .expectedMore)
    #expect(reason("PermissionDenied", "none") == .permissionDenied(role: ""))
  }

  @Test("an error's field that is amiss leaves its meaning, empty")
  func amiss() {
    let error = RenewdError(
      name: "org.renewd.NotPossible", parameters: JSONObject([("reason", .int(1))]))
    #expect(error.reason == .notPossible(status: nil, reason: ""))
  }

  @Test("an unknown error is told with its name and parameters")
  func unknown() {
    let error = RenewdError(
      name: "org.renewd.Tomorrow", parameters: JSONObject([("when", .int(1))]))
    #expect(error.reason == .unknown)
    #expect(error.description == #"refused: org.renewd.Tomorrow {"when":1}"#)
  }
}
