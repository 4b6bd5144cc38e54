import AppStore
import Subscriptions

/// What the settings of a `.storekit` file mean for a store's start (domain.md 5.5).
public struct CatalogueSettings: Equatable, Sendable {
  /// As `--policy` has them.
  public var policies: [String]
  /// A sentence for each setting that is on and has no effect here.
  public var notices: [String]

  public init(ofCatalogue text: [UInt8]) throws(ConfigurationTextError) {
    do throws(StoreKitConfigurationError) {
      self.init(try StoreKitConfiguration.read(text).settings)
    } catch {
      throw ConfigurationTextError(message: "wrong at \(error.path): \(error.reason)")
    }
  }

  init(_ settings: StoreKitSettings) {
    policies = []
    notices = []
    if let rate = RenewalRate(timeRate: settings.timeRate.rawValue) {
      policies.append("renewalRate=\(rate.name)")
    } else {
      notices.append("its _timeRate \(settings.timeRate.rawValue) is no rate that is known")
    }
    policies.append("billingGracePeriod=\(settings.hasBillingGracePeriod ? "16d" : "off")")
    policies.append("renewalsFail=\(settings.failsRenewals ? "yes" : "no")")
    let refused = [
      ("_failTransactionsEnabled", settings.failsTransactions),
      ("_askToBuyEnabled", settings.asksToBuy),
      ("_billingIssuesEnabled", settings.interruptsPurchases),
    ]
    for (key, isOn) in refused where isOn {
      notices.append("its \(key) has no effect: this version of renewd does not do it")
    }
    if let index = settings.storeKitErrorIndex, settings.failsTransactions {
      notices.append("its _storeKitError \(index) has no effect")
    }
    for error in settings.simulatedErrors where error.isEnabled {
      notices.append(
        "its simulated error of \(error.api) has no effect: this version of renewd does not do it")
    }
  }
}
