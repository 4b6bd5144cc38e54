internal import Client
import Foundation

/// What the store signed, with its parts: a compact JWS. Its payload is kept as a tree besides.
struct SignedForm: Sendable {
  /// Three parts in base64url, with points between.
  let text: String
  let payload: SignedPayload

  /// Takes a JWS apart; a part that is missing or no base64url is empty, and a payload that is no
  /// JSON object has no fields. Whether it is to be trusted is the check's matter.
  init(text: String) {
    self.text = text
    payload = SignedPayload(bytes: Self.bytes(Self.part(1, of: text)))
  }

  var header: Data { Data(Self.bytes(Self.part(0, of: text))) }
  var signature: Data { Data(Self.bytes(Self.part(2, of: text))) }

  /// What the signature is of: the header's and the payload's text, with the point between.
  var signed: Data {
    Data((Self.part(0, of: text) + "." + Self.part(1, of: text)).utf8)
  }

  private static func part(_ index: Int, of text: String) -> Substring {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return index < parts.count ? parts[index] : ""
  }

  private static func bytes(_ part: Substring) -> [UInt8] {
    var base64 = String(part).replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    return Data(base64Encoded: base64).map(Array.init) ?? []
  }
}

/// The payload of a signed form: Apple's names, read one by one. A field that is missing or of
/// another type is nil; `lacksRequired` remembers whether one that must be there was.
struct SignedPayload: Sendable {
  /// The JSON text as it was signed.
  let data: Data
  private let object: JSONObject

  init(bytes: [UInt8]) {
    data = Data(bytes)
    let value = try? JSONValue.parse(bytes, depthMax: StoreKitLimits.payloadDepthMax)
    object = value?.objectValue ?? JSONObject()
  }

  /// A part of a payload; its text is what the object says, not what was signed.
  private init(_ object: JSONObject) {
    self.object = object
    data = Data(JSONValue.object(object).compactText.utf8)
  }

  /// Whether all of these fields are there.
  func has(_ keys: [String]) -> Bool {
    keys.allSatisfy { key in object[key].map { !$0.isNull } ?? false }
  }

  func text(_ key: String) -> String? { object[key]?.stringValue }

  func integer(_ key: String) -> Int64? {
    object[key]?.int64Value ?? number(key).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
  }

  func truth(_ key: String) -> Bool? { object[key]?.boolValue }

  func texts(_ key: String) -> [String] {
    (object[key]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  func object(_ key: String) -> SignedPayload? { object[key]?.objectValue.map(SignedPayload.init) }

  /// The objects of an array; what is none is left out.
  func objects(_ key: String) -> [SignedPayload]? {
    object[key]?.arrayValue?.compactMap { $0.objectValue.map(SignedPayload.init) }
  }

  /// ISO 8601: `P1M`.
  func period(_ key: String) -> Product.SubscriptionPeriod? {
    text(key).flatMap(Product.SubscriptionPeriod.init(iso8601:))
  }

  /// A number that may have a fraction, as the dates have that Xcode signs.
  private func number(_ key: String) -> Double? {
    guard case .number(let number) = object[key] else { return nil }
    return number.double
  }

  /// Milliseconds since 1970 UTC.
  func date(_ key: String) -> Date? {
    number(key).map { Date(timeIntervalSince1970: $0 / 1000) }
  }

  func identifier(_ key: String) -> UInt64? { text(key).flatMap { UInt64($0) } }

  func token(_ key: String) -> UUID? { text(key).flatMap { UUID(uuidString: $0) } }

  func bytes(_ key: String) -> Data? { text(key).flatMap { Data(base64Encoded: $0) } }

  /// Thousandths: of a currency's unit, or of a percent.
  func amount(_ key: String) -> Decimal? { integer(key).map(Decimal.init(milliunits:)) }

  func currency(_ key: String) -> Locale.Currency? {
    text(key).map { Locale.Currency($0) }
  }
}

extension Decimal {
  /// 9990 is 9.99.
  init(milliunits: Int64) {
    self = Decimal(milliunits) / 1000
  }
}
