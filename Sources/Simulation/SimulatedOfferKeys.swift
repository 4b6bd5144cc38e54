import AppStore

/// Pretended keys and signatures of promotional offers: a private key is any bytes but none, its
/// public one those bytes again, and a signature depends on key, form and message.
public struct SimulatedOfferKeys: OfferKeyring {
  public init() {}

  public func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
    privateKey.isEmpty ? nil : privateKey
  }

  public func isValid(
    _ signature: [UInt8], _ form: OfferSignatureForm, of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    signature == Self.sign(message, form, by: publicKey)
  }

  /// What the owner of a key signs a message with.
  public static func sign(
    _ message: [UInt8], _ form: OfferSignatureForm, by key: [UInt8]
  ) -> [UInt8] {
    var hash = RunningHash()
    hash.add(form == .der ? 1 : 2)
    key.withUnsafeBytes { hash.add($0) }
    message.withUnsafeBytes { hash.add($0) }
    return withUnsafeBytes(of: hash.value.littleEndian) { Array($0) }
  }
}
