import JSON

/// Where a product belongs that stands in the wrong list of a file.
extension ConfigurationReader {
  /// True for an entry outside the groups that is an auto-renewable subscription by its type, or
  /// by its period where the type says nothing.
  func isSubscription(_ node: ConfigurationNode, type: String?) -> Bool {
    guard let type else { return node.member(Self.periodKey) != nil }
    let letters = type.lowercased().filter(\.isLetter)
    return Self.subscriptionWords.contains(letters)
      || (node.member(Self.periodKey) != nil && !letters.hasPrefix("non"))
  }

  static let periodKey = "recurringSubscriptionPeriod"

  /// What Xcode, App Store Connect's API and StoreKit call it, in small letters.
  private static let subscriptionWords: Set<String> = [
    "recurringsubscription", "autorenewablesubscription", "autorenewable", "subscription",
  ]

  /// Names the list into which such an entry is to be moved: that of the group that it names, else
  /// that of the only group.
  func groupRemedy(for node: ConfigurationNode, in file: ConfigurationNode) -> String {
    let kind = "an auto-renewable subscription belongs in"
    let groups = objects("subscriptionGroups", of: file)
    let list = "subscriptions"
    if let id = text("subscriptionGroupID", of: node) {
      if let group = groups.first(where: { text("id", of: $0) == id }) {
        return "\(kind) the list of its group: move it to \(group.path(of: list))"
      }
    } else if let group = groups.first, groups.count == 1 {
      return "\(kind) a group's list: move it to \(group.path(of: list))"
    }
    let place =
      groups.isEmpty ? "add a group with it" : "move it into its group's list, or add a group"
    return "\(kind) \(file.path(of: "subscriptionGroups")): \(place), "
      + "as {\"id\": …, \"name\": …, \"subscriptions\": [it]}"
  }

  /// What a group's list says of an entry that is no subscription.
  static func placeRemedy(_ type: String) -> String {
    let rule = "a group's subscriptions are of type \(recurringType)"
    return switch type {
    case "Consumable", "NonConsumable": "\(rule); move it to $.products"
    case "NonRenewingSubscription": "\(rule); move it to $.nonRenewingSubscriptions"
    default: rule
    }
  }

  private func objects(_ key: String, of node: ConfigurationNode) -> [ConfigurationNode] {
    guard let list = node.member(key), case .array(let values) = list.value else { return [] }
    return values.enumerated().compactMap { index, value in
      guard case .object = value else { return nil }
      return ConfigurationNode(value: value, path: .element(of: list.path, index: index))
    }
  }

  private func text(_ key: String, of node: ConfigurationNode) -> String? {
    switch node.member(key)?.value {
    case .string(let text): text
    case .number(let number): number.raw
    case .null, .bool, .array, .object, nil: nil
    }
  }
}
