/// Lines of origin `apple`: what is read off a chain, and what time alone changes about it.
extension Line {
  /// A line as its chain's facts make it. `at` is when the newest of them came.
  init(showing chain: AppleChain, _ current: TransactionVersion, at: Instant, leewaySeconds: Int32)
  {
    let outlook = chain.outlook(beside: current.transaction)
    self.init(
      account: chain.account, group: chain.group, nextOfAccount: noNumber,
      transaction: current.transaction, renewal: outlook.renewal)
    origin = .apple
    environment = chain.key.environment
    hadIntroductoryOffer = chain.hadIntroductoryOffer
    offerPeriodsSold = 0
    originalPurchaseDate = current.originalPurchaseDate
    transaction.originalID = chain.key.originalID
    toldUntil = at
    self.leewaySeconds = leewaySeconds
    if let active = outlook.activeAt, leewaySeconds > 0 {
      // Heard of later than its period, it is awaited from then on.
      let silence = active.milliseconds &- transaction.expiresDate.milliseconds
      self.leewaySeconds = Int32(clamping: Int64(leewaySeconds) + silence / 1_000)
    }
    renewalBits =
      (outlook.renews == nil ? 0 : ToldBit.renews)
      | (outlook.isGraceAssumed ? ToldBit.graceAssumed : 0)
      | UInt32(outlook.status?.rawValue ?? 0) << ToldBit.statusShift
  }

  /// What `renewalBits` says of a line of the App Store's, which counts no renewals.
  private enum ToldBit {
    /// Whether renewal is on was told.
    static let renews: UInt32 = 1
    /// The end of grace is the policy's.
    static let graceAssumed: UInt32 = 2
    /// The status that was said outright, three bits; 0 for none.
    static let statusShift: UInt32 = 2
  }

  /// Whether renewal is on; nil where nothing told it, which is not the same as off.
  public var renews: Bool? {
    origin == .store || renewalBits & ToldBit.renews != 0 ? renewal.autoRenews : nil
  }

  /// Whether the end of grace was not told, and the policy's takes its place.
  public var isGraceAssumed: Bool {
    origin == .apple && renewalBits & ToldBit.graceAssumed != 0
  }

  /// The end of access that a notification said outright.
  var toldStatus: Status? {
    guard origin == .apple else { return nil }
    return Status(rawValue: UInt8(truncatingIfNeeded: renewalBits >> ToldBit.statusShift))
  }

  /// Up to when what time did to the line's status is in the log. A line of the App Store's needs
  /// no calendar, and so its anchor is free for this.
  var toldUntil: Instant {
    get { anchor }
    set { anchor = newValue }
  }

  /// How long access outlives the period while no news has come, as the policy was when the last
  /// fact did; in the place of the calendar's length. Seconds.
  var leewaySeconds: Int32 {
    get { anchorLength }
    set { anchorLength = newValue }
  }

  /// Whether the period is over, renewal is on or nobody told, and nothing was heard of it: the
  /// renewal is awaited, and access goes on for the leeway (Domain.md 8, case 6).
  public func isPending(at now: Instant) -> Bool {
    origin == .apple && leewaySeconds > 0 && now < leewayEnd && isAwaitingNews(at: now)
  }

  /// The period's end and the leeway after it.
  private var leewayEnd: Instant {
    Instant(
      milliseconds: transaction.expiresDate.milliseconds &+ Int64(leewaySeconds) * 1_000)
  }

  private func isAwaitingNews(at now: Instant) -> Bool {
    status(at: now) == .expired && toldStatus == nil && renews ?? true
      && renewal.expirationIntent == nil
  }

  /// Whether the line gives access: by its status, or because its renewal is awaited.
  public func isEntitling(at now: Instant) -> Bool {
    status(at: now).entitles || isPending(at: now)
  }

  /// When access ends that a line gives at `now`, if nothing else happens.
  public func accessEnd(at now: Instant) -> Instant {
    if status(at: now) == .gracePeriod { return renewal.gracePeriodExpiresDate }
    return isPending(at: now) ? leewayEnd : transaction.expiresDate
  }

  /// The next moment at which time alone changes status or access.
  var passingDeadline: Deadline? {
    var moments: [Instant] = [transaction.expiresDate]
    if let revocation = transaction.revocation { moments.append(revocation.date) }
    if renewal.isInBillingRetry, renewal.gracePeriodExpiresDate != .never {
      moments.append(renewal.gracePeriodExpiresDate)
    }
    if leewaySeconds > 0 { moments.append(leewayEnd) }
    var next: Instant?
    for moment in moments where moment > toldUntil && moment < (next ?? .never) {
      let before = moment.advanced(byMilliseconds: -1)
      if status(at: moment) != status(at: before) || isPending(at: moment) != isPending(at: before)
      {
        next = moment
      }
    }
    return next.map { Deadline(time: $0, kind: .passStatus) }
  }
}
