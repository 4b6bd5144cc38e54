import AppStore
import Foundation

/// Where the files of these tests are, and how they are changed.
enum ConfigurationFiles {
  /// This folder, wherever the package was checked out.
  static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Public files that people use in Xcode; beside the package where somebody put them there.
  static let sharedFolder = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/storekit")

  static func fixture(_ format: Int) throws -> [UInt8] {
    let file = folder.appendingPathComponent("Fixtures/format-\(format).storekit")
    return [UInt8](try Data(contentsOf: file))
  }

  static func shared() -> [URL] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: sharedFolder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "storekit" }
      .sorted { $0.path < $1.path }
  }

  /// A small file of format 4 with `subscription` as the only member of a group, and `file` as
  /// further members at the top.
  static func text(subscription: String, file: String = "") -> String {
    """
    {
      \(file)"products": [], "nonRenewingSubscriptions": [],
      "subscriptionGroups": [{"id": "G", "name": "Group", "subscriptions": [{
        "productID": "p", "type": "RecurringSubscription", \(subscription)
      }]}],
      "version": {"major": 4, "minor": 0}
    }
    """
  }

  /// What a subscription needs, and `extra` members.
  static func subscription(_ extra: String) -> String {
    let comma = extra.isEmpty ? "" : ", "
    return """
      "displayPrice": "1.00", "groupNumber": 1, "recurringSubscriptionPeriod": "P1M"\
      \(comma)\(extra)
      """
  }

  static func read(_ text: String) throws(StoreKitConfigurationError) -> StoreKitConfiguration {
    try StoreKitConfiguration.read(Array(text.utf8))
  }
}

/// Chance that a test can repeat.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
