import JSON
import Subscriptions

/// Writes events as the interfaces name them: for watches, `Log.Read`, and files read without a
/// daemon.
public enum EventRenderer {
  /// Writes one event as the interfaces' `Event`. `state` must have folded it, so that what the
  /// event leaves to its line and account can be put in.
  public static func write(
    _ stored: StoredEvent, state: State, environment: String, withTexts: Bool = false,
    into writer: inout JSONWriter
  ) {
    write(
      stored, state: state, environment: environment, signed: nil, withTexts: withTexts,
      into: &writer)
  }

  /// With the signed forms of what the event says, where they are wanted; `withTexts` is for those
  /// that the App Store signed, which are given as they came.
  static func write(
    _ stored: StoredEvent, state: State, environment: String, signed: SignedForms?,
    withTexts: Bool, into writer: inout JSONWriter
  ) {
    let event = stored.event
    writer.beginObject()
    writer.member("sequence", sequence: stored.sequence)
    writer.member("at", event.at)
    writer.member("recorded", int: stored.recorded)
    writer.member("clock", state.clocks[Int(event.clock)].name)
    let account = event.fact.account
    writer.member("kind", "\(kind(of: stored, state: state))")
    if account != noNumber {
      writer.key("account")
      state.accounts.withKey(account) { writer.string(utf8: Span(_unsafeElements: $0)) }
    }
    if case .appStore(.ingested(let fact)) = event.fact {
      write(fact, state: state, withTexts: withTexts, into: &writer)
    } else {
      write(
        event.fact, stored.sequence, account: account, state: state, environment: environment,
        signed: signed, into: &writer)
    }
    if let caller = event.caller {
      if let requestID = caller.requestID { writer.member("requestId", requestID) }
      writer.member("uid", int: Int64(caller.uid))
    }
    writer.member("late", flag: isLate(event.fact))
    writer.endObject()
  }

  /// A token for an account that was open is no second opening, which is how older programs wrote
  /// it.
  private static func kind(of stored: StoredEvent, state: State) -> EventKind {
    let fact = stored.event.fact
    guard case .account(.accountOpened(let account, _, _, _)) = fact else { return fact.kind }
    return state.isReopening(stored.sequence, of: account)
      ? .account(.tokenGiven) : .account(.accountOpened)
  }

  /// Whether a signed fact came after newer ones of its line.
  private static func isLate(_ fact: Fact) -> Bool {
    guard case .appStore(.ingested(let fact)) = fact else { return false }
    return fact.isLate
  }

  /// The transaction and the renewal info that an event of a line has.
  private static func write(
    _ fact: LineFact, _ sequence: UInt64, _ line: Line, account: AccountNumber, state: State,
    _ environment: String, _ signed: SignedForms?, into writer: inout JSONWriter
  ) {
    if var transaction = fact.transaction {
      transaction.originalID = line.transaction.originalID
      writer.key("transaction")
      state.write(
        transaction, line: fact.line, account: account, environment: environment,
        signed: signed, into: &writer)
    }
    if let renewal = fact.renewal {
      // Without a transaction the line's product of that time is the one that renews: an event
      // carries its transaction where the two differ. The line may have another by now.
      writer.key("renewalInfo")
      state.write(
        renewal, of: fact.transaction?.product ?? renewal.autoRenewProduct,
        storefront: fact.transaction?.storefront ?? line.transaction.storefront,
        line: fact.line, status: fact.statusAfter, at: sequence, signed: signed, into: &writer)
    }
  }

  private static func write(
    _ fact: Fact, _ sequence: UInt64, account: AccountNumber, state: State, environment: String,
    signed: SignedForms?, into writer: inout JSONWriter
  ) {
    switch fact {
    case .line(_, let fact):
      let line = state.lines[Int(fact.line)]
      writer.member("originalTransactionId", id: line.transaction.originalID)
      write(
        fact, sequence, line, account: account, state: state, environment, signed, into: &writer)
      writer.member("statusAfter", int: Int64(fact.statusAfter.rawValue))
      write(fact.notification, into: &writer)
    case .purchase(_, let fact):
      writer.member("originalTransactionId", id: fact.transaction.originalID)
      writer.key("transaction")
      state.write(
        fact.transaction, line: noNumber, account: account, environment: environment,
        signed: signed, into: &writer)
      write(fact.notification, into: &writer)
    case .product(let kind, let fact):
      write(kind, fact, state: state, into: &writer)
    case .account(let fact):
      write(fact, state: state, into: &writer)
    case .tester(.rateChanged(let rate)):
      if let rate { writer.member("rate", rate.name) }
    case .tester(.billingChanged(_, let isOn)), .tester(.switched(_, _, let isOn)):
      writer.member("on", flag: isOn)
    case .appStore(.linked(let fact)):
      write(fact.key, fact.statusAfter, into: &writer)
    case .appStore(.unlinked(let fact)):
      write(fact.key, nil, into: &writer)
    case .log, .clock, .catalogue, .tester, .appStore:
      break
    }
  }

  private static func write(
    _ fact: AccountFact, state: State, into writer: inout JSONWriter
  ) {
    switch fact {
    case .finished(_, let line, let transactionID):
      let original =
        line == noNumber ? transactionID : state.lines[Int(line)].transaction.originalID
      writer.member("originalTransactionId", id: original)
    case .offerStacked(_, let line, _):
      let original = state.lines[Int(line)].transaction.originalID
      writer.member("originalTransactionId", id: original)
    case .purchasePending(let purchase):
      writer.member("pendingId", id: purchase.id)
      writer.member("productId", state.products[Int(purchase.product)].entry.id)
    case .pendingEnded(_, let id, let end):
      writer.member("pendingId", id: id)
      writer.member("made", flag: end == .bought)
    case .sharingStarted(_, let member), .sharingEnded(_, let member, _):
      writer.member("member", state.name(of: member))
    case .accountOpened, .tokenGiven, .clockAttached, .offerNonceUsed:
      break
    }
  }

  private static func write(
    _ kind: ProductKind, _ fact: ProductFact, state: State, into writer: inout JSONWriter
  ) {
    write(kind.productNotification, into: &writer)
    writer.member("productId", state.products[Int(fact.product)].entry.id)
    if kind == .priceIncreaseAnnounced || kind == .priceIncreaseCompleted {
      writer.member("price", int: fact.price)
      writer.member("consent", flag: fact.needsConsent)
    }
    if let asked = fact.extension {
      writer.member("requestIdentifier", asked.identifier)
      writer.member("days", int: Int64(asked.days))
      writer.key("storefronts")
      writer.beginArray()
      for number in asked.storefronts { writer.string(Storefront.all[Int(number)].country) }
      writer.endArray()
    }
    if kind == .priceIncreaseCompleted || kind == .massExtensionCompleted {
      writer.member("succeeded", sequence: fact.succeeded)
      writer.member("failed", sequence: fact.failed)
    }
  }

  private static func write(_ notification: Notification, into writer: inout JSONWriter) {
    if let type = notification.type { writer.member("notificationType", type) }
    if let subtype = notification.subtype { writer.member("subtype", subtype) }
  }

  /// What a signed fact said.
  private static func write(
    _ fact: IngestedFact, state: State, withTexts: Bool, into writer: inout JSONWriter
  ) {
    if fact.originalID != 0 { writer.member("originalTransactionId", id: fact.originalID) }
    let texts = withTexts ? SignedTexts(fact) : SignedTexts()
    if let version = fact.transaction {
      writer.key("transaction")
      state.write(
        version.transaction, line: fact.line, account: fact.account,
        environment: fact.environment.wireName, told: version,
        text: texts.text(of: version), into: &writer)
    }
    if let version = fact.renewal {
      writer.key("renewalInfo")
      write(version, of: fact, state: state, texts, into: &writer)
    }
    if let status = fact.statusAfter {
      writer.member("statusAfter", int: Int64(status.rawValue))
    }
    if let notification = fact.notification { write(notification, into: &writer) }
    if let end = fact.assumedGraceEnd { writer.member("assumedGraceEnd", end) }
    if withTexts, fact.kind == .notification { writer.member("signedPayload", signed: fact.signed) }
    writer.member("environment", fact.environment.wireName)
  }

  /// Whose a line became.
  private static func write(
    _ key: ChainKey, _ status: Status?, into writer: inout JSONWriter
  ) {
    writer.member("originalTransactionId", id: key.originalID)
    if let status { writer.member("statusAfter", int: Int64(status.rawValue)) }
    writer.member("environment", key.environment.wireName)
  }

  /// What the notification itself said.
  private static func write(
    _ notification: ReportedNotification, into writer: inout JSONWriter
  ) {
    if !notification.type.isEmpty { writer.member("notificationType", notification.type) }
    if let subtype = notification.subtype { writer.member("subtype", subtype) }
    if let status = notification.status.map({ Int64($0.rawValue) }) ?? notification.otherStatus {
      writer.member("statusTold", int: status)
    }
    if let reason = notification.consumptionRequestReason {
      writer.member("consumptionRequestReason", reason)
    }
    if let date = notification.signedDate { writer.member("notificationSignedDate", date) }
  }

  private static func write(
    _ version: RenewalVersion, of fact: IngestedFact, state: State, _ texts: SignedTexts,
    into writer: inout JSONWriter
  ) {
    if let fields = version.fields {
      state.writeTold(version, fields, text: texts.text(of: version), into: &writer)
      return
    }
    // Older records leave what was not told to the transaction.
    var renewal = version.renewal
    let transaction = fact.transaction?.transaction
    if renewal.renewalDate == .never {
      renewal.renewalDate = transaction?.expiresDate.ifEver ?? renewal.signedDate
    }
    if renewal.recentSubscriptionStartDate == .never {
      renewal.recentSubscriptionStartDate = transaction?.purchaseDate ?? renewal.signedDate
    }
    state.write(
      renewal, of: transaction?.product ?? renewal.autoRenewProduct,
      storefront: transaction?.storefront ?? state.defaultStorefront, line: fact.line,
      text: texts.text(of: fact.renewal), into: &writer)
  }
}
