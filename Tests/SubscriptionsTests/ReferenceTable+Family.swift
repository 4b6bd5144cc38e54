extension ReferenceTable {
  /// What a member of the family has (1.10): a line of its own that follows the purchaser's.
  struct Member: Hashable {
    var phase = Phase.none
    var start = 0
    var end = 0
    var isLive: Bool { phase == .active || phase == .grace || phase == .retry }
  }

  /// After each change: access begins, follows or ends (E21, E21b).
  mutating func follow() {
    let news = memberNews
    memberNews = []
    guard member.isLive else {
      guard shares, phase == .active, plan.isShareable else { return }
      let isFirst = member.phase == .none
      memberSaid.append("shared SUBSCRIBED/\(isFirst ? "INITIAL_BUY" : "RESUBSCRIBE")")
      member = Member(phase: .active, start: day, end: end)
      return
    }
    guard shares, phase != .revoked, plan.isShareable else {
      memberSaid.append("revoked REVOKE")
      member.phase = .revoked
      return
    }
    memberSaid += news
    member = Member(phase: phase, start: max(start, member.start), end: end)
  }

  mutating func unshare() -> Bool {
    guard shares else { return false }
    shares = false
    return true
  }
}
