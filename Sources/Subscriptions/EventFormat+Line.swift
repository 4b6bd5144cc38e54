/// The records of lines and transactions: the events that happen a million times.
extension EventFormat {
  private enum LineFlag {
    static let begins: UInt8 = 1
    static let transaction: UInt8 = 2
    static let renewal: UInt8 = 4
    static let statusShift: UInt8 = 3
    static let statusMask: UInt8 = 7
    static let source: UInt8 = 1 << 6
    /// All of them: a record with any other is a newer writer's, and is not half understood.
    static let known: UInt8 = (1 << 7) - 1
  }

  static func encode(
    _ fact: LineFact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    let begins = fact.transaction.map { $0.id == $0.originalID } ?? false
    var flags = fact.statusAfter.rawValue << LineFlag.statusShift
    if begins { flags |= LineFlag.begins }
    if fact.transaction != nil { flags |= LineFlag.transaction }
    if fact.renewal != nil { flags |= LineFlag.renewal }
    if fact.source != noNumber { flags |= LineFlag.source }
    writer.varint(fact.line)
    writer.byte(flags)
    writer.byte(fact.notification.rawValue)
    if begins {
      writer.varint(fact.account)
      writer.varint(fact.group)
    }
    if flags & LineFlag.source != 0 { writer.varint(fact.source) }
    if let transaction = fact.transaction {
      encode(transaction, at: at, into: &writer, base: base)
    }
    if let renewal = fact.renewal {
      encode(renewal, beside: fact.transaction, at: at, into: &writer)
    }
  }

  static func lineFact(at: Instant, from reader: inout ByteReader, base: Base) -> LineFact {
    let line = reader.varint32()
    let flags = reader.byte()
    if flags & ~LineFlag.known != 0 { reader.fail() }
    let status = Status(rawValue: flags >> LineFlag.statusShift & LineFlag.statusMask)
    let notification = reader.value(Notification.self)
    if status == nil || notification == nil { reader.fail() }
    var fact = LineFact(
      line: line, account: noNumber, group: noNumber, statusAfter: status ?? .expired,
      notification: notification ?? .none)
    if flags & LineFlag.begins != 0 {
      // No line begins without its first transaction.
      if flags & LineFlag.transaction == 0 { reader.fail() }
      fact.account = reader.varint32()
      fact.group = reader.varint32()
    }
    if flags & LineFlag.source != 0 { fact.source = reader.varint32() }
    if flags & LineFlag.transaction != 0 {
      fact.transaction = transaction(at: at, from: &reader, base: base)
    }
    if flags & LineFlag.renewal != 0 {
      fact.renewal = renewal(beside: fact.transaction, at: at, from: &reader)
    }
    return fact
  }

  /// What differs from a usual purchase: zero for one that is paid in full at its own time.
  private enum TransactionFlag {
    static let renewal: UInt32 = 1 << 0
    static let offer: UInt32 = 1 << 1
    static let otherPurchaseDate: UInt32 = 1 << 2
    static let otherSignedDate: UInt32 = 1 << 3
    static let quantity: UInt32 = 1 << 4
    static let finished: UInt32 = 1 << 5
    static let revocation: UInt32 = 1 << 6
    static let neverExpires: UInt32 = 1 << 7
    static let familyShared: UInt32 = 1 << 8
    static let upgraded: UInt32 = 1 << 9
    static let otherPeriodID: UInt32 = 1 << 10
    static let otherOriginalID: UInt32 = 1 << 11
    static let otherToken: UInt32 = 1 << 12
    /// All of them: a record with any other is a newer writer's, and is not half understood.
    static let known: UInt32 = (1 << 13) - 1
    /// Of a subscription's transaction the line says the original id.
    static let knownInLines = known & ~otherOriginalID
  }

  private static func flags(of transaction: Transaction, at: Instant) -> UInt32 {
    var flags: UInt32 = 0
    if transaction.reason == .renewal { flags |= TransactionFlag.renewal }
    if transaction.offer != nil { flags |= TransactionFlag.offer }
    if transaction.purchaseDate != at { flags |= TransactionFlag.otherPurchaseDate }
    if transaction.signedDate != at { flags |= TransactionFlag.otherSignedDate }
    if transaction.quantity != 1 { flags |= TransactionFlag.quantity }
    if transaction.isFinished { flags |= TransactionFlag.finished }
    if transaction.revocation != nil { flags |= TransactionFlag.revocation }
    if transaction.expiresDate == .never { flags |= TransactionFlag.neverExpires }
    if transaction.ownership == .familyShared { flags |= TransactionFlag.familyShared }
    if transaction.isUpgraded { flags |= TransactionFlag.upgraded }
    if transaction.token != .opening { flags |= TransactionFlag.otherToken }
    if transaction.webOrderLineItemID != usualPeriodID(of: transaction) {
      flags |= TransactionFlag.otherPeriodID
    }
    return flags
  }

  private static func usualPeriodID(of transaction: Transaction) -> UInt64 {
    transaction.expiresDate == .never ? 0 : transaction.id &+ Limits.webOrderLineItemOffset
  }

  /// `isAlone`: outside a subscription, so that no line says the original id.
  static func encode(
    _ transaction: Transaction, at: Instant, isAlone: Bool = false, into writer: inout ByteWriter,
    base: Base
  ) {
    var flags = flags(of: transaction, at: at)
    if isAlone, transaction.originalID != transaction.id {
      flags |= TransactionFlag.otherOriginalID
    }
    writer.varint(flags)
    writer.zigzag(Int64(bitPattern: transaction.id &- base.transactionID))
    if flags & TransactionFlag.otherOriginalID != 0 {
      writer.zigzag(Int64(bitPattern: transaction.originalID &- base.transactionID))
    }
    if flags & TransactionFlag.otherPurchaseDate != 0 {
      writer.zigzag(transaction.purchaseDate.milliseconds &- at.milliseconds)
    }
    if flags & TransactionFlag.otherSignedDate != 0 {
      writer.zigzag(transaction.signedDate.milliseconds &- at.milliseconds)
    }
    if flags & TransactionFlag.neverExpires == 0 {
      writer.zigzag(
        transaction.expiresDate.milliseconds &- transaction.purchaseDate.milliseconds)
      encode(transaction.period, into: &writer)
    }
    if flags & TransactionFlag.otherPeriodID != 0 {
      writer.varint(transaction.webOrderLineItemID)
    }
    writer.varint(transaction.product)
    writer.varint(UInt64(transaction.storefront))
    writer.zigzag(transaction.price)
    if flags & TransactionFlag.quantity != 0 { writer.zigzag(Int64(transaction.quantity)) }
    if let offer = transaction.offer { encode(offer, into: &writer) }
    if let revocation = transaction.revocation {
      writer.zigzag(revocation.date.milliseconds &- at.milliseconds)
      writer.byte(revocation.type.rawValue)
      writer.byte(revocation.reason)
      writer.zigzag(Int64(revocation.percentage))
    }
    if flags & TransactionFlag.otherToken != 0 { encode(transaction.token, into: &writer) }
  }

  /// A number and 1, or 0 for none.
  static func encode(_ token: TokenReference, into writer: inout ByteWriter) {
    writer.varint(token.rawValue &+ 1)
  }

  static func tokenReference(from reader: inout ByteReader) -> TokenReference {
    let token = TokenReference(rawValue: reader.varint32() &- 1)
    // The opening's has no flag.
    if token == .opening { reader.fail() }
    return token
  }

  /// The original id is the transaction's own; where a line says otherwise, `State.complete`
  /// puts the line's in.
  static func transaction(
    at: Instant, isAlone: Bool = false, from reader: inout ByteReader, base: Base
  ) -> Transaction {
    let flags = reader.varint32()
    let known = isAlone ? TransactionFlag.known : TransactionFlag.knownInLines
    if flags & ~known != 0 { reader.fail() }
    let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
    var found = Transaction(
      id: id, originalID: id, purchaseDate: at, signedDate: at, price: 0, product: 0,
      storefront: 0, reason: flags & TransactionFlag.renewal != 0 ? .renewal : .purchase,
      ownership: flags & TransactionFlag.familyShared != 0 ? .familyShared : .purchased)
    if flags & TransactionFlag.otherOriginalID != 0 {
      found.originalID = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
    }
    if flags & TransactionFlag.otherPurchaseDate != 0 {
      found.purchaseDate = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
    if flags & TransactionFlag.otherSignedDate != 0 {
      found.signedDate = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
    if flags & TransactionFlag.neverExpires == 0 {
      found.expiresDate = Instant(
        milliseconds: found.purchaseDate.milliseconds &+ reader.zigzag())
      found.period = period(from: &reader)
    }
    found.webOrderLineItemID =
      flags & TransactionFlag.otherPeriodID != 0 ? reader.varint() : usualPeriodID(of: found)
    found.product = reader.varint32()
    found.storefront = reader.varint16()
    let isListed = Int(found.storefront) < Storefront.all.count
    if !isListed, found.storefront < AppleRecord.firstReportedStorefront { reader.fail() }
    found.price = reader.zigzag()
    if flags & TransactionFlag.quantity != 0 {
      found.quantity = Int32(truncatingIfNeeded: reader.zigzag())
    }
    found.isFinished = flags & TransactionFlag.finished != 0
    found.isUpgraded = flags & TransactionFlag.upgraded != 0
    if flags & TransactionFlag.offer != 0 { found.offer = offer(from: &reader) }
    if flags & TransactionFlag.revocation != 0 {
      found.revocation = revocation(at: at, from: &reader)
    }
    if flags & TransactionFlag.otherToken != 0 { found.token = tokenReference(from: &reader) }
    return found
  }

  private static func revocation(at: Instant, from reader: inout ByteReader) -> Revocation? {
    let date = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    guard let type = reader.value(RevocationType.self) else { return nil }
    let reason = reader.byte()
    return Revocation(
      date: date, type: type, reason: reason,
      percentage: Int32(truncatingIfNeeded: reader.zigzag()))
  }

  static func encode(_ period: Period, into writer: inout ByteWriter) {
    writer.varint(UInt32(bitPattern: period.count) << 2 | UInt32(period.unit.rawValue))
  }

  static func period(from reader: inout ByteReader) -> Period {
    let bits = reader.varint32()
    let period = Period(
      unit: Period.Unit(rawValue: UInt8(bits & 3)) ?? .day, count: Int32(bits >> 2))
    if period.count > Limits.periodCountMax { reader.fail() }
    return period
  }

  static func encode(_ offer: AppliedOffer, into writer: inout ByteWriter) {
    writer.byte(offer.kind.rawValue | offer.paymentMode.rawValue << 4)
    encode(offer.period, into: &writer)
    writer.varint(UInt64(offer.identifier &+ 1))
  }

  static func offer(from reader: inout ByteReader) -> AppliedOffer? {
    let bits = reader.byte()
    guard let kind = OfferKind(rawValue: bits & 0xf),
      let mode = PaymentMode(rawValue: bits >> 4)
    else {
      reader.fail()
      return nil
    }
    let period = period(from: &reader)
    return AppliedOffer(
      kind: kind, paymentMode: mode, period: period, identifier: reader.varint32() &- 1)
  }

  static func encode(_ stacked: StackedOffer, into writer: inout ByteWriter) {
    encode(stacked.offer, into: &writer)
    writer.zigzag(stacked.price)
  }

  static func stackedOffer(from reader: inout ByteReader) -> StackedOffer? {
    guard let offer = offer(from: &reader) else { return nil }
    return StackedOffer(offer: offer, price: reader.zigzag())
  }
}
