extension Product {
  /// How products are promoted on the app's page in the App Store. There is no such page here, so
  /// none is promoted, and changes are refused as `StoreKitError.unsupported`.
  public struct PromotionInfo: Equatable, Sendable {
    /// Whether a promotion is shown.
    public enum Visibility: Int, Hashable, Sendable {
      case appStoreConnectDefault
      case visible
      case hidden
    }

    public let productID: Product.ID
    public var visibility: Visibility

    /// The promotions in their order: none.
    public static var currentOrder: [PromotionInfo] {
      get async throws { [] }
    }

    /// Throws `StoreKitError.unsupported`.
    public func update() async throws {
      throw StoreKitError.unsupported
    }

    /// Throws `StoreKitError.unsupported`.
    public static func updateProductOrder(byID order: some Collection<String>) async throws {
      throw StoreKitError.unsupported
    }

    /// Throws `StoreKitError.unsupported`.
    public static func updateProductVisibility(
      _ visibility: Visibility, for productID: Product.ID
    ) async throws {
      throw StoreKitError.unsupported
    }

    /// Throws `StoreKitError.unsupported`.
    public static func updateAll(_ promotions: some Collection<PromotionInfo>) async throws {
      throw StoreKitError.unsupported
    }
  }
}
