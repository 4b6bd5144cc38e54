extension InterfaceTexts {
  static let membership = """
    # Who is a member? For every process that may read. Times are milliseconds since 1970 UTC.
    interface org.renewd.Membership

    \(SharedTypes.transaction)

    \(SharedTypes.renewalInfo)

    \(SharedTypes.subscription)

    \(SharedTypes.event)

    # A sentence of an account's story, and the event it speaks of.
    type ExplainLine (sequence: ?int, at: int, text: string)

    # An amount that an account paid (more than 0) or was given back (less), milliunits of the
    # currency. charge: a purchase or a period, 0 for a free trial; proration: the unused part of a
    # period that an upgrade replaced; reversal: a refund taken back. balance: what it has paid in
    # this currency and not been given back, this included. A forecast has no sequence. Of lines of
    # the App Store's it is what the signed transactions say, at the purchase's or the refund's own
    # time: amount, currency and balance are absent where none of them says it.
    type LedgerEntry (
      sequence: ?int,
      at: int,
      kind: (charge, refund, proration, reversal),
      amount: ?int,
      currency: ?string,
      productId: string,
      transactionId: string,
      balance: ?int,
      forecast: bool
    )

    # Everything about an account, now or at another moment: at in the past is the fold of the
    # events up to it, at in the future what will happen if nothing else does. An account never
    # seen is not entitled. productId and entitlement narrow the answer. signed adds the signed
    # forms of what stands now, so it is refused with another moment; of the App Store's lines the
    # texts that they stand on, as they came.
    method Status(
      account: string,
      productId: ?string,
      entitlement: ?string,
      environment: ?string,
      at: ?int,
      signed: ?bool
    ) -> (
      account: string,
      entitled: bool,
      subscriptions: []Subscription,
      purchases: []Transaction,
      sequence: int,
      asOf: int,
      clock: string,
      basis: (present, past, forecast)
    )

    # The poller's call. until: the end of what is paid for, or of the grace period; a renewal
    # moves it. Absent where access never ends, or there is none.
    method Check(account: string, productId: ?string, entitlement: ?string) -> (
      entitled: bool,
      status: ?int,
      until: ?int,
      sequence: int
    )

    # Is this transaction valid now: known, this account's, of this product, not taken back, not
    # over? Give transactionId with productId, or signedTransactionInfo, a compact JWS, which must
    # also be signed under a root that is trusted here, for this app and environment. reason says
    # why it is not valid, code the same in a word for programs.
    method Verify(
      account: string,
      transactionId: ?string,
      productId: ?string,
      signedTransactionInfo: ?string
    ) -> (
      valid: bool,
      reason: ?string,
      code: ?string,
      sequence: int
    )

    # All transactions of an account, oldest first, in pages: pass next as from. What was restored
    # is listed once, under its newest id. until in the future adds those that will come if nothing
    # else happens. signed adds the signed forms of those that have come, dated now, and of the App
    # Store's the texts as they came. environment: as in Status.
    method History(
      account: string,
      from: ?string,
      until: ?int,
      signed: ?bool,
      environment: ?string
    ) -> (
      transactions: []Transaction,
      next: ?string
    )

    # An account's money, oldest first, in pages: pass next as from. until in the future adds
    # what will come if nothing else happens, in the past leaves out what came later. untold: how
    # many entries of all pages have no amount, so that the balances are without them.
    method Ledger(account: string, from: ?int, until: ?int) -> (
      entries: []LedgerEntry,
      untold: ?int,
      next: ?int
    )

    # The account's story in plain sentences.
    method Explain(account: string) -> (lines: []ExplainLine)

    # Call with more. Without since: the present state, one reply per subscription, then one with
    # only the sequence, then events as they happen. With since (exclusive; 0 is the whole log):
    # events only. A reply with only a sequence moves the cursor. A watch owns its connection.
    # signed adds signed forms: of the present state dated now, of an event dated as the event.
    method Watch(account: ?string, since: ?int, signed: ?bool) -> (
      sequence: int,
      subscription: ?Subscription,
      event: ?Event
    )

    # Whose signatures count here, for programs that verify by themselves: the app, the
    # environment, and the roots in DER, in base64.
    method Trust() -> (
      bundleId: string,
      environment: string,
      appAppleId: ?int,
      rootCertificates: []string
    )
    """
}
