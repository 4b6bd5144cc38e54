import Engine
import Foundation
import JSON
import Simulation
import Testing
import Varlink

@Suite("The interfaces are what the code does")
struct InterfaceTests {
  static let descriptions = InterfaceTexts.all.map { try! InterfaceDescription.parse($0) }

  @Test(
    "Every named type resolves, and every description stands the check", arguments: descriptions)
  func resolves(description: InterfaceDescription) throws {
    try description.check()
    #expect(try InterfaceDescription.parse(description.text) == description)
  }

  @Test("The texts of the interfaces are those on the page, letter for letter")
  func golden() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/interfaces.varlink")
    let now = InterfaceTexts.all.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["RENEWD_RECORD"] != nil {
      try Data(now.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == now)
  }

  @Test("A type that several interfaces use is the same in each, letter for letter")
  func sharedTypesAgree() {
    var known: [String: (interface: String, text: String)] = [:]
    for description in Self.descriptions {
      for member in description.members {
        guard case .type(let type) = member.definition else { continue }
        let text = member.documentation.joined(separator: "\n") + "\n" + type.text
        if let first = known[member.name] {
          #expect(
            text == first.text, "\(member.name) of \(description.name) and \(first.interface)")
        }
        known[member.name] = (description.name, text)
      }
    }
    #expect(known.count > 12)
  }

  @Test("The service lists its interfaces, and gives each description as it is")
  func describesItself() throws {
    let daemon = try TestDaemon()
    let info = try daemon.call("org.varlink.service.GetInfo")
    let names = info.list("interfaces").compactMap(\.stringValue)
    #expect(names == (Self.descriptions.map(\.name) + ["org.varlink.service"]).sorted())
    for (description, text) in zip(Self.descriptions, InterfaceTexts.all) {
      let reply = try daemon.call(
        "org.varlink.service.GetInterfaceDescription", #"{"interface":"\#(description.name)"}"#)
      #expect(reply.text("description") == text)
    }
  }

  /// Calls that succeed, in an order in which they can; each method at least once. `$1` is the
  /// first transaction's id.
  static let calls: [(method: String, parameters: String)] = [
    ("Store.Products", #"{"productIds":["monthly","no.such"],"storefront":"DEU"}"#),
    (
      "Store.Purchase",
      #"{"account":"u1","productId":"instalments","offer":{"type":"introductory"},"#
        + #""appAccountToken":"01234567-89ab-cdef-0123-456789abcdef","storefront":"CHE"}"#
    ),
    ("Store.Purchase", #"{"account":"u1","productId":"lifetime"}"#),
    ("Store.Unfinished", #"{"account":"u1"}"#),
    ("Store.Finish", #"{"transactionId":"$1"}"#),
    ("Store.Restore", #"{"account":"u1","signed":true}"#),
    ("Store.Restore", #"{"account":"nobody"}"#),
    ("Store.SetAutoRenew", #"{"originalTransactionId":"$1","enabled":false}"#),
    ("Store.SetAutoRenew", #"{"originalTransactionId":"$1","enabled":true}"#),
    ("Membership.Status", #"{"account":"u1","signed":true}"#),
    ("Membership.Status", #"{"account":"nobody"}"#),
    ("Membership.Check", #"{"account":"u1"}"#),
    ("Membership.Check", #"{"account":"u1","productId":"instalments"}"#),
    ("Membership.Verify", #"{"account":"u1","transactionId":"$1","productId":"instalments"}"#),
    ("Membership.Verify", #"{"account":"u1","transactionId":"7","productId":"instalments"}"#),
    ("Membership.Ledger", #"{"account":"u1","until":1838317600001}"#),
    ("Membership.History", #"{"account":"u1","signed":true}"#),
    ("Membership.Trust", "{}"),
    ("Store.AppTransaction", #"{"account":"u1"}"#),
    ("Membership.Explain", #"{"account":"u1"}"#),
    ("Clocks.List", "{}"),
    ("Clocks.Create", #"{"name":"other","at":1738317600000}"#),
    ("Clocks.Advance", #"{"clock":"default","by":"P1M"}"#),
    ("Clocks.Advance", #"{"to":1740736800000}"#),
    ("Clocks.Attach", #"{"account":"u2","clock":"other"}"#),
    ("Testing.SetRate", #"{"rate":"realTime"}"#), ("Testing.GetRate", "{}"),
    ("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#),
    ("Clocks.Advance", #"{"by":"P2M"}"#),
    ("Testing.ResolveBilling", #"{"originalTransactionId":"$1"}"#),
    ("Testing.ForceRenewal", #"{"originalTransactionId":"$1"}"#),
    ("Testing.AnnouncePriceIncrease", #"{"productId":"instalments","price":19990,"consent":true}"#),
    ("Testing.ConsentToPriceIncrease", #"{"account":"u1"}"#),
    ("Testing.AnnouncePriceIncrease", #"{"productId":"instalments","price":29990,"consent":true}"#),
    ("Testing.DeclinePriceIncrease", #"{"originalTransactionId":"$1"}"#),
    ("Testing.Extend", #"{"account":"u1","days":10,"reason":0}"#),
    (
      "Testing.ExtendAll",
      #"{"productId":"instalments","days":10,"reason":3,"requestIdentifier":"E1","#
        + #""storefronts":["CHE"]}"#
    ),
    ("Testing.RemoveFromSale", #"{"productId":"instalments"}"#),
    ("Testing.RequestRefund", #"{"transactionId":"$1"}"#),
    ("Testing.DeclineRefund", #"{"transactionId":"$1"}"#),
    ("Testing.Refund", #"{"transactionId":"$1"}"#),
    ("Testing.ReverseRefund", #"{"transactionId":"$1"}"#),
    ("Testing.Expire", #"{"transactionId":"$1"}"#),
    ("Membership.Status", #"{"account":"u1","at":1738317600001}"#),
    ("Membership.Status", #"{"account":"u1","at":1838317600001}"#),
    ("Log.Describe", "{}"),
    ("Log.Read", #"{"from":1}"#),
    ("Log.Verify", "{}"),
    ("Log.Snapshot", "{}"),
    ("Catalog.Describe", "{}"),
    ("Daemon.Describe", "{}"),
    ("Daemon.Reload", "{}"),
    ("Catalog.Import", #"{"text":"$family","source":"family"}"#),
    ("Store.Purchase", #"{"account":"u3","productId":"shared"}"#),
    ("Testing.SetAskToBuy", #"{"account":"u5","enabled":true}"#),
    ("Store.Purchase", #"{"account":"u5","productId":"shared"}"#),
    ("Testing.Pending", "{}"),
    ("Membership.Explain", #"{"account":"u5"}"#),
    ("Testing.ApproveAskToBuy", #"{"account":"u5"}"#),
    ("Store.Purchase", #"{"account":"u5","productId":"coins"}"#),
    ("Testing.DeclineAskToBuy", #"{"account":"u5"}"#),
    ("Testing.SetInterrupted", #"{"account":"u6","enabled":true}"#),
    ("Store.Purchase", #"{"account":"u6","productId":"coins"}"#),
    ("Testing.SetInterrupted", #"{"account":"u6","enabled":false}"#),
    ("Testing.ResolveInterrupted", #"{"account":"u6"}"#),
    ("Testing.SetSimulatedError", #"{"api":"verification","error":"invalidSignature"}"#),
    ("Testing.Faults", "{}"),
    ("Testing.SetSimulatedError", #"{"api":"verification"}"#),
    ("Testing.SetBilling", #"{"outcome":"fail"}"#),
    ("Testing.SetBilling", #"{"outcome":"succeed"}"#),
    ("Testing.Share", #"{"account":"u3","to":"u4"}"#),
    ("Membership.Status", #"{"account":"u4"}"#),
    ("Membership.Explain", #"{"account":"u4"}"#),
    ("Testing.Unshare", #"{"account":"u3","to":"u4","cause":"turnedOff"}"#),
    ("Membership.History", #"{"account":"u4"}"#),
    ("Testing.Reset", "{}"),
  ]

  /// What a family can share.
  private static let family = String(
    decoding: Shop([Shop.Ware("shared", .nonConsumable, price: 990, isShareable: true)])
      .storekitText, as: UTF8.self)

  /// Makes all the calls, each method at least once but for watching; the methods called.
  static func perform(on daemon: TestDaemon) throws -> Set<String> {
    var seen: Set<String> = []
    var first = ""
    for (method, parameters) in Self.calls {
      let family = JSONValue.string(Self.family).compactText.dropFirst().dropLast()
      let text = parameters.replacing("$1", with: first).replacing("$family", with: family)
      let reply = try daemon.call(method, text)
      if first.isEmpty, let id = reply["transaction"]?["transactionId"]?.stringValue { first = id }
      seen.insert("org.renewd.\(method)")
    }
    // What another store signed; a catalogue text, and a watch; and a clock that is held is
    // accepted elsewhere.
    try daemon.call("Store.Submit", #"{"signed":"\#(appleTransaction(7001))"}"#)
    try daemon.call("Store.Link", #"{"account":"u3","originalTransactionId":"7001"}"#)
    let shop = String(decoding: Shop.standard.storekitText, as: UTF8.self)
    let text = JSONValue.string(shop.replacing("two.months", with: "2.months")).compactText
    let imported = try daemon.call("Catalog.Import", #"{"text":\#(text),"source":"x"}"#)
    #expect(imported.flag("unchanged") == false)
    daemon.world.stepClock(50 * hour)
    try daemon.call("Clocks.Accept", #"{"clock":"system"}"#)
    return seen.union([
      "org.renewd.Catalog.Import", "org.renewd.Clocks.Accept", "org.renewd.Store.Submit",
      "org.renewd.Store.Link",
    ])
  }

  @Test("Every method answers as its description says")
  func everyMethod() throws {
    let daemon = try TestDaemon()
    var seen = try Self.perform(on: daemon)
    let (_, replies) = daemon.watch(#"{"since":0}"#)
    for reply in replies { TestDaemon.validate(reply, of: "org.renewd.Membership.Watch") }
    #expect(replies.count > 10)
    seen.insert("org.renewd.Membership.Watch")
    let all = Self.descriptions.flatMap { description in
      description.methodNames.map { "\(description.name).\($0)" }
    }
    #expect(Set(all) == seen)
  }

  @Test("Who asks for signed forms is told what a tester makes their checks fail with")
  func verificationError() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    func told(_ method: String, _ more: String = "") throws -> [String] {
      let text = try daemon.call(method, #"{"account":"u1"\#(more)}"#).parameters.compactText
      return text.matches(of: /"verificationError":"(\w+)"/).map { String($0.1) }
    }
    let signing = ["Membership.Status", "Membership.History", "Store.Unfinished"]
    for method in signing { #expect(try told(method, #","signed":true"#) == []) }
    try daemon.call(
      "Testing.SetSimulatedError", #"{"api":"verification","error":"invalidSignature"}"#)
    #expect(try told("Membership.Status", #","signed":true"#).count == 2)
    for method in signing.dropFirst() {
      #expect(try told(method, #","signed":true"#) == ["invalidSignature"])
    }
    for method in signing { #expect(try told(method) == []) }
    #expect(try told("Store.AppTransaction") == ["invalidSignature"])
    #expect(
      try told("Store.Purchase", #","productId":"coins","signed":true"#) == ["invalidSignature"])
    #expect(try daemon.call("Membership.Trust")["simulated"]?.arrayValue?.count == 1)
  }
}
