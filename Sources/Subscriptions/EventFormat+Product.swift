/// The records of what becomes of products, and of sweeps in a snapshot.
extension EventFormat {
  static func encode(_ kind: ProductKind, _ fact: ProductFact, into writer: inout ByteWriter) {
    writer.varint(fact.product)
    if kind == .priceIncreaseAnnounced || kind == .priceIncreaseCompleted {
      writer.zigzag(fact.price)
      writer.byte(fact.needsConsent ? 1 : 0)
    }
    if kind == .massExtensionStarted || kind == .massExtensionCompleted {
      encode(fact.extension ?? MassExtension(days: 0, reason: 0, identifier: ""), into: &writer)
    }
    if kind == .priceIncreaseCompleted || kind == .massExtensionCompleted {
      writer.varint(fact.succeeded)
      writer.varint(fact.failed)
    }
  }

  static func productFact(_ kind: ProductKind, from reader: inout ByteReader) -> ProductFact {
    var fact = ProductFact(product: reader.varint32())
    if kind == .priceIncreaseAnnounced || kind == .priceIncreaseCompleted {
      fact.price = reader.zigzag()
      let needsConsent = reader.byte()
      if needsConsent > 1 { reader.fail() }
      fact.needsConsent = needsConsent == 1
    }
    if kind == .massExtensionStarted || kind == .massExtensionCompleted {
      fact.extension = massExtension(from: &reader)
    }
    if kind == .priceIncreaseCompleted || kind == .massExtensionCompleted {
      fact.succeeded = reader.varint()
      fact.failed = reader.varint()
    }
    return fact
  }

  private static func encode(_ asked: MassExtension, into writer: inout ByteWriter) {
    writer.varint(UInt32(bitPattern: asked.days))
    writer.byte(asked.reason)
    writer.text(asked.identifier)
    writer.varint(UInt64(asked.storefronts.count))
    for number in asked.storefronts { writer.varint(UInt64(number)) }
  }

  private static func massExtension(from reader: inout ByteReader) -> MassExtension {
    let days = Int32(bitPattern: reader.varint32())
    let reason = reader.byte()
    var asked = MassExtension(days: days, reason: reason, identifier: reader.text())
    for _ in 0..<reader.count() {
      let number = reader.varint16()
      if Int(number) >= Storefront.all.count { reader.fail() }
      asked.storefronts.append(number)
    }
    return asked
  }
}

extension State {
  func encodeSweeps(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.sweeps.count))
    for sweep in facts.sweeps {
      writer.byte(sweep.kind.rawValue)
      EventFormat.encode(sweep.kind, sweep.fact, into: &writer)
      writer.varint(sweep.fact.succeeded)
      writer.varint(sweep.fact.failed)
      writer.varint(sweep.nextLine)
      writer.varint(sweep.endLine)
      writer.varint(sweep.sequence)
      writer.byte(sweep.caller == nil ? 0 : 1)
      if let caller = sweep.caller {
        writer.varint(caller.uid)
        writer.optionalText(caller.requestID)
        writer.fixed64(caller.fingerprint)
      }
    }
  }

  func readSweeps(from reader: inout ByteReader) {
    for _ in 0..<reader.count() {
      guard let kind = reader.value(ProductKind.self) else { return }
      var fact = EventFormat.productFact(kind, from: &reader)
      fact.succeeded = reader.varint()
      fact.failed = reader.varint()
      var sweep = Sweep(
        kind: kind, fact: fact, nextLine: reader.varint32(), endLine: reader.varint32(),
        caller: nil, sequence: reader.varint())
      if reader.byte() != 0 {
        var caller = Caller(uid: reader.varint32())
        caller.requestID = reader.optionalText()
        caller.fingerprint = reader.fixed64()
        sweep.caller = caller
      }
      facts.sweeps.append(sweep)
    }
  }

  func encodeExtensions(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.massExtensions.count))
    for (identifier, result) in facts.massExtensions.sorted(by: { $0.key < $1.key }) {
      writer.text(identifier)
      writer.varint(result.product)
      writer.varint(result.succeeded)
      writer.varint(result.failed)
      writer.varint(result.sequence)
      writer.zigzag(result.at.milliseconds)
    }
    writer.varint(UInt64(facts.extensions.count))
    for (line, times) in facts.extensions.sorted(by: { $0.key < $1.key }) {
      writer.varint(line)
      writer.varint(UInt64(times.count))
      for time in times { writer.zigzag(time.milliseconds) }
    }
  }

  func readExtensions(from reader: inout ByteReader) {
    for _ in 0..<reader.count() {
      let identifier = reader.text()
      facts.massExtensions[identifier] = MassExtensionResult(
        product: reader.varint32(), succeeded: reader.varint(), failed: reader.varint(),
        sequence: reader.varint(), at: Instant(milliseconds: reader.zigzag()))
    }
    for _ in 0..<reader.count() {
      let line = reader.varint32()
      for _ in 0..<reader.count() {
        facts.extensions[line, default: []].append(Instant(milliseconds: reader.zigzag()))
      }
    }
  }
}
