import AppStore
import Subscriptions

/// One switch that a catalogue's own settings have on when its store begins (Domain.md 5.5). It is
/// a tester's switch from then on, and what a tester changes stays.
public enum StartSwitch: Equatable, Sendable, CustomStringConvertible {
  /// A switch for all accounts.
  case on(TesterSwitch)
  case fails(Subscriptions.SimulatedAPI, SimulatedError)

  /// For `Daemon.Describe` and notices: `askToBuy=on`, `purchase=networkError`.
  public var description: String {
    switch self {
    case .on(let kind): "\(kind)=on"
    case .fails(let api, let error): "\(api.name)=\(error.name)"
    }
  }

  /// What the settings have on; what they say that nobody knows becomes a notice.
  static func all(of settings: StoreKitSettings, notices: inout [String]) -> [StartSwitch] {
    var found: [StartSwitch] = []
    if settings.asksToBuy { found.append(.on(.askToBuy)) }
    if settings.interruptsPurchases { found.append(.on(.interrupted)) }
    var errors: [SimulatedAPI: SimulatedError] = [:]
    if settings.failsTransactions {
      errors[.purchase] = legacyError(settings.storeKitErrorIndex, notices: &notices)
    }
    for entry in settings.simulatedErrors where entry.isEnabled {
      guard let api = SimulatedAPI(title: entry.api) else {
        notices.append(
          "its simulated error of '\(entry.api)' has no effect: nothing by that name is known")
        continue
      }
      guard let error = error(of: api, entry) else {
        notices.append(
          "its simulated error of \(entry.api) has no effect: it has no error "
            + "\(entry.errorIndex ?? 0) of the type '\(entry.errorType ?? "")'")
        continue
      }
      errors[api] = error
    }
    for api in SimulatedAPI.allCases {
      if let error = errors[api] { found.append(.fails(api, error)) }
    }
    return found
  }

  /// An index counts a type's errors as they are declared (uncertain); an entry without a choice
  /// means the first that the API can fail with.
  private static func error(
    of api: SimulatedAPI, _ entry: StoreKitSimulatedError
  ) -> SimulatedError? {
    guard let type = entry.errorType else { return api.errors.first }
    let menu = api.errors.filter { $0.family.typeName == type }
    let number = Int(exactly: entry.errorIndex ?? 0) ?? -1
    return menu.indices.contains(number) ? menu[number] : nil
  }

  /// Format 2's error of all purchases.
  private static func legacyError(_ index: Int64?, notices: inout [String]) -> SimulatedError {
    let number = Int(exactly: index ?? 0) ?? -1
    guard legacyMenu.indices.contains(number) else {
      notices.append(
        "its _storeKitError \(index ?? 0) is no error that is known: purchases fail with unknown")
      return .unknown
    }
    return legacyMenu[number]
  }

  /// The codes that StoreKit Test's `failureError` may have, in the order of their numbers
  /// (uncertain).
  private static let legacyMenu: [SimulatedError] = [
    .unknown, .invalidOfferIdentifier, .invalidOfferSignature, .missingOfferParameters,
    .invalidOfferPrice,
  ]
}

extension SimulatedAPI {
  /// By the name that Xcode gives it in a file.
  init?(title: String) {
    guard let api = Self.allCases.first(where: { $0.title == title }) else { return nil }
    self = api
  }

  private var title: String {
    switch self {
    case .loadProducts: "Load Products"
    case .purchase: "Purchase"
    case .verification: "Verification"
    case .appStoreSync: "App Store Sync"
    case .subscriptionStatus: "Subscription Status"
    case .appTransaction: "App Transaction"
    case .manageSubscriptions: "Manage Subscriptions Sheet"
    case .refundRequest: "Refund Request Sheet"
    case .offerCodeRedeem: "Offer Code Redeem Sheet"
    }
  }
}

extension SimulatedError.Family {
  /// `current.type` in a file.
  fileprivate var typeName: String { "\(self)" }
}

extension Engine {
  /// Takes in a catalogue before the daemon serves, with what its own settings switch on: that
  /// counts at the first import of a source alone, since afterwards the switches are a tester's.
  /// A record has none.
  ///
  /// - Returns: what came of it, and the switches that are not as the file has them.
  public func importCatalogue(
    source: String, text: [UInt8], switches: [StartSwitch]
  ) throws(Rejection) -> (result: Import, kept: [StartSwitch]) {
    guard state.role == .store else {
      return (try importCatalogue(source: source, text: text), switches)
    }
    var events: [Event] = []
    var changes: [StartSwitch] = []
    for change in switches {
      let count = events.count
      events += try state.decide(change.command, Moment(configuration.policies)).events
      if events.count > count { changes.append(change) }
    }
    let isKnown = state.sources.contains { $0.name == source }
    // The catalogue comes last in the log: where it is, the switches are too.
    let result = try importCatalogue(source: source, text: text, after: isKnown ? [] : events)
    return (result, isKnown ? changes : [])
  }
}

extension StartSwitch {
  fileprivate var command: Command {
    switch self {
    case .on(let kind): .setSwitch(kind, account: nil, isOn: true)
    case .fails(let api, let error): .setSimulatedError(api, error)
    }
  }
}
