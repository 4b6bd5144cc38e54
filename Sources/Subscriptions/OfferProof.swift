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

/// What the store remembers in order to believe signed offers, or not twice (domain.md 1.7).
public enum OfferProof: Hashable, Sendable {
  /// A catalogue's source brought these keys, in place of those it had before.
  case keysImported(source: String, keys: [OfferKey])
  /// A signature's nonce is used up, whatever became of the purchase; `noNumber` where the
  /// account is none.
  case nonceUsed(account: AccountNumber, nonce: UUIDBits)

  var kind: EventKind {
    switch self {
    case .keysImported: .offerKeysImported
    case .nonceUsed: .offerNonceUsed
    }
  }

  var account: AccountNumber {
    switch self {
    case .keysImported: noNumber
    case .nonceUsed(let account, _): account
    }
  }
}

/// Whether a promotional offer must come with a signature (domain.md 1.7 and 6.1).
public enum OfferSignaturePolicy: UInt8, Sendable, CaseIterable {
  /// A tester may redeem it by its name alone; a signature that is there must be right.
  case optional = 0
  case required = 1
}

extension State {
  /// The public key of that id, of whichever source.
  public func offerKey(id: String) -> [UInt8]? {
    for source in offerKeys {
      if let key = source.keys.first(where: { $0.id == id }) { return key.publicKey }
    }
    return nil
  }

  /// The event that a source's keys are from now on; nil where they are so already.
  public func decideOfferKeys(_ keys: [OfferKey], source: String) -> Fact? {
    let known = offerKeys.first { $0.source == source }?.keys ?? []
    return known == keys ? nil : .offerProof(.keysImported(source: source, keys: keys))
  }

  func apply(_ proof: OfferProof) {
    switch proof {
    case .keysImported(let source, let keys):
      if let known = offerKeys.firstIndex(where: { $0.source == source }) {
        offerKeys[known].keys = keys
      } else {
        offerKeys.append((source, keys))
      }
    case .nonceUsed(_, let nonce):
      usedNonces.insert(nonce)
    }
  }
}

extension EventFormat {
  static func encode(_ proof: OfferProof, into writer: inout ByteWriter) {
    switch proof {
    case .keysImported(let source, let keys):
      writer.text(source)
      encode(keys, into: &writer)
    case .nonceUsed(let account, let nonce):
      writer.varint(account &+ 1)
      encode(nonce, into: &writer)
    }
  }

  static func encode(_ keys: [OfferKey], into writer: inout ByteWriter) {
    writer.varint(UInt64(keys.count))
    for key in keys {
      writer.text(key.id)
      writer.data(key.publicKey)
    }
  }

  static func offerProof(_ kind: EventKind, from reader: inout ByteReader) -> OfferProof {
    guard kind == .offerNonceUsed else {
      let source = reader.text()
      return .keysImported(source: source, keys: offerKeys(from: &reader))
    }
    let account = reader.varint32() &- 1
    return .nonceUsed(account: account, nonce: uuid(from: &reader))
  }

  static func offerKeys(from reader: inout ByteReader) -> [OfferKey] {
    (0..<reader.count()).map { _ in
      let id = reader.text()
      return OfferKey(id: id, publicKey: reader.data())
    }
  }
}
