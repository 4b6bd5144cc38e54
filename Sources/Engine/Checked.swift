import Subscriptions

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
