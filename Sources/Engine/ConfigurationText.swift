import Subscriptions

/// Why a text of the configuration cannot be used, as a sentence.
public struct ConfigurationTextError: Error, Equatable, Sendable {
  public var message: String
}

/// Texts of the configuration that mean something to the rules, read for the shell, which
/// does not know the rules.
public enum ConfigurationText {
  /// A time a clock may show, in milliseconds since 1970.
  public static func clockTime(_ text: String) -> Result<Int64, ConfigurationTextError> {
    do throws(TimeTextError) {
      return .success(try TimeText.instant(text).milliseconds)
    } catch {
      return .failure(ConfigurationTextError(message: error.description))
    }
  }
}

extension Configuration {
  /// Makes the calendar count in the zone whose file (RFC 8536) these are the bytes of.
  public mutating func setCalendarZone(tzif bytes: [UInt8]) throws(ConfigurationTextError) {
    do throws(TimeZoneError) {
      policies.calendar = BillingCalendar(zone: try TimeZoneRules(tzif: bytes))
    } catch {
      throw ConfigurationTextError(message: error.description)
    }
  }
}

extension ConfigurationText {
  /// A span of at most a day, milliseconds.
  public static func span(_ text: String) -> Result<Int64, ConfigurationTextError> {
    do throws(TimeTextError) {
      let span = try TimeText.span(text)
      let day = Subscriptions.Instant.millisecondsPerDay
      let milliseconds = Int64(span.days) * day + span.milliseconds
      guard span.months == 0, milliseconds <= day else {
        return .failure(ConfigurationTextError(message: "'\(text)' is longer than a day"))
      }
      return .success(milliseconds)
    } catch {
      return .failure(ConfigurationTextError(message: error.description))
    }
  }
}

extension Configuration {
  /// Lets the store begin with the rate of that name; false where there is none.
  public mutating func setRenewalRate(_ name: String) -> Bool {
    guard let rate = RenewalRate(name: name) else { return false }
    policies.renewalRate = rate
    return true
  }

  public static let renewalRateNames = RenewalRate.allCases.map(\.name)

  /// Which gap of paid service begins a new chain: production's sixty days, or the sandbox's ten
  /// minutes (Domain.md 1.6).
  public mutating func setRecentStartGap(isSandbox: Bool) {
    policies.recentStartGap =
      isSandbox
      ? Subscriptions.Limits.recentStartGapSandbox : Subscriptions.Limits.recentStartGapProduction
  }
}
