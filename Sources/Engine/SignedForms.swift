import AppStore
import JSON
import Subscriptions

/// Makes the signed forms of one answer. A form of what stands now is signed with the account's
/// present time, as a store's server does it (Domain.md 3.6); one of what an event said keeps the
/// date of that fact, so that whoever holds a newer form never takes it for newer.
struct SignedForms {
  let state: State
  let signer: any PayloadSigner
  let configuration: Configuration
  /// The signed date; nil for each fact's own.
  let date: Instant?
  /// What the App Store signed itself is given as it came.
  var texts = SignedTexts()

  /// The form of a transaction of the store's own; of one that a signed fact told its text.
  func transactionInfo(
    _ transaction: Transaction, told: TransactionVersion? = nil, line: LineNumber,
    account: AccountNumber
  ) -> [UInt8]? {
    if let told { return texts.text(of: told) }
    guard line == noNumber ? isOwn(transaction) : isOwn(line) else { return nil }
    let payload = state.payload(of: transaction, line: line, account: account, configuration)
    return sign(payload, date ?? transaction.signedDate) { $0.signedDate = $1 }
  }

  /// The form of a line's renewal info, as it stood while `product` was its product.
  func renewalInfo(
    _ renewal: RenewalInfo, of product: ProductNumber, storefront: UInt16, line: LineNumber,
    winBack: [String]
  ) -> [UInt8]? {
    guard isOwn(line) else { return nil }
    var payload = state.payload(
      of: renewal, product: product, storefront: storefront, line: line, configuration)
    if !winBack.isEmpty { payload.eligibleWinBackOfferIDs = winBack }
    return sign(payload, date ?? renewal.signedDate) { $0.signedDate = $1 }
  }

  /// The App Store's own text of a line's renewal info, as it came.
  func toldRenewalInfo(of line: LineNumber) -> [UInt8]? {
    texts.text(of: state.apple.chain(ofLine: line)?.renewal)
  }

  /// Lines of another store are not signed for here, nor are those that a forecast begins.
  private func isOwn(_ line: LineNumber) -> Bool {
    Int(line) < state.lines.count && state.lines[Int(line)].origin == .store
  }

  /// Nor are single purchases whose ids this store has not given out.
  private func isOwn(_ transaction: Transaction) -> Bool {
    state.role == .store && transaction.id >= Subscriptions.Limits.firstTransactionID
      && transaction.id < state.nextTransactionID
  }

  private func sign<Payload: PayloadModel>(
    _ payload: Payload, _ date: Instant, _ setDate: (inout Payload, Instant) -> Void
  ) -> [UInt8] {
    var payload = payload
    setDate(&payload, date)
    return signer.sign(payload.json)
  }
}

extension Engine {
  /// Signed forms where a call asks for them; nil where it does not.
  func signedForms(_ call: CallContext, date: Instant?) -> SignedForms? {
    guard call.parameters.asksForSignedForms else { return nil }
    return signedForms(date: date)
  }

  func signedForms(date: Instant?) -> SignedForms {
    SignedForms(
      state: state, signer: signing.signer, configuration: configuration, date: date)
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, signed text: [UInt8]?) {
    guard let text else { return }
    key(name)
    string(utf8: text.span)
  }
}
