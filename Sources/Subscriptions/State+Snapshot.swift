extension State {
  /// The version of the fold: of `apply`, and of what a snapshot holds. It goes up with every
  /// change of either, so that a snapshot of an older fold is dropped and the log read again.
  public static let foldVersion: UInt64 = 17

  /// Appends the whole state; `init(snapshot:)` reads it back.
  public func encodeSnapshot(into bytes: inout [UInt8]) {
    var writer = ByteWriter(bytes: [])
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    EventFormat.encodeCreation(facts.role, facts.seed, facts.identity, into: &writer)
    writer.varint(facts.sequence)
    writer.varint(facts.nextTransactionID)
    writer.varint(UInt64(facts.defaultStorefront))
    writer.varint(UInt64(facts.members))
    writer.zigzag(facts.heldMilliseconds)
    writer.byte(facts.rateSwitch.map { $0.rawValue &+ 1 } ?? 0)
    writer.byte(facts.boot == nil ? 0 : 1)
    if let boot = facts.boot {
      EventFormat.encode(boot.id, into: &writer)
      writer.zigzag(boot.realMinusBoot)
      writer.zigzag(facts.effectiveDriftMax)
    }
    encodeCatalogues(into: &writer)
    encodeWinBackOffers(into: &writer)
    encodeClocks(into: &writer)
    encodeTokens(into: &writer)
    encodeAccounts(into: &writer)
    writer.varint(facts.firstLiveLine)
    writer.varint(UInt64(facts.lines.count))
    for line in facts.lines { Self.encode(line, into: &writer) }
    writer.varint(UInt64(facts.stackedOffers.count))
    for (line, stacked) in facts.stackedOffers.sorted(by: { $0.key < $1.key }) {
      writer.varint(line)
      EventFormat.encode(stacked, into: &writer)
    }
    writer.varint(UInt64(facts.offerKeys.count))
    for source in facts.offerKeys {
      writer.text(source.source)
      EventFormat.encode(source.keys, into: &writer)
    }
    writer.varint(UInt64(facts.usedNonces.count))
    for nonce in facts.usedNonces.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      EventFormat.encode(nonce, into: &writer)
    }
    writer.varint(facts.firstLivePurchase)
    writer.varint(UInt64(facts.purchases.count))
    for purchase in facts.purchases {
      writer.varint(purchase.account)
      writer.varint(purchase.nextOfAccount &+ 1)
      Self.encode(purchase.transaction, into: &writer)
    }
    encodeRefundRequests(into: &writer)
    facts.apple.encode(into: &writer)
    facts.families.encode(into: &writer)
    encodeSweeps(into: &writer)
    encodeExtensions(into: &writer)
    facts.switches.encode(into: &writer)
  }

  /// Reads a snapshot's bytes; nil where they make no state.
  public convenience init?(snapshot bytes: UnsafeRawBufferPointer) {
    self.init()
    var reader = ByteReader(bytes)
    guard case .logCreated(let role, let seed, let identity)? = EventFormat.creation(from: &reader)
    else { return nil }
    facts.role = role
    facts.seed = seed
    facts.identity = identity
    facts.sequence = reader.varint()
    facts.nextTransactionID = reader.varint()
    facts.defaultStorefront = reader.varint16()
    facts.members = Int(truncatingIfNeeded: reader.varint())
    facts.heldMilliseconds = reader.zigzag()
    let rate = reader.byte()
    facts.rateSwitch = rate == 0 ? nil : RenewalRate(rawValue: rate &- 1)
    if reader.byte() != 0 {
      let id = EventFormat.uuid(from: &reader)
      facts.boot = (id, reader.zigzag())
      facts.effectiveDriftMax = reader.zigzag()
    }
    readCatalogues(from: &reader)
    readWinBackOffers(from: &reader)
    readClocks(from: &reader)
    readTokens(from: &reader)
    readAccounts(from: &reader)
    facts.firstLiveLine = reader.varint32()
    let lineCount = reader.count()
    facts.lines.reserveCapacity(lineCount)
    for _ in 0..<lineCount { facts.lines.append(Self.line(from: &reader)) }
    for _ in 0..<reader.count() {
      let line = reader.varint32()
      guard let stacked = EventFormat.stackedOffer(from: &reader) else { return nil }
      facts.stackedOffers[line] = stacked
    }
    for _ in 0..<reader.count() {
      let source = reader.text()
      facts.offerKeys.append((source, EventFormat.offerKeys(from: &reader)))
    }
    for _ in 0..<reader.count() { facts.usedNonces.insert(EventFormat.uuid(from: &reader)) }
    facts.firstLivePurchase = reader.varint32()
    for _ in 0..<reader.count() {
      let account = reader.varint32()
      let next = reader.varint32() &- 1
      facts.purchases.append(
        LastingPurchase(
          account: account, nextOfAccount: next,
          transaction: Self.transaction(from: &reader)))
    }
    readRefundRequests(from: &reader)
    guard let apple = AppleRecord(from: &reader) else { return nil }
    facts.apple = apple
    for (purchase, chain) in apple.purchaseChains where Int(purchase) < facts.purchases.count {
      facts.purchases[Int(purchase)].environment = apple.chains[chain].key.environment
    }
    facts.families = Families(from: &reader)
    readSweeps(from: &reader)
    readExtensions(from: &reader)
    facts.switches = StoreSwitches(from: &reader)
    guard !reader.failed, reader.isAtEnd else { return nil }
  }

  // MARK: Catalogues

  private func encodeCatalogues(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.texts.count))
    for text in facts.texts { writer.text(text) }
    writer.varint(UInt64(facts.sources.count))
    for source in facts.sources {
      writer.text(source.name)
      writer.fixed64(source.digest)
    }
    writer.varint(UInt64(facts.groups.count))
    for group in facts.groups {
      writer.text(group.id)
      writer.text(group.name)
    }
    writer.varint(UInt64(facts.products.count))
    for product in facts.products {
      EventFormat.encode(product.entry, into: &writer)
      writer.varint(product.group &+ 1)
      writer.varint(product.source)
      writer.byte((product.isOnSale ? 1 : 0) | (product.isWithdrawn ? 2 : 0))
    }
  }

  private func readCatalogues(from reader: inout ByteReader) {
    for number in 0..<reader.count() {
      let text = reader.text()
      facts.texts.append(text)
      facts.textNumbers[text] = UInt32(number)
    }
    for _ in 0..<reader.count() {
      let name = reader.text()
      facts.sources.append(CatalogueSource(name: name, digest: reader.fixed64()))
    }
    for _ in 0..<reader.count() {
      let id = reader.text()
      facts.groups.append(CatalogueGroup(id: id, name: reader.text()))
    }
    for number in 0..<reader.count() {
      guard let entry = EventFormat.product(from: &reader) else { return }
      let group = reader.varint32() &- 1
      let source = reader.varint32()
      let flags = reader.byte()
      facts.products.append(
        Product(
          entry: entry, group: group, source: source, isOnSale: flags & 1 != 0,
          isWithdrawn: flags & 2 != 0))
      facts.productNumbers[entry.id] = ProductNumber(number)
    }
  }

  // MARK: Clocks

  private func encodeClocks(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.clocks.count))
    for clock in facts.clocks {
      writer.text(clock.name)
      writer.byte(clock.isTest ? 1 : 0)
      writer.zigzag(clock.now.milliseconds)
      writer.zigzag((clock.target ?? .never).milliseconds)
      writer.varint(clock.advanceSequence)
      writer.varint(clock.advanceEvents)
      writer.byte(clock.advanceCaller == nil ? 0 : 1)
      if let caller = clock.advanceCaller {
        writer.varint(caller.uid)
        writer.optionalText(caller.requestID)
        writer.fixed64(caller.fingerprint)
      }
      writer.varint(UInt64(clock.accounts))
      writer.varint(clock.lastSequence)
    }
  }

  private func readClocks(from reader: inout ByteReader) {
    facts.clocks.removeAll()
    for _ in 0..<reader.count() {
      let name = reader.text()
      let isTest = reader.byte() != 0
      var clock = Clock(
        name: name, isTest: isTest, now: Instant(milliseconds: reader.zigzag()))
      clock.target = Instant(milliseconds: reader.zigzag()).ifEver
      clock.advanceSequence = reader.varint()
      clock.advanceEvents = reader.varint()
      if reader.byte() != 0 {
        var caller = Caller(uid: reader.varint32())
        caller.requestID = reader.optionalText()
        caller.fingerprint = reader.fixed64()
        clock.advanceCaller = caller
      }
      clock.accounts = Int(truncatingIfNeeded: reader.varint())
      clock.lastSequence = reader.varint()
      facts.clocks.append(clock)
    }
  }

  // MARK: Accounts

  private func encodeAccounts(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.accounts.forgotten))
    writer.varint(UInt64(facts.accounts.count))
    for number in 0..<facts.accounts.count {
      let account = facts.accounts[AccountNumber(number)]
      facts.accounts.withKey(AccountNumber(number)) { writer.data($0) }
      writer.varint(UInt64(account.clock))
      writer.varint(account.newestLine &+ 1)
      writer.varint(account.newestPurchase &+ 1)
      writer.varint(account.token &+ 1)
      writer.varint(UInt64(account.grants))
      writer.byte(account.billingFails ? 1 : 0)
      writer.varint(account.lastPosition)
      writer.varint(account.lastSequence)
      writer.zigzag(account.lastTime.milliseconds)
    }
  }

  private func readAccounts(from reader: inout ByteReader) {
    let forgotten = reader.varint()
    for number in 0..<reader.count() {
      let key = reader.data()
      guard key.count <= Limits.accountBytesMax else {
        reader.fail()
        return
      }
      if UInt64(number) == forgotten, forgotten > 0 { facts.accounts.forgetKeys() }
      facts.accounts.append(key: key, clock: reader.varint16(), token: noNumber)
      let account = AccountNumber(number)
      facts.accounts[account].newestLine = reader.varint32() &- 1
      facts.accounts[account].newestPurchase = reader.varint32() &- 1
      facts.accounts[account].token = reader.varint32() &- 1
      facts.accounts[account].grants = reader.varint32()
      facts.accounts[account].billingFails = reader.byte() != 0
      facts.accounts[account].lastPosition = reader.varint()
      facts.accounts[account].lastSequence = reader.varint()
      facts.accounts[account].lastTime = Instant(milliseconds: reader.zigzag())
    }
    if forgotten == UInt64(facts.accounts.count), forgotten > 0 { facts.accounts.forgetKeys() }
  }

  // MARK: Rare facts

  private func encodeRefundRequests(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.refundRequests.count))
    for (id, time) in facts.refundRequests.sorted(by: { $0.key < $1.key }) {
      writer.varint(id)
      writer.zigzag(time.milliseconds)
    }
  }

  private func readRefundRequests(from reader: inout ByteReader) {
    for _ in 0..<reader.count() {
      let id = reader.varint()
      facts.refundRequests[id] = Instant(milliseconds: reader.zigzag())
    }
  }

  // MARK: Lines

  private static func encode(_ transaction: Transaction, into writer: inout ByteWriter) {
    writer.varint(transaction.originalID)
    EventFormat.encode(
      transaction, at: transaction.purchaseDate, into: &writer,
      base: EventFormat.Base(time: 0, transactionID: transaction.originalID))
    writer.zigzag(transaction.purchaseDate.milliseconds)
  }

  private static func transaction(from reader: inout ByteReader) -> Transaction {
    let original = reader.varint()
    var found = EventFormat.transaction(
      at: Instant(milliseconds: 0), from: &reader,
      base: EventFormat.Base(time: 0, transactionID: original))
    let purchased = reader.zigzag()
    found.originalID = original
    found.purchaseDate.milliseconds &+= purchased
    found.signedDate.milliseconds &+= purchased
    if found.expiresDate != .never { found.expiresDate.milliseconds &+= purchased }
    found.revocation?.date.milliseconds &+= purchased
    return found
  }

  private static func encode(_ line: Line, into writer: inout ByteWriter) {
    writer.varint(line.account)
    writer.varint(line.group)
    writer.varint(line.nextOfAccount &+ 1)
    writer.byte(
      line.origin.rawValue | (line.hadIntroductoryOffer ? 2 : 0)
        | (line.isGranting ? 4 : 0) | line.environment.rawValue << 3)
    encode(line.course, into: &writer)
    writer.zigzag(line.originalPurchaseDate.milliseconds)
    writer.zigzag(line.lastGraceStart.milliseconds)
    writer.zigzag(line.lastGraceEnd.milliseconds)
    writer.zigzag(line.payableSince.milliseconds)
    encode(line.transaction, into: &writer)
    EventFormat.encode(
      line.renewal, beside: line.transaction, at: line.transaction.purchaseDate, into: &writer)
  }

  private static func line(from reader: inout ByteReader) -> Line {
    let account = reader.varint32()
    let group = reader.varint32()
    let next = reader.varint32() &- 1
    let flags = reader.byte()
    let course = course(Origin(rawValue: flags & 1) ?? .store, from: &reader)
    let original = Instant(milliseconds: reader.zigzag())
    let graceStart = Instant(milliseconds: reader.zigzag())
    let graceEnd = Instant(milliseconds: reader.zigzag())
    let payableSince = Instant(milliseconds: reader.zigzag())
    let transaction = transaction(from: &reader)
    let renewal = EventFormat.renewal(
      beside: transaction, at: transaction.purchaseDate, from: &reader)
    var line = Line(
      account: account, group: group, nextOfAccount: next, transaction: transaction,
      renewal: renewal)
    line.hadIntroductoryOffer = flags & 2 != 0
    line.isGranting = flags & 4 != 0
    line.environment = StoreEnvironment(rawValue: flags >> 3) ?? .sandbox
    line.course = course
    line.originalPurchaseDate = original
    line.lastGraceStart = graceStart
    line.lastGraceEnd = graceEnd
    line.payableSince = payableSince
    return line
  }

  /// Four numbers: of the store's own the offer's periods, below zero where it begins anew; twice
  /// the renewals, and 1 for a failed charge; the calendar. Of the App Store's none, what was told,
  /// and until when and for how long.
  private static func encode(_ course: Course, into writer: inout ByteWriter) {
    switch course {
    case .store(let sold):
      writer.zigzag(Int64(sold.isOfferAnew ? 0 &- sold.offerPeriods : sold.offerPeriods))
      writer.varint(UInt32(bitPattern: sold.renewals) << 1 | (sold.hasFailedCharge ? 1 : 0))
      writer.zigzag(sold.anchor.milliseconds)
      writer.zigzag(Int64(sold.anchorLength))
    case .apple(let told):
      writer.zigzag(0)
      writer.varint(
        UInt32(told.status?.rawValue ?? 0) << 2 | (told.isGraceAssumed ? 2 : 0)
          | (told.isRenewalTold ? 1 : 0))
      writer.zigzag(told.until.milliseconds)
      writer.zigzag(Int64(told.leewaySeconds))
    }
  }

  private static func course(_ origin: Origin, from reader: inout ByteReader) -> Course {
    let periods = Int32(truncatingIfNeeded: reader.zigzag())
    let bits = reader.varint32()
    let time = Instant(milliseconds: reader.zigzag())
    let length = Int32(truncatingIfNeeded: reader.zigzag())
    switch origin {
    case .store:
      var sold = SoldCourse()
      sold.isOfferAnew = periods < 0
      sold.offerPeriods = periods < 0 ? 0 &- periods : periods
      sold.renewals = Int32(bits >> 1)
      sold.hasFailedCharge = bits & 1 != 0
      sold.anchor = time
      sold.anchorLength = length
      return .store(sold)
    case .apple:
      return .apple(
        ToldCourse(
          until: time, leewaySeconds: length,
          status: Status(rawValue: UInt8(truncatingIfNeeded: bits >> 2)),
          isRenewalTold: bits & 1 != 0, isGraceAssumed: bits & 2 != 0))
    }
  }
}
