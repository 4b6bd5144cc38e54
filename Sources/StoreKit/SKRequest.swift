import Foundation

/// Hears how a request ended, on the main queue. Both may be left out.
public protocol SKRequestDelegate: NSObjectProtocol {
  func requestDidFinish(_ request: SKRequest)
  func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
  public func requestDidFinish(_ request: SKRequest) {}
  public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Something asked of the store. It lives until it is answered; its delegate is not kept alive.
open class SKRequest: NSObject, @unchecked Sendable {
  private struct Run {
    weak var delegate: (any SKRequestDelegate)?
    var task: Task<Void, Never>?
  }

  private let lock = NSLock()
  /// `lock` guards it.
  private var run = Run()

  public override init() {}

  open var delegate: (any SKRequestDelegate)? {
    get { lock.withLock { run.delegate } }
    set { lock.withLock { run.delegate = newValue } }
  }

  /// Asks; a request that is under way is not begun again.
  open func start() {
    lock.withLock {
      guard run.task == nil else { return }
      run.task = Task.detached { await self.perform() }
    }
  }

  /// Ends it without an answer.
  open func cancel() {
    lock.withLock { run.task?.cancel() }
  }

  /// What the request asks; its answer is given to the delegate by what it returns.
  func ask() async throws -> @Sendable (any SKRequestDelegate) -> Void { { _ in } }

  private func perform() async {
    let outcome: Result<@Sendable (any SKRequestDelegate) -> Void, any Error>
    do {
      outcome = .success(try await ask())
    } catch {
      outcome = .failure(SKError.original(error))
    }
    let isCancelled = Task.isCancelled
    DispatchQueue.main.async {
      self.lock.withLock { self.run.task = nil }
      guard !isCancelled, let delegate = self.delegate else { return }
      switch outcome {
      case .success(let answer):
        answer(delegate)
        delegate.requestDidFinish(self)
      case .failure(let error): delegate.request(self, didFailWithError: error)
      }
    }
  }
}

/// Hears which products there are.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// Asks for products by their ids.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
  private let identifiers: Set<String>

  /// Asks for nothing.
  public override convenience init() {
    self.init(productIdentifiers: [])
  }

  public init(productIdentifiers: Set<String>) {
    identifiers = productIdentifiers
    super.init()
  }

  override func ask() async throws -> @Sendable (any SKRequestDelegate) -> Void {
    let (found, unknown) = try await StoreSession.shared.products(identifiers.sorted())
    let response = SKProductsResponse(products: found.map(SKProduct.init), invalid: unknown)
    return { delegate in
      (delegate as? any SKProductsRequestDelegate)?
        .productsRequest(self, didReceive: response)
    }
  }
}

/// What a request for products found.
open class SKProductsResponse: NSObject, @unchecked Sendable {
  private let found: [SKProduct]
  private let invalid: [String]

  /// A response without any product, for a test's own subclass.
  public override init() {
    (found, invalid) = ([], [])
  }

  init(products: [SKProduct], invalid: [String]) {
    (found, self.invalid) = (products, invalid)
  }

  open var products: [SKProduct] { found }
  /// The ids that nothing is sold under.
  open var invalidProductIdentifiers: [String] { invalid }
}

/// Whether a test's receipt is expired, revoked, or of a volume purchase.
public let SKReceiptPropertyIsExpired = "expired"
public let SKReceiptPropertyIsRevoked = "revoked"
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Asks for the receipt anew. There is no receipt file on Linux: the request ends well if the
/// daemon answers, and nothing is written.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
  private let properties: [String: Any]?

  public override convenience init() {
    self.init(receiptProperties: nil)
  }

  public init(receiptProperties properties: [String: Any]?) {
    self.properties = properties
    super.init()
  }

  open var receiptProperties: [String: Any]? { properties }

  override func ask() async throws -> @Sendable (any SKRequestDelegate) -> Void {
    try await StoreSession.shared.sync()
    return { _ in }
  }
}
