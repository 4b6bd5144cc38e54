/// A public key that signs promotional offers, by the id that a signature names.
public struct OfferKey: Hashable, Sendable {
  public var id: String
  /// SubjectPublicKeyInfo in DER; nothing here looks into it.
  public var publicKey: [UInt8]

  public init(id: String, publicKey: [UInt8]) {
    self.id = id
    self.publicKey = publicKey
  }
}

/// Whether a promotional offer must come with a signature (Domain.md 1.7 and 6.1).
public enum OfferSignaturePolicy: UInt8, Sendable, CaseIterable {
  /// A tester may redeem it by its name alone; a signature that is there must be right.
  case optional = 0
  case required = 1
}

extension State {
  /// The public key of that id, of whichever source.
  public func offerKey(id: String) -> [UInt8]? {
    for source in facts.offerKeys {
      if let key = source.keys.first(where: { $0.id == id }) { return key.publicKey }
    }
    return nil
  }

  /// The event that a source's keys are from now on; nil where they are so already.
  func decideOfferKeys(_ keys: [OfferKey], source: String) -> Fact? {
    let known = facts.offerKeys.first { $0.source == source }?.keys ?? []
    return known == keys ? nil : .catalogue(.offerKeysImported(source: source, keys: keys))
  }

  func applyOfferKeys(_ keys: [OfferKey], source: String) {
    if let known = facts.offerKeys.firstIndex(where: { $0.source == source }) {
      facts.offerKeys[known].keys = keys
    } else {
      facts.offerKeys.append((source, keys))
    }
  }
}

extension EventFormat {
  static func encode(_ keys: [OfferKey], into writer: inout ByteWriter) {
    writer.varint(UInt64(keys.count))
    for key in keys {
      writer.text(key.id)
      writer.data(key.publicKey)
    }
  }

  static func offerKeys(from reader: inout ByteReader) -> [OfferKey] {
    (0..<reader.count()).map { _ in
      let id = reader.text()
      return OfferKey(id: id, publicKey: reader.data())
    }
  }
}
