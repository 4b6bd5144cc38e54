import Foundation

extension Product.SubscriptionPeriod {
  /// Writes a product's period as a count and a unit: `3 months`. It stands where Apple's has
  /// `Date.ComponentsFormatStyle`, which Foundation on Linux cannot make, and has of it what apps
  /// set.
  public struct FormatStyle: Foundation.FormatStyle {
    /// How long the words are.
    public struct Style: Codable, Hashable, Sendable {
      fileprivate enum Length: String, Codable {
        case wide, abbreviated, condensed, narrow, spellOut
      }

      fileprivate let length: Length

      /// `3 months`.
      public static let wide = Style(length: .wide)
      /// `3 mths`.
      public static let abbreviated = Style(length: .abbreviated)
      /// `3mths`.
      public static let condensedAbbreviated = Style(length: .condensed)
      /// `3m`.
      public static let narrow = Style(length: .narrow)
      /// `three months`.
      public static let spellOut = Style(length: .spellOut)
    }

    public var style: Style = .wide
    /// Whose digits are written. The words are English in any language, as all of this library's.
    public var locale: Locale = .store(nil)

    /// ISO 8601, since a style is `Codable` and Apple's period is not.
    private let period: String?

    /// Writes every range as the period it was made for; without one, as whole days.
    init(_ period: Product.SubscriptionPeriod?) {
      self.period = period?.iso8601
    }

    public func format(_ value: Range<Date>) -> String {
      if let period = period.flatMap(Product.SubscriptionPeriod.init(iso8601:)) {
        return words(period.value, period.unit)
      }
      let days =
        Calendar(identifier: .gregorian)
        .dateComponents([.day], from: value.lowerBound, to: value.upperBound).day ?? 0
      return words(days, .day)
    }

    /// The same with the digits of another locale.
    public func locale(_ locale: Locale) -> Self {
      var other = self
      other.locale = locale
      return other
    }

    private func words(_ count: Int, _ unit: Unit) -> String {
      let digits = count.formatted(.number.grouping(.never).locale(locale))
      let plural = count == 1 ? "" : "s"
      return switch style.length {
      case .wide: "\(digits) \(unit.word)\(plural)"
      case .abbreviated: "\(digits) \(unit.shortWord(count))"
      case .condensed: "\(digits)\(unit.shortWord(count))"
      case .narrow: "\(digits)\(unit.word.prefix(1))"
      case .spellOut: "\(Self.spelled(count)) \(unit.word)\(plural)"
      }
    }

    private static func spelled(_ count: Int) -> String {
      let formatter = NumberFormatter()
      formatter.numberStyle = .spellOut
      formatter.locale = .store(nil)
      return formatter.string(from: NSNumber(value: count)) ?? "\(count)"
    }
  }
}

extension Product.SubscriptionPeriod.Unit {
  fileprivate var word: String { localizedDescription.lowercased() }

  fileprivate func shortWord(_ count: Int) -> String {
    let plural = count == 1 ? "" : "s"
    return switch self {
    case .day: "day\(plural)"
    case .week: "wk\(plural)"
    case .month: "mth\(plural)"
    case .year: "yr\(plural)"
    }
  }
}
