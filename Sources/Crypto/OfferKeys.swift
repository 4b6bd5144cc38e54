import AppStore

/// The keys that sign promotional offers, by OpenSSL.
public struct OfferKeys: OfferKeyring {
  public init() {}

  public func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
    do throws(CryptoError) {
      return try PrivateKey(pkcs8: privateKey).publicKey.spki
    } catch {
      return nil
    }
  }

  public func isValid(
    _ signature: [UInt8], _ form: OfferSignatureForm, of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    let found =
      switch form {
      case .der: Signature(der: signature)
      case .raw: Signature(raw: signature)
      }
    guard let found else { return false }
    do throws(CryptoError) {
      return try PublicKey(spki: publicKey).isValid(found, message: message)
    } catch {
      return false
    }
  }
}
