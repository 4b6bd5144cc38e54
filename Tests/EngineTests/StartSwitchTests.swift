import Engine
import JSON
import Simulation
import Testing

/// What a `.storekit` file's own settings switch on when it is first imported (Domain.md 5.5).
@Suite("The switches of a catalogue's settings")
struct StartSwitchTests {
  private func settings(_ members: String) throws -> CatalogueSettings {
    try CatalogueSettings(
      ofCatalogue: Array(
        #"""
        {"identifier":"6F1E5A11","products":[],"nonRenewingSubscriptions":[],
        "subscriptionGroups":[],"version":{"major":4,"minor":0},"settings":{\#(members)}}
        """#.utf8))
  }

  private func error(_ name: String, _ choice: String?, isOn: Bool = true) -> String {
    let current = choice.map { #","current":\#($0)"# } ?? ""
    return #"{"name":"\#(name)","enabled":\#(isOn)\#(current)}"#
  }

  @Test("Nothing is on in a file that says nothing, or that it is off")
  func nothing() throws {
    #expect(try settings("").switches.isEmpty)
    let off = try settings(
      #""_askToBuyEnabled":false,"_billingIssuesEnabled":false,"_storeKitError":3,"#
        + #""_failTransactionsEnabled":false,"_storeKitErrors":["#
        + error("Purchase", #"{"type":"purchase","index":1}"#, isOn: false) + "]")
    #expect(off.switches.isEmpty)
    #expect(off.notices.isEmpty)
  }

  @Test("Ask to Buy and interrupted purchases are on for all accounts")
  func switches() throws {
    let read = try settings(#""_askToBuyEnabled":true,"_billingIssuesEnabled":true"#)
    #expect(read.switches == [.on(.askToBuy), .on(.interrupted)])
    #expect(read.switches.map(\.description) == ["askToBuy=on", "interrupted=on"])
    #expect(read.notices.isEmpty)
  }

  @Test(
    "Each simulated error is the API by Xcode's name, and the error by its place in its type",
    arguments: [
      ("Load Products", #"{"type":"generic","index":0}"#, "loadProducts=unknown"),
      ("Purchase", #"{"type":"generic","index":2}"#, "purchase=networkError"),
      ("Purchase", #"{"type":"purchase","index":1}"#, "purchase=productUnavailable"),
      ("Purchase", #"{"type":"purchase","index":7}"#, "purchase=missingOfferParameters"),
      ("Verification", #"{"type":"verification","index":0}"#, "verification=revokedCertificate"),
      ("App Store Sync", #"{"type":"generic","index":1}"#, "appStoreSync=userCancelled"),
      ("Subscription Status", #"{"type":"generic","index":3}"#, "subscriptionStatus=systemError"),
      (
        "App Transaction", #"{"type":"generic","index":4}"#,
        "appTransaction=notAvailableInStorefront"
      ),
      (
        "Manage Subscriptions Sheet", #"{"type":"generic","index":6}"#,
        "manageSubscriptions=unsupported"
      ),
      ("Refund Request Sheet", #"{"type":"refundRequest","index":1}"#, "refundRequest=failed"),
      ("Offer Code Redeem Sheet", #"{"type":"generic"}"#, "offerCodeRedeem=unknown"),
      ("Verification", nil, "verification=revokedCertificate"),
      ("Purchase", "null", "purchase=unknown"),
    ] as [(String, String?, String)])
  func simulatedErrors(name: String, choice: String?, expected: String) throws {
    let read = try settings(#""_storeKitErrors":["# + error(name, choice) + "]")
    #expect(read.switches.map(\.description) == [expected])
    #expect(read.notices.isEmpty)
  }

  @Test(
    "An error that nobody knows has no effect and is named",
    arguments: [
      ("Weather", nil, "of 'Weather' has no effect: nothing by that name is known"),
      (
        "Purchase", #"{"type":"purchase","index":8}"#,
        "of Purchase has no effect: it has no error 8 of the type 'purchase'"
      ),
      (
        "Purchase", #"{"type":"generic","index":-1}"#,
        "of Purchase has no effect: it has no error -1 of the type 'generic'"
      ),
      (
        "Verification", #"{"type":"generic","index":0}"#,
        "of Verification has no effect: it has no error 0 of the type 'generic'"
      ),
    ] as [(String, String?, String)])
  func unknownErrors(name: String, choice: String?, expected: String) throws {
    let read = try settings(#""_storeKitErrors":["# + error(name, choice) + "]")
    #expect(read.switches.isEmpty)
    #expect(read.notices == ["its simulated error " + expected])
  }

  @Test(
    "Failing transactions are an error of purchases: one of the codes that Xcode's list has",
    arguments: [
      ("", "unknown"), (#","_storeKitError":0"#, "unknown"),
      (#","_storeKitError":1"#, "invalidOfferIdentifier"),
      (#","_storeKitError":2"#, "invalidOfferSignature"),
      (#","_storeKitError":3"#, "missingOfferParameters"),
      (#","_storeKitError":4"#, "invalidOfferPrice"),
    ])
  func failingTransactions(index: String, expected: String) throws {
    let read = try settings(#""_failTransactionsEnabled":true"# + index)
    #expect(read.switches.map(\.description) == ["purchase=\(expected)"])
    #expect(read.notices.isEmpty)
  }

  @Test("A code that nobody knows fails purchases all the same; an error of its own beats it")
  func failingTransactionsBesides() throws {
    let unknown = try settings(#""_failTransactionsEnabled":true,"_storeKitError":5"#)
    #expect(unknown.switches == [.fails(.purchase, .unknown)])
    #expect(
      unknown.notices == [
        "its _storeKitError 5 is no error that is known: purchases fail with unknown"
      ])
    let both = try settings(
      #""_failTransactionsEnabled":true,"_storeKitErrors":["#
        + error("Purchase", #"{"type":"purchase","index":2}"#) + "]")
    #expect(both.switches == [.fails(.purchase, .purchaseNotAllowed)])
  }

  @Test("They are events of a new log, and a tester's own switch stays across restarts")
  func start() throws {
    let daemon = try TestDaemon {
      $0.switches = [.on(.askToBuy), .on(.interrupted), .fails(.loadProducts, .networkError)]
    }
    var faults = try daemon.call("Testing.Faults")
    #expect(faults["askToBuy"]?.boolValue == true)
    #expect(faults["interrupted"]?.boolValue == true)
    #expect(faults.list("errors").map { $0["error"]?.stringValue } == ["networkError"])
    #expect(try daemon.error("Store.Products") == "SimulatedError")
    let kinds = try daemon.log().compactMap { $0["kind"]?.stringValue }
    #expect(
      kinds.prefix(6) == [
        "logCreated", "bootObserved", "askToBuyChanged", "interruptedChanged",
        "simulatedErrorChanged", "catalogueImported",
      ])
    // An account's own switch beats them.
    try daemon.call("Testing.SetInterrupted", #"{"account":"u1","enabled":false}"#)
    let waits = try daemon.call("Store.Purchase", #"{"account":"u1","productId":"coins"}"#)
    #expect(waits.text("result") == "pending")
    try daemon.call("Testing.SetAskToBuy", #"{"enabled":false}"#)
    try daemon.call("Testing.SetSimulatedError", #"{"api":"loadProducts"}"#)
    let count = try daemon.log().count
    try daemon.restart()
    #expect(try daemon.log().count == count)
    faults = try daemon.call("Testing.Faults")
    #expect(faults["askToBuy"]?.boolValue == false)
    #expect(faults["interrupted"]?.boolValue == true)
    #expect(faults.list("errors").isEmpty)
  }
}
