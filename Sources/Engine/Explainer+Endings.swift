import Subscriptions

/// When and by what a line of the store's ended.
struct Ending {
  var at: Instant
  var cause: Cause

  enum Cause {
    /// By itself, for what its renewal info says.
    case intent(ExpirationIntent)
    /// It had renewed as often as the store lets it, or oftener by command: `it had renewed …`.
    case renewedOften(String)
    /// Its customer turned renewal off while the payment was being tried again.
    case cancelledInTrouble
    /// A tester's command ended it.
    case madeToExpire
    /// A refund of its last period was taken back when that period was over.
    case reversedLate

    /// `because …`, as it stands after `expired`.
    var phrase: String {
      switch self {
      case .intent(let intent): intent.phrase
      case .renewedOften(let often): "because \(often)"
      case .cancelledInTrouble:
        "because its renewal could not be paid and was then turned off"
      case .madeToExpire: "because a tester made it expire at once"
      case .reversedLate: "because its refund was taken back only when its period was over"
      }
    }
  }

  /// How often something renewed, beside how often the store lets it. Renewals that a command
  /// forced count, and go beyond that.
  static func often(_ subject: String, _ times: Int, of terms: RenewalTerms) -> String {
    let count = times == 1 ? "1 time" : "\(times) times"
    return times > Int(terms.renewalsMax)
      ? "\(subject) renewed \(count), and this store's limit is \(terms.renewalsMax)"
      : "\(subject) renewed as often as this store lets it (\(count))"
  }
}

extension AccountStory {
  /// The ending that an event is, if it is one.
  func ending(by event: Event, before history: AccountHistory) -> (LineNumber, Ending)? {
    guard case .line(let kind, let fact) = event.fact else { return nil }
    let held = history.lines.first { $0.number == fact.line }?.line
    if kind == .expired {
      return (fact.line, Ending(at: event.at, cause: cause(fact, held: held)))
    }
    guard kind == .refundReversed, fact.renewal != nil else { return nil }
    return (fact.line, Ending(at: event.at, cause: .reversedLate))
  }

  /// Why an expiry came, by what the line was before it.
  func cause(_ fact: LineFact, held: Line?) -> Ending.Cause {
    let intent = fact.renewal?.expirationIntent ?? .other
    guard let held else { return .intent(intent) }
    if let transaction = fact.transaction, transaction.expiresDate != held.transaction.expiresDate {
      return .madeToExpire
    }
    switch intent {
    case .cancelled where held.renewal.autoRenews:
      guard held.transaction.ownership == .familyShared else {
        return .renewedOften(Ending.often("it had", Int(held.renewals), of: terms))
      }
      // How often the purchaser's had renewed is not of this account's story.
      let purchaser = state.families.source(of: fact.line).map {
        "\(name(of: state.lines[Int($0)].account))'s"
      }
      return .renewedOften(
        "\(purchaser ?? "the purchaser's") had renewed as often as this store lets it")
    case .billingError where !held.renewal.autoRenews: return .cancelledInTrouble
    case .cancelled, .billingError, .noConsent, .productUnavailable, .other:
      return .intent(intent)
    }
  }
}
