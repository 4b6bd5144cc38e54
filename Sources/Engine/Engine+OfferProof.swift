import AppStore
import Contract
import Subscriptions

/// Signed promotional offers: whether a signature is genuine, and used for the first time
/// (Domain.md 1.7).
extension Engine {
  /// What a purchase's signature came to: a nonce to be used up, or nothing where it needs none.
  struct OfferProofCheck {
    var nonce: UUIDBits?
    /// A transaction that the signed text says is the customer's, yet to be looked for.
    var transactionID: UInt64?
  }

  /// Checks the signature that a purchase brings for its offer, if any.
  func checkOfferProof(
    _ command: PurchaseCommand, _ offer: Offer?
  ) throws(Refusal) -> OfferProofCheck {
    guard let offer else { return OfferProofCheck() }
    let signature = OfferSignature(
      keyID: offer.keyID, nonce: offer.nonce, signature: offer.signature,
      timestamp: offer.timestamp, compactJWS: offer.compactJWS)
    guard command.offer?.kind == .promotional else {
      guard signature.isEmpty else {
        throw .value("offer", "only a promotional offer has a signature; leave it out")
      }
      return OfferProofCheck()
    }
    guard !signature.isEmpty || configuration.policies.offerSignature == .required else {
      return OfferProofCheck()
    }
    do throws(OfferSignatureFault) {
      let claim = try OfferClaim(
        signature,
        of: OfferSubject(
          bundleID: configuration.bundleID, productID: command.productID,
          offerID: command.offer?.id ?? "", token: command.token?.text ?? ""))
      try claim.verify(
        by: state.offerKey(id: claim.keyID), at: signerTimes(command), signing.offerKeyring)
      guard !state.usedNonces.contains(claim.nonce) else { throw .nonceUsed }
      var check = OfferProofCheck(nonce: claim.nonce)
      if let text = claim.transactionID {
        guard let id = UInt64(text) else {
          throw .wrongClaim(name: "transactionId", expected: "a transaction of this account")
        }
        check.transactionID = id
      }
      return check
    } catch {
      throw .rule(.ineligibleForOffer(reason: error.reason))
    }
  }

  /// Whether the transaction that a signed text names is the account's: false while its history
  /// is yet to be gathered.
  func isProven(
    _ proof: OfferProofCheck, of command: PurchaseCommand, _ call: CallContext
  ) throws(Refusal) -> Bool {
    guard let id = proof.transactionID else { return true }
    if let account = state.accounts.find(command.account) {
      guard let history = current(call.gathered, of: account) else { return false }
      if history.entry(id: id) != nil { return true }
    }
    let fault = OfferSignatureFault.wrongClaim(
      name: "transactionId", expected: "a transaction of this account")
    throw .rule(.ineligibleForOffer(reason: fault.reason))
  }

  /// The times that a server may sign by: the machine's, and that of the account's clock, which a
  /// test moves.
  private func signerTimes(_ command: PurchaseCommand) -> [Int64] {
    let clock =
      state.accounts.find(command.account).map { state.accounts[$0].clock }
      ?? command.clock.flatMap { state.clock(named: $0) } ?? state.clockForNewAccounts
    return [reading.realtime, state.clocks[Int(clock)].now.milliseconds]
  }

  /// The event that a nonce is used up.
  func nonceEvent(_ nonce: UUIDBits, of command: PurchaseCommand) -> Event {
    let account = state.accounts.find(command.account)
    let clock = account.map { state.accounts[$0].clock } ?? Clock.system
    return Event(
      at: state.clocks[Int(clock)].now, clock: clock,
      fact: .account(.offerNonceUsed(account: account ?? noNumber, nonce: nonce)))
  }

  /// The public keys of a catalogue's file, for offers to be checked by.
  func offerKeys(of read: StoreKitConfiguration) -> (keys: [OfferKey], notices: [String]) {
    guard let pair = read.offersKeyPair else { return ([], []) }
    guard let publicKey = signing.offerKeyring.publicKey(of: pair.privateKey) else {
      return (
        [],
        [
          "$.subscriptionOffersKeyPair.privateKey: no key of the curve P-256 in PKCS #8; no"
            + " promotional offer can be signed by it"
        ]
      )
    }
    return ([OfferKey(id: pair.id, publicKey: publicKey)], [])
  }
}
