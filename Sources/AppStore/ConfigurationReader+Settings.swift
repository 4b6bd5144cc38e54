import JSON
import Subscriptions

/// The simulation settings (domain.md 5.5); every key may be missing.
extension ConfigurationReader {
  mutating func settings(
    of file: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> StoreKitSettings {
    var settings = StoreKitSettings()
    guard let node = file.member("settings") else { return settings }
    try noteUnknownKeys(of: node, known: ConfigurationKeys.settings)
    try readRates(of: node, into: &settings)
    try readErrors(of: node, into: &settings)
    settings.storefront = try node.filledString("_storefront") ?? settings.storefront
    settings.locale = try node.filledString("_locale") ?? settings.locale
    settings.failsTransactions = try node.bool("_failTransactionsEnabled") ?? false
    settings.asksToBuy = try node.bool("_askToBuyEnabled") ?? false
    settings.hasBillingGracePeriod = try node.bool("_billingGracePeriodEnabled") ?? false
    settings.interruptsPurchases = try node.bool("_billingIssuesEnabled") ?? false
    settings.failsRenewals = try node.bool("_renewalBillingIssuesEnabled") ?? false
    settings.disablesDialogs = try node.bool("_disableDialogs") ?? false
    settings.applicationID = try node.idText("_applicationInternalID")
    settings.developerTeamID = try node.idText("_developerTeamID")
    settings.lastSynchronized = try synchronizedDate(of: node)
    return settings
  }

  private mutating func readRates(
    of node: ConfigurationNode, into settings: inout StoreKitSettings
  ) throws(StoreKitConfigurationError) {
    if let raw = try node.integer("_timeRate", in: Int64.min...Int64.max) {
      settings.timeRate = StoreKitTimeRate(rawValue: raw)
      if !settings.timeRate.isKnown {
        note(node.path, key: "_timeRate", "\(raw) is no rate that is known")
      }
    }
    if let compatibility = node.member("_compatibilityTimeRate") {
      _ = try compatibility.checkedObject()
      settings.compatibilityTimeRate = try compatibility.integer("3", in: Int64.min...Int64.max)
        .map { StoreKitTimeRate(rawValue: $0) }
    }
  }

  private mutating func readErrors(
    of node: ConfigurationNode, into settings: inout StoreKitSettings
  ) throws(StoreKitConfigurationError) {
    settings.storeKitErrorIndex = try node.integer("_storeKitError", in: Int64.min...Int64.max)
    for entry in try node.elements("_storeKitErrors") {
      try noteUnknownKeys(of: entry, known: ConfigurationKeys.simulatedError)
      var error = StoreKitSimulatedError(
        api: try entry.string("name") ?? "", isEnabled: try entry.bool("enabled") ?? false)
      if let choice = entry.member("current") {
        try noteUnknownKeys(of: choice, known: ConfigurationKeys.simulatedErrorChoice)
        error.errorType = try choice.string("type")
        error.errorIndex = try choice.integer("index", in: Int64.min...Int64.max)
      }
      settings.simulatedErrors.append(error)
    }
  }

  /// Seconds since 2001-01-01, with a fraction.
  private func synchronizedDate(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> Instant? {
    guard let member = node.member("_lastSynchronizedDate") else { return nil }
    guard case .number(let number) = member.value else { throw member.wrongKind(.number) }
    guard let seconds = number.double, abs(seconds) < AppStoreLimits.synchronizedSecondsMax else {
      throw .invalid(
        path: member.path.text, value: quoted(number.raw),
        remedy: "write seconds since 2001-01-01")
    }
    return Instant(milliseconds: Self.referenceDate + Int64(seconds * 1000))
  }

  /// 2001-01-01T00:00:00Z in milliseconds since 1970.
  private static let referenceDate: Int64 = 978_307_200_000
}
