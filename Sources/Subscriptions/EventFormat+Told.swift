/// What the records of signed facts hold beyond their parts of fixed size. It stands behind all
/// else, and only where there is any, so that older records read as they always did.
extension EventFormat {
  /// Set in the byte of a linked chain's status where more follows.
  static let linkedMore: UInt8 = 0x80

  private enum MoreFlag {
    static let standing: UInt8 = 1
    static let signedDate: UInt8 = 2
    static let otherStatus: UInt8 = 4
    static let consumptionRequestReason: UInt8 = 8
    static let assumedGraceEnd: UInt8 = 16
    static let known: UInt8 = 31
  }

  private enum StandingFlag {
    static let status: UInt8 = 1
    static let isOutright: UInt8 = 2
    static let renews: UInt8 = 4
    static let isOn: UInt8 = 8
    static let intent: UInt8 = 16
    static let known: UInt8 = 31
  }

  // MARK: A signed fact

  private static func moreFlags(of fact: IngestedFact) -> UInt8 {
    var flags: UInt8 = 0
    if fact.standing != nil { flags |= MoreFlag.standing }
    if fact.notification?.signedDate != nil { flags |= MoreFlag.signedDate }
    if fact.notification?.otherStatus != nil { flags |= MoreFlag.otherStatus }
    if fact.notification?.consumptionRequestReason != nil {
      flags |= MoreFlag.consumptionRequestReason
    }
    if fact.assumedGraceEnd != nil { flags |= MoreFlag.assumedGraceEnd }
    return flags
  }

  static func hasMore(_ fact: IngestedFact) -> Bool {
    moreFlags(of: fact) != 0 || fact.transaction?.fields != nil || fact.renewal?.fields != nil
  }

  static func encodeMore(_ fact: IngestedFact, at: Instant, into writer: inout ByteWriter) {
    writer.byte(moreFlags(of: fact))
    if let transaction = fact.transaction { encode(transaction.fields, into: &writer) }
    if let renewal = fact.renewal { encode(renewal.fields, into: &writer) }
    if let standing = fact.standing { encode(standing, at: at, into: &writer) }
    if let date = fact.notification?.signedDate {
      writer.zigzag(date.milliseconds &- at.milliseconds)
    }
    if let status = fact.notification?.otherStatus { writer.zigzag(status) }
    if let reason = fact.notification?.consumptionRequestReason { writer.text(reason) }
    if let end = fact.assumedGraceEnd { writer.zigzag(end.milliseconds &- at.milliseconds) }
  }

  static func readMore(of fact: inout IngestedFact, at: Instant, from reader: inout ByteReader) {
    let flags = reader.byte()
    if flags & ~MoreFlag.known != 0 { reader.fail() }
    if fact.transaction != nil { fact.transaction?.fields = fields(from: &reader) }
    if fact.renewal != nil { fact.renewal?.fields = fields(from: &reader) }
    if flags & MoreFlag.standing != 0 { fact.standing = standing(at: at, from: &reader) }
    if flags & MoreFlag.signedDate != 0 {
      fact.notification?.signedDate = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
    if flags & MoreFlag.otherStatus != 0 { fact.notification?.otherStatus = reader.zigzag() }
    if flags & MoreFlag.consumptionRequestReason != 0 {
      fact.notification?.consumptionRequestReason = reader.text()
    }
    if flags & MoreFlag.assumedGraceEnd != 0 {
      fact.assumedGraceEnd = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
  }

  // MARK: A chain that comes to an account

  static func hasMore(_ fact: LinkedFact) -> Bool {
    !fact.standing.isEmpty || fact.renewal?.fields != nil
      || fact.versions.contains { $0.fields != nil }
  }

  static func encodeMore(_ fact: LinkedFact, at: Instant, into writer: inout ByteWriter) {
    for version in fact.versions { encode(version.fields, into: &writer) }
    if let renewal = fact.renewal { encode(renewal.fields, into: &writer) }
    encode(fact.standing, at: at, into: &writer)
  }

  static func readMore(of fact: inout LinkedFact, at: Instant, from reader: inout ByteReader) {
    for index in fact.versions.indices { fact.versions[index].fields = fields(from: &reader) }
    if fact.renewal != nil { fact.renewal?.fields = fields(from: &reader) }
    fact.standing = standing(at: at, from: &reader)
  }

  // MARK: Parts

  static func encode(_ fields: ToldFields?, into writer: inout ByteWriter) {
    writer.byte(fields == nil ? 0 : 1)
    fields?.encode(into: &writer)
  }

  static func fields(from reader: inout ByteReader) -> ToldFields? {
    let flag = reader.byte()
    if flag > 1 { reader.fail() }
    return flag == 1 ? ToldFields(from: &reader) : nil
  }

  static func encode(_ standing: Standing, at: Instant, into writer: inout ByteWriter) {
    var flags: UInt8 = 0
    if let said = standing.status {
      flags |= StandingFlag.status | (said.value.isOutright ? StandingFlag.isOutright : 0)
    }
    if let said = standing.renews {
      flags |= StandingFlag.renews | (said.value ? StandingFlag.isOn : 0)
    }
    if standing.intent != nil { flags |= StandingFlag.intent }
    writer.byte(flags)
    if let said = standing.status {
      writer.byte(said.value.status.rawValue)
      writer.zigzag(said.value.graceDays)
      writer.zigzag(said.at.milliseconds &- at.milliseconds)
    }
    if let said = standing.renews { writer.zigzag(said.at.milliseconds &- at.milliseconds) }
    if let said = standing.intent {
      writer.byte(said.value.rawValue)
      writer.zigzag(said.at.milliseconds &- at.milliseconds)
    }
  }

  static func standing(at: Instant, from reader: inout ByteReader) -> Standing {
    let flags = reader.byte()
    if flags & ~StandingFlag.known != 0 { reader.fail() }
    var standing = Standing()
    if flags & StandingFlag.status != 0 {
      let status = reader.value(Status.self) ?? .expired
      let days = reader.zigzag()
      let said = SaidStatus(
        status, isOutright: flags & StandingFlag.isOutright != 0, graceDays: days)
      standing.status = Said(said, at: Instant(milliseconds: at.milliseconds &+ reader.zigzag()))
    }
    if flags & StandingFlag.renews != 0 {
      standing.renews = Said(
        flags & StandingFlag.isOn != 0,
        at: Instant(milliseconds: at.milliseconds &+ reader.zigzag()))
    }
    if flags & StandingFlag.intent != 0 {
      let intent = reader.value(ExpirationIntent.self) ?? .other
      standing.intent = Said(
        intent, at: Instant(milliseconds: at.milliseconds &+ reader.zigzag()))
    }
    return standing
  }
}
