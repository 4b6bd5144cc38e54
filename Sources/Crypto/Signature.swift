/// An ECDSA signature of P-256: r and s, 32 bytes each, the greatest byte first. JWS carries it so
/// (RFC 7518, 3.4); certificates and libcrypto have it in DER.
public struct Signature: Equatable, Sendable {
  /// r, then s: 64 bytes.
  public let raw: [UInt8]

  /// The 64 bytes of a JWS; nil for any other number of them.
  public init?(raw: [UInt8]) {
    guard raw.count == CryptoLimits.signatureBytes else { return nil }
    self.raw = raw
  }

  /// SEQUENCE { INTEGER r, INTEGER s } in DER; nil for anything else.
  public init?(der: [UInt8]) {
    guard der.count >= 2, der[0] == Self.sequence, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der[2...]
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard let number = Self.takeInteger(from: &rest) else { return nil }
      raw += number
    }
    guard rest.isEmpty else { return nil }
    self.raw = raw
  }

  private static let sequence: UInt8 = 0x30
  private static let integer: UInt8 = 0x02

  /// The signature in DER.
  public var der: [UInt8] {
    var out: [UInt8] = [Self.sequence, 0]
    out.reserveCapacity(CryptoLimits.signatureDERBytesMax)
    let half = CryptoLimits.signatureBytes / 2
    Self.append(raw[..<half], to: &out)
    Self.append(raw[half...], to: &out)
    out[1] = UInt8(out.count - 2)
    return out
  }

  private static func append(_ number: ArraySlice<UInt8>, to out: inout [UInt8]) {
    let digits = number.drop { $0 == 0 }
    // A leading bit would make the number negative; zero has one byte all the same.
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    out.append(integer)
    out.append(UInt8(digits.count + (needsZero ? 1 : 0)))
    if needsZero { out.append(0) }
    out += digits
  }

  private static func takeInteger(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    let half = CryptoLimits.signatureBytes / 2
    guard rest.count >= 3, rest.removeFirst() == integer else { return nil }
    let count = Int(rest.removeFirst())
    guard count >= 1, count <= rest.count, count <= half + 1 else { return nil }
    var digits = rest.prefix(count)
    rest = rest.dropFirst(count)
    if digits.first == 0 {
      digits = digits.dropFirst()
      // DER has no zero in front that it does not need.
      guard count == 1 || digits.first.map({ $0 >= 0x80 }) == true else { return nil }
    } else if digits.first.map({ $0 >= 0x80 }) == true {
      return nil
    }
    guard digits.count <= half else { return nil }
    return [UInt8](repeating: 0, count: half - digits.count) + digits
  }
}
