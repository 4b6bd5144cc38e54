import Contract

/// Everything that the daemon describes and answers, in the order of the descriptions.
///
/// The descriptions are printed from these lists, and calls are carried out by them: a method that
/// is described and not answered is none that can be written here.
enum Interfaces {
  static let all: [ServedInterface] = [
    catalog, clocks, daemon, log, membership, store, testing,
  ]

  /// Their methods by the names that calls have.
  static let methods = Dictionary(
    uniqueKeysWithValues: all.flatMap(\.methods).map { ($0.qualifiedName, $0) })

  private static let catalog = ServedInterface(
    CatalogInterface.self,
    [
      .type(Contract.Product.self),
      .type(ProductOffer.self),
      .type(SubscriptionGroup.self),
      .method(Engine.importCatalog),
      .method(Engine.describeCatalog),
    ])

  private static let clocks = ServedInterface(
    ClocksInterface.self,
    [
      .type(Contract.Clock.self),
      .type(Contract.Transaction.self),
      .type(Contract.RenewalInfo.self),
      .type(Contract.Event.self),
      .method(Engine.listClocks),
      .method(Engine.createClock),
      .method(Engine.advance),
      .method(Engine.attach),
      .method(Engine.acceptClock),
    ])

  private static let daemon = ServedInterface(
    DaemonInterface.self,
    [
      .type(DaemonOption.self),
      .method(Engine.reload),
      .method(Engine.describeDaemon),
    ])

  private static let log = ServedInterface(
    LogInterface.self,
    [
      .type(Contract.Transaction.self),
      .type(Contract.RenewalInfo.self),
      .type(Contract.Event.self),
      .method(Engine.describeLog),
      .method(Engine.readLog),
      .method(Engine.verifyLog),
      .method(Engine.snapshotLog),
    ])

  private static let membership = ServedInterface(
    MembershipInterface.self,
    [
      .type(Contract.Transaction.self),
      .type(Contract.RenewalInfo.self),
      .type(Subscription.self),
      .type(Contract.Event.self),
      .type(Contract.ExplainLine.self),
      .type(LedgerEntry.self),
      .type(Contract.SimulatedAPI.self),
      .type(SimulatedFault.self),
      .method(Engine.membershipStatus),
      .method(Engine.check),
      .method(Engine.verify),
      .method(Engine.history),
      .method(Engine.ledger),
      .method(Engine.explain),
      .method(Engine.watch),
      .method(Engine.trust),
    ])

  private static let store = ServedInterface(
    StoreInterface.self,
    [
      .type(Contract.Transaction.self),
      .type(Contract.Product.self),
      .type(ProductOffer.self),
      .type(Offer.self),
      .type(SignedTransaction.self),
      .type(Contract.Storefront.self),
      .method(Engine.products),
      .method(Engine.purchase),
      .method(Engine.finish),
      .method(Engine.unfinished),
      .method(Engine.restore),
      .method(Engine.setAutoRenew),
      .method(Engine.appTransaction),
      .method(Engine.submit),
      .method(Engine.link),
    ])

  private static let testing = ServedInterface(
    TestingInterface.self,
    [
      .type(Contract.Transaction.self),
      .method(Engine.refund),
      .method(Engine.reverseRefund),
      .method(Engine.requestRefund),
      .method(Engine.declineRefund),
      .method(Engine.announcePriceIncrease),
      .method(Engine.consentToPriceIncrease),
      .method(Engine.declinePriceIncrease),
      .method(Engine.removeFromSale),
      .method(Engine.extend),
      .method(Engine.extendAll),
      .method(Engine.forceRenewal),
      .method(Engine.expire),
      .method(Engine.setBilling),
      .method(Engine.resolveBilling),
      .type(Contract.RenewalRate.self),
      .type(RateLength.self),
      .method(Engine.getRate),
      .method(Engine.setRate),
      .method(Engine.setAskToBuy),
      .method(Engine.approveAskToBuy),
      .method(Engine.declineAskToBuy),
      .method(Engine.setInterrupted),
      .method(Engine.resolveInterrupted),
      .type(Contract.PendingPurchase.self),
      .method(Engine.listPending),
      .type(Contract.SimulatedAPI.self),
      .type(SimulatedFault.self),
      .method(Engine.setSimulatedError),
      .method(Engine.describeFaults),
      .method(Engine.share),
      .method(Engine.unshare),
      .method(Engine.reset),
    ])
}
