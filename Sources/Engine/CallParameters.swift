import JSON
import Subscriptions

/// A call's parameters as they came: what is asked of every call alike, whatever its method.
struct CallParameters {
  let object: JSONObject

  var asksForSignedForms: Bool { object["signed"]?.boolValue == true }

  var account: String? { object["account"]?.stringValue }

  func requestID() throws(Refusal) -> String? {
    guard let text = object["requestId"]?.stringValue else { return nil }
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

/// Texts and numbers of the wire, checked: what the rules take, or why they cannot.
enum Checked {
  /// An account: 1 to 128 bytes without control characters.
  static func account(
    _ text: String, _ name: String = "account"
  ) throws(Refusal) -> [UInt8] {
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

  static func account(
    _ text: String?, _ name: String = "account"
  ) throws(Refusal) -> [UInt8]? {
    guard let text else { return nil }
    let bytes: [UInt8] = try account(text, name)
    return bytes
  }

  /// A transaction id: decimal digits.
  static func transactionID(_ text: String, _ name: String) throws(Refusal) -> UInt64 {
    guard let id = UInt64(text), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw .value(name, "a transaction id is a decimal number")
    }
    return id
  }

  static func transactionID(_ text: String?, _ name: String) throws(Refusal) -> UInt64? {
    guard let text else { return nil }
    let id: UInt64 = try transactionID(text, name)
    return id
  }

  /// A time within the years that make sense.
  static func time(_ time: Instant, _ name: String) throws(Refusal) -> Instant {
    if let fault = time.boundsFault { throw .value(name, fault) }
    return time
  }

  static func time(_ time: Instant?, _ name: String) throws(Refusal) -> Instant? {
    guard let time else { return nil }
    let checked: Instant = try Checked.time(time, name)
    return checked
  }

  static func token(_ text: String?) throws(Refusal) -> UUIDBits? {
    guard let text else { return nil }
    guard let bits = UUIDBits(text: text) else {
      throw .value(
        "appAccountToken", "an appAccountToken is a UUID, 8-4-4-4-12 hexadecimal digits")
    }
    return bits
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
