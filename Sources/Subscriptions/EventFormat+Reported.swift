/// The records of signed facts, and of what they bring about.
extension EventFormat {
  private enum FactFlag {
    static let transaction: UInt8 = 1
    static let renewal: UInt8 = 2
    static let notification: UInt8 = 4
    static let status: UInt8 = 8
    static let late: UInt8 = 16
    /// What goes beyond the records of fixed size, behind all else.
    static let more: UInt8 = 32
    static let moved: UInt8 = 64
    static let known: UInt8 = 127
  }

  static func encode(_ fact: UnlinkedFact, into writer: inout ByteWriter) {
    writer.varint(fact.account)
    encode(fact.key, into: &writer)
    writer.varint(UInt64(fact.line &+ 1))
  }

  static func unlinked(from reader: inout ByteReader) -> UnlinkedFact? {
    let account = reader.varint32()
    guard let key = key(from: &reader) else { return nil }
    return UnlinkedFact(key: key, account: account, line: reader.varint32() &- 1)
  }

  // MARK: A status that passed

  static func encodePassed(_ fact: LineFact, into writer: inout ByteWriter) {
    writer.varint(fact.line)
    writer.varint(UInt64(fact.account &+ 1))
    writer.byte(fact.statusAfter.rawValue)
  }

  static func passed(from reader: inout ByteReader) -> LineFact {
    let line = reader.varint32()
    let account = reader.varint32() &- 1
    let status = reader.value(Status.self)
    return LineFact(
      line: line, account: account, group: noNumber, statusAfter: status ?? .expired,
      notification: .none)
  }

  // MARK: A signed fact

  static func encode(
    _ fact: IngestedFact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    var flags: UInt8 = fact.isLate ? FactFlag.late : 0
    if fact.transaction != nil { flags |= FactFlag.transaction }
    if fact.renewal != nil { flags |= FactFlag.renewal }
    if fact.notification != nil { flags |= FactFlag.notification }
    if fact.statusAfter != nil { flags |= FactFlag.status }
    if fact.movedFrom != noNumber { flags |= FactFlag.moved }
    if hasMore(fact) { flags |= FactFlag.more }
    writer.byte(flags)
    writer.varint(UInt64(fact.account &+ 1))
    writer.byte(fact.environment.rawValue)
    writer.byte(fact.kind.rawValue)
    encode(fact.identity, into: &writer)
    writer.varint(UInt64(fact.partIdentities.count))
    for part in fact.partIdentities { encode(part, into: &writer) }
    writer.varint(fact.originalID)
    writer.varint(UInt64(fact.line &+ 1))
    writer.varint(UInt64(fact.group &+ 1))
    writer.zigzag(Int64(fact.leewaySeconds))
    if let status = fact.statusAfter { writer.byte(status.rawValue) }
    if let notification = fact.notification {
      writer.text(notification.type)
      writer.optionalText(notification.subtype)
      writer.byte(notification.isKnown ? 1 : 0)
      writer.byte(notification.status?.rawValue ?? 0)
    }
    if let version = fact.transaction { encode(version, at: at, into: &writer, base: base) }
    if let version = fact.renewal { encode(version, at: at, into: &writer) }
    writer.data(fact.signed)
    if fact.movedFrom != noNumber { writer.varint(fact.movedFrom) }
    if hasMore(fact) { encodeMore(fact, at: at, into: &writer) }
  }

  static func ingested(
    at: Instant, from reader: inout ByteReader, base: Base
  ) -> IngestedFact? {
    let flags = reader.byte()
    guard flags & ~FactFlag.known == 0 else { return nil }
    let account = reader.varint32() &- 1
    guard let environment = reader.value(StoreEnvironment.self),
      let kind = reader.value(SubmittedKind.self)
    else { return nil }
    var fact = IngestedFact(
      environment: environment, kind: kind, identity: uuid(from: &reader))
    fact.account = account
    fact.isLate = flags & FactFlag.late != 0
    for _ in 0..<reader.count() { fact.partIdentities.append(uuid(from: &reader)) }
    fact.originalID = reader.varint()
    fact.line = reader.varint32() &- 1
    fact.group = reader.varint32() &- 1
    fact.leewaySeconds = Int32(truncatingIfNeeded: reader.zigzag())
    if flags & FactFlag.status != 0 { fact.statusAfter = reader.value(Status.self) }
    if flags & FactFlag.notification != 0 {
      fact.notification = notification(from: &reader)
      guard fact.notification != nil else { return nil }
    }
    if flags & FactFlag.transaction != 0 {
      fact.transaction = transactionVersion(
        at: at, originalID: fact.originalID, from: &reader, base: base)
    }
    if flags & FactFlag.renewal != 0 { fact.renewal = renewalVersion(at: at, from: &reader) }
    fact.signed = reader.data()
    if flags & FactFlag.moved != 0 { fact.movedFrom = reader.varint32() }
    if flags & FactFlag.more != 0 { readMore(of: &fact, at: at, from: &reader) }
    return fact
  }

  private static func notification(from reader: inout ByteReader) -> ReportedNotification? {
    let type = reader.text()
    let subtype = reader.optionalText()
    let isKnown = reader.byte()
    let status = reader.byte()
    guard isKnown <= 1, status == 0 || Status(rawValue: status) != nil else { return nil }
    return ReportedNotification(
      type: type, subtype: subtype, isKnown: isKnown == 1, status: Status(rawValue: status))
  }

  // MARK: Versions

  static func encode(
    _ version: TransactionVersion, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    encode(version.transaction, at: at, into: &writer, base: base)
    writer.zigzag(version.originalPurchaseDate.milliseconds &- at.milliseconds)
    encode(version.token, into: &writer)
    encode(version.digest, into: &writer)
  }

  static func transactionVersion(
    at: Instant, originalID: UInt64, from reader: inout ByteReader, base: Base
  ) -> TransactionVersion {
    var transaction = transaction(at: at, from: &reader, base: base)
    transaction.originalID = originalID
    let original = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    let token = token(from: &reader)
    return TransactionVersion(
      transaction: transaction, originalPurchaseDate: original, token: token,
      digest: digest(from: &reader))
  }

  static func encode(_ version: RenewalVersion, at: Instant, into writer: inout ByteWriter) {
    writer.byte(version.isGraceAssumed ? 1 : 0)
    encode(version.renewal, beside: nil, at: at, into: &writer)
    encode(version.token, into: &writer)
    encode(version.digest, into: &writer)
  }

  static func renewalVersion(at: Instant, from reader: inout ByteReader) -> RenewalVersion {
    let isGraceAssumed = reader.byte()
    if isGraceAssumed > 1 { reader.fail() }
    let renewal = renewal(beside: nil, at: at, from: &reader)
    let token = token(from: &reader)
    return RenewalVersion(
      renewal: renewal, token: token, digest: digest(from: &reader),
      isGraceAssumed: isGraceAssumed == 1)
  }

  private static func encode(_ token: UUIDBits?, into writer: inout ByteWriter) {
    writer.byte(token == nil ? 0 : 1)
    if let token { encode(token, into: &writer) }
  }

  private static func token(from reader: inout ByteReader) -> UUIDBits? {
    let flag = reader.byte()
    if flag > 1 { reader.fail() }
    return flag == 1 ? uuid(from: &reader) : nil
  }

  private static func encode(_ digest: PayloadDigest, into writer: inout ByteWriter) {
    writer.fixed64(digest.words.0)
    writer.fixed64(digest.words.1)
    writer.fixed64(digest.words.2)
    writer.fixed64(digest.words.3)
  }

  private static func digest(from reader: inout ByteReader) -> PayloadDigest {
    let first = reader.fixed64()
    let second = reader.fixed64()
    let third = reader.fixed64()
    return PayloadDigest(first, second, third, reader.fixed64())
  }

  static func encode(_ key: ChainKey, into writer: inout ByteWriter) {
    writer.byte(key.environment.rawValue)
    writer.varint(key.originalID)
  }

  static func key(from reader: inout ByteReader) -> ChainKey? {
    guard let environment = reader.value(StoreEnvironment.self) else { return nil }
    return ChainKey(environment: environment, originalID: reader.varint())
  }

  // MARK: A chain that comes to an account

  static func encode(
    _ fact: LinkedFact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    writer.varint(fact.account)
    encode(fact.key, into: &writer)
    writer.varint(UInt64(fact.line &+ 1))
    writer.varint(UInt64(fact.group &+ 1))
    writer.zigzag(Int64(fact.leewaySeconds))
    let hasMore = hasMore(fact)
    writer.byte((fact.statusAfter?.rawValue ?? 0) | (hasMore ? linkedMore : 0))
    writer.varint(UInt64(fact.versions.count))
    for version in fact.versions { encode(version, at: at, into: &writer, base: base) }
    writer.byte(fact.renewal == nil ? 0 : 1)
    if let renewal = fact.renewal { encode(renewal, at: at, into: &writer) }
    if hasMore { encodeMore(fact, at: at, into: &writer) }
  }

  static func linked(
    at: Instant, from reader: inout ByteReader, base: Base
  ) -> LinkedFact? {
    let account = reader.varint32()
    guard let key = key(from: &reader) else { return nil }
    var chain = AppleChain(key: key, account: account)
    chain.line = reader.varint32() &- 1
    chain.group = reader.varint32() &- 1
    let leeway = Int32(truncatingIfNeeded: reader.zigzag())
    let bits = reader.byte()
    let status = bits & ~linkedMore
    guard status == 0 || Status(rawValue: status) != nil else { return nil }
    var fact = LinkedFact(
      chain: chain, account: account, statusAfter: Status(rawValue: status),
      leewaySeconds: leeway)
    for _ in 0..<reader.count() {
      fact.versions.append(
        transactionVersion(at: at, originalID: key.originalID, from: &reader, base: base))
    }
    let hasRenewal = reader.byte()
    guard hasRenewal <= 1 else { return nil }
    if hasRenewal == 1 { fact.renewal = renewalVersion(at: at, from: &reader) }
    if bits & linkedMore != 0 { readMore(of: &fact, at: at, from: &reader) }
    return fact
  }

  // MARK: Names

  static func encode(_ names: ReportedNames, into writer: inout ByteWriter) {
    writer.varint(UInt64(names.texts.count))
    for text in names.texts { writer.text(text) }
    writer.varint(UInt64(names.storefronts.count))
    for storefront in names.storefronts {
      writer.text(storefront.country)
      writer.text(storefront.currency)
    }
    writer.varint(UInt64(names.products.count))
    for product in names.products {
      writer.text(product.id)
      writer.byte(product.type.rawValue)
      writer.optionalText(product.groupID)
    }
  }

  static func names(from reader: inout ByteReader) -> ReportedNames? {
    var names = ReportedNames()
    for _ in 0..<reader.count() { names.texts.append(reader.text()) }
    for _ in 0..<reader.count() {
      let country = reader.text()
      names.storefronts.append(.init(country: country, currency: reader.text()))
    }
    for _ in 0..<reader.count() {
      let id = reader.text()
      guard let type = reader.value(ProductType.self) else { return nil }
      names.products.append(.init(id: id, type: type, groupID: reader.optionalText()))
    }
    return names
  }
}
