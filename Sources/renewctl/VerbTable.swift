/// The verbs, in the order the overview lists them.
enum VerbTable {
  private static let groups: [(title: String, verbs: [VerbEntry])] = [
    (
      "ask",
      [
        Status.entry, Check.entry, History.entry, LedgerVerb.entry, TimelineVerb.entry,
        Explain.entry, WatchVerb.entry, Verify.entry, PlainVerbs.appTransaction,
      ]
    ),
    ("record", [Submit.entry, PlainVerbs.link]),
    (
      "sell",
      [
        Products.entry, Buy.entry, Cancel.entry, Resume.entry, Finish.entry, Unfinished.entry,
        Restore.entry,
      ]
    ),
    (
      "travel",
      [
        Advance.entry, ClockListVerb.entry, PlainVerbs.clockCreate, PlainVerbs.clockAttach,
        PlainVerbs.clockAccept,
      ]
    ),
    (
      "make happen",
      [
        Rate.entry, Billing.entry, PlainVerbs.requestRefund, PlainVerbs.declineRefund,
        PlainVerbs.refund, PlainVerbs.unrefund, Price.entry, PlainVerbs.removeFromSale,
        Extend.entry, PlainVerbs.expire, PlainVerbs.renew, PlainVerbs.share, PlainVerbs.unshare,
        PlainVerbs.askToBuy, PlainVerbs.approve, PlainVerbs.decline, PlainVerbs.interrupt,
        PlainVerbs.resolve, Pending.entry, Fault.entry, PlainVerbs.reset,
      ]
    ),
    (
      "keep",
      [
        LogRead.entry, LogDescribe.entry, LogVerify.entry, PlainVerbs.logSnapshot,
        CatalogImport.entry, CatalogShow.entry, Reload.entry, Doctor.entry,
      ]
    ),
    ("begin", [Run.entry, Env.entry, Version.entry, Help.entry]),
  ]

  /// All verbs.
  static var all: [VerbEntry] { groups.flatMap(\.verbs) }

  /// What a verb of two words means without its second.
  private static let defaults = [
    "log": "log read", "clock": "clock list", "catalog": "catalog show",
  ]

  /// Verbs of the whole command line that this version does not have.
  private static let later: Set = [
    "webhook", "notifications",
  ]

  /// The verb of a command line and the words that belong to it; nil where the line names none.
  /// Options that every verb takes may stand before it.
  static func find(_ words: [String]) throws(Failure) -> (VerbEntry, [String])? {
    let start = firstOperand(words, [])
    guard start < words.count else { return nil }
    let first = words[start]
    var rest = words
    rest.remove(at: start)
    // An option's value is not the second word of a verb.
    let whole = defaults[first].flatMap(named)
    let second = firstOperand(rest, whole?.description.options ?? [])
    if second < rest.count, let verb = named("\(first) \(rest[second])") {
      rest.remove(at: second)
      return (verb, rest)
    }
    if let verb = whole {
      // What stands there is no verb of the group, unless the default takes it.
      guard second == rest.count || verb.description.operandCount.upperBound > 0 else {
        throw unknown(rest[second], in: first)
      }
      return (verb, rest)
    }
    guard let verb = named(first) else { throw unknown(first) }
    return (verb, rest)
  }

  static func named(_ name: String) -> (VerbEntry)? {
    all.first { $0.description.name == name }
  }

  /// The position of the first word that is neither an option, of all verbs or of these, nor an
  /// option's value.
  private static func firstOperand(_ words: [String], _ options: [Option]) -> Int {
    var index = 0
    while index < words.count, words[index].hasPrefix("-") {
      if words[index] == "--" { return words.count }
      let takesValue = (Option.global + options).contains {
        $0.value != nil && words[index] == "--\($0.name)"
      }
      index += takesValue ? 2 : 1
    }
    return min(index, words.count)
  }

  private static func unknown(_ word: String) -> Failure {
    if later.contains(word) {
      return .usage("this version of renewctl does not have the verb \(word)")
    }
    let names = Set(all.map { $0.description.name.prefix { $0 != " " } }.map(String.init))
    let nearest = NearestName.of(word, among: names.sorted())
    return .usage(
      "unknown verb \(word)" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      "renewctl help lists the verbs.")
  }

  private static func unknown(_ word: String, in group: String) -> Failure {
    let names = all.map { $0.description.name }.filter { $0.hasPrefix("\(group) ") }
    let seconds = names.map { String($0.dropFirst(group.count + 1)) }
    let nearest = NearestName.of(word, among: seconds)
    return .usage(
      "unknown verb \(group) \(word)"
        + (nearest.map { "; did you mean \(group) \($0)?" } ?? ""),
      "There are \(names.joined(separator: ", ")).")
  }

  /// What `renewctl` alone and `renewctl help` print.
  static var overview: [String] {
    var lines = [
      "renewctl tests and keeps App Store subscriptions with renewd.", "",
      "usage: renewctl VERB …", "       renewctl VERB --help", "",
      "start: renewctl run -- sh -c 'renewctl buy u1 pro.monthly; renewctl advance 1y; "
        + "renewctl timeline u1'",
    ]
    let width = (all.map { $0.description.name.count }.max() ?? 0) + 2
    for group in groups {
      lines += ["", "\(group.title):"]
      lines += group.verbs.map {
        "  \($0.description.name.padded(to: width))\($0.description.summary)"
      }
    }
    return lines
  }
}
