import Foundation

extension Product {
  /// What kind of thing a product is. Raw values are those of Apple's signed transactions.
  public struct ProductType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consumable = ProductType(rawValue: "Consumable")
    public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
    public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

    /// The type in English words.
    public var localizedDescription: String { rawValue }
  }
}
