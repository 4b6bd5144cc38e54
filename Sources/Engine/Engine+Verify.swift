import AppStore
import Contract
import Subscriptions

/// `Membership.Verify` and `Membership.Trust`: what a client says it has, held against the facts.
extension Engine {
  /// Why a transaction is not valid: a word for programs and a sentence.
  private struct Fault {
    var code: String
    var reason: String

    init(_ code: String, _ reason: String) {
      self.code = code
      self.reason = reason
    }

    init(_ failure: VerificationFailure) {
      self.init(failure.code, failure.description)
    }
  }

  /// What a client claims to have bought.
  private struct Claim {
    var transactionID: UInt64
    var productID: String
  }

  func verify(
    _ asked: MembershipInterface.Verify, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let now = state.accounts.find(key).map { state.now(of: $0) }
    let claim: Claim
    switch try claimed(asked, now: now ?? state.clocks[0].now) {
    case .failure(let failure):
      answerVerify(call.session, Fault(failure), sequence: durable)
      return .answered
    case .success(let found): claim = found
    }
    guard let account = state.accounts.find(key) else {
      answerVerify(
        call.session, Fault("unknownAccount", "the account is not known"), sequence: durable)
      return .answered
    }
    guard let history = current(call.gathered, of: account) else {
      return gatherHistory(of: account, for: call)
    }
    let fault = fault(in: history.entry(id: claim.transactionID), claim, account)
    answerVerify(call.session, fault, sequence: sequence(of: account))
    return .answered
  }

  /// The claim of a call: by its id, or by a signed text that is right in itself.
  private func claimed(
    _ asked: MembershipInterface.Verify, now: Instant
  ) throws(Refusal) -> Result<Claim, VerificationFailure> {
    let id = try Checked.transactionID(asked.transactionID, "transactionId")
    let productID = asked.productID
    guard let text = asked.signedTransactionInfo else {
      guard let id else { throw .parameter("transactionId") }
      guard let productID else { throw .parameter("productId") }
      return .success(Claim(transactionID: id, productID: productID))
    }
    guard id == nil else {
      throw .value("transactionId", "give either transactionId or signedTransactionInfo")
    }
    do throws(VerificationFailure) {
      let payload = try payloadVerifier.transaction(CompactJWS(text), now: now)
      guard let id = payload.transactionID.flatMap({ UInt64($0) }) else {
        throw .malformed(.wrongField("transactionId"))
      }
      guard let named = payload.productID else { throw .malformed(.wrongField("productId")) }
      return .success(Claim(transactionID: id, productID: productID ?? named))
    } catch {
      return .failure(error)
    }
  }

  /// Believes what is signed for this app under a root that is trusted here, whatever the
  /// environment is called: an unsigned one is never believed.
  var payloadVerifier: PayloadVerifier {
    PayloadVerifier(
      trust: .roots(signing.verifier), bundleID: configuration.bundleID,
      appAppleID: configuration.appAppleID, environment: Open(raw: configuration.environment))
  }

  /// Why a transaction does not entitle now; nil where it does.
  private func fault(
    in entry: AccountHistory.Entry?, _ claim: Claim, _ account: AccountNumber
  ) -> Fault? {
    guard let entry else { return faultOfAbsence(claim) }
    let transaction = entry.transaction
    // What another environment sold is worth nothing here (Domain.md, B56).
    if let told = entry.environment?.wireName, told != configuration.environment {
      return Fault("wrongEnvironment", "the transaction is of the environment \(told)")
    }
    let now = state.now(of: account)
    let product = state.products[Int(transaction.product)].entry
    guard product.id == claim.productID else {
      return Fault("wrongProduct", "the transaction is for \(product.id)")
    }
    if let revocation = transaction.revocation, revocation.date <= now {
      return Fault("revoked", "the transaction was taken back at \(revocation.date.rfc3339)")
    }
    if transaction.isUpgraded {
      return Fault("upgraded", "the transaction was replaced by an upgrade")
    }
    if entry.line != noNumber {
      let line = state.lines[Int(entry.line)]
      if line.transaction.id == transaction.id {
        if line.entitles(at: now, books.terms) { return nil }
      } else if line.origin == .apple, transaction.expiresDate > now,
        line.transaction.purchaseDate < transaction.expiresDate
      {
        return Fault(
          "upgraded",
          "the transaction was replaced at \(line.transaction.purchaseDate.rfc3339)")
      }
    }
    guard now < transaction.expiresDate else {
      return Fault("ended", "the transaction ended at \(transaction.expiresDate.rfc3339)")
    }
    return nil
  }

  /// The account has no such transaction: either nobody has, or another account.
  private func faultOfAbsence(_ claim: Claim) -> Fault {
    let id = claim.transactionID
    let isGivenOut = id >= Subscriptions.Limits.firstTransactionID && id < state.nextTransactionID
    let isTold = StoreEnvironment.allCases.contains {
      state.apple.chain(ChainKey(environment: $0, originalID: id)) != nil
    }
    guard isGivenOut || isTold || state.line(originalID: id) != nil else {
      return Fault("noSuchTransaction", "there is no such transaction")
    }
    return Fault("wrongAccount", "the transaction is another account's")
  }

  private func answerVerify(_ session: Session, _ fault: Fault?, sequence: UInt64) {
    answer(
      session, after: sequence,
      TransactionVerification {
        $0.isValid = fault == nil
        $0.reason = fault?.reason
        $0.code = fault?.code
        $0.sequence = Int64(sequence)
      })
  }

  // MARK: Trust

  func trust(_ asked: MembershipInterface.Trust, _ call: CallContext) -> Outcome {
    answer(
      call.session, after: 0,
      Trust {
        $0.bundleID = configuration.bundleID
        $0.environment = configuration.environment
        $0.appAppleID = configuration.appAppleID
        $0.simulated = state.switches.described
        $0.rootCertificates = signing.rootCertificates.map {
          String(decoding: Base64.standard.encode($0), as: UTF8.self)
        }
      })
    return .answered
  }

  /// Signed forms are of what stands now: a past state would be signed as if it were new, and
  /// what has not happened cannot be signed for.
  func refuseSignedElsewhere(
    _ asked: MembershipInterface.Status, now: Instant
  ) throws(Refusal) {
    guard asked.signed == true, let at = asked.at, at != now else { return }
    throw .value("signed", "only what stands now is signed for; leave out at")
  }

  // MARK: The app

  /// `Store.AppTransaction`.
  func appTransaction(
    _ asked: StoreInterface.AppTransaction, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    guard let account = state.accounts.find(key) else {
      let now = state.clocks[Int(state.clockForNewAccounts)].now
      answerAppTransaction(call.session, of: nil, since: now, now: now)
      return .answered
    }
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    let now = state.now(of: account)
    let opened = call.gathered.events.first?.event.at ?? now
    answerAppTransaction(call.session, of: account, since: opened, now: now)
    return .answered
  }

  private func answerAppTransaction(
    _ session: Session, of account: AccountNumber?, since opened: Instant, now: Instant
  ) {
    var payload = state.appPayload(of: account, since: opened, configuration)
    payload.receiptCreationDate = now
    let signed = signing.signer.sign(payload.json)
    answer(
      session, after: account.map { sequence(of: $0) } ?? 0,
      AppTransactionAnswer {
        $0.verificationError = state.switches.errors[.verification]?.name
        $0.signedAppTransactionInfo = String(decoding: signed, as: UTF8.self)
      })
  }
}
