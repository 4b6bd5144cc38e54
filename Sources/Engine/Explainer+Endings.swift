import Subscriptions

/// When and by what a line of the store's ended.
struct Ending {
  var at: Instant
  var cause: Cause

  enum Cause {
    /// By itself, for what its renewal info says.
    case intent(ExpirationIntent)
    /// It had renewed as often as the store lets it.
    case renewedOften(Int)
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
      case .renewedOften(let times):
        "because it had renewed as often as this store lets it (\(times) times)"
      case .cancelledInTrouble:
        "because its renewal could not be paid and was then turned off"
      case .madeToExpire: "because a tester made it expire at once"
      case .reversedLate: "because its refund was taken back only when its period was over"
      }
    }
  }
}

extension AccountStory {
  /// The ending that an event is, if it is one.
  func ending(by event: Event, before history: AccountHistory) -> (LineNumber, Ending)? {
    guard case .line(let kind, let fact) = event.fact else { return nil }
    let held = history.lines.first { $0.number == fact.line }?.line
    switch kind {
    case .expired:
      return (fact.line, Ending(at: event.at, cause: cause(fact, held: held)))
    case .refundReversed where fact.renewal != nil:
      return (fact.line, Ending(at: event.at, cause: .reversedLate))
    case .refundReversed, .logCreated, .accountOpened, .clockCreated, .advanceStarted, .advanced,
      .clockAttached, .catalogueImported, .clockHeld, .clockAccepted, .bootObserved, .reset,
      .purchased, .renewed, .restored, .autoRenewChanged, .finished, .refunded, .renewalFailed,
      .graceEnded,
      .recovered, .offerNonceUsed, .offerKeysImported, .offerStacked, .offerRedeemed,
      .planChangeScheduled, .upgraded, .billingChanged, .rateChanged, .ingested, .linked,
      .unlinked, .statusPassed, .namesReported, .sharingStarted, .sharingEnded, .shared, .revoked,
      .chargeFailed, .priceIncreaseAnnounced, .priceIncreased, .priceIncreaseAccepted,
      .priceIncreaseCompleted, .removedFromSale, .renewalExtended, .extensionFailed,
      .massExtensionStarted, .massExtensionCompleted, .refundRequested, .refundDeclined,
      .askToBuyChanged, .purchasePending, .pendingEnded, .interruptedChanged,
      .simulatedErrorChanged:
      return nil
    }
  }

  /// Why an expiry came, by what the line was before it.
  func cause(_ fact: LineFact, held: Line?) -> Ending.Cause {
    let intent = fact.renewal?.expirationIntent ?? .other
    guard let held else { return .intent(intent) }
    if let transaction = fact.transaction, transaction.expiresDate != held.transaction.expiresDate {
      return .madeToExpire
    }
    switch intent {
    case .cancelled where held.renewal.autoRenews && held.transaction.ownership == .purchased:
      return .renewedOften(Int(held.renewals))
    case .billingError where !held.renewal.autoRenews: return .cancelledInTrouble
    case .cancelled, .billingError, .noConsent, .productUnavailable, .other:
      return .intent(intent)
    }
  }
}
