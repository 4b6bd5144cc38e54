/// Why signed data is not believed. Each has a reason of its own, finer than Apple's libraries give
/// (Domain.md 4.3).
public enum VerificationFailure: Error, Equatable, Sendable {
  /// The text is longer than any that is signed here.
  case tooLong(bytes: Int, bytesMax: Int)
  /// Not three parts of base64url, or not JSON inside.
  case malformed(Fault)
  /// It is a signed text of another kind than is taken in this place; `in` names the field of
  /// another text in which it stood.
  case wrongKind(SignedKind, wanted: [SignedKind], in: String?)
  /// The header names no certificates.
  case missingX5C
  /// The header names another way of signing than ES256; nil where it names none.
  case unsupportedAlgorithm(String?)
  /// The header has another number of certificates than three.
  case wrongChainLength(Int)
  /// A certificate cannot be read.
  case badCertificate(ChainMember)
  /// No path leads from the leaf to a root that is trusted here.
  case untrustedChain(detail: String)
  /// A certificate was not yet or no longer valid at that moment, milliseconds since 1970 UTC.
  case expired(ChainMember, at: Int64)
  /// A certificate lacks the extension that says what it is for.
  case missingOID(ChainMember)
  /// The issuer of the leaf may not issue certificates.
  case notAuthority(ChainMember)
  /// The leaf's key is not one of P-256.
  case unsupportedKey
  /// The leaf's key did not sign this text.
  case badSignature
  /// The payload is of another app; nil where it names none.
  case wrongBundle(String?)
  /// The payload has another App Store id; nil where it has none.
  case wrongAppID(Int64?)
  /// The payload is of another environment; nil where it names none.
  case wrongEnvironment(String?)
  /// The check could not be made: nothing is known about the data.
  case unavailable(String)

  /// What a text lacks to be a compact JWS, or a payload to be the model that is asked for.
  public enum Fault: Equatable, Sendable {
    case notThreeParts(Int)
    /// The part has a byte outside the alphabet of base64url, or too few.
    case wrongAlphabet(Part)
    case notJSON(Part)
    /// A field has a value of another type than it should have.
    case wrongField(String)
    /// The payload has none of the fields by which a kind is known.
    case noKnownKind(wanted: [SignedKind])
    /// An app's receipt, which was there before signed texts and is none.
    case receipt
    /// JSON around a signed text, and not the text.
    case json
    /// A field's time makes no sense, and why.
    case wrongTime(String, String)
    /// A field without which the payload says nothing is not there.
    case missingField(String)
    /// The signature is not 64 bytes long.
    case wrongSignatureLength(Int)
    /// The header demands an extension (RFC 7515, 4.1.11); none is known here.
    case criticalHeader
  }

  /// A part of a compact JWS.
  public enum Part: String, Sendable, CaseIterable {
    case header, payload, signature
  }

  /// A certificate of the chain, by what it is for.
  public enum ChainMember: String, Sendable, CaseIterable {
    case leaf, intermediate, root
  }
}

extension VerificationFailure {
  /// A name for programs; it does not change.
  public var code: String {
    switch self {
    case .tooLong: "tooLong"
    case .malformed: "malformed"
    case .wrongKind: "wrongKind"
    case .missingX5C: "missingX5C"
    case .unsupportedAlgorithm: "unsupportedAlgorithm"
    case .wrongChainLength: "wrongChainLength"
    case .badCertificate: "badCertificate"
    case .untrustedChain: "untrustedChain"
    case .expired: "expiredAt"
    case .missingOID: "missingOID"
    case .notAuthority: "notAuthority"
    case .unsupportedKey: "unsupportedKey"
    case .badSignature: "badSignature"
    case .wrongBundle: "wrongBundle"
    case .wrongAppID: "wrongAppId"
    case .wrongEnvironment: "wrongEnvironment"
    case .unavailable: "unavailable"
    }
  }
}

extension VerificationFailure: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let most):
      "the text is \(bytes) bytes long; at most \(most) are read"
    case .malformed(let fault): fault.description
    case .wrongKind(let found, let wanted, let field):
      "\(field ?? "this") is \(found.rawValue); wanted \(SignedKind.list(wanted))"
    case .missingX5C: "the header has no certificates (x5c)"
    case .unsupportedAlgorithm(let name):
      "the header says alg \(name ?? "of no kind"); only ES256 is accepted"
    case .wrongChainLength(let count):
      "the chain has \(count) certificate\(count == 1 ? "" : "s"); it must have 3"
    case .badCertificate(let member): "the \(member.rawValue) certificate cannot be read"
    case .untrustedChain(let detail):
      "the certificates lead to no root that is trusted here (\(detail))"
    case .expired(let member, _):
      "the \(member.rawValue) certificate was not valid when this was signed"
    case .missingOID(let member):
      "the \(member.rawValue) certificate lacks the extension that lets it sign for a store"
    case .notAuthority(let member):
      "the \(member.rawValue) certificate may not issue certificates"
    case .unsupportedKey: "the leaf's key is not one of the curve P-256"
    case .badSignature: "the signature does not fit the text and the leaf's key"
    case .wrongBundle(let id): "it is for \(id ?? "no app"), not for this app"
    case .wrongAppID(let id):
      "its App Store id is \(id.map(String.init) ?? "missing"), not this app's"
    case .wrongEnvironment(let name):
      "it is of the environment \(name ?? "of no name"), not of this one"
    case .unavailable(let detail): "it could not be checked: \(detail)"
    }
  }
}

extension VerificationFailure.Fault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noKnownKind(let wanted):
      "the payload has no field by which it is known; wanted \(SignedKind.list(wanted))"
    case .receipt: "this is an app receipt (PKCS #7) and no signed text of the App Store's"
    case .json:
      "this is JSON and no signed text; give the value of its signedPayload, "
        + "signedTransactionInfo or signedRenewalInfo alone"
    case .notThreeParts(let count):
      "this is no signed text: it has \(count) part\(count == 1 ? "" : "s") and not 3"
    case .wrongAlphabet(let part): "the \(part.rawValue) is not base64url"
    case .notJSON(let part): "the \(part.rawValue) is not a JSON object"
    case .wrongField(let name): "the payload's \(name) has a value of a wrong type"
    case .wrongTime(let name, let why): "the payload's \(name) \(why)"
    case .missingField(let name): "the payload's \(name) is missing, and it says nothing without"
    case .wrongSignatureLength(let count): "the signature has \(count) bytes and not 64"
    case .criticalHeader: "the header demands extensions (crit); none is known here"
    }
  }
}
