import Subscriptions

/// Why a text of the configuration cannot be used, as a sentence.
public struct ConfigurationTextError: Error, Equatable, Sendable {
  public var message: String
}

/// Texts of the configuration that mean something to the rules, read for the shell, which
/// does not know the rules.
public enum ConfigurationText {
  /// A time a clock may show, in milliseconds since 1970.
  public static func clockTime(_ text: String) throws(ConfigurationTextError) -> Int64 {
    do throws(TimeTextError) {
      return try TimeText.instant(text).milliseconds
    } catch {
      throw ConfigurationTextError(message: error.description)
    }
  }
}

/// The policies by name, likewise for the shell.
public typealias Policy = Subscriptions.Policy
public typealias PolicyError = Subscriptions.PolicyError
