import Client

/// `status`: is the account a member, by what, until when?
enum Status: Verb {
  static let description = VerbDescription(
    name: "status", summary: "Say whether an account is entitled, and by what",
    operands: "ACCOUNT [PRODUCT|ENTITLEMENT]", operandCount: 1...2,
    options: [
      Option("at", "TIME", "as it was at a moment, or will be if nothing else happens"),
      Option("product", "ID", "only this product"),
      Option("entitlement", "NAME", "only what grants this"),
      Option("environment", "NAME", "only this environment of Apple's"),
      SignedLines.option,
    ],
    example: "renewctl status u1 pro --at 2025-07-23T05:00:00Z   # exit status 0: entitled",
    notes: ["Exit status 0: entitled, 1: not entitled."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let (reply, status) = try fetch(invocation)
    invocation.show(reply)
    if invocation.isForPeople {
      let arguments = invocation.arguments
      let name =
        arguments.operand(1) ?? arguments.value("product") ?? arguments.value("entitlement")
      let outlook = try Outlook(after: status, invocation.session)
      show(
        status, StatusSentence(status, to: name, outlook: outlook), outlook,
        on: invocation.console)
    }
    return status.isEntitled ? .done : .negative
  }

  private static func fetch(
    _ invocation: Invocation
  ) throws(Failure) -> (Reply, MembershipStatus) {
    let arguments = invocation.arguments
    let account = invocation.operand(0)
    let time = try arguments.time("at")
    func ask(_ product: String?, _ entitlement: String?) throws(Failure) -> (
      Reply, MembershipStatus
    ) {
      try invocation.session.ask(
        .status(
          account: account, productID: product, entitlement: entitlement,
          environment: arguments.value("environment"), at: time,
          signed: arguments.has("signed") ? true : nil))
    }
    guard let name = arguments.operand(1) else {
      return try ask(arguments.value("product"), arguments.value("entitlement"))
    }
    guard !arguments.has("product"), !arguments.has("entitlement") else {
      throw .usage("name the product or entitlement once")
    }
    return try ProductOrEntitlement.resolve(name) { (product, entitlement) throws(Failure) in
      try ask(product, entitlement)
    }
  }

  private static func show(
    _ status: MembershipStatus, _ sentence: StatusSentence, _ outlook: Outlook,
    on console: Console
  ) {
    console.line(console.styled(sentence.text, status.isEntitled ? .green : .red))
    var table = Table(
      [
        "PRODUCT", "STATUS", "UNTIL", "CHARGED AGAIN", "RETRIED UNTIL", "GRACE ENDED", "RENEWS",
        "PRICE", "TRANSACTION",
      ], right: ["PRICE"])
    for line in status.subscriptions {
      let again = outlook.retry(of: line)
      let isRetried = line.status == .inBillingRetryPeriod && again == nil
      table.add([
        line.transaction.productID,
        line.status.words + (line.transaction.ownershipType == .familyShared ? ", shared" : ""),
        line.accessEnd?.description,
        again?.description, isRetried ? line.nextDue?.description : nil,
        line.graceEnded?.description,
        renews(line),
        line.transaction.paid?.description, line.transaction.id,
      ])
    }
    for purchase in status.purchases {
      table.add([
        purchase.productID,
        purchase.revocationDate == nil ? purchase.productType?.words : "revoked",
        purchase.expirationDate?.description, nil, nil, nil, nil, purchase.paid?.description,
        purchase.id,
      ])
    }
    if !table.isEmpty { console.line() }
    console.table(table)
    if !table.isEmpty { console.line() }
    console.line("as of \(status.asOf) on clock \(status.clock), #\(status.sequence)")
    console.lines(status.subscriptions.flatMap(SignedLines.of))
    console.lines(status.purchases.flatMap(SignedLines.of))
  }

  /// What a subscription renews as; `unknown` where nobody told whether it does.
  private static func renews(_ line: Subscription) -> String {
    guard line.status != .revoked else { return "no" }
    switch line.willAutoRenew {
    case true: return line.renewalInfo?.autoRenewPreference ?? line.transaction.productID
    case false: return "no"
    default: return "unknown"
    }
  }
}

/// A name that is a product's or an entitlement's.
enum ProductOrEntitlement {
  /// Asks for the product first, then for the entitlement. If neither is known, the refusal of
  /// the product is told, since it says what may have been meant.
  static func resolve<Answer>(
    _ name: String, _ ask: (String?, String?) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let unknown: Failure
    do throws(Failure) {
      return try ask(name, nil)
    } catch {
      guard case .productNotFound = error.reason else { throw error }
      unknown = error
    }
    do throws(Failure) {
      return try ask(nil, name)
    } catch {
      throw error.reason == nil ? error : unknown
    }
  }
}

extension Subscription {
  /// When access by it ends or ended: with grace, without what was taken back.
  var accessEnd: Timestamp? {
    if let revoked = transaction.revocationDate, status == .revoked { return revoked }
    if status == .inGracePeriod { return graceEnd }
    guard let end = transaction.expirationDate, let grace = lastGraceEnd else {
      return transaction.expirationDate
    }
    // A grace period that ended unpaid is the last that there was of access.
    return max(end, grace)
  }

  /// When the last grace period ended, where it is not the present one or its end that of access.
  var graceEnded: Timestamp? {
    status == .inGracePeriod || lastGraceEnd == accessEnd ? nil : lastGraceEnd
  }
}

extension ProductType {
  /// The type as words.
  var words: String {
    switch self {
    case .autoRenewable: "subscription"
    case .nonConsumable: "lasting"
    case .consumable: "consumable"
    case .nonRenewing: "non-renewing"
    default: rawValue
    }
  }
}
