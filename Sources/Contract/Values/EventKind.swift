import Varlink

/// What an event in the log says. The list grows; a kind this client does not know is kept.
public struct EventKind: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let logCreated = EventKind(rawValue: "logCreated")
  public static let accountOpened = EventKind(rawValue: "accountOpened")
  public static let tokenGiven = EventKind(rawValue: "tokenGiven")
  public static let clockCreated = EventKind(rawValue: "clockCreated")
  public static let advanceStarted = EventKind(rawValue: "advanceStarted")
  public static let advanced = EventKind(rawValue: "advanced")
  public static let clockAttached = EventKind(rawValue: "clockAttached")
  public static let catalogueImported = EventKind(rawValue: "catalogueImported")
  public static let clockHeld = EventKind(rawValue: "clockHeld")
  public static let clockAccepted = EventKind(rawValue: "clockAccepted")
  public static let bootObserved = EventKind(rawValue: "bootObserved")
  public static let reset = EventKind(rawValue: "reset")
  public static let purchased = EventKind(rawValue: "purchased")
  public static let renewed = EventKind(rawValue: "renewed")
  public static let renewalFailed = EventKind(rawValue: "renewalFailed")
  public static let graceEnded = EventKind(rawValue: "graceEnded")
  public static let recovered = EventKind(rawValue: "recovered")
  public static let expired = EventKind(rawValue: "expired")
  public static let refunded = EventKind(rawValue: "refunded")
  public static let refundReversed = EventKind(rawValue: "refundReversed")
  public static let refundRequested = EventKind(rawValue: "refundRequested")
  public static let refundDeclined = EventKind(rawValue: "refundDeclined")
  public static let askToBuyChanged = EventKind(rawValue: "askToBuyChanged")
  public static let purchasePending = EventKind(rawValue: "purchasePending")
  public static let pendingEnded = EventKind(rawValue: "pendingEnded")
  public static let interruptedChanged = EventKind(rawValue: "interruptedChanged")
  public static let simulatedErrorChanged = EventKind(rawValue: "simulatedErrorChanged")
  public static let sharingStarted = EventKind(rawValue: "sharingStarted")
  public static let sharingEnded = EventKind(rawValue: "sharingEnded")
  public static let shared = EventKind(rawValue: "shared")
  public static let priceIncreaseAnnounced = EventKind(rawValue: "priceIncreaseAnnounced")
  public static let priceIncreased = EventKind(rawValue: "priceIncreased")
  public static let priceIncreaseAccepted = EventKind(rawValue: "priceIncreaseAccepted")
  public static let priceIncreaseCompleted = EventKind(rawValue: "priceIncreaseCompleted")
  public static let removedFromSale = EventKind(rawValue: "removedFromSale")
  public static let renewalExtended = EventKind(rawValue: "renewalExtended")
  public static let extensionFailed = EventKind(rawValue: "extensionFailed")
  public static let massExtensionStarted = EventKind(rawValue: "massExtensionStarted")
  public static let massExtensionCompleted = EventKind(rawValue: "massExtensionCompleted")
  public static let restored = EventKind(rawValue: "restored")
  public static let revoked = EventKind(rawValue: "revoked")
  public static let autoRenewChanged = EventKind(rawValue: "autoRenewChanged")
  public static let planChangeScheduled = EventKind(rawValue: "planChangeScheduled")
  public static let upgraded = EventKind(rawValue: "upgraded")
  public static let offerRedeemed = EventKind(rawValue: "offerRedeemed")
  public static let offerStacked = EventKind(rawValue: "offerStacked")
  public static let billingChanged = EventKind(rawValue: "billingChanged")
  public static let chargeFailed = EventKind(rawValue: "chargeFailed")
  public static let rateChanged = EventKind(rawValue: "rateChanged")
  public static let finished = EventKind(rawValue: "finished")
  public static let statusPassed = EventKind(rawValue: "statusPassed")
  public static let ingested = EventKind(rawValue: "ingested")
  public static let linked = EventKind(rawValue: "linked")
  public static let unlinked = EventKind(rawValue: "unlinked")
  public static let namesReported = EventKind(rawValue: "namesReported")
  public static let offerKeysImported = EventKind(rawValue: "offerKeysImported")
  public static let offerNonceUsed = EventKind(rawValue: "offerNonceUsed")

  public static let known = [
    logCreated, accountOpened, tokenGiven, clockCreated, advanceStarted, advanced, clockAttached,
    catalogueImported, clockHeld, clockAccepted, bootObserved, reset, purchased, renewed,
    renewalFailed, graceEnded, recovered, expired, refunded, refundReversed, refundRequested,
    refundDeclined, askToBuyChanged, purchasePending, pendingEnded, interruptedChanged,
    simulatedErrorChanged, sharingStarted, sharingEnded, shared, priceIncreaseAnnounced,
    priceIncreased, priceIncreaseAccepted, priceIncreaseCompleted, removedFromSale, renewalExtended,
    extensionFailed, massExtensionStarted, massExtensionCompleted, restored, revoked,
    autoRenewChanged, planChangeScheduled, upgraded, offerRedeemed, offerStacked, billingChanged,
    chargeFailed, rateChanged, finished, statusPassed, ingested, linked, unlinked, namesReported,
    offerKeysImported, offerNonceUsed,
  ]
}
