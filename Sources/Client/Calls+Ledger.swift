/// What a ledger's entry is for.
public struct LedgerKind: OpenWord {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let charge = LedgerKind(rawValue: "charge")
  public static let refund = LedgerKind(rawValue: "refund")
  /// The unused part of a period that an upgrade replaced.
  public static let proration = LedgerKind(rawValue: "proration")
  /// A refund that was taken back.
  public static let reversal = LedgerKind(rawValue: "reversal")
}

/// An amount that an account paid or was given back.
public struct LedgerEntry: Answer, Hashable {
  /// The event it comes from; nil where it is a forecast.
  public var sequence: Int64?
  public var time: Timestamp
  public var kind: LedgerKind
  /// More than 0 was paid by the account, less was given back to it; nil where the App Store's
  /// signed transactions do not say it.
  public var amount: Money?
  public var productID: String
  public var transactionID: String
  /// What the account has paid in this currency and not been given back, this entry included; nil
  /// where the amount is.
  public var balance: Money?
  /// It has not happened, but will if nothing else does.
  public var isForecast: Bool

  public init(from reader: AnswerReader) throws(TransportError) {
    let currency = try reader.stringIfPresent("currency") ?? ""
    sequence = try reader.integerIfPresent("sequence")
    time = try reader.time("at")
    kind = try reader.word("kind")
    amount = try reader.integerIfPresent("amount").map {
      Money(milliunits: $0, currency: currency)
    }
    productID = try reader.string("productId")
    transactionID = try reader.string("transactionId")
    balance = try reader.integerIfPresent("balance").map {
      Money(milliunits: $0, currency: currency)
    }
    isForecast = try reader.bool("forecast")
  }
}

/// A page of `Membership.Ledger`, oldest first.
public struct LedgerPage: Answer, Hashable {
  public var entries: [LedgerEntry]
  /// How many entries of all pages have no amount: the balances are without them.
  public var untold: Int64
  /// Where to go on; nil on the last page.
  public var next: Int64?

  public init(from reader: AnswerReader) throws(TransportError) {
    entries = try reader.values("entries")
    untold = try reader.integerIfPresent("untold") ?? 0
    next = try reader.integerIfPresent("next")
  }
}

extension Call where Result == LedgerPage {
  /// What an account was charged and given back, oldest first, in pages: pass a page's `next` as
  /// `from`. `until` in the future adds what will come if nothing else happens. Role: read.
  public static func ledger(
    account: String, from: Int64? = nil, until: Timestamp? = nil
  ) -> Call {
    Call(
      "Membership.Ledger", isRead: true,
      ["account": .string(account), "from": .integer(from), "until": .time(until)])
  }
}
