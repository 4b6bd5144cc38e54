/// The Varlink descriptions of everything the daemon answers: the contract with its clients.
public enum InterfaceTexts {
  /// All of them, in the order of their names.
  public static let all = [
    errors, catalog, clocks, daemon, log, membership, store, testing,
  ]

  static let errors = """
    # The errors of all renewd's interfaces.
    interface org.renewd

    # The caller's role does not reach; role is the one that does.
    error PermissionDenied (role: string)
    # A parameter's value is wrong.
    error InvalidParameter (parameter: string, reason: string)
    # Nothing is sold under this id; nearest is what may have been meant.
    error ProductNotFound (productId: string, nearest: []string)
    error TransactionNotFound ()
    error ClockNotFound ()
    error SubscriptionNotFound ()
    error AlreadySubscribed ()
    error IneligibleForOffer (reason: string)
    error InvalidQuantity ()
    error InvalidTime (reason: string)
    # The rules refuse it in this status.
    error NotPossible (status: ?int, reason: string)
    # Several could be meant: transaction ids to choose from.
    error Ambiguous (candidates: []string)
    # The request id was used for another call.
    error RequestIdReused ()
    # The clock is being advanced already, to target.
    error ClockBusy (target: int)
    # The clock stands before the account's last event.
    error ClockBehind ()
    # The account lives on another clock.
    error ClockMismatch ()
    # A watch or an advance owns this connection.
    error ConnectionBusy ()
    # The cursor is ahead of the log; head is its last sequence.
    error CursorAhead (head: int)
    # More steps than a forecast may take.
    error ForecastTooFar ()
    # A log of the other role, or of another environment, does not do this.
    error NotInThisRole ()
    error NoTrustRoot ()
    error VerificationFailed (reason: string)
    # A tester made this part of StoreKit fail; error is StoreKit's name of it.
    error SimulatedError (api: string, error: string)
    # No space for new purchases; reads, renewals and cancellations go on.
    error DiskFull ()
    # The log could not be written: nothing more is taken, and the daemon leaves. With a reason:
    # what was asked for could not be read, and all else goes on.
    error LogFailed (reason: ?string)
    error LimitReached (limit: string)
    # path names the place in the file.
    error CatalogueInvalid (path: string, reason: string)
    """
}
