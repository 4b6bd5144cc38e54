/// A purchase or a period of a subscription, as the model has it. Times are milliseconds.
struct ModelPeriod {
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
  var lastTime: Int64

  init(clock: String, at time: Int64) {
    self.clock = clock
    lastTime = time
  }

  /// Does all that falls due up to and including `time`, and says how much that was.
  @discardableResult
  mutating func roll(to time: Int64, rules: ModelRules) -> Int {
    var count = 0
    for index in lines.indices {
      while let due = lines[index].due, due <= time {
        count += 1
        lastTime = max(lastTime, due)
        lines[index].fallDue(at: due, fails: fails, rules: rules)
      }
    }
    return count
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
  var policies = ModelPolicies()
}
