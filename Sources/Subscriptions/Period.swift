/// A length in calendar units, as products and offers have it (Domain.md 2.1).
public struct Period: Hashable, Sendable {
  public enum Unit: UInt8, Sendable, CaseIterable {
    case day = 0
    case week
    case month
    case year
  }

  public var unit: Unit
  public var count: Int32

  public init(unit: Unit, count: Int32) {
    self.unit = unit
    self.count = count
  }

  /// No length: what a purchase that never ends has.
  public static let none = Period(unit: .day, count: 0)

  /// Reads `P1W`, `P1M`, `P3D` and their like: one unit, 1 to 999 of it. Anything else is nil.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 3, bytes.count <= 5, bytes[0] == UInt8(ascii: "P") else { return nil }
    var count: Int32 = 0
    for byte in bytes[1..<(bytes.count - 1)] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      count = count * 10 + Int32(byte - UInt8(ascii: "0"))
    }
    guard count >= 1 else { return nil }
    switch bytes[bytes.count - 1] {
    case UInt8(ascii: "D"): self.init(unit: .day, count: count)
    case UInt8(ascii: "W"): self.init(unit: .week, count: count)
    case UInt8(ascii: "M"): self.init(unit: .month, count: count)
    case UInt8(ascii: "Y"): self.init(unit: .year, count: count)
    default: return nil
    }
  }

  public var iso8601: String {
    switch unit {
    case .day: "P\(count)D"
    case .week: "P\(count)W"
    case .month: "P\(count)M"
    case .year: "P\(count)Y"
    }
  }

  /// True where the length is counted in months (months, years), false where in days.
  public var isCountedInMonths: Bool {
    unit == .month || unit == .year
  }

  /// The length in months or in days, whichever `isCountedInMonths` says.
  public var length: Int32 {
    switch unit {
    case .day: count
    case .week: count * 7
    case .month: count
    case .year: count * 12
    }
  }

  /// `times` of this period, in its own unit: P1M × 3 is P3M (Domain.md 1.7, offerPeriod).
  public func multiplied(by times: Int32) -> Period {
    Period(unit: unit, count: count * times)
  }
}
