import JSON
import Subscriptions

/// A call's parameters, checked against the interface's description already: every name is known,
/// every type right. What is read here are values.
struct Parameters {
  private let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  func text(_ name: String) -> String? {
    object[name]?.stringValue
  }

  func int(_ name: String) -> Int64? {
    object[name]?.int64Value
  }

  func flag(_ name: String) -> Bool? {
    object[name]?.boolValue
  }

  func texts(_ name: String) -> [String]? {
    object[name]?.arrayValue?.compactMap(\.stringValue)
  }

  func members(_ name: String) -> Parameters? {
    object[name]?.objectValue.map { Parameters($0) }
  }

  func has(_ name: String) -> Bool {
    guard let value = object[name] else { return false }
    return !value.isNull
  }

  /// An account: 1 to 128 bytes without control characters.
  func account(_ name: String = "account") throws(Refusal) -> [UInt8]? {
    guard let text = text(name) else { return nil }
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= Subscriptions.Limits.accountBytesMax else {
      throw .value(name, "an account is 1 to \(Subscriptions.Limits.accountBytesMax) bytes")
    }
    let hasControl = text.unicodeScalars.contains {
      $0.value < 0x20 || ($0.value >= 0x7f && $0.value < 0xa0)
    }
    guard !hasControl else { throw .value(name, "an account has no control characters") }
    return bytes
  }

  func requiredAccount(_ name: String = "account") throws(Refusal) -> [UInt8] {
    guard let account = try account(name) else { throw .parameter(name) }
    return account
  }

  /// A transaction id: decimal digits.
  func transactionID(_ name: String) throws(Refusal) -> UInt64? {
    guard let text = text(name) else { return nil }
    guard let id = UInt64(text), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw .value(name, "a transaction id is a decimal number")
    }
    return id
  }

  /// A time: milliseconds since 1970 UTC, within the years that make sense.
  func instant(_ name: String) throws(Refusal) -> Instant? {
    guard let time = int(name).map({ Instant(milliseconds: $0) }) else { return nil }
    if let fault = time.boundsFault { throw .value(name, fault) }
    return time
  }

  func uuid(_ name: String) throws(Refusal) -> UUIDBits? {
    guard let text = text(name) else { return nil }
    guard let bits = UUIDBits(text: text) else {
      throw .value(name, "an appAccountToken is a UUID, 8-4-4-4-12 hexadecimal digits")
    }
    return bits
  }

  func requestID() throws(Refusal) -> String? {
    guard let text = text("requestId") else { return nil }
    guard text.utf8.count >= 1, text.utf8.count <= Limits.requestIDBytesMax else {
      throw .value("requestId", "a request id is 1 to \(Limits.requestIDBytesMax) bytes")
    }
    return text
  }

  /// The same parameters give the same number, in whatever order they were written.
  func fingerprint(method: String) -> UInt64 {
    var hash = FNV1a()
    hash.add(method.utf8)
    for key in object.keys.sorted() where key != "requestId" {
      guard let value = object[key], !value.isNull else { continue }
      hash.add(key.utf8)
      hash.add(canonical(value).utf8)
    }
    return hash.value
  }

  private func canonical(_ value: JSONValue) -> String {
    guard let object = value.objectValue else { return value.compactText }
    return object.keys.sorted().map { "\($0)=\(canonical(object[$0] ?? .null))" }
      .joined(separator: ";")
  }
}

/// The 64-bit FNV-1a hash, for fingerprints: no secret depends on it.
struct FNV1a {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    value = (value ^ 0xff) &* 0x100_0000_01b3
  }
}
