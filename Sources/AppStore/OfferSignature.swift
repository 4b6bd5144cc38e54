import JSON
import Subscriptions

/// What a purchase brings to prove that its promotional offer was given by the app's server
/// (Domain.md 1.7): four fields of version 1, or one signed text of version 2.
public struct OfferSignature: Equatable, Sendable {
  public var keyID: String?
  public var nonce: String?
  /// Base64 of a signature in DER.
  public var signature: String?
  /// Milliseconds since 1970 UTC.
  public var timestamp: Int64?
  public var compactJWS: String?

  public init(
    keyID: String? = nil, nonce: String? = nil, signature: String? = nil, timestamp: Int64? = nil,
    compactJWS: String? = nil
  ) {
    self.keyID = keyID
    self.nonce = nonce
    self.signature = signature
    self.timestamp = timestamp
    self.compactJWS = compactJWS
  }

  public var isEmpty: Bool { self == OfferSignature() }
}

/// What a signature must be about.
public struct OfferSubject: Equatable, Sendable {
  public var bundleID: String
  public var productID: String
  public var offerID: String
  /// The account's token as the purchase gives it, lower case; empty for none.
  public var token: String

  public init(bundleID: String, productID: String, offerID: String, token: String) {
    self.bundleID = bundleID
    self.productID = productID
    self.offerID = offerID
    self.token = token
  }
}

/// Why a signature is not believed.
public enum OfferSignatureFault: Error, Equatable, Sendable {
  case missing([String])
  case nonceMalformed
  case nonceUpperCase
  case unknownKey(String)
  /// Signed longer ago than, or further ahead than, a day.
  case stale(timestamp: Int64)
  /// A time that makes no sense, by its field's name, and why.
  case timeOutOfBounds(String, String)
  case wrongSignature
  case nonceUsed
  case malformed(String)
  /// A claim of a signed text is not what the purchase is about.
  case wrongClaim(name: String, expected: String)

  /// Why, as a refusal says it.
  public var reason: String {
    switch self {
    case .missing(let names):
      "missing parameters: a signed offer needs keyId, nonce, signature and timestamp, or"
        + " compactJws; missing: \(names.joined(separator: ", "))"
    case .nonceMalformed: "invalid signature: the nonce is no UUID"
    case .nonceUpperCase: "invalid signature: the nonce is not in lower case"
    case .unknownKey(let id):
      "invalid signature: no catalogue has a key \(id) (subscriptionOffersKeyPair)"
    case .stale: "invalid signature: the timestamp is more than 24 hours away"
    case .timeOutOfBounds(let name, let why): "invalid signature: the \(name) \(why)"
    case .nonceUsed: "invalid signature: the nonce was used before"
    case .wrongSignature: "invalid signature: it does not fit the offer and the key"
    case .malformed(let what): "invalid signature: \(what)"
    case .wrongClaim(let name, let expected):
      "invalid signature: the claim \(name) is not \(expected)"
    }
  }
}

/// A signature that has been taken apart and is about the right thing. Whether it is genuine is
/// for `verify` to say.
public struct OfferClaim: Equatable, Sendable {
  public var keyID: String
  public var nonce: UUIDBits
  /// Milliseconds since 1970 UTC.
  public var timestamp: Int64
  /// A transaction that the text says is the customer's.
  public var transactionID: String?
  private var signature: [UInt8]
  private var form: OfferSignatureForm
  private var message: [UInt8]

  /// Takes a signature apart.
  public init(
    _ signature: OfferSignature, of subject: OfferSubject
  ) throws(OfferSignatureFault) {
    if let text = signature.compactJWS {
      try self.init(compactJWS: text, of: subject)
    } else {
      try self.init(fields: signature, of: subject)
    }
  }

  private init(
    fields signature: OfferSignature, of subject: OfferSubject
  ) throws(OfferSignatureFault) {
    guard let keyID = signature.keyID, let nonce = signature.nonce,
      let encoded = signature.signature, let timestamp = signature.timestamp
    else {
      let fields = [
        ("keyId", signature.keyID == nil), ("nonce", signature.nonce == nil),
        ("signature", signature.signature == nil), ("timestamp", signature.timestamp == nil),
      ]
      throw .missing(fields.filter(\.1).map(\.0))
    }
    guard let bytes = Base64.standard.decode(Array(encoded.utf8)[...]) else {
      throw .malformed("it is not Base64")
    }
    if let fault = Instant(milliseconds: timestamp).boundsFault {
      throw .timeOutOfBounds("timestamp", fault)
    }
    self.keyID = keyID
    self.nonce = try Self.nonce(nonce)
    self.timestamp = timestamp
    self.signature = bytes
    form = .der
    // U+2063 is an invisible separator, so that no field can hold it by accident.
    message = Array(
      [
        subject.bundleID, keyID, subject.productID, subject.offerID, subject.token, nonce,
        String(timestamp),
      ].joined(separator: "\u{2063}").utf8)
  }

  private init(compactJWS text: String, of subject: OfferSubject) throws(OfferSignatureFault) {
    let jws: CompactJWS
    do throws(VerificationFailure) {
      jws = try CompactJWS(text)
    } catch {
      throw .malformed("compactJws is no compact JWS")
    }
    guard let header = Self.object(Base64.url.decode(jws.headerText)),
      let claims = Self.object(jws.payload)
    else { throw .malformed("compactJws does not hold JSON") }
    if let kind = SignedKind(payload: claims), kind != .serverToken {
      throw .malformed("compactJws is \(kind.rawValue); wanted a promotional offer's")
    }
    guard header["alg"]?.stringValue == "ES256" else {
      throw .malformed("compactJws is not signed by ES256")
    }
    guard let keyID = header["kid"]?.stringValue else { throw .missing(["kid"]) }
    for (name, expected) in [
      ("aud", "promotional-offer"), ("bid", subject.bundleID), ("productId", subject.productID),
      ("offerIdentifier", subject.offerID),
    ] {
      guard let found = claims[name] else { throw .missing([name]) }
      guard found.stringValue == expected else {
        throw .wrongClaim(name: name, expected: expected)
      }
    }
    guard let nonce = claims["nonce"]?.stringValue else { throw .missing(["nonce"]) }
    guard let seconds = claims["iat"]?.int64Value else { throw .missing(["iat"]) }
    guard claims["iss"]?.stringValue != nil else { throw .missing(["iss"]) }
    self.keyID = keyID
    self.nonce = try Self.nonce(nonce)
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow, Instant(milliseconds: milliseconds).isWithinBounds else {
      throw .timeOutOfBounds(
        "iat", "\(seconds) is no time; it is seconds since 1970 UTC, of the years 2000 to 2100")
    }
    timestamp = milliseconds
    transactionID = claims["transactionId"]?.stringValue
    signature = jws.signature
    form = .raw
    message = Array(jws.signedText)
  }

  /// Checks the signature by a key, and its age: a day at most, by one of the clocks that the
  /// signer may have read. Behind or ahead, since those clocks may differ from the store's.
  public func verify(
    by publicKey: [UInt8]?, at times: [Int64], _ keyring: any OfferKeyring
  ) throws(OfferSignatureFault) {
    guard let publicKey else { throw .unknownKey(keyID) }
    let isFresh = times.contains {
      let (age, overflow) = $0.subtractingReportingOverflow(timestamp)
      return !overflow && age.magnitude <= UInt64(AppStoreLimits.offerSignatureMilliseconds)
    }
    guard isFresh else { throw .stale(timestamp: timestamp) }
    guard keyring.isValid(signature, form, of: message, by: publicKey) else {
      throw .wrongSignature
    }
  }

  private static func nonce(_ text: String) throws(OfferSignatureFault) -> UUIDBits {
    guard let bits = UUIDBits(text: text) else { throw .nonceMalformed }
    guard bits.text == text else { throw .nonceUpperCase }
    return bits
  }

  private static func object(_ bytes: [UInt8]?) -> JSONObject? {
    guard let bytes else { return nil }
    do throws(JSONError) {
      return try JSONValue.parse(bytes, depthMax: AppStoreLimits.payloadDepthMax).objectValue
    } catch {
      return nil
    }
  }
}
