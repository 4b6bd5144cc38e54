/// The one list of the kinds of event: what each is, in a phrase. The page of the format has the
/// same rows, and the table of transitions those of a line.
public enum EventTable {
  public struct Row: Sendable {
    public var kind: EventKind
    /// What an event of the kind says, in a phrase.
    public var phrase: String

    init(_ kind: EventKind, _ phrase: String) {
      self.kind = kind
      self.phrase = phrase
    }
  }

  /// By tag. A kind that a line's and a purchase's events share stands once, as the line's.
  public static let all: [Row] = [
    Row(.log(.logCreated), "the log began: its role, and the seed of all it makes up"),
    Row(
      .account(.accountOpened),
      "a customer came: the only record with their name; in older logs again, with the "
        + "same number, where another token came"),
    Row(.clock(.clockCreated), "a test clock was made"),
    Row(.clock(.advanceStarted), "a test clock began to be moved to a target"),
    Row(.clock(.advanced), "it got there"),
    Row(.account(.clockAttached), "an account lives on another clock from now on"),
    Row(
      .catalogue(.catalogueImported),
      "products and groups were read from a source; those of the source that are not in "
        + "it go off sale"),
    Row(
      .clock(.clockHeld),
      "the machine's clock leapt ahead, and the system's clock is held behind it"),
    Row(.clock(.clockAccepted), "the leap was accepted; the system's clock goes on"),
    Row(.log(.bootObserved), "a new boot of the machine was seen, with its difference of clocks"),
    Row(.log(.reset), "accounts, lines and purchases were emptied"),
    Row(
      .catalogue(.offerKeysImported),
      "the keys that sign promotional offers were read from a source, in place of those "
        + "it had"),
    Row(
      .line(.purchased),
      "something was bought: a line began or opened again, or a purchase outside one"),
    Row(.line(.renewed), "a line's next period began"),
    Row(.line(.expired), "a line ended"),
    Row(.line(.autoRenewChanged), "a line's renewal was turned on or off"),
    Row(.line(.refunded), "a transaction was given back, in full or in part"),
    Row(.line(.refundReversed), "a refund was taken back"),
    Row(.account(.finished), "the app said that it delivered a transaction"),
    Row(
      .line(.renewalFailed),
      "a line's renewal could not be charged: its grace period or its billing retry began"),
    Row(.line(.graceEnded), "a line's grace period ended unpaid; billing is still tried"),
    Row(.line(.recovered), "a line in billing trouble was paid: its next period began"),
    Row(
      .line(.planChangeScheduled),
      "another product was chosen for a line's next renewal, or such a choice taken back"),
    Row(.line(.upgraded), "another product replaced a line's current one at once"),
    Row(
      .tester(.billingChanged),
      "an account's charges fail from now on, or succeed again: a tester's switch"),
    Row(.line(.offerRedeemed), "an offer was redeemed for a line's next billing event"),
    Row(
      .account(.offerNonceUsed),
      "the nonce of a signed offer was used up, whatever became of the purchase"),
    Row(
      .account(.offerStacked),
      "a code was redeemed on top of an introductory offer of several payments: it waits "
        + "for their end"),
    Row(.line(.refundRequested), "the refund of a transaction was asked for"),
    Row(.line(.refundDeclined), "a refund that was asked for was declined"),
    Row(
      .product(.priceIncreaseAnnounced),
      "a product costs more from now on; its lines are about to be told"),
    Row(.line(.priceIncreased), "a line was told of, or asked about, a higher price"),
    Row(.line(.priceIncreaseAccepted), "a customer agreed to it"),
    Row(.product(.priceIncreaseCompleted), "all lines were told"),
    Row(
      .product(.removedFromSale),
      "a product is sold no more and renews no more, until it is imported again"),
    Row(
      .line(.renewalExtended),
      "a line's period was made to end later, by itself or with all of its product"),
    Row(.line(.extensionFailed), "a line could not be extended with all of its product"),
    Row(.product(.massExtensionStarted), "all lines of a product are about to be extended"),
    Row(
      .product(.massExtensionCompleted),
      "all of them were extended or told that they could not be"),
    Row(.account(.sharingStarted), "an account shares with another from now on"),
    Row(.account(.sharingEnded), "it does not any more"),
    Row(.line(.shared), "a member of a family got a subscription or a purchase of the purchaser's"),
    Row(.line(.revoked), "a member of a family lost it"),
    Row(
      .tester(.askToBuyChanged),
      "purchases must be approved from now on, or need not: a tester's switch"),
    Row(.account(.purchasePending), "a purchase was asked for, and waits"),
    Row(.account(.pendingEnded), "a purchase that waited was made or declined"),
    Row(
      .tester(.interruptedChanged),
      "purchases are interrupted from now on, or are not: a tester's switch"),
    Row(
      .tester(.simulatedErrorChanged),
      "a part of StoreKit fails with an error from now on, or does not"),
    Row(.line(.restored), "something that an account has came again, under another transaction id"),
    Row(.tester(.rateChanged), "subscriptions run at another rate from now on: a tester's switch"),
    Row(
      .line(.chargeFailed),
      "a charge ahead of the end of a line's period failed; it is tried again at the end"),
    Row(.appStore(.ingested), "a signed fact of the App Store's was taken in"),
    Row(
      .appStore(.linked),
      "a line or purchase of the App Store's became an account's, with all that is known "
        + "of it"),
    Row(.appStore(.unlinked), "a line or purchase of the App Store's left an account"),
    Row(
      .line(.statusPassed),
      "time alone changed the status or the access of a line of the App Store's"),
    Row(
      .appStore(.namesReported),
      "signed facts named products, groups, offers or storefronts that no catalogue had"),
    Row(.account(.tokenGiven), "an appAccountToken came that the account had not come with before"),
  ]
}
