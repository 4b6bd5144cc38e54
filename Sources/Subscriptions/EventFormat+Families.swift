/// The records of the log, of accounts, clocks, catalogues, testers and of what the App Store
/// signed: each family written and read by the same list.
extension EventFormat {
  // MARK: The log

  static func encode(_ fact: LogFact, into writer: inout ByteWriter) {
    switch fact {
    case .logCreated(let role, let seed, let identity):
      encodeCreation(role, seed, identity, into: &writer)
    case .bootObserved(let boot, let realMinusBoot):
      encode(boot, into: &writer)
      writer.zigzag(realMinusBoot)
    case .reset:
      break
    }
  }

  static func logFact(_ kind: LogKind, from reader: inout ByteReader) -> LogFact? {
    switch kind {
    case .logCreated:
      return creation(from: &reader)
    case .bootObserved:
      let boot = uuid(from: &reader)
      return .bootObserved(boot: boot, realMinusBoot: reader.zigzag())
    case .reset:
      return .reset
    }
  }

  // MARK: Accounts

  static func encode(_ fact: AccountFact, into writer: inout ByteWriter, base: Base) {
    switch fact {
    case .accountOpened(let account, let key, let token, let clock):
      writer.varint(account)
      writer.data(key)
      writer.byte(token == nil ? 0 : 1)
      if let token { encode(token, into: &writer) }
      writer.varint(UInt64(clock))
    case .tokenGiven(let account, let token):
      writer.varint(account)
      encode(token, into: &writer)
    case .clockAttached(let account, let clock):
      writer.varint(account)
      writer.varint(UInt64(clock))
    case .finished(let account, let line, let transactionID):
      writer.varint(account)
      writer.varint(UInt64(line &+ 1))
      writer.zigzag(Int64(bitPattern: transactionID &- base.transactionID))
    case .offerNonceUsed(let account, let nonce):
      writer.varint(account &+ 1)
      encode(nonce, into: &writer)
    case .offerStacked(let account, let line, let stacked):
      writer.varint(account)
      writer.varint(line)
      encode(stacked, into: &writer)
    case .purchasePending(let purchase):
      encode(purchase, into: &writer, base: base)
    case .pendingEnded(let account, let id, let end):
      writer.varint(account)
      writer.zigzag(Int64(bitPattern: id &- base.transactionID))
      writer.byte(end.rawValue)
    case .sharingStarted(let purchaser, let member):
      writer.varint(purchaser)
      writer.varint(member)
    case .sharingEnded(let purchaser, let member, let cause):
      writer.varint(purchaser)
      writer.varint(member)
      writer.byte(cause.rawValue)
    }
  }

  static func accountFact(
    _ kind: AccountKind, at: Instant, from reader: inout ByteReader, base: Base
  ) -> AccountFact? {
    if kind == .purchasePending {
      return pendingPurchase(at: at, from: &reader, base: base).map { .purchasePending($0) }
    }
    let account = reader.varint32()
    switch kind {
    case .accountOpened:
      let key = reader.data()
      guard key.count <= Limits.accountBytesMax else { return nil }
      let token = reader.byte() == 0 ? nil : uuid(from: &reader)
      return .accountOpened(account: account, key: key, token: token, clock: reader.varint16())
    case .tokenGiven:
      return .tokenGiven(account: account, token: uuid(from: &reader))
    case .clockAttached:
      return .clockAttached(account: account, clock: reader.varint16())
    case .finished:
      let line = reader.varint32() &- 1
      let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
      return .finished(account: account, line: line, transactionID: id)
    case .offerNonceUsed:
      return .offerNonceUsed(account: account &- 1, nonce: uuid(from: &reader))
    case .offerStacked:
      let line = reader.varint32()
      guard let stacked = stackedOffer(from: &reader) else { return nil }
      return .offerStacked(account: account, line: line, offer: stacked)
    case .pendingEnded:
      let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
      guard let end = reader.value(PendingEnd.self) else { return nil }
      return .pendingEnded(account: account, id: id, end: end)
    case .sharingStarted:
      return .sharingStarted(purchaser: account, member: reader.varint32())
    case .sharingEnded:
      let member = reader.varint32()
      guard let cause = reader.value(SharingEnd.self) else { return nil }
      return .sharingEnded(purchaser: account, member: member, cause: cause)
    case .purchasePending:
      return nil
    }
  }

  // MARK: Clocks

  static func encode(_ fact: ClockFact, into writer: inout ByteWriter) {
    switch fact {
    case .clockCreated(let clock, let name, let time):
      writer.varint(UInt64(clock))
      writer.text(name)
      writer.zigzag(time.milliseconds)
    case .advanceStarted(let clock, let target):
      writer.varint(UInt64(clock))
      writer.zigzag(target.milliseconds)
    case .advanced(let clock, let target, let firstSequence, let events):
      writer.varint(UInt64(clock))
      writer.zigzag(target.milliseconds)
      writer.varint(firstSequence)
      writer.varint(events)
    case .clockHeld(let milliseconds):
      writer.zigzag(milliseconds)
    case .clockAccepted:
      break
    }
  }

  static func clockFact(_ kind: ClockKind, from reader: inout ByteReader) -> ClockFact {
    switch kind {
    case .clockCreated:
      let clock = reader.varint16()
      let name = reader.text()
      return .clockCreated(
        clock: clock, name: name, time: Instant(milliseconds: reader.zigzag()))
    case .advanceStarted:
      let clock = reader.varint16()
      return .advanceStarted(clock: clock, target: Instant(milliseconds: reader.zigzag()))
    case .advanced:
      let clock = reader.varint16()
      let target = Instant(milliseconds: reader.zigzag())
      let first = reader.varint()
      return .advanced(
        clock: clock, target: target, firstSequence: first, events: reader.varint())
    case .clockHeld:
      return .clockHeld(behindMilliseconds: reader.zigzag())
    case .clockAccepted:
      return .clockAccepted
    }
  }

  // MARK: Catalogues

  static func encode(_ fact: CatalogueFact, into writer: inout ByteWriter) {
    switch fact {
    case .catalogueImported(let source, let digest, let catalogue):
      writer.text(source)
      writer.fixed64(digest)
      encode(catalogue, into: &writer)
    case .offerKeysImported(let source, let keys):
      writer.text(source)
      encode(keys, into: &writer)
    }
  }

  static func catalogueFact(
    _ kind: CatalogueKind, from reader: inout ByteReader
  ) -> CatalogueFact {
    let source = reader.text()
    switch kind {
    case .catalogueImported:
      let digest = reader.fixed64()
      return .catalogueImported(
        source: source, digest: digest, catalogue: catalogue(from: &reader))
    case .offerKeysImported:
      return .offerKeysImported(source: source, keys: offerKeys(from: &reader))
    }
  }

  // MARK: Testers

  static func encode(_ fact: TesterFact, into writer: inout ByteWriter) {
    switch fact {
    case .billingChanged(let account, let isOn), .switched(_, let account, let isOn):
      writer.varint(account)
      writer.byte(isOn ? 1 : 0)
    case .rateChanged(let rate):
      writer.byte(rate == nil ? 0 : 1)
      if let rate { writer.byte(rate.rawValue) }
    case .simulatedErrorChanged(let api, let error):
      writer.byte(api.rawValue)
      writer.byte(error == nil ? 0 : 1)
      if let error { writer.byte(error.rawValue) }
    }
  }

  static func testerFact(_ kind: TesterKind, from reader: inout ByteReader) -> TesterFact? {
    switch kind {
    case .simulatedErrorChanged:
      guard let api = reader.value(SimulatedAPI.self), let isSet = flag(from: &reader) else {
        return nil
      }
      return .simulatedErrorChanged(api, isSet ? reader.value(SimulatedError.self) : nil)
    case .rateChanged:
      guard let isSet = flag(from: &reader) else { return nil }
      return .rateChanged(isSet ? reader.value(RenewalRate.self) : nil)
    case .billingChanged:
      return accountFlag(from: &reader).map { .billingChanged(account: $0, fails: $1) }
    case .askToBuyChanged:
      return accountFlag(from: &reader).map { .switched(.askToBuy, account: $0, isOn: $1) }
    case .interruptedChanged:
      return accountFlag(from: &reader).map { .switched(.interrupted, account: $0, isOn: $1) }
    }
  }

  private static func accountFlag(
    from reader: inout ByteReader
  ) -> (account: AccountNumber, isOn: Bool)? {
    let account = reader.varint32()
    return flag(from: &reader).map { (account, $0) }
  }

  /// A byte that is 0 or 1; nil where it is neither.
  private static func flag(from reader: inout ByteReader) -> Bool? {
    let byte = reader.byte()
    return byte <= 1 ? byte == 1 : nil
  }

  // MARK: The App Store

  static func encode(
    _ fact: AppStoreFact, at: Instant, into writer: inout ByteWriter, base: Base
  ) {
    switch fact {
    case .ingested(let fact): encode(fact, at: at, into: &writer, base: base)
    case .linked(let fact): encode(fact, at: at, into: &writer, base: base)
    case .unlinked(let fact): encode(fact, into: &writer)
    case .namesReported(let names): encode(names, into: &writer)
    }
  }

  static func appStoreFact(
    _ kind: AppStoreKind, at: Instant, from reader: inout ByteReader, base: Base
  ) -> AppStoreFact? {
    switch kind {
    case .ingested: ingested(at: at, from: &reader, base: base).map { .ingested($0) }
    case .linked: linked(at: at, from: &reader, base: base).map { .linked($0) }
    case .unlinked: unlinked(from: &reader).map { .unlinked($0) }
    case .namesReported: names(from: &reader).map { .namesReported($0) }
    }
  }
}
