import Client

/// Verbs that make one call and say in one line what came of it: a row each, with how the verb is
/// called and explained, the call, and the sentence.
enum PlainVerbs {}

/// The forms of rows.
extension PlainVerbs {
  /// One call, of what the command line names.
  static func row<Result>(
    _ description: VerbDescription,
    _ call: @escaping @Sendable (Invocation) throws(Failure) -> Call<Result>,
    says: @escaping @Sendable (Result, Invocation) -> String
  ) -> VerbEntry {
    VerbEntry(description) { invocation throws(Failure) in
      let answer = try invocation.fetch(try call(invocation))
      if invocation.isForPeople { invocation.console.line(says(answer, invocation)) }
      return .done
    }
  }

  /// A test of an account's only candidate, or of what an id names. `call` reads the options before
  /// the target is looked at.
  static func ofTarget(
    _ name: String, _ summary: String, options: [Option] = [], example: String,
    notes: [String] = [],
    _ call: @escaping @Sendable (Invocation) throws(Failure) -> (TestTarget) -> Call<TestAnswer>,
    says: @escaping @Sendable (TestAnswer) -> String
  ) -> VerbEntry {
    let description = VerbDescription(
      name: name, summary: summary, operands: TestTargets.operands, operandCount: 0...1,
      options: TestTargets.options + options, example: example, notes: notes)
    return VerbEntry(description) { invocation throws(Failure) in
      let answer = try TestTargets.change(invocation, try call(invocation))
      if invocation.isForPeople { invocation.console.line(says(answer)) }
      return .done
    }
  }

  /// The end of a purchase's wait.
  static func ofPending<Result>(
    _ name: String, _ summary: String, notes: [String] = [],
    _ call: @escaping @Sendable (PendingTarget, String?) -> Call<Result>,
    says: @escaping @Sendable (Result) -> String?
  ) -> VerbEntry {
    let description = VerbDescription(
      name: name, summary: summary, operands: "ACCOUNT|PENDING", operandCount: 1...1,
      example: "renewctl \(name) u1", notes: notes)
    return VerbEntry(description) { invocation throws(Failure) in
      let answer = try Waiting.end(invocation) { call($0, invocation.requestID) }
      if invocation.isForPeople, let line = says(answer) { invocation.console.line(line) }
      return .done
    }
  }

  /// A switch of one account's purchases, or of all; `on` and `off` are what purchases are then.
  static func ofSwitch(
    _ name: String, _ summary: String, example: String, notes: [String], on: String, off: String,
    _ call: @escaping @Sendable (String?, Bool, String?) -> Call<SequenceAnswer>
  ) -> VerbEntry {
    let description = VerbDescription(
      name: name, summary: summary, operands: "on|off [ACCOUNT]", operandCount: 1...2,
      example: example, notes: notes)
    @Sendable func isOn(_ invocation: Invocation) throws(Failure) -> Bool {
      switch invocation.operand(0) {
      case "on": return true
      case "off": return false
      case let word:
        throw .usage("\(name) takes on or off, not \(word)", "example: \(example)")
      }
    }
    return row(description) { invocation throws(Failure) in
      call(invocation.arguments.operand(1), try isOn(invocation), invocation.requestID)
    } says: { answer, invocation in
      "purchases of \(invocation.arguments.operand(1) ?? "all accounts") "
        + "\(invocation.operand(0) == "on" ? on : off) from now on, #\(answer.sequence)"
    }
  }
}

/// Refunds, and subscriptions that end or begin before their time.
extension PlainVerbs {
  static let refund = ofTarget(
    "refund", "Refund a transaction; an account's newest if it has one line",
    options: [
      Option("percentage", "NUMBER", "1 to 100; the whole if absent"),
      Option("reason", "NUMBER", "Apple's: 0 other, 1 an issue with the app"),
    ],
    example: "renewctl refund u1",
    notes: [
      "It is given whether a customer asked for it (request-refund) or not, and also after it "
        + "was declined."
    ]
  ) { invocation throws(Failure) in
    let percentage = try invocation.arguments.integer("percentage", least: 1).map { Int($0) }
    let reason = try invocation.arguments.integer("reason").map { Int($0) }
    return {
      .refund($0, percentage: percentage, reason: reason, requestID: invocation.requestID)
    }
  } says: { answer in
    let transaction = answer.transaction
    let share = Words.part(transaction).map { "\($0) of " } ?? ""
    let price = transaction.money.map { " (\($0))" } ?? ""
    return "refunded \(share)\(transaction.id), \(transaction.productID) of "
      + "\(transaction.purchaseDate)\(price), #\(answer.sequence)"
  }

  static let requestRefund = ofTarget(
    "request-refund", "Ask for a refund as a customer does; renewal goes off",
    example: "renewctl request-refund u1   # then refund u1, or decline-refund u1",
    notes: [
      "Your server would get CONSUMPTION_REQUEST for a consumable or a subscription, and "
        + "DID_CHANGE_RENEWAL_STATUS where renewal was on. Access goes on until the refund is "
        + "given."
    ]
  ) { invocation in
    { .requestRefund($0, requestID: invocation.requestID) }
  } says: { answer in
    let price = answer.transaction.money.map { " (\($0))" } ?? ""
    return "a refund of \(answer.transaction.id), \(answer.transaction.productID)\(price), is "
      + "asked for, #\(answer.sequence)"
  }

  static let declineRefund = ofTarget(
    "decline-refund", "Decline a refund that was asked for",
    example: "renewctl decline-refund u1",
    notes: ["Access goes on; renewal stays off until it is turned on (renewctl resume)."]
  ) { invocation in
    { .declineRefund($0, requestID: invocation.requestID) }
  } says: { answer in
    "the refund of \(answer.transaction.id), \(answer.transaction.productID), is declined, "
      + "#\(answer.sequence)"
  }

  static let unrefund = ofTarget(
    "unrefund", "Take a refund back", example: "renewctl unrefund u1"
  ) { invocation in
    { .reverseRefund($0, requestID: invocation.requestID) }
  } says: { answer in
    "the refund of \(answer.transaction.id), \(answer.transaction.productID), is taken back, "
      + "#\(answer.sequence)"
  }

  static let expire = ofTarget(
    "expire", "End a subscription now, without a renewal", example: "renewctl expire u1"
  ) { invocation in
    { .expire($0, requestID: invocation.requestID) }
  } says: { answer in
    let end = answer.transaction.expirationDate.map { " on \($0)" } ?? ""
    return "\(answer.transaction.productID) ended\(end), #\(answer.sequence)"
  }

  static let renew = ofTarget(
    "renew", "End the period now and begin the next one", example: "renewctl renew u1"
  ) { invocation in
    { .forceRenewal($0, requestID: invocation.requestID) }
  } says: { answer in
    "renewed \(answer.transaction.productID)\(Words.until(answer.transaction)); "
      + "transaction \(answer.transaction.id), #\(answer.sequence)"
  }
}

/// Purchases that wait.
extension PlainVerbs {
  static let askToBuy = ofSwitch(
    "asktobuy", "Make purchases wait for approval, or not any more",
    example: "renewctl asktobuy on u1   # then: buy u1 pro.monthly; approve u1",
    notes: ["Without ACCOUNT it is for all; an account's own switch beats that."],
    on: "must be approved", off: "need no approval"
  ) { .setAskToBuy(account: $0, enabled: $1, requestID: $2) }

  static let interrupt = ofSwitch(
    "interrupt", "Interrupt purchases, or not any more",
    example: "renewctl interrupt on u1   # then: buy u1 pro.monthly; interrupt off u1; resolve u1",
    notes: [
      "A purchase that is interrupted fails for the app, as with new terms to agree to; resolve "
        + "completes it. Without ACCOUNT it is for all; an account's own switch beats that."
    ],
    on: "are interrupted", off: "are not interrupted"
  ) { .setInterrupted(account: $0, enabled: $1, requestID: $2) }

  static let approve = ofPending(
    "approve", "Approve a purchase that waits for it",
    notes: [
      "ACCOUNT may have one such purchase only; pending lists them with their ids. It is bought "
        + "now, and by the rules of now."
    ]
  ) {
    .approveAskToBuy($0, requestID: $1)
  } says: {
    bought($0)
  }

  static let decline = ofPending(
    "decline", "Decline a purchase that waits for approval"
  ) {
    .declineAskToBuy($0, requestID: $1)
  } says: {
    "declined, #\($0.sequence)"
  }

  static let resolve = ofPending(
    "resolve", "Complete a purchase that was interrupted",
    notes: ["For a payment that is owed, see billing resolve."]
  ) {
    .resolveInterrupted($0, requestID: $1)
  } says: {
    bought($0)
  }

  private static func bought(_ answer: CompletionAnswer) -> String? {
    answer.transaction.map { transaction in
      let price = transaction.money.map { " for \($0)" } ?? ""
      return "\(transaction.account ?? "the account") bought \(transaction.productID)\(price)"
        + "\(Words.until(transaction)); transaction \(transaction.id), #\(answer.sequence)"
    }
  }
}

/// Families, clocks, what is on sale, and the rest.
extension PlainVerbs {
  static let share = row(
    VerbDescription(
      name: "share", summary: "Share an account's purchases with another by Family Sharing",
      operands: "ACCOUNT MEMBER", operandCount: 2...2,
      example: "renewctl share u1 u2   # u2 has what u1 has of shareable products",
      notes: [
        "The member gets transactions of its own that follow the purchaser's, for every active "
          + "subscription and lasting purchase of a product with familyShareable, and for those "
          + "that are bought from now on. A purchaser shares with five at most, all on its own "
          + "clock; an account is in one family at most."
      ])
  ) {
    .share(account: $0.operand(0), with: $0.operand(1), requestID: $0.requestID)
  } says: {
    "\($1.operand(0)) shares with \($1.operand(1)) from now on, #\($0.sequence)"
  }

  static let unshare = row(
    VerbDescription(
      name: "unshare", summary: "End Family Sharing with one member, or with all",
      operands: "ACCOUNT [MEMBER]", operandCount: 1...2,
      options: [
        Option("cause", "WORD", "turnedOff, memberLeft or purchaserLeft, for the story")
      ],
      example: "renewctl unshare u1 u2   # u2 loses what it had by u1",
      notes: ["ACCOUNT is the purchaser. What a member bought by itself stays."])
  ) { invocation throws(Failure) in
    let cause = invocation.arguments.value("cause").map { SharingEnd(rawValue: $0) }
    guard cause.map(SharingEnd.known.contains) ?? true else {
      throw .usage("--cause takes \(SharingEnd.known.map(\.rawValue).joined(separator: ", "))")
    }
    return .unshare(
      account: invocation.operand(0), with: invocation.arguments.operand(1), cause: cause,
      requestID: invocation.requestID)
  } says: { answer, invocation in
    "\(invocation.operand(0)) does not share with "
      + "\(invocation.arguments.operand(1) ?? "anyone") any more, #\(answer.sequence)"
  }

  static let clockCreate = row(
    VerbDescription(
      name: "clock create", summary: "Make a test clock that stands still until advanced",
      operands: "NAME TIME", operandCount: 2...2,
      example: "renewctl clock create leap 2024-01-31T10:00:00Z")
  ) { invocation throws(Failure) in
    .createClock(
      name: invocation.operand(0), at: try Arguments.time(invocation.operand(1), of: "TIME"),
      requestID: invocation.requestID)
  } says: { answer, _ in
    "the clock \(answer.clock.name) stands at \(answer.clock.now)"
  }

  static let clockAttach = row(
    VerbDescription(
      name: "clock attach", summary: "Let an account live by another clock",
      operands: "ACCOUNT CLOCK", operandCount: 2...2, example: "renewctl clock attach u1 leap",
      notes: [
        "A family lives by one clock: with a member, or its purchaser, go all the others."
      ])
  ) {
    .attach(account: $0.operand(0), clock: $0.operand(1), requestID: $0.requestID)
  } says: {
    "\($1.operand(0)) lives by the clock \($1.operand(1)), #\($0.sequence)"
  }

  static let clockAccept = row(
    VerbDescription(
      name: "clock accept", summary: "Believe the machine's clock after it jumped, and go on",
      operands: "[CLOCK]", operandCount: 0...1, example: "renewctl clock accept")
  ) {
    .acceptClock(name: $0.arguments.operand(0) ?? "system")
  } says: { answer, _ in
    "the clock \(answer.clock.name) goes on from \(answer.clock.now)"
  }

  static let removeFromSale = row(
    VerbDescription(
      name: "remove-from-sale", summary: "Take a product off sale, for renewals too",
      operands: "PRODUCT", operandCount: 1...1, example: "renewctl remove-from-sale pro.weekly",
      notes: [
        "Buying it is refused, and a subscription that would renew to it expires instead. "
          + "renewctl catalog import brings it back."
      ])
  ) {
    .removeFromSale(productID: $0.operand(0), requestID: $0.requestID)
  } says: {
    "\($1.operand(0)) is not on sale any more, #\($0.sequence)"
  }

  static let link = row(
    VerbDescription(
      name: "link", summary: "Give a subscription of the App Store's to an account",
      operands: "ACCOUNT ORIGINAL-ID", operandCount: 2...2,
      example: "renewctl link u1 2000000000000001",
      notes: [
        "For lines that came without an appAccountToken, and for those that came to another "
          + "account: renewctl watch shows their original ids."
      ])
  ) {
    .link(account: $0.operand(0), originalID: $0.operand(1), requestID: $0.requestID)
  } says: {
    "\($1.operand(1)) is \($1.operand(0))'s, #\($0.sequence)"
  }

  static let appTransaction = row(
    VerbDescription(
      name: "app-transaction", summary: "Print the app transaction of an account, signed",
      operands: "ACCOUNT", operandCount: 1...1, example: "renewctl app-transaction u1",
      notes: ["It is a compact JWS (ES256); renewctl env names the root it leads to."])
  ) {
    .appTransaction(account: $0.operand(0))
  } says: { answer, _ in
    answer.signedAppTransactionInfo
  }

  static let reset = row(
    VerbDescription(
      name: "reset", summary: "Forget all accounts and subscriptions; catalogue and clocks stay",
      example: "renewctl reset",
      notes: ["For tests: a log of the role record refuses it. Sequence and ids go on."])
  ) {
    .reset(requestID: $0.requestID)
  } says: { answer, _ in
    "empty, #\(answer.sequence)"
  }

  static let logSnapshot = row(
    VerbDescription(
      name: "log snapshot", summary: "Write a snapshot, so that the next start is quick",
      example: "renewctl log snapshot")
  ) { _ in
    .snapshotLog()
  } says: { answer, _ in
    "a snapshot up to #\(answer.sequence), \(Words.bytes(answer.bytes))"
  }
}
