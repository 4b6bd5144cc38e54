import Engine
import Glibc

/// Why a value is none of its option's, as a sentence.
struct WrongValue: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

/// What the values of options may be, each with the sentence for one that may not.
enum OptionValues {
  /// Permission bits as chmod(1) takes them, in octal.
  static func mode(_ text: String) throws(WrongValue) -> UInt32 {
    guard let mode = UInt32(text, radix: 8), mode <= 0o777, text.first != "+" else {
      throw WrongValue("'\(text)' is not a mode in octal, such as 0660")
    }
    return mode
  }

  static func group(_ text: String) throws(WrongValue) -> UInt32? {
    let group: UInt32?
    do throws(SystemError) {
      group = try AccountDatabase.group(text)
    } catch {
      throw WrongValue("'\(text)' cannot be looked up: \(error)")
    }
    guard let group else { throw WrongValue("there is no group '\(text)' on this machine") }
    return group
  }

  static func time(_ text: String) throws(WrongValue) -> Int64? {
    do throws(ConfigurationTextError) {
      return try ConfigurationText.clockTime(text)
    } catch {
      throw WrongValue(error.message)
    }
  }

  static func descriptor(_ text: String) throws(WrongValue) -> Int32? {
    guard let number = Int32(text), number >= 0, fcntl(number, F_GETFD) >= 0 else {
      throw WrongValue("'\(text)' is not the number of an open descriptor")
    }
    return number
  }

  static func isRecord(_ text: String) throws(WrongValue) -> Bool {
    guard text == "store" || text == "record" else {
      throw WrongValue("'\(text)' is not a role: store, record")
    }
    return text == "record"
  }

  static func environment(_ text: String) throws(WrongValue) -> String {
    let names = ["Sandbox", "Production", "Xcode", "LocalTesting"]
    guard names.contains(text) else {
      throw WrongValue("'\(text)' is not an environment: \(names.joined(separator: ", "))")
    }
    return text
  }

  /// Letters, digits, hyphens and dots, as Apple allows for CFBundleIdentifier.
  static func bundleID(_ text: String) throws(WrongValue) -> String {
    let isGood = text.utf8.allSatisfy {
      UInt8(ascii: "a") <= $0 && $0 <= UInt8(ascii: "z")
        || UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z")
        || UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9")
        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
    guard isGood, !text.isEmpty else {
      throw WrongValue("'\(text)' is not a bundle identifier, such as com.example.app")
    }
    return text
  }

  static func appAppleID(_ text: String) throws(WrongValue) -> Int64? {
    guard let number = Int64(text), number > 0 else {
      throw WrongValue("'\(text)' is not an app's number in the App Store, such as 1234567890")
    }
    return number
  }

  static func profile(_ text: String) throws(WrongValue) -> Profile? {
    guard let profile = Profile.all.first(where: { $0.name == text }) else {
      let names = Profile.all.map(\.name).joined(separator: ", ")
      throw WrongValue("'\(text)' is not a profile: \(names)")
    }
    return profile
  }
}

extension Configuration {
  /// Sets a policy by `NAME=VALUE`, which came with the option.
  mutating func apply(
    _ setting: Setting, of option: OptionName = .policy
  ) throws(ConfigurationError) {
    do throws(PolicyError) {
      try policies.set(setting.value, zones: Self.zoneFile)
    } catch {
      throw ConfigurationError(setting.origin, option.rawValue, error.message)
    }
  }

  /// Zone files come with the package tzdata, which a small container may lack.
  private static func zoneFile(_ zone: String) throws(PolicyError) -> Policy.ZoneFile {
    let path = "/usr/share/zoneinfo/\(zone)"
    do throws(SystemError) {
      return Policy.ZoneFile(
        path: path, bytes: try readFile(path, byteCountMax: Limits.zoneFileByteCountMax))
    } catch {
      let remedy = error.isMissing ? "; install the package tzdata" : ""
      throw PolicyError("\(path) cannot be read: \(error)\(remedy)")
    }
  }
}
