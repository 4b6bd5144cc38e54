import AppStore
import Subscriptions

/// What the settings of a `.storekit` file mean for a store's start (Domain.md 5.5).
public struct CatalogueSettings: Equatable, Sendable {
  /// As `--policy` has them.
  public var policies: [String]
  /// What it switches on when it is first imported.
  public var switches: [StartSwitch]
  /// A sentence for each setting that has no effect here, or another than the file says.
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
    // Of a number that is no rate, the import of the file says that it has no effect.
    if let rate = RenewalRate(timeRate: settings.timeRate.rawValue) {
      policies.append(Policy.renewalRate.setting(rate.name))
    }
    policies.append(
      Policy.billingGracePeriod.setting(settings.hasBillingGracePeriod ? "16d" : "off"))
    policies.append(Policy.renewalsFail.setting(settings.failsRenewals ? "yes" : "no"))
    switches = StartSwitch.all(of: settings, notices: &notices)
  }
}
