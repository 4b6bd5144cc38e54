/// Whose token is whose (Domain.md 3.1, appAccountToken): each transaction carries that of its own
/// purchase, a renewal that of the purchase or change of plan that it follows.
extension State {
  /// The token that a transaction or renewal of an account's carries; nil for none.
  public func token(_ reference: TokenReference, of account: AccountNumber) -> UUIDBits? {
    guard reference == .opening else { return reference.number.map { facts.tokens[Int($0)] } }
    guard account != noNumber, facts.accounts[account].token != noNumber else { return nil }
    return facts.tokens[Int(facts.accounts[account].token)]
  }

  /// How a purchase of an account's refers to the token that the app gave, or to none. Where the
  /// account has not come with it yet, the number is the table's next: `tokenEvent` brings it.
  /// `account` is nil for one that the purchase opens.
  func reference(to token: UUIDBits?, of account: AccountNumber?) -> TokenReference {
    guard let account else { return .opening }
    let first = TokenReference(rawValue: facts.accounts[account].token)
    // Where the account was opened anew, only a number says which opening is meant.
    let isNumbered = facts.laterTokens[account]?.contains(where: \.isOpening) ?? false
    guard let token else { return first == .absent && !isNumbered ? .opening : .absent }
    if let number = first.number, facts.tokens[Int(number)] == token {
      return isNumbered ? first : .opening
    }
    let later = facts.laterTokens[account]?.lazy.compactMap {
      TokenReference(rawValue: $0.number).number
    }
    let known = later?.first { facts.tokens[Int($0)] == token }
    return TokenReference(rawValue: known ?? UInt32(facts.tokens.count))
  }

  /// The event that brings the token of a purchase; nil where the account has come with it before.
  func tokenEvent(
    _ token: UUIDBits?, of account: AccountNumber, at: Instant, clock: ClockNumber
  ) -> Event? {
    guard let token, reference(to: token, of: account).number == UInt32(facts.tokens.count) else {
      return nil
    }
    return Event(at: at, clock: clock, fact: .account(.tokenGiven(account: account, token: token)))
  }

  /// Whether an account has ever come with a token.
  func hasToken(_ account: AccountNumber) -> Bool {
    facts.accounts[account].token != noNumber || facts.laterTokens[account] != nil
  }

  /// Whether an account has ever come with this one.
  func holds(_ account: AccountNumber, _ token: UUIDBits) -> Bool {
    let number = facts.accounts[account].token
    if number != noNumber, facts.tokens[Int(number)] == token { return true }
    return facts.laterTokens[account]?.contains {
      $0.number != noNumber && facts.tokens[Int($0.number)] == token
    } ?? false
  }

  /// Whether the event of a sequence opened an account that was open: older programs wrote a new
  /// token so.
  public func isReopening(_ sequence: UInt64, of account: AccountNumber) -> Bool {
    facts.laterTokens[account]?.contains { $0.sequence == sequence && $0.isOpening } ?? false
  }

  // MARK: The fold

  /// Takes a token in and gives its number.
  func intern(_ token: UUIDBits, of account: AccountNumber) -> UInt32 {
    facts.tokens.append(token)
    if facts.role == .record { facts.apple.tokenAccounts[token] = account }
    return UInt32(facts.tokens.count - 1)
  }

  /// What an account has from before it was opened anew keeps the token that it had.
  func reopen(_ account: AccountNumber, with number: UInt32) {
    let had = TokenReference(rawValue: facts.accounts[account].token)
    if !(facts.laterTokens[account]?.contains(where: \.isOpening) ?? false) {
      pinTokens(of: account, to: had)
    }
    facts.laterTokens[account, default: []].append(
      LaterToken(sequence: facts.sequence, number: number, isOpening: true))
  }

  private func pinTokens(of account: AccountNumber, to had: TokenReference) {
    var line = facts.accounts[account].newestLine
    while line != noNumber {
      if facts.lines[Int(line)].transaction.ownership == .purchased {
        facts.lines[Int(line)].transaction.token.pin(to: had)
        facts.lines[Int(line)].renewal.token.pin(to: had)
      }
      line = facts.lines[Int(line)].nextOfAccount
    }
    var purchase = facts.accounts[account].newestPurchase
    while purchase != noNumber {
      if facts.purchases[Int(purchase)].transaction.ownership == .purchased {
        facts.purchases[Int(purchase)].transaction.token.pin(to: had)
      }
      purchase = facts.purchases[Int(purchase)].nextOfAccount
    }
    for index in facts.switches.pending.indices
    where facts.switches.pending[index].account == account {
      facts.switches.pending[index].token.pin(to: had)
    }
  }

  /// The opening token of an account as it was at an event, where a number must say it; nil where
  /// the account was opened once alone.
  private func openingToken(
    of account: AccountNumber, at sequence: UInt64
  ) -> TokenReference? {
    guard let later = facts.laterTokens[account], later.contains(where: \.isOpening) else {
      return nil
    }
    let newest = later.last { $0.isOpening && $0.sequence <= sequence }
    return TokenReference(rawValue: newest?.number ?? facts.accounts[account].token)
  }

  /// Says by its number which opening's token an event means, where there were several.
  func completeTokens(_ fact: inout LineFact, at sequence: UInt64) {
    guard !facts.laterTokens.isEmpty, let opening = openingToken(of: fact.account, at: sequence)
    else {
      return
    }
    let ownership = fact.transaction?.ownership ?? ownership(of: fact.line)
    guard ownership == .purchased else { return }
    fact.transaction?.token.pin(to: opening)
    fact.renewal?.token.pin(to: opening)
  }

  private func ownership(of line: LineNumber) -> Ownership {
    Int(line) < facts.lines.count ? facts.lines[Int(line)].transaction.ownership : .purchased
  }

  /// The same for what is outside a subscription, or waits.
  func completeTokens(_ event: inout Event, at sequence: UInt64) {
    guard !facts.laterTokens.isEmpty,
      let opening = openingToken(of: event.fact.account, at: sequence)
    else { return }
    if case .purchase(let kind, var fact) = event.fact, fact.transaction.ownership == .purchased {
      fact.transaction.token.pin(to: opening)
      event.fact = .purchase(kind, fact)
    } else if case .account(.purchasePending(var purchase)) = event.fact {
      purchase.token.pin(to: opening)
      event.fact = .account(.purchasePending(purchase))
    }
  }

  // MARK: Snapshots

  func encodeTokens(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.tokens.count))
    for token in facts.tokens { EventFormat.encode(token, into: &writer) }
    writer.varint(UInt64(facts.laterTokens.count))
    for (account, later) in facts.laterTokens.sorted(by: { $0.key < $1.key }) {
      writer.varint(account)
      writer.varint(UInt64(later.count))
      for token in later {
        writer.varint(token.sequence)
        writer.varint(token.number &+ 1)
        writer.byte(token.isOpening ? 1 : 0)
      }
    }
  }

  func readTokens(from reader: inout ByteReader) {
    for _ in 0..<reader.count() { facts.tokens.append(EventFormat.uuid(from: &reader)) }
    for _ in 0..<reader.count() {
      let account = reader.varint32()
      for _ in 0..<reader.count() {
        let sequence = reader.varint()
        let number = reader.varint32() &- 1
        facts.laterTokens[account, default: []].append(
          LaterToken(sequence: sequence, number: number, isOpening: reader.byte() != 0))
      }
    }
  }
}

extension TokenReference {
  /// Lets the opening's token be said by its number.
  fileprivate mutating func pin(to opening: TokenReference) {
    if self == .opening { self = opening }
  }
}
