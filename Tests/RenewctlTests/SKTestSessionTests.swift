import Foundation
import Testing

@testable import renewctl

/// The page that says how to do with renewctl what StoreKitTest does.
@Suite("The page about SKTestSession")
struct SKTestSessionTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/renewctl/SKTestSession.md")

  @Test("Every verb and option on the page is one of renewctl's")
  func verbs() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    var count = 0
    for match in text.matches(of: /`renewctl ([a-z][a-z -]*)/) {
      let words = match.1.split(separator: " ").map(String.init)
      let found = try VerbTable.find(words)
      let verb = try #require(found?.0, "\(match.1)")
      let options = Set((verb.description.options + Option.global).map { "--\($0.name)" })
      for word in words where word.hasPrefix("--") {
        #expect(options.contains(word), "\(match.1)")
      }
      count += 1
    }
    #expect(count > 20)
  }

  @Test(
    "Every member of SKTestSession is on the page",
    arguments: [
      "init(configurationFileNamed:)", "init(contentsOf:)", "resetToDefaultState()",
      "clearTransactions()", "allTransactions()", "deleteTransaction(identifier:)",
      "disableDialogs", "storefront", "locale", "timeRate", "buyProduct(productIdentifier:)",
      "buyProduct(identifier:options:)", "failTransactionsEnabled", "failureError",
      "setSimulatedError(_:forAPI:)", "simulatedError(forAPI:)", "interruptedPurchasesEnabled",
      "resolveIssueForTransaction(identifier:)", "askToBuyEnabled",
      "approveAskToBuyTransaction(identifier:)", "declineAskToBuyTransaction(identifier:)",
      "enableAutoRenewForTransaction(identifier:)", "disableAutoRenewForTransaction(identifier:)",
      "forceRenewalOfSubscription(productIdentifier:)",
      "expireSubscription(productIdentifier:)", "shouldEnterBillingRetryOnRenewal",
      "billingGracePeriodIsEnabled", "requestPriceIncreaseConsentForTransaction(identifier:)",
      "consentToPriceIncreaseForTransaction(identifier:)",
      "declinePriceIncreaseForTransaction(identifier:)", "refundTransaction(identifier:)",
      "SKTestTransaction",
    ])
  func members(name: String) throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    #expect(text.contains("`\(name)`"))
  }
}
