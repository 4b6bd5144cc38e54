import Subscriptions

/// A life as a shell script that `renewctl run` lives again on a real daemon.
public enum LifeScript {
  public static func text(of life: Life, plant: LifePlant? = nil) -> String {
    let words = LifeRun.run(life, plant: plant).words
    let catalogue = String(decoding: Shop.workload.storekitText, as: UTF8.self)
    let start = life.start.rfc3339
    var lines = [
      "cat > lives.storekit <<'END'", catalogue, "END",
      "renewctl run --catalog lives.storekit --clock \(start) \\",
    ]
    lines += policies(of: life.policies).map { "  --policy \($0) \\" }
    lines.append("  -- sh -ec '")
    lines.append("renewctl clock create \(Life.clockNames[1]) \(start)")
    lines += words.map { "renewctl \($0)" }
    lines.append("'")
    return lines.joined(separator: "\n")
  }

  /// The policies of a life as the daemon's options have them.
  static func policies(of policies: Policies) -> [String] {
    var texts = [
      "monthEnd=\(policies.monthEnd)", "renewalRate=\(policies.renewalRate.name)",
      "billingGracePeriod=\(policies.graceDays == 0 ? "off" : "\(policies.graceDays)d")",
      "billingGracePeriodScope=\(policies.graceScope)",
      "graceRecoveryPurchaseDate=\(policies.graceRecoveryDate)",
    ]
    let isSandbox = policies.recentStartGap == Subscriptions.Limits.recentStartGapSandbox
    texts.append("recentStartGap=\(isSandbox ? "10min" : "60d")")
    if policies.terms.lead > 0 { texts.append("renewalLead=\(policies.terms.lead / 1000)s") }
    let most = policies.terms.renewalsMax
    if most < .max { texts.append("renewalCap=\(most)") }
    return texts
  }
}
