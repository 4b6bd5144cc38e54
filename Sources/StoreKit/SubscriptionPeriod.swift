import Foundation

extension Product {
  /// How long a subscription or an offer lasts.
  public struct SubscriptionPeriod: Hashable, Sendable {
    /// What a period is counted in, shortest first.
    public enum Unit: Hashable, Comparable, Sendable {
      case day
      case week
      case month
      case year
    }

    public let unit: Unit
    public let value: Int

    init(unit: Unit, value: Int) {
      self.unit = unit
      self.value = value
    }

    public static let weekly = Self(unit: .week, value: 1)
    public static let monthly = Self(unit: .month, value: 1)
    public static let yearly = Self(unit: .year, value: 1)
    public static let everyThreeDays = Self(unit: .day, value: 3)
    public static let everyTwoWeeks = Self(unit: .week, value: 2)
    public static let everyTwoMonths = Self(unit: .month, value: 2)
    public static let everyThreeMonths = Self(unit: .month, value: 3)
    public static let everySixMonths = Self(unit: .month, value: 6)

    /// From the reference date on, by the Gregorian calendar: a day that the last month lacks
    /// becomes its last day.
    public func dateRange(referenceDate: Date = .now) -> Range<Date> {
      let calendar = Calendar(identifier: .gregorian)
      let end = calendar.date(byAdding: unit.calendarComponent, value: value, to: referenceDate)
      return referenceDate..<max(referenceDate, end ?? referenceDate)
    }

    /// The period as a style of date ranges writes it.
    public func formatted<S>(
      _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Range<Date> {
      format.format(dateRange(referenceDate: referenceDate))
    }

    /// The period as a style of durations writes it.
    public func formatted<S>(
      _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Duration {
      let range = dateRange(referenceDate: referenceDate)
      return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
  }
}

extension Product.SubscriptionPeriod {
  /// Reads ISO 8601 as the wire has it: one unit, as in `P1M`. Seven days are a week.
  init?(iso8601 text: String) {
    guard text.hasPrefix("P"), let letter = text.last,
      let value = Int(text.dropFirst().dropLast()), value > 0
    else { return nil }
    switch letter {
    case "D" where value.isMultiple(of: 7): self.init(unit: .week, value: value / 7)
    case "D": self.init(unit: .day, value: value)
    case "W": self.init(unit: .week, value: value)
    case "M": self.init(unit: .month, value: value)
    case "Y": self.init(unit: .year, value: value)
    default: return nil
    }
  }

  /// ISO 8601: `P1M`.
  var iso8601: String {
    switch unit {
    case .day: "P\(value)D"
    case .week: "P\(value)W"
    case .month: "P\(value)M"
    case .year: "P\(value)Y"
    }
  }
}

extension Product.SubscriptionPeriod.Unit {
  /// The unit in an English word.
  public var localizedDescription: String {
    switch self {
    case .day: "Day"
    case .week: "Week"
    case .month: "Month"
    case .year: "Year"
    }
  }

  var calendarComponent: Calendar.Component {
    switch self {
    case .day: .day
    case .week: .weekOfYear
    case .month: .month
    case .year: .year
    }
  }

  /// The unit in words, as many as there are.
  func counted(_ count: Int) -> String {
    let word = localizedDescription.lowercased()
    return count == 1 ? "1 \(word)" : "\(count) \(word)s"
  }

  /// Writes a unit as a word.
  public struct FormatStyle: Foundation.FormatStyle {
    public init() {}

    public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
      value.localizedDescription
    }
  }

  /// The unit as a style writes it.
  public func formatted<S>(
    _ format: S
  ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Self {
    format.format(self)
  }

  /// The unit in an English word.
  public func formatted() -> String { localizedDescription }
}
