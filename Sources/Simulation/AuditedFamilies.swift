import JSON

/// Who shares with whom while the log's events go by.
struct AuditedFamilies {
  /// The purchaser of each member.
  private(set) var purchasers: [String: String] = [:]

  mutating func take(_ entry: LogEntry) throws(Violation) {
    guard let account = entry.account, let member = entry.member else { return }
    switch entry.kind {
    case "sharingStarted":
      try Violation.unless(
        purchasers[member] == nil && purchasers[account] == nil
          && !purchasers.values.contains(member) && member != account,
        "\(account) shares with \(member), which is in a family, at \(entry.sequence)")
      purchasers[member] = account
      try Violation.unless(
        purchasers.values.filter { $0 == account }.count <= 5,
        "\(account) shares with more than five, at \(entry.sequence)")
    case "sharingEnded":
      try Violation.unless(
        purchasers[member] == account,
        "\(account) stopped sharing with a stranger, at \(entry.sequence)")
      purchasers[member] = nil
    default: break
    }
  }
}
