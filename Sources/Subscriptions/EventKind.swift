/// The kinds of event, in families: what an event of one family can be is what its type can say. A
/// raw value is the record's tag in the log and never changes its meaning; a name is the event's
/// in watches, in `log read` and on the pages. `EventTable` says what each is.

/// Of the log itself.
public enum LogKind: UInt8, Sendable, CaseIterable {
  case logCreated = 1
  case bootObserved = 10
  case reset = 11
}

/// Of an account, beside what it has bought.
public enum AccountKind: UInt8, Sendable, CaseIterable {
  case accountOpened = 2
  case clockAttached = 6
  case finished = 22
  case offerNonceUsed = 30
  case offerStacked = 31
  case sharingStarted = 44
  case sharingEnded = 45
  case purchasePending = 49
  case pendingEnded = 50
  case tokenGiven = 65
}

/// Of the clocks that accounts live by.
public enum ClockKind: UInt8, Sendable, CaseIterable {
  case clockCreated = 3
  case advanceStarted = 4
  case advanced = 5
  case clockHeld = 8
  case clockAccepted = 9
}

/// Of what is on sale.
public enum CatalogueKind: UInt8, Sendable, CaseIterable {
  case catalogueImported = 7
  case offerKeysImported = 12
}

/// Of a subscription line.
public enum LineKind: UInt8, Sendable, CaseIterable {
  case purchased = 16
  case renewed = 17
  case expired = 18
  case autoRenewChanged = 19
  case refunded = 20
  case refundReversed = 21
  case renewalFailed = 23
  case graceEnded = 24
  case recovered = 25
  case planChangeScheduled = 26
  case upgraded = 27
  case offerRedeemed = 29
  case refundRequested = 32
  case refundDeclined = 33
  case priceIncreased = 35
  case priceIncreaseAccepted = 36
  case renewalExtended = 39
  case extensionFailed = 40
  case shared = 46
  case revoked = 47
  case restored = 53
  case chargeFailed = 57
  case statusPassed = 63
}

/// Of a purchase outside any subscription: those of a line's that can befall it too.
public enum PurchaseKind: UInt8, Sendable, CaseIterable {
  case purchased = 16
  case refunded = 20
  case refundReversed = 21
  case refundRequested = 32
  case refundDeclined = 33
  case shared = 46
  case revoked = 47
  case restored = 53

  /// The kind of a line's event that says the same; nil where a purchase outside one cannot.
  init?(_ kind: LineKind) { self.init(rawValue: kind.rawValue) }

  /// The kind of a line's event that says the same.
  public var ofLine: LineKind { LineKind(rawValue: rawValue).unsafelyUnwrapped }
}

/// Of a product, and of all the lines that have it.
public enum ProductKind: UInt8, Sendable, CaseIterable {
  case priceIncreaseAnnounced = 34
  case priceIncreaseCompleted = 37
  case removedFromSale = 38
  case massExtensionStarted = 41
  case massExtensionCompleted = 42
}

/// Of what a tester has switched.
public enum TesterKind: UInt8, Sendable, CaseIterable {
  case billingChanged = 28
  case askToBuyChanged = 48
  case interruptedChanged = 51
  case simulatedErrorChanged = 52
  case rateChanged = 56
}

/// Of what the App Store signed.
public enum AppStoreKind: UInt8, Sendable, CaseIterable {
  case ingested = 60
  case linked = 61
  case unlinked = 62
  case namesReported = 64
}

/// The kind of any event. A line's and a purchase's of one name have one tag: their records say
/// which of the two they are about.
public enum EventKind: Hashable, Sendable {
  case log(LogKind)
  case account(AccountKind)
  case clock(ClockKind)
  case catalogue(CatalogueKind)
  case line(LineKind)
  case purchase(PurchaseKind)
  case product(ProductKind)
  case tester(TesterKind)
  case appStore(AppStoreKind)

  /// The kind of a tag, the line's where a purchase's event can have it too; nil for a tag that is
  /// none's.
  public init?(tag: UInt8) {
    if let kind = LineKind(rawValue: tag) {
      self = .line(kind)
    } else if let kind = AccountKind(rawValue: tag) {
      self = .account(kind)
    } else if let kind = AppStoreKind(rawValue: tag) {
      self = .appStore(kind)
    } else if let kind = ClockKind(rawValue: tag) {
      self = .clock(kind)
    } else if let kind = ProductKind(rawValue: tag) {
      self = .product(kind)
    } else if let kind = TesterKind(rawValue: tag) {
      self = .tester(kind)
    } else if let kind = CatalogueKind(rawValue: tag) {
      self = .catalogue(kind)
    } else if let kind = LogKind(rawValue: tag) {
      self = .log(kind)
    } else {
      return nil
    }
  }

  /// Its records' tag in the log.
  public var tag: UInt8 {
    switch self {
    case .log(let kind): kind.rawValue
    case .account(let kind): kind.rawValue
    case .clock(let kind): kind.rawValue
    case .catalogue(let kind): kind.rawValue
    case .line(let kind): kind.rawValue
    case .purchase(let kind): kind.rawValue
    case .product(let kind): kind.rawValue
    case .tester(let kind): kind.rawValue
    case .appStore(let kind): kind.rawValue
    }
  }
}

extension EventKind: CaseIterable {
  public static let allCases: [EventKind] =
    LogKind.allCases.map(EventKind.log) + AccountKind.allCases.map(EventKind.account)
    + ClockKind.allCases.map(EventKind.clock) + CatalogueKind.allCases.map(EventKind.catalogue)
    + LineKind.allCases.map(EventKind.line) + PurchaseKind.allCases.map(EventKind.purchase)
    + ProductKind.allCases.map(EventKind.product) + TesterKind.allCases.map(EventKind.tester)
    + AppStoreKind.allCases.map(EventKind.appStore)
}

extension EventKind: CustomStringConvertible {
  /// Its name on all surfaces.
  public var description: String {
    switch self {
    case .log(let kind): "\(kind)"
    case .account(let kind): "\(kind)"
    case .clock(let kind): "\(kind)"
    case .catalogue(let kind): "\(kind)"
    case .line(let kind): "\(kind)"
    case .purchase(let kind): "\(kind)"
    case .product(let kind): "\(kind)"
    case .tester(let kind): "\(kind)"
    case .appStore(let kind): "\(kind)"
    }
  }
}
