/// A tester's switch: for all accounts, and for some in another way. An account's own beats it.
public struct AccountSwitch: Hashable, Sendable {
  public private(set) var isOnForAll = false
  private var own: [AccountNumber: Bool] = [:]

  init() {}

  /// Whether it is on for an account; nil for one that is only being opened.
  public func isOn(for account: AccountNumber?) -> Bool {
    account.flatMap { own[$0] } ?? isOnForAll
  }

  /// Whether setting it would change nothing: of an account what it has of its own.
  func isSet(_ isOn: Bool, for account: AccountNumber) -> Bool {
    account == noNumber ? isOnForAll == isOn : own[account] == isOn
  }

  /// `noNumber` is all accounts.
  mutating func set(_ isOn: Bool, for account: AccountNumber) {
    if account == noNumber { isOnForAll = isOn } else { own[account] = isOn }
  }

  /// What is the accounts' own; a reset empties them.
  mutating func forgetAccounts() {
    own.removeAll()
  }

  func encode(into writer: inout ByteWriter) {
    writer.byte(isOnForAll ? 1 : 0)
    writer.varint(UInt64(own.count))
    for (account, isOn) in own.sorted(by: { $0.key < $1.key }) {
      writer.varint(account)
      writer.byte(isOn ? 1 : 0)
    }
  }

  init(from reader: inout ByteReader) {
    isOnForAll = reader.byte() != 0
    for _ in 0..<reader.count() {
      let account = reader.varint32()
      own[account] = reader.byte() != 0
    }
  }
}

/// The switches that make purchases wait or fail (Domain.md 1.9, 6.1).
public enum TesterSwitch: UInt8, Sendable, CaseIterable {
  case askToBuy = 0
  case interrupted = 1
}

/// What a tester has switched, and the purchases that wait because of it.
public struct StoreSwitches: Hashable, Sendable {
  public internal(set) var askToBuy = AccountSwitch()
  public internal(set) var interrupted = AccountSwitch()
  /// Payments of all accounts fail but of those that were told to succeed.
  public internal(set) var paymentsFailForAll = false
  var paying: Set<AccountNumber> = []
  public internal(set) var errors: [SimulatedAPI: SimulatedError] = [:]
  /// In the order of their ids.
  public internal(set) var pending: [PendingPurchase] = []

  init() {}

  public subscript(_ kind: TesterSwitch) -> AccountSwitch {
    get {
      switch kind {
      case .askToBuy: askToBuy
      case .interrupted: interrupted
      }
    }
    set {
      switch kind {
      case .askToBuy: askToBuy = newValue
      case .interrupted: interrupted = newValue
      }
    }
  }

  /// A purchase that waits, by its id.
  public func pending(id: UInt64) -> PendingPurchase? {
    pending.first { $0.id == id }
  }

  mutating func forgetAccounts() {
    askToBuy.forgetAccounts()
    interrupted.forgetAccounts()
    paying.removeAll()
    pending.removeAll()
  }

  // MARK: Snapshots

  func encode(into writer: inout ByteWriter) {
    askToBuy.encode(into: &writer)
    interrupted.encode(into: &writer)
    writer.byte(paymentsFailForAll ? 1 : 0)
    writer.varint(UInt64(paying.count))
    for account in paying.sorted() { writer.varint(account) }
    writer.varint(UInt64(errors.count))
    for (api, error) in errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.byte(api.rawValue)
      writer.byte(error.rawValue)
    }
    writer.varint(UInt64(pending.count))
    for purchase in pending {
      writer.zigzag(purchase.requestDate.milliseconds)
      EventFormat.encode(
        purchase, into: &writer, base: EventFormat.Base(time: 0, transactionID: 0))
    }
  }

  init(from reader: inout ByteReader) {
    askToBuy = AccountSwitch(from: &reader)
    interrupted = AccountSwitch(from: &reader)
    paymentsFailForAll = reader.byte() != 0
    for _ in 0..<reader.count() { paying.insert(reader.varint32()) }
    for _ in 0..<reader.count() {
      guard let api = reader.value(SimulatedAPI.self),
        let error = reader.value(SimulatedError.self)
      else { return }
      errors[api] = error
    }
    for _ in 0..<reader.count() {
      let date = Instant(milliseconds: reader.zigzag())
      guard
        let purchase = EventFormat.pendingPurchase(
          at: date, from: &reader, base: EventFormat.Base(time: 0, transactionID: 0))
      else { return }
      pending.append(purchase)
    }
  }
}
