/// A purchase or a period of a subscription, as the model has it. Times are milliseconds.
struct ModelPeriod: Equatable {
  var product: String
  var start: Int64
  /// The end of the period; nil for what is no subscription.
  var end: Int64?
  var price: Int64
  var quantity: Int64 = 1
  var isRenewal = false
  /// FREE_TRIAL, PAY_AS_YOU_GO or PAY_UP_FRONT.
  var offer: String?
  var revoked: Int64?
  /// Its refund is asked for and not decided.
  var isRefundAsked = false
  var isFinished = false
  /// Another plan took its place before its end.
  var isUpgraded = false
  /// It is a family member's, who has it by somebody else's purchase.
  var isShared = false
}

/// An account of the model.
struct ModelAccount {
  var clock: String
  /// Every subscription, in the order in which they were begun.
  var lines: [ModelLine] = []
  /// Everything bought outside a subscription.
  var purchases: [ModelPeriod] = []
  /// Groups whose introductory offer is used up.
  var introductions: [String] = []
  /// Whether charges fail.
  var fails = false
  /// What is switched for it, where that is not as for all.
  var switches: [ModelSwitch: Bool] = [:]
  /// Purchases that are not made yet, oldest first.
  var waiting: [ModelWaiting] = []
  var waitedCount = 0
  var lastTime: Int64

  init(clock: String, at time: Int64) {
    self.clock = clock
    lastTime = time
  }

  /// What is due on a line at `time` happens.
  mutating func fallDue(_ line: Int, at time: Int64, rules: ModelRules) {
    lastTime = max(lastTime, time)
    lines[line].fallDue(at: time, fails: fails, rules: rules)
  }

  func isEntitled(at now: Int64, shop: Shop) -> Bool {
    if lines.contains(where: { [1, 4].contains($0.status(at: now)) }) { return true }
    return purchases.contains {
      shop[$0.product]?.kind == .nonConsumable && !($0.revoked.map { $0 <= now } ?? false)
    }
  }
}

/// What the model knows of the store: what is sold and how it decides.
struct ModelRules {
  var shop: Shop
  var policies: ModelPolicies
  /// What is not sold any more.
  var withdrawn: [String] = []
  /// What the catalogue's file says.
  let catalogue: [Shop.Ware]

  init(shop: Shop, policies: ModelPolicies = ModelPolicies()) {
    self.shop = shop
    self.policies = policies
    catalogue = shop.wares
  }

  func isWithdrawn(_ product: String) -> Bool { withdrawn.contains(product) }
}
