import AppStore
import Crypto
import Foundation
import Subscriptions

/// Our verifier for a test in another language: one question a line, one verdict a line.
///
/// `signed-data verify strict|lenient ROOT…` reads lines of kind, environment, bundle id, app id
/// (or `-`) and text, with spaces between; kinds are transaction, renewal, notification and app.
/// It answers `ok`, or the code of the failure. `signed-data leak` works with everything that
/// libcrypto makes and prints how many bytes the process grew.
enum SignedData {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do {
      switch words.first {
      case "verify": try verify(Array(words.dropFirst()))
      case "leak": try leak()
      default: fail("say verify or leak")
      }
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("signed-data: \(text)\n".utf8))
    exit(2)
  }

  // MARK: Verify

  private static func verify(_ words: [String]) throws {
    guard let strictness = words.first else { fail("say strict or lenient") }
    let roots = try words.dropFirst().map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    let verifier = try JWSVerifier(roots: roots, isStrict: strictness == "strict")
    while let line = readLine() {
      let parts = line.split(
        separator: " ", maxSplits: 4, omittingEmptySubsequences: false
      ).map(String.init)
      guard parts.count == 5 else { fail("not five words: \(line.prefix(80))") }
      let payloads = PayloadVerifier(
        trust: ["Xcode", "LocalTesting"].contains(parts[1]) ? .unsigned : .roots(verifier),
        bundleID: parts[2], appAppleID: Int64(parts[3]), environment: Open(raw: parts[1]))
      print(verdict(parts[4], kind: parts[0], payloads))
    }
  }

  private static func verdict(_ text: String, kind: String, _ payloads: PayloadVerifier) -> String {
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    do throws(VerificationFailure) {
      let signed = try CompactJWS(text)
      switch kind {
      case "transaction": _ = try payloads.transaction(signed, now: now)
      case "renewal": _ = try payloads.renewalInfo(signed, now: now)
      case "notification": _ = try payloads.notification(signed, now: now)
      case "app": _ = try payloads.appTransaction(signed, now: now)
      default: fail("no kind \(kind)")
      }
      return "ok"
    } catch {
      return error.code
    }
  }

  // MARK: Leak

  /// Enough rounds that a lost certificate, key or context each would show as megabytes.
  private static let rounds = 400

  private static func leak() throws {
    for _ in 0..<rounds / 4 { try work() }
    let before = try residentBytes()
    for _ in 0..<rounds { try work() }
    print(try residentBytes() - before)
  }

  private static func work() throws {
    let authority = try LocalAuthority(file: LocalAuthority().file)
    let text = try JWSSigner(authority).sign(Array(#"{"a":1}"#.utf8))
    let verifier = try JWSVerifier(roots: [authority.root.certificate.der])
    try verifier.verify(CompactJWS(text), at: 1_700_000_000_000)
    // Refusals, too, give back what they took.
    let stranger = try JWSVerifier(roots: [])
    _ = try? stranger.verify(CompactJWS(text), at: 1_700_000_000_000)
    _ = try? verifier.verify(CompactJWS(text), at: 0)
    _ = try? PrivateKey(pkcs8: [1, 2, 3])
    _ = try? PublicKey(spki: [1, 2, 3])
    _ = try? Certificate(der: [1, 2, 3])
    _ = authority.root.certificate.subject
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return Int(text.split(separator: " ")[1])! * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
