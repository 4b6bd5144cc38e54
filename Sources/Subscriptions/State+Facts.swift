extension State {
  /// What a state holds: one value, which is copied, written and read as a whole.
  public struct Facts {
    public internal(set) var role: Role = .store
    public internal(set) var seed = UUIDBits(high: 0, low: 0)
    /// What a store signs as; nil in a record, and in logs older than this.
    public internal(set) var identity: StoreIdentity?
    /// The sequence of the newest event applied.
    public internal(set) var sequence: UInt64 = 0
    public internal(set) var accounts = AccountTable()
    public internal(set) var lines: [Line] = []
    public internal(set) var purchases: [LastingPurchase] = []
    public internal(set) var clocks: [Clock]
    public internal(set) var products: [Product] = []
    /// The groups of all catalogues, in the order in which they came.
    public internal(set) var groups: [CatalogueGroup] = []
    /// Each appAccountToken, by the number under which transactions carry it.
    public internal(set) var tokens: [UUIDBits] = []
    /// Of accounts that came with tokens after their opening: those, oldest first.
    var laterTokens: [AccountNumber: [LaterToken]] = [:]
    /// Group and offer identifiers, by number.
    public internal(set) var texts: [String] = []
    public internal(set) var sources: [CatalogueSource] = []
    public internal(set) var defaultStorefront: UInt16 = Storefront.unitedStates
    public internal(set) var nextTransactionID = Limits.firstTransactionID
    /// The rate that a tester set, in place of the policies'; nil where none has.
    public internal(set) var rateSwitch: RenewalRate?
    /// The keys that sign promotional offers, by the source whose file brought them.
    public internal(set) var offerKeys: [(source: String, keys: [OfferKey])] = []
    /// The nonces of signed offers that were redeemed, or were to be.
    public internal(set) var usedNonces: Set<UUIDBits> = []
    /// Offer codes that begin when their line's introductory offer is over: rare, so beside the
    /// lines.
    public internal(set) var stackedOffers: [LineNumber: StackedOffer] = [:]
    /// How far the system's clock is held back behind the machine's, milliseconds.
    public internal(set) var heldMilliseconds: Int64 = 0
    /// The newest boot seen and realtime − boottime in it, milliseconds.
    public internal(set) var boot: (id: UUIDBits, realMinusBoot: Int64)?
    /// The greatest realtime − boottime of that boot, without what was held, milliseconds: how far
    /// ahead the clock has been right before.
    public internal(set) var effectiveDriftMax: Int64 = 0
    public internal(set) var families = Families()
    public internal(set) var switches = StoreSwitches()
    /// Accounts with a line or lasting purchase that entitles.
    public internal(set) var members = 0
    /// Lines and purchases below these were emptied by a reset.
    public internal(set) var firstLiveLine: LineNumber = 0
    public internal(set) var firstLivePurchase: UInt32 = 0
    /// Changes under way that reach many lines, in the order in which they are carried out.
    public internal(set) var sweeps: [Sweep] = []
    /// Mass extensions that are done, by their request's identifier.
    public internal(set) var massExtensions: [String: MassExtensionResult] = [:]
    /// When a line was extended, the newest two times, newest last.
    public internal(set) var extensions: [LineNumber: [Instant]] = [:]
    /// Transactions whose refund was asked for and not decided yet, by the id that they were sold
    /// under, with the time of the request.
    public internal(set) var refundRequests: [UInt64: Instant] = [:]
    /// Signed facts of the App Store's.
    public internal(set) var apple = AppleRecord()
    /// What each group's win-back offers were, oldest first: what was once told of them stands.
    var winBackOffers: [UInt32: [WinBackOffers]] = [:]
    var productNumbers: [String: ProductNumber] = [:]
    var textNumbers: [String: UInt32] = [:]

    init() {
      clocks = [
        Clock(name: Clock.systemName, isTest: false, now: Instant(milliseconds: .min))
      ]
    }
  }
}
