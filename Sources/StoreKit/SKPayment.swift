internal import Client
import Foundation

/// A wish to buy, as the original interface has it.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  /// What a payment says; a mutable one changes it.
  struct Fields: Sendable {
    var productIdentifier = ""
    var quantity = 1
    var applicationUsername: String?
    var requestData: Data?
    var simulatesAskToBuyInSandbox = false
    var paymentDiscount: SKPaymentDiscount?
  }

  fileprivate var fields: Fields

  /// A payment for nothing; one that can be bought is made for a product.
  public required override init() {
    fields = Fields()
  }

  init(_ fields: Fields) {
    self.fields = fields
  }

  public convenience init(product: SKProduct) {
    self.init()
    fields.productIdentifier = product.productIdentifier
  }

  open var productIdentifier: String { fields.productIdentifier }
  open var quantity: Int { fields.quantity }
  /// A UUID here becomes the transaction's `appAccountToken`.
  open var applicationUsername: String? { fields.applicationUsername }
  open var requestData: Data? { fields.requestData }
  open var simulatesAskToBuyInSandbox: Bool { fields.simulatesAskToBuyInSandbox }
  open var paymentDiscount: SKPaymentDiscount? { fields.paymentDiscount }

  open func copy(with zone: NSZone? = nil) -> Any { SKPayment(fields) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = SKMutablePayment()
    copy.fields = fields
    return copy
  }

  /// A payment that nobody changes any more.
  var frozen: SKPayment { SKPayment(fields) }

  /// The same as the daemon is asked for it. Throws `StoreKitError`.
  func wish() throws -> PurchaseWish {
    var wish = try PurchaseWish(
      product: productIdentifier,
      options: simulatesAskToBuyInSandbox ? [.simulatesAskToBuyInSandbox(true)] : [])
    wish.options.quantity = quantity == 1 ? nil : quantity
    wish.options.appAccountToken = applicationUsername.flatMap(UUID.init(uuidString:))?
      .uuidString.lowercased()
    wish.options.offer = paymentDiscount.map { discount in
      Offer(
        type: .promotional, id: discount.identifier, keyID: discount.keyIdentifier,
        nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
        timestamp: discount.timestamp.int64Value)
    }
    return wish
  }
}

/// A payment whose properties can be set.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
  open override var productIdentifier: String {
    get { fields.productIdentifier }
    set { fields.productIdentifier = newValue }
  }
  open override var quantity: Int {
    get { fields.quantity }
    set { fields.quantity = newValue }
  }
  open override var applicationUsername: String? {
    get { fields.applicationUsername }
    set { fields.applicationUsername = newValue }
  }
  open override var requestData: Data? {
    get { fields.requestData }
    set { fields.requestData = newValue }
  }
  open override var simulatesAskToBuyInSandbox: Bool {
    get { fields.simulatesAskToBuyInSandbox }
    set { fields.simulatesAskToBuyInSandbox = newValue }
  }
  open override var paymentDiscount: SKPaymentDiscount? {
    get { fields.paymentDiscount }
    set { fields.paymentDiscount = newValue }
  }
}

/// A promotional offer with what the app's server signed for it.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
  public let identifier: String
  public let keyIdentifier: String
  public let nonce: UUID
  /// Base64.
  public let signature: String
  /// Milliseconds since 1970 UTC.
  public let timestamp: NSNumber

  public init(
    identifier: String, keyIdentifier: String, nonce: UUID, signature: String,
    timestamp: NSNumber
  ) {
    self.identifier = identifier
    self.keyIdentifier = keyIdentifier
    self.nonce = nonce
    self.signature = signature
    self.timestamp = timestamp
  }
}

/// A national App Store.
open class SKStorefront: NSObject, @unchecked Sendable {
  private let storefront: Storefront?

  /// A storefront without any property, for a test's own subclass.
  public override init() {
    storefront = nil
  }

  init(_ storefront: Storefront) {
    self.storefront = storefront
  }

  /// Three letters (ISO 3166-1).
  open var countryCode: String { storefront?.countryCode ?? "" }
  open var identifier: String { storefront?.id ?? "" }
}
