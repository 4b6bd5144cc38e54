/// What an account was charged and given back: a pure function of its events, taken in one by
/// one, oldest first. It knows no taxes and no share of Apple's; an amount is a price as it was
/// paid, milliunits of the currency of the transaction's storefront.
public struct Ledger: Sendable {
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A purchase or a period; 0 for a free trial.
    case charge = 0
    /// A refund, in full or in part.
    case refund
    /// The unused part of a period that an upgrade replaced (Domain.md 1.4).
    case proration
    /// A refund that is taken back.
    case reversal
  }

  public struct Entry: Hashable, Sendable {
    /// The event's; nil where it is a forecast.
    public var sequence: UInt64?
    public var at: Instant
    public var kind: Kind
    /// Milliunits: more than 0 was paid by the account, less was given back to it.
    public var amount: Int64
    /// Number in `Storefront.all`: whose currency it is.
    public var storefront: UInt16
    public var product: ProductNumber
    public var transactionID: UInt64
    /// What the account has paid in this currency and not been given back, this entry included.
    public var balance: Int64
  }

  /// One transaction and what of its price is given back.
  private struct Paid {
    var transaction: Transaction
    var prorated: Int64 = 0
    var refunded: Int64 = 0
  }

  public private(set) var entries: [Entry] = []
  /// By the id that each was sold under, so that a restore is charged to nobody.
  private var paid: [UInt64: Paid] = [:]
  /// What the newest period of each line was sold as.
  private var newest: [LineNumber: UInt64] = [:]
  private var balances: [String: Int64] = [:]

  public init() {}

  /// Takes in the account's next event, completed (see `State.complete`).
  public mutating func apply(_ event: Event, sequence: UInt64?) {
    if case .line(let kind, let fact) = event.fact, let transaction = fact.transaction {
      apply(kind, transaction, line: fact.line, at: event.at, sequence: sequence)
    } else if case .purchase(let kind, let fact) = event.fact {
      apply(
        kind.ofLine, fact.transaction, line: noNumber, at: event.at, sequence: sequence)
    }
  }

  /// What a refund of so many thousandths of a percent gives back of a transaction now: of one
  /// that was replaced, only of what its proration left.
  public func refund(of transaction: Transaction, percentage: Int32) -> Int64 {
    Self.share(percentage, of: transaction.price - (paid[transaction.soldID]?.prorated ?? 0))
  }

  /// So many thousandths of a percent of an amount, to the milliunit, cut towards zero.
  static func share(_ percentage: Int32, of amount: Int64) -> Int64 {
    let thousandths = UInt64(min(max(0, percentage), 100_000))
    let (high, low) = amount.magnitude.multipliedFullWidth(by: thousandths)
    let share = UInt64(100_000).dividingFullWidth((high, low)).quotient
    return amount < 0 ? -Int64(share) : Int64(share)
  }

  private mutating func apply(
    _ kind: LineKind, _ transaction: Transaction, line: LineNumber, at: Instant,
    sequence: UInt64?
  ) {
    // A family member pays nothing, and is given nothing back.
    guard transaction.ownership == .purchased else { return }
    func entry(_ kind: Kind, _ amount: Int64, of transaction: Transaction) -> Entry {
      Entry(
        sequence: sequence, at: at, kind: kind, amount: amount,
        storefront: transaction.storefront, product: transaction.product,
        transactionID: transaction.id, balance: 0)
    }
    if paid[transaction.soldID] == nil {
      if kind == .upgraded, let id = newest[line], let old = paid[id] {
        let unused = min(
          old.transaction.proratedRefund(at: at), old.transaction.price - old.refunded)
        paid[id]?.prorated = unused
        append(entry(.proration, -unused, of: old.transaction))
      }
      append(entry(.charge, transaction.price, of: transaction))
      paid[transaction.soldID] = Paid(transaction: transaction)
    }
    paid[transaction.soldID]?.transaction = transaction
    if line != noNumber { newest[line] = max(newest[line] ?? 0, transaction.soldID) }
    if kind == .refunded, let revocation = transaction.revocation {
      let amount = refund(of: transaction, percentage: revocation.percentage)
      paid[transaction.soldID]?.refunded = amount
      append(entry(.refund, -amount, of: transaction))
    } else if kind == .refundReversed {
      append(entry(.reversal, paid[transaction.soldID]?.refunded ?? 0, of: transaction))
      paid[transaction.soldID]?.refunded = 0
    }
  }

  private mutating func append(_ entry: Entry) {
    var entry = entry
    let currency = Storefront.all[Int(entry.storefront)].currency
    // Wraps only where prices are beyond any shop's.
    entry.balance = balances[currency, default: 0] &+ entry.amount
    balances[currency] = entry.balance
    entries.append(entry)
  }
}
