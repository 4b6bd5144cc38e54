extension InterfaceTexts {
  static let store = """
    # The App Store's counter. For processes that may write. A record log sells nothing: there only
    # Submit and Link are answered, and all else is NotInThisRole.
    interface org.renewd.Store

    \(SharedTypes.transaction)

    \(SharedTypes.product)

    # An offer to redeem: its type, and its id but for the introductory one. A promotional offer
    # on an active subscription of the same product begins at its next renewal. It may come with
    # a signature by the key of the catalogue's subscriptionOffersKeyPair, and must where the
    # policy promotionalOfferSignature asks for it: keyId, nonce, signature (Base64 of DER) and
    # timestamp (milliseconds), or compactJws. One that is there must be right; then its nonce is
    # used up, whatever becomes of the purchase. The reason of a refusal begins with "missing
    # parameters" or "invalid signature".
    type Offer (
      type: (introductory, promotional, code, winBack),
      id: ?string,
      keyId: ?string,
      nonce: ?string,
      signature: ?string,
      timestamp: ?int,
      compactJws: ?string
    )

    # A transaction with its signed form.
    type SignedTransaction (transaction: Transaction, signedTransactionInfo: string)

    # A national App Store: three letters (USA), Apple's number (143441), its currency (USD).
    type Storefront (country: string, id: string, currency: string)

    # What is on sale; unknown lists the ids asked for that are not. storefront: the one that the
    # prices are for, and that purchases are made in which name none; it is the catalogue's unless
    # the call names another.
    method Products(productIds: ?[]string, storefront: ?string) -> (
      products: []Product,
      unknown: []string,
      storefront: Storefront
    )

    # Buys. result is pending where a tester makes purchases wait for approval, userCancelled where
    # one is interrupted: pendingId names it to org.renewd.Testing. appAccountToken is a UUID:
    # the transaction carries it, or none, and the renewals that follow on it; a change of plan
    # without one keeps the subscription's. storefront: three letters (USA). clock is where a new
    # account will live. purchaseDate dates the purchase back; renewalBehavior says what became of
    # it since. signed asks for the signed form, dated as the transaction is.
    method Purchase(
      account: string,
      productId: string,
      quantity: ?int,
      offer: ?Offer,
      appAccountToken: ?string,
      storefront: ?string,
      clock: ?string,
      purchaseDate: ?int,
      renewalBehavior: ?(renewUntilNow, cancelImmediately),
      signed: ?bool,
      requestId: ?string
    ) -> (
      result: (success, pending, userCancelled),
      transaction: ?Transaction,
      signedTransactionInfo: ?string,
      pendingId: ?string,
      sequence: int
    )

    # The app has delivered what was bought.
    method Finish(transactionId: string, requestId: ?string) -> (sequence: int)

    # What was bought and not finished, oldest first. signedTransactionInfo is empty unless
    # signed is asked for.
    method Unfinished(account: string, signed: ?bool) -> (transactions: []SignedTransaction)

    # Gives the account what it has once more, as a customer asks who comes with another device: of
    # each subscription that lives, in grace and in billing retry too, the newest period, and each
    # non-consumable that was not taken back; its own and what it has by Family Sharing.
    # Consumables and non-renewing purchases are not restored. Each has a transactionId of its own
    # from now on, and is to be finished again; its original transaction, webOrderLineItemId, dates
    # and price are what they were. An older id still names the same purchase, to every call.
    # Nothing is charged, and no notification comes of it. Of an account with nothing to restore,
    # or never seen, the list is empty and nothing happens. signed adds the signed forms, dated as
    # the restore.
    method Restore(account: string, signed: ?bool, requestId: ?string) -> (
      transactions: []Transaction,
      sequence: int
    )

    # Turns renewal off (a cancellation) or on again.
    method SetAutoRenew(originalTransactionId: string, enabled: bool, requestId: ?string) -> (
      sequence: int
    )

    # The app as the account has it, signed: a compact JWS. An account never seen has one too,
    # without an appTransactionId.
    method AppTransaction(account: string) -> (signedAppTransactionInfo: string)

    # Takes in what the App Store signed: the compact JWS of a transaction, a renewal info or a
    # notification. It is verified against the roots that are trusted (NoTrustRoot where there are
    # none), for this app, and kept in the environment that it names. kind says which of the three
    # it is. duplicate: it was here before, and nothing was appended. Whose it is: the account
    # given, else its line's, else the one that holds its token, else one named as the token. An
    # account that is given takes the line along where it was another's, since a fact is never
    # refused for whose it is; movedFrom says from whom.
    # missing: the fields without which a signed part of a notification is no fact; the
    # notification and its other part are taken all the same.
    method Submit(account: ?string, signed: string, requestId: ?string) -> (
      kind: (transaction, renewalInfo, notification),
      transactionId: ?string,
      duplicate: bool,
      movedFrom: ?string,
      sequence: int,
      missing: ?[]string
    )

    # Moves a subscription or purchase that signed facts told of to an account.
    method Link(account: string, originalTransactionId: string, requestId: ?string) -> (
      sequence: int
    )
    """
}
