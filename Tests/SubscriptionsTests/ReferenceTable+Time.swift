extension ReferenceTable {
  static let retryDays = 60
  static let extensionDays = 7

  /// Lets days pass, with all that falls due on the way.
  mutating func wait(_ days: Int) {
    day += days
    let now = day
    while let due = dueDay, due <= now {
      day = due
      fallDue()
      follow()
    }
    day = now
  }

  /// How long the commands wait for: not at all; from a beginning to the middle of what began
  /// then; until the next thing falls due; ten weeks, past whatever ends, and until something
  /// falls due again.
  var waits: [Int] {
    var later = self
    later.wait(70)
    var waits = [0, (later.dueDay ?? later.day) - day]
    let beginnings: [Phase: Int] = [.active: start, .grace: end, .retry: end + graceDays]
    if let dueDay {
      if let beginning = beginnings[phase], beginning == day { waits.append((dueDay - day) / 2) }
      waits.append(dueDay - day)
    }
    return waits
  }

  private var dueDay: Int? {
    if let retryDay { return retryDay }
    return switch phase {
    case .active: end
    case .grace: end + graceDays
    case .retry: end + Self.retryDays
    case .none, .expired, .revoked: nil
    }
  }

  /// What is owed is charged again each day, and the first time that it can be is the day after:
  /// before grace or retry ends that day.
  private var retryDay: Int? {
    guard let paidFrom, phase == .grace || phase == .retry else { return nil }
    let last = end + Self.retryDays
    return paidFrom < last ? paidFrom + 1 : nil
  }

  private mutating func fallDue() {
    if retryDay == day { return tryAgain() }
    switch phase {
    case .active where !renews:
      finish(.end, intent: 1)
    case .active where next == .plain && isPlainGone:
      finish("expired EXPIRED/PRODUCT_NOT_FOR_SALE", intent: 4)
    case .active where consent == 0:
      finish("expired EXPIRED/PRICE_INCREASE", intent: 3)
    case .active where fails:
      phase = graceDays > 0 ? .grace : .retry
      paidFrom = nil
      intent = 2
      say("renewalFailed DID_FAIL_TO_RENEW\(graceDays > 0 ? "/GRACE_PERIOD" : "")")
    case .active:
      renew(at: end, keepsMonths: true)
      say("renewed DID_RENEW")
    case .grace:
      phase = .retry
      say("graceEnded GRACE_PERIOD_EXPIRED")
    case .retry:
      finish("expired EXPIRED/BILLING_RETRY", intent: 2)
    case .none, .expired, .revoked:
      break
    }
  }

  private mutating func tryAgain() {
    guard next != .plain || !isPlainGone else {
      return finish("expired EXPIRED/PRODUCT_NOT_FOR_SALE", intent: 4)
    }
    let isCycleKept = phase == .grace
    renew(at: isCycleKept ? end : day, keepsMonths: isCycleKept)
    say(isCycleKept ? .payCycle : .payAnew)
  }

  mutating func finish(_ effect: Effect, intent: Int) {
    // Who cancels in trouble is told both; the member only that it is over.
    say(effect)
    if memberNews.count == 2 { memberNews.removeFirst() }
    if effect == .cut { end = day }
    finish(intent)
  }

  private mutating func finish(_ word: String, intent: Int) {
    say(word)
    finish(intent)
  }

  private mutating func finish(_ intent: Int) {
    phase = .expired
    paidFrom = nil
    renews = false
    consent = nil
    self.intent = intent
  }

  /// A period of a purchase, from now on.
  mutating func begin(_ plan: Plan, _ offer: Offer?) {
    self.plan = plan
    left = offer?.periods ?? 0
    enter(offer, at: day, price: offer?.price ?? prices[plan.rawValue], keepsMonths: false)
  }

  /// The period that the renewal info says, from a day on.
  mutating func renew(at day: Int, keepsMonths: Bool) {
    let wasLong = plan == .long && offer == nil
    plan = next
    enter(nextOffer, at: day, price: nextPrice, keepsMonths: keepsMonths && wasLong)
  }

  private mutating func enter(_ offer: Offer?, at day: Int, price: Int, keepsMonths: Bool) {
    phase = .active
    self.offer = offer
    self.price = price
    start = day
    isRequested = false
    paidFrom = nil
    intent = 0
    if offer == .trial { hadTrial = true }
    if let offer {
      end = day + offer.days
    } else if plan == .long {
      if !keepsMonths { (anchor, months) = (day, 0) }
      months += 1
      end = Self.day(anchor, plusMonths: months)
    } else {
      end = day + 7
    }
    // What follows it: the rest of the offer, then the product at its price.
    next = plan
    renews = true
    consent = nil
    rest = max(0, left - 1)
    left = rest
    nextOffer = left > 0 ? offer : nil
    nextPrice = nextOffer?.price ?? prices[plan.rawValue]
  }

  mutating func say(_ effect: Effect, toMember: Bool = true) {
    for word in Self.told[effect]! { say(word, toMember: toMember) }
  }

  mutating func say(_ word: String, toMember: Bool = true) {
    said.append(word)
    if toMember, member.isLive { memberNews.append(word) }
  }

  /// The first day is 10 January 2025; a day that a month lacks is its last (2.2, anchored).
  static func day(_ day: Int, plusMonths months: Int) -> Int {
    let (month, date) = date(of: day)
    return firsts[month + months] + min(date, length(ofMonth: month + months) - 1)
  }

  /// The month, 0 for December 2024, and the day of it, 0 for its first.
  static func date(of day: Int) -> (month: Int, date: Int) {
    let month = firsts.lastIndex { $0 <= day }!
    return (month, day - firsts[month])
  }

  /// The first days of eight years' months, from December 2024 on.
  private static let firsts: [Int] = {
    var firsts = [-40]
    for index in 0..<100 { firsts.append(firsts[index] + length(ofMonth: index)) }
    return firsts
  }()

  private static func length(ofMonth index: Int) -> Int {
    let lengths = [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30]
    return index == 38 ? 29 : lengths[index % 12]
  }
}
