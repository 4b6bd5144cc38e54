/// The part of a snapshot that holds signed facts. What can be found again by going through the
/// chains is not in it.
extension AppleRecord {
  func encode(into writer: inout ByteWriter) {
    writer.varint(factCount)
    writer.varint(unknownNotificationCount)
    writer.varint(UInt64(storefronts.count))
    for storefront in storefronts {
      writer.text(storefront.country)
      writer.text(storefront.currency)
    }
    writer.varint(UInt64(firstLive))
    writer.varint(UInt64(chains.count))
    for chain in chains { encode(chain, into: &writer) }
    writer.varint(UInt64(known.count))
    for (identity, sequence) in known.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      EventFormat.encode(identity, into: &writer)
      writer.varint(sequence)
    }
    writer.varint(UInt64(tokenAccounts.count))
    for (token, account) in tokenAccounts.sorted(by: { Self.isBefore($0.key, $1.key) }) {
      EventFormat.encode(token, into: &writer)
      writer.varint(account)
    }
  }

  init?(from reader: inout ByteReader) {
    factCount = reader.varint()
    unknownNotificationCount = reader.varint()
    for _ in 0..<reader.count() {
      let country = reader.text()
      storefronts.append(.init(country: country, currency: reader.text()))
    }
    firstLive = Int(truncatingIfNeeded: reader.varint())
    for number in 0..<reader.count() {
      guard let chain = Self.chain(from: &reader) else { return nil }
      chains.append(chain)
      guard number >= firstLive else { continue }
      numbers[chain.key] = number
      if chain.line != noNumber { lineChains[chain.line] = number }
      if chain.purchase != noNumber { purchaseChains[chain.purchase] = number }
    }
    guard firstLive <= chains.count else { return nil }
    for _ in 0..<reader.count() {
      let identity = EventFormat.uuid(from: &reader)
      known[identity] = reader.varint()
    }
    for _ in 0..<reader.count() {
      let token = EventFormat.uuid(from: &reader)
      tokenAccounts[token] = reader.varint32()
    }
  }

  private static func isBefore(_ left: UUIDBits, _ right: UUIDBits) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// What times and ids in a snapshot are counted from.
  private static let base = EventFormat.Base(time: 0, transactionID: 0)
  private static let epoch = Instant(milliseconds: 0)

  private func encode(_ chain: AppleChain, into writer: inout ByteWriter) {
    EventFormat.encode(chain.key, into: &writer)
    writer.varint(UInt64(chain.account &+ 1))
    writer.varint(UInt64(chain.line &+ 1))
    writer.varint(UInt64(chain.purchase &+ 1))
    writer.varint(UInt64(chain.group &+ 1))
    writer.zigzag(chain.newestSignedDate.milliseconds)
    writer.varint(UInt64(chain.versions.count))
    for version in chain.versions {
      EventFormat.encode(version, at: Self.epoch, into: &writer, base: Self.base)
      writer.varint(version.sequence)
      EventFormat.encode(version.fields, into: &writer)
    }
    writer.byte(chain.renewal == nil ? 0 : 1)
    if let renewal = chain.renewal {
      EventFormat.encode(renewal, at: Self.epoch, into: &writer)
      writer.varint(renewal.sequence)
      EventFormat.encode(renewal.fields, into: &writer)
    }
    EventFormat.encode(chain.standing, at: Self.epoch, into: &writer)
  }

  private static func chain(from reader: inout ByteReader) -> AppleChain? {
    guard let key = EventFormat.key(from: &reader) else { return nil }
    var chain = AppleChain(key: key, account: reader.varint32() &- 1)
    chain.line = reader.varint32() &- 1
    chain.purchase = reader.varint32() &- 1
    chain.group = reader.varint32() &- 1
    let newest = Instant(milliseconds: reader.zigzag())
    for _ in 0..<reader.count() {
      var version = EventFormat.transactionVersion(
        at: epoch, originalID: key.originalID, from: &reader, base: base)
      version.sequence = reader.varint()
      version.fields = EventFormat.fields(from: &reader)
      chain.take(version)
    }
    if reader.byte() != 0 {
      var version = EventFormat.renewalVersion(at: epoch, from: &reader)
      version.sequence = reader.varint()
      version.fields = EventFormat.fields(from: &reader)
      chain.take(version)
    }
    chain.take(EventFormat.standing(at: epoch, from: &reader))
    chain.noteSigned(newest)
    return chain
  }
}
