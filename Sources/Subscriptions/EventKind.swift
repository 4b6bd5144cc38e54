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

/// The kind of any event: its records' tag in the log, and its name on all surfaces. A line's and a
/// purchase's of one name are one: their records say which of the two they are about.
public struct EventKind: Hashable, Sendable {
  public let tag: UInt8

  private init(_ kind: some RawRepresentable<UInt8>) { tag = kind.rawValue }

  public static func log(_ kind: LogKind) -> EventKind { EventKind(kind) }
  public static func account(_ kind: AccountKind) -> EventKind { EventKind(kind) }
  public static func clock(_ kind: ClockKind) -> EventKind { EventKind(kind) }
  public static func catalogue(_ kind: CatalogueKind) -> EventKind { EventKind(kind) }
  public static func line(_ kind: LineKind) -> EventKind { EventKind(kind) }
  public static func purchase(_ kind: PurchaseKind) -> EventKind { EventKind(kind) }
  public static func product(_ kind: ProductKind) -> EventKind { EventKind(kind) }
  public static func tester(_ kind: TesterKind) -> EventKind { EventKind(kind) }
  public static func appStore(_ kind: AppStoreKind) -> EventKind { EventKind(kind) }
}

extension EventKind: CaseIterable {
  public static let allCases: [EventKind] =
    LogKind.allCases.map(log) + AccountKind.allCases.map(account) + ClockKind.allCases.map(clock)
    + CatalogueKind.allCases.map(catalogue) + LineKind.allCases.map(line)
    + ProductKind.allCases.map(product) + TesterKind.allCases.map(tester)
    + AppStoreKind.allCases.map(appStore)
}

extension EventKind: CustomStringConvertible {
  public var description: String { Self.names[Int(tag)] }

  /// By tag.
  private static let names: [String] = {
    var names = [String](repeating: "", count: Int(UInt8.max) + 1)
    func name<Kind: RawRepresentable & CaseIterable>(_: Kind.Type) where Kind.RawValue == UInt8 {
      for kind in Kind.allCases { names[Int(kind.rawValue)] = "\(kind)" }
    }
    name(LogKind.self)
    name(AccountKind.self)
    name(ClockKind.self)
    name(CatalogueKind.self)
    name(LineKind.self)
    name(ProductKind.self)
    name(TesterKind.self)
    name(AppStoreKind.self)
    return names
  }()
}
