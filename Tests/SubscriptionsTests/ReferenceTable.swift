/// One subscription as a plain table: what each command does in each state, and what Apple would
/// tell a server of it. It is written from the domain page alone (1.3 to 1.11), with the defaults
/// of its named policies, and shares nothing with the rules, not even their calendar: its times
/// are whole days.
struct ReferenceTable: Hashable {
  enum Phase: Int, Hashable, CaseIterable {
    case none, active, grace, retry, expired, revoked
  }

  /// What the table is asked about: a purchase is of the plan held, or of one that begins at once
  /// (a higher level, or the same one with the same length), or of one that waits for the renewal.
  enum Column: Hashable, CaseIterable {
    case buyHeld, buyNow, buyThen, offerHeld, offerNow, offerThen, winBack
    case turnOff, turnOn, resolve, refund, reverse, request, decline
    case expire, renew, extend, agree, disagree, share, restore
  }

  enum Effect: Hashable {
    case refused, nothing
    /// A new period of the plan asked for begins now: the first, or after an end (E1, E13).
    case begin, beginAgain
    /// One begins in place of the one that runs (E14, E25b).
    case upgrade, upgradeByOffer
    /// The plan asked for is the next renewal's, and renewal is on (E15, E25c).
    case schedule, scheduleByOffer
    /// Takes a change back, or turns renewal on; refused where there is neither (E16, E4).
    case keep
    /// Takes a change back; refused where there is none.
    case keepIfChanged
    /// The offer is the next renewal's (E25).
    case redeem
    case off, on
    /// Over at once, and so is the renewal; its period keeps its end: cancelled in trouble (E12),
    /// or ended by a tester.
    case cancel, end
    /// Over at once, and so is its period.
    case cut
    /// The next period begins: where the last one ended (E9), or now (E10).
    case payCycle, payAnew
    /// A tester ends the period, and the next one begins.
    case renewNow
    /// Given back, and given again (E18, E20).
    case revoke, restore
    /// A refund is asked for, which turns renewal off and in trouble ends it; declined (E19).
    case request, requestOnly, requestInTrouble, decline
    case extend
    case agree, disagree
    case share
    /// The same under a new id (1.1).
    case repeated
    /// A second line begins, of which this table knows nothing (E13).
    case leave
  }

  /// What the line's history gets by an effect: the kind of the event, and the notification.
  static let told: [Effect: [String]] = [
    .begin: ["purchased SUBSCRIBED/INITIAL_BUY"],
    .beginAgain: ["purchased SUBSCRIBED/RESUBSCRIBE"],
    .upgrade: ["upgraded DID_CHANGE_RENEWAL_PREF/UPGRADE"],
    .upgradeByOffer: ["upgraded OFFER_REDEEMED/UPGRADE"],
    .schedule: ["planChangeScheduled DID_CHANGE_RENEWAL_PREF/DOWNGRADE"],
    .scheduleByOffer: ["planChangeScheduled OFFER_REDEEMED/DOWNGRADE"],
    .keep: ["planChangeScheduled DID_CHANGE_RENEWAL_PREF"],
    .redeem: ["offerRedeemed OFFER_REDEEMED"],
    .off: ["autoRenewChanged DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"],
    .on: ["autoRenewChanged DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"],
    .cancel: [
      "autoRenewChanged DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
      "expired EXPIRED/VOLUNTARY",
    ],
    .end: ["expired EXPIRED/VOLUNTARY"],
    .cut: ["expired EXPIRED/VOLUNTARY"],
    .payCycle: ["recovered DID_RENEW/BILLING_RECOVERY"],
    .payAnew: ["recovered DID_RENEW/BILLING_RECOVERY"],
    .renewNow: ["renewed DID_RENEW"],
    .revoke: ["refunded REFUND"],
    .restore: ["refundReversed REFUND_REVERSED"],
    .request: ["refundRequested CONSUMPTION_REQUEST"],
    .decline: ["refundDeclined REFUND_DECLINED"],
    .extend: ["renewalExtended RENEWAL_EXTENDED"],
    .agree: ["priceIncreaseAccepted PRICE_INCREASE/ACCEPTED"],
    .repeated: ["restored "],
  ]

  static let table: [Phase: [Column: Effect]] = [
    .none: [
      .buyHeld: .begin, .buyNow: .begin, .buyThen: .begin,
      .offerHeld: .begin, .offerNow: .begin, .offerThen: .begin, .winBack: .refused,
      .turnOff: .refused, .turnOn: .refused, .resolve: .refused,
      .refund: .refused, .reverse: .refused, .request: .refused, .decline: .refused,
      .expire: .refused, .renew: .refused, .extend: .refused,
      .agree: .refused, .disagree: .refused, .share: .refused, .restore: .refused,
    ],
    .active: [
      .buyHeld: .keep, .buyNow: .upgrade, .buyThen: .schedule,
      .offerHeld: .redeem, .offerNow: .upgradeByOffer, .offerThen: .scheduleByOffer,
      .winBack: .refused,
      .turnOff: .off, .turnOn: .on, .resolve: .refused,
      .refund: .revoke, .reverse: .refused, .request: .request, .decline: .decline,
      .expire: .cut, .renew: .renewNow, .extend: .extend,
      .agree: .agree, .disagree: .disagree, .share: .share, .restore: .repeated,
    ],
    .grace: [
      .buyHeld: .keepIfChanged, .buyNow: .upgrade, .buyThen: .schedule,
      .offerHeld: .refused, .offerNow: .upgradeByOffer, .offerThen: .scheduleByOffer,
      .winBack: .refused,
      .turnOff: .cancel, .turnOn: .nothing, .resolve: .payCycle,
      .refund: .revoke, .reverse: .refused, .request: .requestInTrouble, .decline: .decline,
      .expire: .end, .renew: .renewNow, .extend: .refused,
      .agree: .refused, .disagree: .refused, .share: .refused, .restore: .repeated,
    ],
    .retry: [
      .buyHeld: .refused, .buyNow: .leave, .buyThen: .leave,
      .offerHeld: .refused, .offerNow: .leave, .offerThen: .leave, .winBack: .refused,
      .turnOff: .cancel, .turnOn: .nothing, .resolve: .payAnew,
      .refund: .revoke, .reverse: .refused, .request: .requestInTrouble, .decline: .decline,
      .expire: .end, .renew: .renewNow, .extend: .refused,
      .agree: .refused, .disagree: .refused, .share: .refused, .restore: .repeated,
    ],
    .expired: [
      .buyHeld: .beginAgain, .buyNow: .beginAgain, .buyThen: .beginAgain,
      .offerHeld: .beginAgain, .offerNow: .beginAgain, .offerThen: .beginAgain,
      .winBack: .beginAgain,
      .turnOff: .refused, .turnOn: .refused, .resolve: .refused,
      .refund: .revoke, .reverse: .refused, .request: .requestOnly, .decline: .decline,
      .expire: .refused, .renew: .refused, .extend: .refused,
      .agree: .refused, .disagree: .refused, .share: .refused, .restore: .nothing,
    ],
    .revoked: [
      .buyHeld: .beginAgain, .buyNow: .beginAgain, .buyThen: .beginAgain,
      .offerHeld: .beginAgain, .offerNow: .beginAgain, .offerThen: .beginAgain,
      .winBack: .refused,
      .turnOff: .refused, .turnOn: .refused, .resolve: .refused,
      .refund: .refused, .reverse: .restore, .request: .refused, .decline: .refused,
      .expire: .refused, .renew: .refused, .extend: .refused,
      .agree: .refused, .disagree: .refused, .share: .refused, .restore: .nothing,
    ],
  ]

  let graceDays: Int
  var day = 0
  var phase = Phase.none
  /// Of the newest period.
  var plan = Plan.plain
  var start = 0
  var end = 0
  var price = 0
  var offer: Offer?
  /// How many more periods the offer of the newest one has.
  var rest = 0
  /// Of the next renewal. `left` is how many periods of its offer are still to be sold.
  var next = Plan.plain
  var renews = false
  var nextPrice = 0
  var nextOffer: Offer?
  var left = 0
  /// 0 asked, 1 agreed or told; nil where no increase is under way (E23).
  var consent: Int?
  /// Why it ended (Domain.md 1.2).
  var intent = 0
  /// Where the months are counted from, and how many were sold since.
  var anchor = 0
  var months = 0
  var fails = false
  /// Of what is owed: the day on which charges came to succeed again; nil while they fail.
  var paidFrom: Int?
  var hadTrial = false
  var isRequested = false
  var extensions: [Int] = []
  var prices = Plan.prices
  var isPlainGone = false
  var asksToBuy = false
  var interrupts = false
  var waiting: [Wish] = []
  var shares = false
  var member = Member()
  /// Whether something was done to the account already.
  var isKnown = false
  /// What its history got by the newest step, and the member's; of this what is not decided yet.
  var said: [String] = []
  var memberSaid: [String] = []
  var memberNews: [String] = []

  init(graceDays: Int) {
    self.graceDays = graceDays
  }
}
