import AppStore
import Crypto
import TestSizes
import Testing

@Suite("Signed texts")
struct TextTests {
  let authority: LocalAuthority
  let verifier: JWSVerifier
  let text: [UInt8]

  init() throws {
    authority = try LocalAuthority()
    verifier = try JWSVerifier(roots: [authority.root.certificate.der])
    text = try JWSSigner(authority).sign(Array(#"{"a":1}"#.utf8))
  }

  @Test("a signed text gives back its payload and is believed")
  func roundTrip() throws {
    #expect(failure(text, verifier) == nil)
    let signed = try CompactJWS(text + [0x0a])
    #expect(signed.payload == Array(#"{"a":1}"#.utf8))
    #expect(signed.text == text)
  }

  @Test(
    "what is no compact JWS is refused with a reason of its own",
    arguments: [
      ("", .malformed(.notThreeParts(1))),
      ("hello", .malformed(.notThreeParts(1))),
      ("a.b", .malformed(.notThreeParts(2))),
      ("a.b.c.d", .malformed(.notThreeParts(4))),
      ("e30.e3+.AAAA", .malformed(.wrongAlphabet(.payload))),
      ("e30.e30.AA/A", .malformed(.wrongAlphabet(.signature))),
      ("e30.e30.AAAA=", .malformed(.wrongAlphabet(.signature))),
      ("e30.e30.A", .malformed(.wrongAlphabet(.signature))),
      ("e30.e30.AAB", .malformed(.wrongAlphabet(.signature))),
      ("e3 0.e30.AAAA", .malformed(.wrongAlphabet(.header))),
      ("ew.e30.AAAA", .malformed(.notJSON(.header))),
      ("W10.e30.AAAA", .malformed(.notJSON(.header))),
      ("e30.e30.AAAA", .missingX5C),
    ] as [(String, VerificationFailure)])
  func malformed(text: String, expected: VerificationFailure) {
    #expect(failure(Array(text.utf8), verifier) == expected)
  }

  @Test("a payload of 1 MiB is too long, and says how long it may be")
  func tooLong() throws {
    let huge = try JWSSigner(authority).sign([UInt8](repeating: 0x20, count: 1 << 20))
    #expect(failure(huge, verifier) == .tooLong(bytes: huge.count, bytesMax: 48 * 1024))
  }

  @Test("alg none and HS256 are refused whatever else is right", arguments: ["none", "HS256"])
  func algorithms(name: String) throws {
    let header = #"{"alg":"\#(name)","x5c":["AA==","AA==","AA=="]}"#
    var forged: [UInt8] = []
    Base64.url.append(Array(header.utf8), to: &forged)
    forged += Array(".e30.".utf8)
    #expect(failure(forged, verifier) == .unsupportedAlgorithm(name))
  }

  @Test("a header without alg, or one that demands an extension, is refused")
  func headers() throws {
    func forged(_ header: String) -> [UInt8] {
      var text: [UInt8] = []
      Base64.url.append(Array(header.utf8), to: &text)
      return text + Array(".e30.".utf8)
    }
    #expect(failure(forged(#"{"x5c":[]}"#), verifier) == .unsupportedAlgorithm(nil))
    #expect(
      failure(forged(#"{"alg":"ES256","crit":["b64"],"x5c":[]}"#), verifier)
        == .malformed(.criticalHeader))
    #expect(
      failure(forged(#"{"alg":"ES256","x5c":["*","AA==","AA=="]}"#), verifier)
        == .badCertificate(.leaf))
  }

  @Test("no byte of a signed text can be another without its being noticed")
  func flips() throws {
    for index in stride(from: 0, to: text.count, by: TestSize.times(1, quick: 16)) {
      var changed = text
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(failure(changed, verifier) != nil, "byte \(index)")
    }
  }

  @Test("another payload under the same signature is noticed; so is a signature cut short")
  func tampered() throws {
    let other = try JWSSigner(authority).sign(Array(#"{"a":2}"#.utf8))
    let mixed = try Array(CompactJWS(other).signedText) + text[CompactJWS(text).signedText.count...]
    #expect(failure(mixed, verifier) == .badSignature)
    let signed = try CompactJWS(text)
    var cut = Array(signed.signedText) + [UInt8(ascii: ".")]
    Base64.url.append(Array(signed.signature.prefix(61)), to: &cut)
    #expect(failure(cut, verifier) == .malformed(.wrongSignatureLength(61)))
  }
}
