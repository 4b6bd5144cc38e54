import EventLog
import Subscriptions

/// One thing done in a life. Accounts and clocks are small numbers; lines and transactions are
/// named by their place among the account's, so that a step means something whatever was left out
/// before it. What the rules refuse, or what names nothing, is simply not done.
public enum LifeStep: Equatable, Sendable {
  case advance(clock: Int, days: Int64, milliseconds: Int64)
  case buy(account: Int, product: String, clock: Int)
  /// Dated back by so many days.
  case buyBack(account: Int, product: String, clock: Int, days: Int64, isCancelled: Bool)
  case autoRenew(account: Int, line: Int, enabled: Bool)
  case renew(account: Int, line: Int)
  case expire(account: Int, line: Int)
  case billing(account: Int, fails: Bool)
  case resolve(account: Int, line: Int)
  case refund(account: Int, transaction: Int, percentage: Int64?)
  case reverse(account: Int, transaction: Int)
  case requestRefund(account: Int, transaction: Int)
  case declineRefund(account: Int, transaction: Int)
  case finish(account: Int, transaction: Int)
  case attach(account: Int, clock: Int)
  case rate(RenewalRate?)
}

/// Everything about a life: what its store is told, when it begins, and what is done in it.
public struct Life: Sendable {
  public var policies: Policies
  public var start: Instant
  public var steps: [LifeStep]

  public static let clockNames = ["default", "other"]
  static let accountCount = 4

  static func name(ofAccount number: Int) -> String { "u\(number + 1)" }

  /// The life that a seed makes up.
  public init(seed: UInt64, stepCount: Int) {
    var maker = LifeMaker(seed: seed)
    policies = maker.policies()
    start = maker.start()
    steps = (0..<stepCount).map { _ in maker.step() }
  }
}

/// Makes lives up from a seed.
private struct LifeMaker {
  private var chance: SeededGenerator
  private let products = Shop.workload.wares
  private let plans = Shop.workload.wares(of: "GX")

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
  }

  private mutating func below(_ count: Int) -> Int {
    Int(chance.next() % UInt64(count))
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  private mutating func flip() -> Bool { below(2) == 0 }

  mutating func policies() -> Policies {
    var policies = Policies()
    policies.monthEnd = pick([.anchored, .chained])
    policies.graceDays = pick([0, 3, 16, 28])
    policies.graceScope = pick(GraceScope.allCases)
    policies.graceRecoveryDate = pick(GraceRecoveryDate.allCases)
    policies.renewalRate = pick([
      .realTime, .realTime, .realTime, .oneHourIsOneDay, .monthlyRenewalEveryHour,
      .oneRenewalEveryDay,
    ])
    policies.recentStartGap = pick([
      Subscriptions.Limits.recentStartGapProduction, Subscriptions.Limits.recentStartGapSandbox,
    ])
    policies.terms.lead = pick([0, 0, 36_000_000])
    policies.terms.renewalsMax = pick([.max, .max, 6])
    return policies
  }

  /// Any moment of two years, leap days and month ends more often than chance would have them.
  mutating func start() -> Instant {
    let days = flip() ? Int64(below(730)) : pick([30, 58, 59, 60, 89, 120, 394, 424])
    // 2023-12-31T00:00:00Z and so many days.
    return Instant(milliseconds: 1_703_980_800_000)
      .advanced(byDays: days).advanced(byMilliseconds: Int64(below(86_400_000)))
  }

  mutating func step() -> LifeStep {
    let account = below(Life.accountCount)
    switch below(100) {
    case 0..<27: return advance()
    case 27..<47: return .buy(account: account, product: product(), clock: below(2))
    case 47..<50:
      return .buyBack(
        account: account, product: product(), clock: below(2), days: Int64(below(60)),
        isCancelled: flip())
    case 50..<58: return .autoRenew(account: account, line: below(4), enabled: below(3) == 0)
    case 58..<61: return .renew(account: account, line: below(4))
    case 61..<63: return .expire(account: account, line: below(4))
    case 63..<70: return .billing(account: account, fails: true)
    case 70..<73: return .billing(account: account, fails: false)
    case 73..<80: return .resolve(account: account, line: below(4))
    case 80..<85:
      return .refund(
        account: account, transaction: below(8),
        percentage: flip() ? nil : Int64(1 + below(100)))
    case 85..<89: return .reverse(account: account, transaction: below(8))
    case 89..<91: return .requestRefund(account: account, transaction: below(8))
    case 91..<93: return .declineRefund(account: account, transaction: below(8))
    case 93..<96: return .finish(account: account, transaction: below(8))
    case 96..<98: return .attach(account: account, clock: below(2))
    default:
      return .rate(pick([nil, .realTime, .oneHourIsOneDay, .oneRenewalEveryDay]))
    }
  }

  private mutating func advance() -> LifeStep {
    let isFine = flip()
    return .advance(
      clock: below(2), days: Int64(below(3) == 0 ? below(3) : below(45)),
      milliseconds: isFine ? Int64(below(86_400_000)) : 0)
  }

  /// Any product, plans of the great group half of the time: much can be done in it alone.
  private mutating func product() -> String {
    flip() ? pick(plans).id : pick(products).id
  }
}
