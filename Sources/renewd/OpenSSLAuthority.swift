import Crypto
import Platform

/// The daemon's keys and signatures, by OpenSSL.
struct OpenSSLAuthority: SigningAuthority {
  func makeFile() throws(SigningError) -> [UInt8] {
    do throws(CryptoError) {
      return try LocalAuthority().file
    } catch {
      throw SigningError("cannot be made: \(error)")
    }
  }

  func signing(file: [UInt8], trusting roots: [[UInt8]]?) throws(SigningError) -> StoreSigning {
    do throws(CryptoError) {
      let authority = try LocalAuthority(file: file)
      let trusted = roots ?? [authority.root.certificate.der]
      return StoreSigning(
        signer: try JWSSigner(authority), verifier: try JWSVerifier(roots: trusted),
        rootCertificates: trusted, offerKeyring: OfferKeys(), digests: SHA256Digester())
    } catch {
      throw SigningError("cannot be used: \(error)")
    }
  }

  func certificates(file: [UInt8]) throws(SigningError) -> [[UInt8]] {
    do throws(CryptoError) {
      return try Certificate.certificates(file: file).map(\.der)
    } catch {
      throw SigningError("holds no certificate that can be read: \(error)")
    }
  }
}
