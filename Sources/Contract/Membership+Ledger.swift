import Varlink

extension MembershipInterface {
  public struct Ledger: MembershipMethod, Reading {
    public typealias Answer = LedgerPage
    public static let name = "Ledger"
    public static let about = """
      An account's money, oldest first, in pages: pass next as from. until in the future adds
      what will come if nothing else happens, in the past leaves out what came later. untold: how
      many entries of all pages have no amount, so that the balances are without them.
      """
    public var account = ""
    public var from: Int64?
    public var until: Timestamp?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.integer("from", &from)
      try coder.time("until", &until)
    }
  }
}

/// What a ledger's entry is for.
public struct LedgerKind: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let charge = LedgerKind(rawValue: "charge")
  public static let refund = LedgerKind(rawValue: "refund")
  /// The unused part of a period that an upgrade replaced.
  public static let proration = LedgerKind(rawValue: "proration")
  /// A refund that was taken back.
  public static let reversal = LedgerKind(rawValue: "reversal")

  public static let known = [charge, refund, proration, reversal]
}

/// An amount that an account paid or was given back.
public struct LedgerEntry: NamedFields, Hashable {
  public static let typeName = "LedgerEntry"
  public static let about = """
    An amount that an account paid (more than 0) or was given back (less), milliunits of the
    currency. charge: a purchase or a period, 0 for a free trial; proration: the unused part of a
    period that an upgrade replaced; reversal: a refund taken back. balance: what it has paid in
    this currency and not been given back, this included. A forecast has no sequence. Of lines of
    the App Store's it is what the signed transactions say, at the purchase's or the refund's own
    time: amount, currency and balance are absent where none of them says it.
    """
  /// The event it comes from; nil where it is a forecast.
  public var sequence: Int64?
  public var time = Timestamp.zero
  public var kind = LedgerKind(rawValue: "")
  /// More than 0 was paid by the account, less was given back to it, milliunits of `currency`; nil
  /// where the App Store's signed transactions do not say it.
  public var milliunits: Int64?
  /// ISO 4217; nil where the amount is.
  public var currency: String?
  public var productID = ""
  public var transactionID = ""
  /// What the account has paid in this currency and not been given back, this entry included; nil
  /// where the amount is.
  public var balanceMilliunits: Int64?
  /// It has not happened, but will if nothing else does.
  public var isForecast = false

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
    try coder.time("at", &time)
    try coder.word("kind", &kind)
    try coder.integer("amount", &milliunits)
    try coder.text("currency", &currency)
    try coder.text("productId", &productID)
    try coder.text("transactionId", &transactionID)
    try coder.integer("balance", &balanceMilliunits)
    try coder.flag("forecast", &isForecast)
  }

  /// The amount with its currency.
  public var amount: Money? { money(milliunits) }
  /// The balance with its currency.
  public var balance: Money? { money(balanceMilliunits) }

  private func money(_ milliunits: Int64?) -> Money? {
    guard let milliunits, let currency else { return nil }
    return Money(milliunits: milliunits, currency: currency)
  }
}

/// A page of `Membership.Ledger`, oldest first.
public struct LedgerPage: Fields, Hashable {
  public var entries: [LedgerEntry] = []
  /// How many entries of all pages have no amount: the balances are without them. Nil for none.
  public var untold: Int64?
  /// Where to go on; nil on the last page.
  public var next: Int64?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("entries", &entries)
    try coder.integer("untold", &untold)
    try coder.integer("next", &next)
  }
}

extension Call where Result == LedgerPage {
  /// What an account was charged and given back, oldest first, in pages: pass a page's `next` as
  /// `from`. `until` in the future adds what will come if nothing else happens. Role: read.
  public static func ledger(
    account: String, from: Int64? = nil, until: Timestamp? = nil
  ) -> Call {
    Call(MembershipInterface.Ledger()) {
      $0.account = account
      $0.from = from
      $0.until = until
    }
  }
}
