import AppStore
import Crypto
import Testing

/// Keys of promotional offers: what a private one signs, its public one checks.
@Suite("Keys of promotional offers")
struct OfferKeyTests {
  @Test("A signature in either form is valid for its message and key alone")
  func signs() throws {
    let keys = OfferKeys()
    let key = try PrivateKey()
    let publicKey = try #require(keys.publicKey(of: try key.pkcs8))
    #expect(publicKey == (try key.publicKey.spki))
    let message = Array("com.example.app\u{2063}K1".utf8)
    let signature = try key.signature(message: message)
    #expect(keys.isValid(signature.der, .der, of: message, by: publicKey))
    #expect(keys.isValid(signature.raw, .raw, of: message, by: publicKey))
    #expect(!keys.isValid(signature.raw, .der, of: message, by: publicKey))
    #expect(!keys.isValid(signature.der, .raw, of: message, by: publicKey))
    #expect(!keys.isValid(signature.der, .der, of: message + [0], by: publicKey))
    let other = try PrivateKey().publicKey.spki
    #expect(!keys.isValid(signature.der, .der, of: message, by: other))
    for index in signature.der.indices {
      var changed = signature.der
      changed[index] ^= 1
      #expect(!keys.isValid(changed, .der, of: message, by: publicKey))
    }
  }

  @Test("Bytes that are no key make none, and check nothing")
  func noKey() {
    let keys = OfferKeys()
    for bytes in [[], [0], [0x30, 0], Array("MIGHAgEAMBMG".utf8)] as [[UInt8]] {
      #expect(keys.publicKey(of: bytes) == nil)
      #expect(!keys.isValid([UInt8](repeating: 1, count: 64), .raw, of: [1], by: bytes))
    }
  }
}
