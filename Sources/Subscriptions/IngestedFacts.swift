/// A signed fact of the App Store as the log keeps it: what was read from it, in numbers, and the
/// JWS letter for letter.
public struct IngestedFact: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var kind: SubmittedKind
  public var identity: UUIDBits
  public var partIdentities: [UUIDBits] = []
  /// 0 for a notification about no purchase.
  public var originalID: UInt64 = 0
  /// Whose it is; `noNumber` while nobody has been named.
  public var account: AccountNumber = noNumber
  /// The account that its line or purchase left for `account` by this fact; `noNumber` where none.
  public var movedFrom: AccountNumber = noNumber
  /// The line that it is about or begins; `noNumber` where there is none.
  public var line: LineNumber = noNumber
  /// The group's number among the texts; `noNumber` for none.
  public var group: UInt32 = noNumber
  public var notification: ReportedNotification?
  public var transaction: TransactionVersion?
  public var renewal: RenewalVersion?
  /// What a notification says outright; nil where that is nothing, and in older records.
  public var standing: Standing?
  /// The end of grace that is assumed after it, since none was told.
  public var assumedGraceEnd: Instant?
  /// Where it leaves the line; nil where it is about none.
  public var statusAfter: Status?
  /// It was signed before something that the chain had already.
  public var isLate = false
  /// How long access outlives a period without news, seconds, as the policy was.
  public var leewaySeconds: Int32 = 0
  public var signed: [UInt8] = []

  public init(environment: StoreEnvironment, kind: SubmittedKind, identity: UUIDBits) {
    self.environment = environment
    self.kind = kind
    self.identity = identity
  }

  public var key: ChainKey? {
    originalID == 0 ? nil : ChainKey(environment: environment, originalID: originalID)
  }
}

extension Fact {
  /// The end of grace that is assumed after it, since none was told.
  public var assumedGraceEnd: Instant? {
    guard case .appStore(.ingested(let fact)) = self else { return nil }
    return fact.assumedGraceEnd
  }
}

/// A chain of signed facts comes to an account, with all that it holds, so that the account's own
/// events say everything about it.
public struct LinkedFact: Hashable, Sendable {
  public var key: ChainKey
  public var account: AccountNumber
  public var line: LineNumber
  public var group: UInt32
  public var versions: [TransactionVersion]
  public var renewal: RenewalVersion?
  public var standing = Standing()
  public var statusAfter: Status?
  public var leewaySeconds: Int32

  public init(
    chain: AppleChain, account: AccountNumber, statusAfter: Status?, leewaySeconds: Int32
  ) {
    key = chain.key
    self.account = account
    line = chain.line
    group = chain.group
    versions = chain.versions.map { version in
      var copy = version
      copy.sequence = 0
      return copy
    }
    renewal = chain.renewal
    renewal?.sequence = 0
    standing = chain.standing
    self.statusAfter = statusAfter
    self.leewaySeconds = leewaySeconds
  }
}

/// A chain leaves an account.
public struct UnlinkedFact: Hashable, Sendable {
  public var key: ChainKey
  public var account: AccountNumber
  public var line: LineNumber

  public init(key: ChainKey, account: AccountNumber, line: LineNumber) {
    self.key = key
    self.account = account
    self.line = line
  }
}

/// Names that signed facts brought and no catalogue had: they get their numbers by this event,
/// so that facts stay small.
public struct ReportedNames: Hashable, Sendable {
  public struct Product: Hashable, Sendable {
    public var id: String
    public var type: ProductType
    public var groupID: String?

    public init(id: String, type: ProductType, groupID: String?) {
      self.id = id
      self.type = type
      self.groupID = groupID
    }
  }

  /// A storefront that `Storefront.all` lacks, or has with another currency. Either text may be
  /// empty where the fact did not say it.
  public struct Storefront: Hashable, Sendable {
    public var country: String
    public var currency: String

    public init(country: String, currency: String) {
      self.country = country
      self.currency = currency
    }
  }

  public var products: [Product] = []
  /// Group and offer identifiers.
  public var texts: [String] = []
  public var storefronts: [Storefront] = []

  public init() {}

  public var isEmpty: Bool { products.isEmpty && texts.isEmpty && storefronts.isEmpty }
}
