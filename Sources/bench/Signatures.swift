import AppStore
import Crypto
import Glibc

/// Signing and verifying a transaction on one core, beside what `openssl speed` says of the curve.
enum Signatures {
  /// A transaction as long as a store's.
  private static let payload = Array(
    """
    {"transactionId":"2000000000000001","originalTransactionId":"2000000000000001",\
    "webOrderLineItemId":"2000900000000001","bundleId":"com.example.app",\
    "productId":"pro.monthly","subscriptionGroupIdentifier":"21339384",\
    "purchaseDate":1738317600000,"originalPurchaseDate":1738317600000,\
    "expiresDate":1740736800000,"quantity":1,"type":"Auto-Renewable Subscription",\
    "inAppOwnershipType":"PURCHASED","signedDate":1738317600000,"environment":"Sandbox",\
    "storefront":"USA","storefrontId":"143441","transactionReason":"PURCHASE","price":9990,\
    "currency":"USD","appTransactionId":"704000000000000001"}
    """.utf8)

  private static let signedAt: Int64 = 1_738_317_600_000

  static func measure(seconds: Double) throws(BenchError) {
    let signer: JWSSigner
    let verifier: JWSVerifier
    do throws(CryptoError) {
      let authority = try LocalAuthority()
      signer = try JWSSigner(authority)
      verifier = try JWSVerifier(roots: [authority.root.certificate.der])
    } catch {
      throw BenchError("no keys can be made: \(error)")
    }
    let text = signer.sign(payload)
    let signed = try rate(seconds) { () throws(BenchError) in _ = signer.sign(payload) }
    let verified = try rate(seconds) { () throws(BenchError) in
      do throws(VerificationFailure) {
        try verifier.verify(CompactJWS(text), at: signedAt)
      } catch {
        throw BenchError("what was signed is not believed: \(error)")
      }
    }
    Report.row("transactions signed", signed, "/s")
    Report.row("transactions verified, the chain kept", verified, "/s")
    guard let peer = try openssl(seconds: seconds) else {
      Report.note("openssl is not installed: no floor for the signatures")
      return
    }
    Report.row("floor: openssl speed ecdsap256, sign", peer.sign, "/s")
    Report.row("floor: openssl speed ecdsap256, verify", peer.verify, "/s")
    Report.row("ratio: signing to the floor", signed / peer.sign, "×")
    Report.row("ratio: verifying to the floor", verified / peer.verify, "×")
  }

  /// How often `body` can be done in a second of computing: the peer counts its own time so, too.
  private static func rate(
    _ seconds: Double, _ body: () throws(BenchError) -> Void
  ) throws(BenchError) -> Double {
    let started = Machine.computed()
    var count = 0
    while true {
      for _ in 0..<Limits.signaturesAtOnce { try body() }
      count += Limits.signaturesAtOnce
      let passed = Machine.computed() - started
      if passed >= seconds { return Double(count) / passed }
    }
  }

  /// What OpenSSL's own program measures, from its output for programs: a line with signatures and
  /// checks a second, or in some versions with the seconds of one. Nil where it is not installed.
  private static func openssl(
    seconds: Double
  ) throws(BenchError) -> (sign: Double, verify: Double)? {
    let folder = try Machine.makeDirectory()
    defer { Machine.remove(folder) }
    let command = "openssl speed -mr -seconds \(max(1, Int(seconds))) ecdsap256 > '\(folder)/out'"
    let process = try Machine.spawn(["sh", "-c", command])
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0 else { return nil }
    for line in try Machine.read("\(folder)/out").split(separator: "\n")
    where line.hasPrefix("+F4:") {
      let fields = line.split(separator: ":").compactMap { Double($0) }
      guard fields.count >= 2, let sign = fields.dropLast().last, let verify = fields.last else {
        break
      }
      return (perSecond(sign), perSecond(verify))
    }
    throw BenchError("openssl speed says nothing of ecdsap256")
  }

  /// None takes as long as a second, so what is below one is a time.
  private static func perSecond(_ figure: Double) -> Double {
    figure < 1 ? 1 / figure : figure
  }
}
