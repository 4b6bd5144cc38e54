import EventLog
import Subscriptions

/// Makes lives up from a seed.
struct LifeMaker {
  private var chance: SeededGenerator
  /// Whether months last hours, as far as the maker knows: clocks hop less then.
  private var isFast = false
  private var configuredIsFast = false
  /// What a part of the life is about: trouble is rare, and much can be done in it.
  private var favourite = 0

  private static let products = Shop.lives.wares.map(\.id) + ["platinum", "nothing"]
  private static let plans = Shop.lives.wares(of: "GX").map(\.id)
  private static let offered = Shop.lives.wares(of: "GO")
  private static let shared = Shop.lives.wares(of: "GF").map(\.id) + ["heirloom"]

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

  /// Two of them most of the time: what is done to one changes what can be done next.
  private mutating func account() -> Int {
    below(below(3) == 0 ? Life.accountCount : 2)
  }

  private mutating func clock() -> Int { below(4) == 0 ? 1 : 0 }

  mutating func policies() -> Policies {
    // In the order of the draws, on which all rests that a seed makes up: a new policy comes last.
    let first: [Policy] = [
      .monthEnd, .billingGracePeriod, .billingGracePeriodScope, .graceRecoveryPurchaseDate,
      .autoRenewAfterEnd, .renewalRate, .renewalsFail, .recentStartGap,
    ]
    let last: [Policy] = [.billingRetryInterval, .renewalCap]
    var policies = Policies()
    for policy in first { choose(policy, in: &policies) }
    switch below(6) {
    case 0, 1: policies.terms.lead = pick([36_000_000, 86_400_000, 120_000])
    case 2: policies.terms.lag = pick([120_000, 36_000_000])
    default: break
    }
    if policies.terms.lag > 0, flip() {
      policies.terms.expiryLeeway = pick([60_000, 7_200_000])
      policies.expiryLeewayMilliseconds = policies.terms.expiryLeeway
    }
    for policy in last { choose(policy, in: &policies) }
    for policy in Policy.all where !policy.tried.isEmpty && !(first + last).contains(policy) {
      choose(policy, in: &policies)
    }
    configuredIsFast = policies.renewalRate != .realTime
    isFast = configuredIsFast
    favourite = below(4)
    return policies
  }

  private mutating func choose(_ policy: Policy, in policies: inout Policies) {
    let value = pick(policy.tried)
    do throws(PolicyError) {
      try policy.set(value, in: &policies)
    } catch {
      preconditionFailure("a life tries \(policy.setting(value)): \(error.message)")
    }
  }

  /// Any moment of two years, leap days and month ends more often than chance would have them.
  mutating func start() -> Instant {
    let days = flip() ? Int64(below(730)) : pick([30, 58, 59, 60, 89, 120, 394, 424])
    // 2023-12-31T00:00:00Z and so many days.
    return Instant(milliseconds: 1_703_980_800_000)
      .advanced(byDays: days).advanced(byMilliseconds: Int64(below(86_400_000)))
  }

  mutating func step() -> LifeStep {
    switch below(100) {
    case 0..<24: advance()
    case 24..<47: .buy(purchase())
    case 47..<64: .line(lineStep(), account: account(), place: below(4))
    case 64..<78: .transaction(transactionStep(), account: account(), place: below(8))
    case 78..<93: .account(accountStep(), account: account())
    default: .store(storeStep())
    }
  }

  private mutating func advance() -> LifeStep {
    let isFine = flip()
    let days = Int64(below(3) == 0 ? below(3) : below(45))
    let rest = isFine ? Int64(below(86_400_000)) : 0
    return isFast
      ? .advance(clock: clock(), days: 0, milliseconds: days * 3_600_000 + rest / 24)
      : .advance(clock: clock(), days: days, milliseconds: rest)
  }

  private mutating func purchase() -> LifePurchase {
    var purchase = LifePurchase(account: account(), product: product(), clock: clock())
    let offers = Self.offered.first { $0.id == purchase.product }?.deals ?? []
    if !offers.isEmpty, flip() {
      let back = offers.filter { $0.kind == "winBack" }
      let deal = pick(below(3) == 0 && !back.isEmpty ? back : offers)
      purchase.offer = LifeOffer(kind: Self.kind(deal.kind), id: deal.id)
    } else if below(20) == 0 {
      purchase.offer = LifeOffer(kind: .introductory, id: nil)
    }
    if purchase.product == "coins" || purchase.product == "season" {
      purchase.quantity = Int64(1 + below(11))
    }
    if below(9) == 0 {
      purchase.daysBack = isFast ? Int64(below(3)) : Int64(below(60))
      purchase.isCancelled = flip()
    }
    return purchase
  }

  private static func kind(_ name: String) -> OfferKind {
    switch name {
    case "promotional": .promotional
    case "code": .code
    default: .winBack
    }
  }

  /// Any product, mostly one of the group that the life is about.
  private mutating func product() -> String {
    switch below(8) {
    case 0...1: return pick(Self.products)
    case 2: return pick(Self.shared)
    default: break
    }
    switch favourite {
    case 0...1: return pick(Self.plans)
    case 2: return pick(Self.offered).id
    default: return pick(Self.shared)
    }
  }

  /// A product of whoever has one, most of the time.
  private mutating func anyProduct() -> LifeProduct {
    below(4) == 0 ? .named(product()) : .held(place: below(16))
  }

  private mutating func lineStep() -> LifeLineStep {
    switch below(20) {
    case 0..<4: .cancel
    case 4..<6: .resume
    case 6..<8: .renew
    case 8..<9: .expire
    case 9..<14: .resolve
    case 14..<16: .consent
    case 16..<17: .decline
    default: .extend(days: pick([1, 7, 30, 90, 90, 91]))
    }
  }

  private mutating func transactionStep() -> LifeTransactionStep {
    switch below(14) {
    case 0..<5: .refund(percentage: flip() ? nil : Int64(1 + below(101)))
    case 5..<8: .reverse
    case 8..<10: .requestRefund
    case 10..<12: .declineRefund
    default: .finish
    }
  }

  private mutating func accountStep() -> LifeAccountStep {
    switch below(35) {
    case 0..<7: return .billing(fails: true)
    case 7..<10: return .billing(fails: false)
    case 10..<11: return .attach(clock: clock())
    case 11..<17: return .share(member: account())
    case 17..<20:
      return .unshare(member: flip() ? account() : nil, pick(SharingEnd.allCases))
    case 20..<22: return .askToBuy(flip())
    case 22..<24: return .interrupt(flip())
    case 24..<27: return .approve(place: below(3))
    case 27..<28: return .declinePurchase(place: below(3))
    case 28..<32: return .resolvePurchase(place: below(3))
    default: return .restore
    }
  }

  private mutating func storeStep() -> LifeStoreStep {
    switch below(24) {
    case 0..<2:
      let rate: RenewalRate? = pick([nil, .realTime, .oneHourIsOneDay, .oneRenewalEveryDay])
      isFast = rate.map { $0 != .realTime } ?? configuredIsFast
      return .rate(rate)
    case 2..<4: return .billing(fails: flip())
    case 4..<5: return .askToBuy(below(4) == 0)
    case 5..<6: return .interrupt(below(4) == 0)
    case 6..<14:
      return .raisePrice(
        anyProduct(), by: Int64(below(4) - (below(8) == 0 ? 1 : 0)) * 1_000,
        needsConsent: below(3) > 0)
    case 14..<16: return .remove(anyProduct())
    case 16..<20:
      return .extendAll(
        anyProduct(), days: pick([1, 10, 90, 0]), identifier: below(6))
    case 20..<23: return .catalogue(below(2))
    default:
      let api = pick(SimulatedAPI.allCases)
      return .fault(api, flip() ? nil : pick(SimulatedError.allCases))
    }
  }
}
