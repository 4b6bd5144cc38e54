/// One subscription as a plain table: what each command does in each state. It is written from
/// the domain page alone (1.3 to 1.5) and shares nothing with the rules, not even their calendar:
/// its two products are sold by the week, its times are whole days.
struct ReferenceTable: Hashable {
  enum Phase: Hashable {
    case none, active, grace, retry, expired, revoked
  }

  /// `high` is of the higher level. Both cost what they cost, and nothing depends on it.
  enum Plan: Hashable, CaseIterable {
    case high, low
  }

  enum Command: CaseIterable {
    case buyHigh, buyLow, turnOff, turnOn, chargesFail, chargesSucceed, resolve, refund, reverse
    case expire
  }

  /// A command as the table sees it: a purchase is of the plan held, or of a higher or lower one.
  enum Column: Hashable {
    case buyHeld, buyHigher, buyLower, turnOff, turnOn, resolve, refund, reverse, expire
  }

  enum Effect {
    case refused, nothing
    /// A new period of the plan asked for begins now (E1, E13, E14).
    case begin
    /// The plan asked for is the next renewal's, and renewal is on (E15).
    case schedule
    /// Takes a change back, or turns renewal on; refused where there is neither (E4, E16).
    case stay
    /// Takes a change back; refused where there is none.
    case stayIfChanged
    case off, on
    /// Over at once, and so is the renewal; its period keeps its end (E12).
    case end
    /// Over at once, and so is its period.
    case cut
    /// The next period begins: where the last one ended (E9), or now (E10).
    case payCycle, payAnew
    /// Given back, and given again (E18, E20).
    case revoke, restore
    /// A second line begins, of which this table knows nothing (E13).
    case leave
  }

  static let table: [Phase: [Column: Effect]] = [
    .none: [
      .buyHeld: .begin, .buyHigher: .begin, .buyLower: .begin, .turnOff: .refused,
      .turnOn: .refused, .resolve: .refused, .refund: .refused, .reverse: .refused,
      .expire: .refused,
    ],
    .active: [
      .buyHeld: .stay, .buyHigher: .begin, .buyLower: .schedule, .turnOff: .off, .turnOn: .on,
      .resolve: .refused, .refund: .revoke, .reverse: .refused, .expire: .cut,
    ],
    .grace: [
      .buyHeld: .stayIfChanged, .buyHigher: .begin, .buyLower: .schedule, .turnOff: .end,
      .turnOn: .nothing, .resolve: .payCycle, .refund: .revoke, .reverse: .refused,
      .expire: .end,
    ],
    .retry: [
      .buyHeld: .refused, .buyHigher: .leave, .buyLower: .leave, .turnOff: .end,
      .turnOn: .nothing, .resolve: .payAnew, .refund: .revoke, .reverse: .refused,
      .expire: .end,
    ],
    .expired: [
      .buyHeld: .begin, .buyHigher: .begin, .buyLower: .begin, .turnOff: .refused,
      .turnOn: .refused, .resolve: .refused, .refund: .revoke, .reverse: .refused,
      .expire: .refused,
    ],
    .revoked: [
      .buyHeld: .begin, .buyHigher: .begin, .buyLower: .begin, .turnOff: .refused,
      .turnOn: .refused, .resolve: .refused, .refund: .refused, .reverse: .restore,
      .expire: .refused,
    ],
  ]

  static let week = 7
  static let retryDays = 60

  let graceDays: Int
  var day = 0
  var phase = Phase.none
  var plan = Plan.low
  var next = Plan.low
  var renews = false
  var fails = false
  var start = 0
  var end = 0

  init(graceDays: Int) {
    self.graceDays = graceDays
  }

  /// Lets days pass, with all that falls due on the way.
  mutating func wait(_ days: Int) {
    day += days
    while true {
      switch phase {
      case .active where end <= day:
        if !renews {
          phase = .expired
        } else if fails {
          phase = graceDays > 0 ? .grace : .retry
        } else {
          begin(next, at: end)
        }
      case .grace where end + graceDays <= day:
        phase = .retry
      case .retry where end + Self.retryDays <= day:
        phase = .expired
        renews = false
      default:
        return
      }
    }
  }

  /// False where the command is refused, nil where it leads off the table.
  mutating func perform(_ command: Command) -> Bool? {
    switch command {
    case .chargesFail:
      fails = true
      return true
    case .chargesSucceed:
      fails = false
      return true
    case .buyHigh:
      return buy(.high)
    case .buyLow:
      return buy(.low)
    case .turnOff: return apply(.turnOff)
    case .turnOn: return apply(.turnOn)
    case .resolve: return apply(.resolve)
    case .refund: return apply(.refund)
    case .reverse: return apply(.reverse)
    case .expire: return apply(.expire)
    }
  }

  private mutating func buy(_ wanted: Plan) -> Bool? {
    // In trouble nothing is sold while charges fail.
    if phase == .grace || phase == .retry, fails { return false }
    if wanted == plan { return apply(.buyHeld, wanted) }
    return apply(wanted == .high ? .buyHigher : .buyLower, wanted)
  }

  private mutating func apply(_ column: Column, _ wanted: Plan = .low) -> Bool? {
    switch Self.table[phase]![column]! {
    case .refused: return false
    case .leave: return nil
    case .nothing: break
    case .begin: begin(wanted, at: day)
    case .schedule:
      next = wanted
      renews = true
    case .stay:
      guard next != plan || !renews else { return false }
      next = plan
      renews = true
    case .stayIfChanged:
      guard next != plan else { return false }
      next = plan
    case .off: renews = false
    case .on: renews = true
    case .end:
      phase = .expired
      renews = false
    case .cut:
      phase = .expired
      renews = false
      end = day
    case .payCycle:
      fails = false
      begin(next, at: end)
    case .payAnew:
      fails = false
      begin(next, at: day)
    case .revoke: phase = .revoked
    case .restore:
      phase = day < end ? .active : .expired
      if phase == .expired { renews = false }
    }
    return true
  }

  private mutating func begin(_ plan: Plan, at day: Int) {
    phase = .active
    self.plan = plan
    next = plan
    renews = true
    start = day
    end = day + Self.week
  }
}
