import JSON
import Subscriptions

/// The simulation settings (Domain.md 5.5). Every key may be missing, and what cannot be read is
/// a notice and the default: none of them keeps a product from being sold.
extension ConfigurationReader {
  mutating func settings(of file: ConfigurationNode) -> StoreKitSettings {
    var settings = StoreKitSettings()
    let node = tolerateObject(
      "settings", of: file, known: ConfigurationKeys.settings, else: "the defaults are taken")
    guard let node else { return settings }
    readRates(of: node, into: &settings)
    readErrors(of: node, into: &settings)
    settings.storefront = filled("_storefront", of: node, else: settings.storefront)
    settings.locale = filled("_locale", of: node, else: settings.locale)
    settings.failsTransactions = flag("_failTransactionsEnabled", of: node)
    settings.asksToBuy = flag("_askToBuyEnabled", of: node)
    settings.hasBillingGracePeriod = flag("_billingGracePeriodEnabled", of: node)
    settings.interruptsPurchases = flag("_billingIssuesEnabled", of: node)
    settings.failsRenewals = flag("_renewalBillingIssuesEnabled", of: node)
    settings.disablesDialogs = flag("_disableDialogs", of: node)
    settings.applicationID = tolerateIDText("_applicationInternalID", of: node, else: Self.none)
    settings.developerTeamID = tolerateIDText("_developerTeamID", of: node, else: Self.none)
    settings.lastSynchronized = tolerate("_lastSynchronizedDate", of: node, else: Self.none) {
      key throws(StoreKitConfigurationError) in try Self.synchronizedDate(key, of: node)
    }
    return settings
  }

  private static let none = "none is taken"

  private mutating func flag(_ key: String, of node: ConfigurationNode) -> Bool {
    tolerate(key, of: node, else: "false is taken", node.bool) ?? false
  }

  private mutating func filled(
    _ key: String, of node: ConfigurationNode, else usual: String
  ) -> String {
    tolerate(key, of: node, else: "\(usual) is taken", node.filledString) ?? usual
  }

  private mutating func readRates(
    of node: ConfigurationNode, into settings: inout StoreKitSettings
  ) {
    let rate = tolerate(
      "_timeRate", of: node, else: "real time is taken", node.integer)
    if let rate {
      settings.timeRate = StoreKitTimeRate(rawValue: rate)
      if !settings.timeRate.isKnown {
        note(node.path, key: "_timeRate", "\(rate) is no rate that is known; it has no effect")
      }
    }
    if let older = tolerate(
      "_compatibilityTimeRate", of: node, else: "it is ignored", node.object)
    {
      settings.compatibilityTimeRate = tolerate(
        "3", of: older, else: "it is ignored", older.integer
      ).map { StoreKitTimeRate(rawValue: $0) }
    }
  }

  private mutating func readErrors(
    of node: ConfigurationNode, into settings: inout StoreKitSettings
  ) {
    settings.storeKitErrorIndex = tolerate(
      "_storeKitError", of: node, else: Self.none, node.integer)
    let entries = tolerateElements(
      "_storeKitErrors", of: node, known: ConfigurationKeys.simulatedError,
      else: "no error is simulated")
    for entry in entries {
      guard case .string(let api)? = entry.member("name")?.value else {
        note(entry.path, key: "name", "no name of a part of StoreKit; the error is left out")
        continue
      }
      var error = StoreKitSimulatedError(api: api, isEnabled: flag("enabled", of: entry))
      if let choice = tolerateObject(
        "current", of: entry, known: ConfigurationKeys.simulatedErrorChoice, else: Self.first)
      {
        error.errorType = tolerate("type", of: choice, else: Self.first, choice.string)
        error.errorIndex = tolerate("index", of: choice, else: Self.first, choice.integer)
      }
      settings.simulatedErrors.append(error)
    }
  }

  private static let first = "the first there is is taken"

  /// Seconds since 2001-01-01, with a fraction.
  private static func synchronizedDate(
    _ key: String, of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> Instant? {
    guard let member = node.member(key) else { return nil }
    guard case .number(let number) = member.value else { throw member.wrongKind(.number) }
    guard let seconds = number.double, abs(seconds) < AppStoreLimits.synchronizedSecondsMax else {
      throw .invalid(
        path: member.path.text, value: quoted(number.raw),
        remedy: "write seconds since 2001-01-01")
    }
    return Instant(milliseconds: referenceDate + Int64(seconds * 1000))
  }

  /// 2001-01-01T00:00:00Z in milliseconds since 1970.
  private static let referenceDate: Int64 = 978_307_200_000
}
