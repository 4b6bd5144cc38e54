extension ReferenceTable {
  /// What is sold, all in one group: gold and rose are of the higher level, plain and long of the
  /// lower; long is sold by the month, the others by the week. Rose is not for families.
  enum Plan: Int, Hashable, CaseIterable {
    case gold, rose, plain, long

    static let names = ["gold", "rose", "plain", "long"]
    static let prices = [2990, 3990, 1990, 5990]

    var name: String { Self.names[rawValue] }
    var level: Int { self == .gold || self == .rose ? 1 : 2 }
    var isShareable: Bool { self != .rose }

    /// Domain.md 1.4: a change at once, or at the next renewal.
    func isNow(from held: Plan) -> Bool {
      level < held.level || (level == held.level && (self == .long) == (held == .long))
    }
  }

  /// The offers of gold and plain (1.7): two weeks free for who is new; two weeks paid one by one,
  /// promotional; three weeks paid up front, by a code; one week, to win back.
  enum Offer: Int, Hashable {
    case trial, halfGold, halfPlain, code, back

    var plan: Plan { self == .halfGold ? .gold : .plain }
    var days: Int { [14, 7, 7, 21, 7][rawValue] }
    var price: Int { [0, 1490, 990, 4490, 490][rawValue] }
    var periods: Int { self == .halfGold || self == .halfPlain ? 2 : 1 }
    /// 1 introductory, 2 promotional, 3 a code, 4 to win back.
    var kind: Int { [1, 2, 2, 3, 4][rawValue] }
  }

  /// A purchase that waits (1.9).
  struct Wish: Hashable {
    var plan: Plan
    var offer: Offer?
    var isInterrupted: Bool
  }

  enum Command: Hashable, CaseIterable {
    case buyGold, buyRose, buyPlain, buyLong, promoteGold, promotePlain, enterCode, winBack
    case turnOff, turnOn, chargesFail, chargesSucceed, resolve
    case refund, reverse, request, decline, expire, renew, extend
    case announceAsking, announceTelling, agree, disagree, removePlain, importAgain
    case share, unshare, askOn, askOff, approve, refuse, interruptOn, interruptOff, complete
    case restore, attach, buyDated, buyDatedOnce
  }

  /// These are about no account.
  static let ofProducts: Set<Command> = [
    .announceAsking, .announceTelling, .removePlain, .importAgain,
  ]

  /// False where the command is refused, nil where it leads off the table.
  mutating func perform(_ command: Command) -> Bool? {
    let isDone = carryOut(command)
    follow()
    isKnown = isKnown || !Self.ofProducts.contains(command)
    return isDone
  }

  private mutating func carryOut(_ command: Command) -> Bool? {
    switch command {
    case .buyGold: return buy(.gold)
    case .buyRose: return buy(.rose)
    case .buyPlain: return buy(.plain)
    case .buyLong: return buy(.long)
    case .promoteGold: return buy(.gold, .halfGold)
    case .promotePlain: return buy(.plain, .halfPlain)
    case .enterCode: return buy(.plain, .code)
    case .winBack: return buy(.plain, .back)
    case .turnOff: return apply(.turnOff)
    case .turnOn: return apply(.turnOn)
    case .chargesFail, .chargesSucceed:
      let isOwed = phase == .grace || phase == .retry
      if fails, command == .chargesSucceed, isOwed { paidFrom = day }
      fails = command == .chargesFail
      if fails { paidFrom = nil }
      return true
    case .resolve: return apply(.resolve)
    case .refund: return apply(.refund)
    case .reverse: return apply(.reverse)
    case .request: return apply(.request)
    case .decline: return apply(.decline)
    case .expire: return apply(.expire)
    case .renew: return apply(.renew)
    case .extend: return apply(.extend)
    case .announceAsking: return announce(asks: true)
    case .announceTelling: return announce(asks: false)
    case .agree: return apply(.agree)
    case .disagree: return apply(.disagree)
    case .removePlain:
      isPlainGone = true
      return true
    case .importAgain:
      isPlainGone = false
      prices = Plan.prices
      return true
    case .share: return shares ? false : apply(.share)
    case .unshare: return unshare()
    case .askOn, .askOff:
      asksToBuy = command == .askOn
      return true
    case .interruptOn, .interruptOff:
      interrupts = command == .interruptOn
      return true
    case .approve: return approve(isInterrupted: false)
    case .complete: return approve(isInterrupted: true)
    case .refuse: return refuse()
    case .restore: return apply(.restore)
    case .attach: return true
    case .buyDated, .buyDatedOnce: return buyDated(isOnce: command == .buyDatedOnce)
    }
  }

  /// `isApproved` where it waited already.
  private mutating func buy(
    _ wanted: Plan, _ offer: Offer? = nil, isApproved: Bool = false
  ) -> Bool? {
    if wanted == .plain, isPlainGone { return false }
    // In trouble nothing is sold while charges fail.
    if phase == .grace || phase == .retry, fails { return false }
    // Promotional offers are for who has or had a subscription; a code leads to no lower level.
    if offer?.kind == 2, phase == .none { return false }
    let isLiving = phase == .active || phase == .grace
    if offer?.kind == 3, isLiving, wanted.level > plan.level { return false }
    let isHeld = wanted == plan
    let isNow = wanted.isNow(from: plan)
    let column: Column
    if offer == .back {
      column = .winBack
    } else if offer == nil {
      column = isHeld ? .buyHeld : isNow ? .buyNow : .buyThen
    } else {
      column = isHeld ? .offerHeld : isNow ? .offerNow : .offerThen
    }
    let effect = Self.table[phase]![column]!
    let isCharged = [.begin, .beginAgain, .upgrade, .upgradeByOffer].contains(effect)
    if isCharged, !isApproved, asksToBuy || interrupts {
      waiting.append(Wish(plan: wanted, offer: offer, isInterrupted: interrupts))
      return true
    }
    return apply(column, wanted, offer)
  }

  private mutating func approve(isInterrupted: Bool) -> Bool? {
    if isInterrupted, interrupts { return false }
    guard let index = waiting.lastIndex(where: { $0.isInterrupted == isInterrupted }) else {
      return false
    }
    let wish = waiting[index]
    let count = said.count
    guard let isDone = buy(wish.plan, wish.offer, isApproved: true) else { return nil }
    // What would change nothing is not to be approved.
    guard isDone, said.count > count else { return false }
    waiting.remove(at: index)
    return true
  }

  private mutating func refuse() -> Bool {
    guard let index = waiting.lastIndex(where: { !$0.isInterrupted }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// A purchase of plain, thirty days ago.
  private mutating func buyDated(isOnce: Bool) -> Bool? {
    guard phase == .none, !isPlainGone, !isKnown else { return nil }
    let now = day
    day -= 30
    _ = apply(.buyHeld, .plain)
    if isOnce { _ = change(.off, .plain, nil) }
    wait(now - day)
    return true
  }

  private mutating func apply(
    _ column: Column, _ wanted: Plan = .plain, _ offer: Offer? = nil
  ) -> Bool? {
    let effect = Self.table[phase]![column]!
    switch effect {
    case .refused: return false
    case .leave: return nil
    case .nothing: return true
    case .begin, .beginAgain, .upgrade, .upgradeByOffer:
      let isNew = effect == .begin || effect == .beginAgain
      let trial = isNew && wanted == .plain && !hadTrial ? Offer.trial : nil
      say(effect)
      begin(wanted, offer ?? trial)
    case .keep, .keepIfChanged, .schedule, .scheduleByOffer, .redeem, .off, .on:
      return change(effect, wanted, offer)
    case .cancel, .end, .cut:
      finish(effect, intent: effect == .cut ? 1 : 2)
    case .payCycle, .payAnew, .renewNow:
      if effect == .renewNow, next == .plain, isPlainGone { return false }
      if effect != .renewNow { fails = false }
      if effect == .renewNow, !renews, nextOffer == nil { nextPrice = prices[next.rawValue] }
      renew(at: effect == .payCycle ? end : day, keepsMonths: effect == .payCycle)
      say(effect)
    case .revoke, .restore:
      turn(effect)
    case .request, .requestOnly, .requestInTrouble, .decline:
      return settle(effect)
    case .extend:
      extensions.removeAll { $0 <= day - 365 }
      guard self.offer != .trial, extensions.count < 2 else { return false }
      end += Self.extensionDays
      extensions.append(day)
      (anchor, months) = (end, 0)
      say(effect)
    case .agree, .disagree:
      guard consent == 0 else { return false }
      consent = effect == .agree ? 1 : nil
      if effect == .disagree { renews = false }
      if effect == .agree { say(.agree, toMember: false) } else { say(.off) }
    case .repeated:
      say(effect, toMember: false)
    case .share:
      guard plan.isShareable else { return false }
      shares = true
    }
    return true
  }

  /// What the next renewal is changed to.
  private mutating func change(_ effect: Effect, _ wanted: Plan, _ offer: Offer?) -> Bool {
    switch effect {
    case .keep:
      guard next != plan || !renews else { return false }
      if next == plan { return change(.on, wanted, nil) }
      takeBack()
    case .keepIfChanged:
      guard next != plan else { return false }
      takeBack()
    case .off:
      if renews { say(.off) }
      renews = false
      if consent == 0 { consent = nil }
    case .on:
      guard !renews else { return true }
      if nextOffer == nil { nextPrice = prices[next.rawValue] }
      renews = true
      say(.on)
    default:
      // The plan is chosen already: nothing changes. Of an offer alone a member is not told.
      let isSame = next == wanted && renews
      if effect == .schedule, isSame { return true }
      setNext(wanted, offer)
      say(effect, toMember: !isSame)
    }
    return true
  }

  /// The plan held is the next one again, and what was begun of an offer goes on.
  private mutating func takeBack() {
    setNext(plan, nil)
    if rest > 0 { (nextOffer, left, nextPrice) = (offer, rest, offer!.price) }
    say(.keep)
  }

  private mutating func setNext(_ plan: Plan, _ offer: Offer?) {
    next = plan
    renews = true
    consent = nil
    nextOffer = offer
    left = offer?.periods ?? 0
    nextPrice = offer?.price ?? prices[plan.rawValue]
  }

  private mutating func turn(_ effect: Effect) {
    isRequested = false
    say(effect, toMember: false)
    guard effect == .restore else {
      phase = .revoked
      return
    }
    phase = day < end ? .active : .expired
    if phase == .expired {
      if intent == 0 { intent = renews ? 5 : 1 }
      renews = false
    }
  }

  private mutating func settle(_ effect: Effect) -> Bool {
    guard isRequested == (effect == .decline) else { return false }
    isRequested = effect != .decline
    say(effect == .decline ? .decline : .request, toMember: false)
    if effect == .request { return change(.off, plan, nil) }
    if effect == .requestInTrouble { finish(.cancel, intent: 2) }
    return true
  }

  /// A higher price of plain, up to twice: an active line that is to renew to it for less is told,
  /// and asked where somebody is, or was and has not answered (E23, E23c).
  private mutating func announce(asks: Bool) -> Bool {
    let price = min(prices[Plan.plain.rawValue] + 1000, Plan.prices[Plan.plain.rawValue] + 2000)
    if isPlainGone { return false }
    prices[Plan.plain.rawValue] = price
    guard phase == .active, renews, next == .plain, nextOffer == nil,
      nextPrice < price || (consent == 0 && asks)
    else { return true }
    nextPrice = price
    consent = asks || consent == 0 ? 0 : 1
    let answer = consent == 0 ? "PENDING" : "ACCEPTED"
    say("priceIncreased PRICE_INCREASE/\(answer)", toMember: false)
    return true
  }
}
