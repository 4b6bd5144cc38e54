/// Lines of origin `apple`: what is read off a chain, and what time alone changes about it.
extension Line {
  /// A line as its chain's facts make it. `at` is when the newest of them came.
  init(showing chain: AppleChain, _ current: TransactionVersion, at: Instant, leewaySeconds: Int32)
  {
    let outlook = chain.outlook(beside: current.transaction)
    self.init(
      account: chain.account, group: chain.group, nextOfAccount: noNumber,
      transaction: current.transaction, renewal: outlook.renewal)
    environment = chain.key.environment
    hadIntroductoryOffer = chain.hadIntroductoryOffer
    originalPurchaseDate = current.originalPurchaseDate
    transaction.originalID = chain.key.originalID
    var told = ToldCourse(
      until: at, leewaySeconds: leewaySeconds, status: outlook.status,
      isRenewalTold: outlook.renews != nil, isGraceAssumed: outlook.isGraceAssumed)
    if let active = outlook.activeAt, leewaySeconds > 0 {
      // Heard of later than its period, it is awaited from then on.
      let silence = active.milliseconds &- transaction.expiresDate.milliseconds
      told.leewaySeconds = Int32(clamping: Int64(leewaySeconds) + silence / 1_000)
    }
    course = .apple(told)
  }

  /// Whether renewal is on; nil where nothing told it, which is not the same as off.
  public var renews: Bool? {
    told?.isRenewalTold ?? true ? renewal.autoRenews : nil
  }

  /// Whether the end of grace was not told, and the policy's takes its place.
  public var isGraceAssumed: Bool {
    told?.isGraceAssumed ?? false
  }

  /// Whether the period is over, renewal is on or nobody told, and nothing was heard of it: the
  /// renewal is awaited, and access goes on for the leeway (Domain.md 8, case 6).
  public func isPending(at now: Instant) -> Bool {
    leewayEnd.map { now < $0 && isAwaitingNews(at: now) } ?? false
  }

  /// The period's end and the leeway after it; nil where there is none.
  private var leewayEnd: Instant? {
    guard let told, told.leewaySeconds > 0 else { return nil }
    return Instant(
      milliseconds: transaction.expiresDate.milliseconds &+ Int64(told.leewaySeconds) * 1_000)
  }

  private func isAwaitingNews(at now: Instant) -> Bool {
    status(at: now) == .expired && told?.status == nil && renews ?? true
      && renewal.expirationIntent == nil
  }

  /// Whether the line gives access: by its status, or because its renewal is awaited.
  public func isEntitling(at now: Instant) -> Bool {
    status(at: now).entitles || isPending(at: now)
  }

  /// When access ends that a line gives at `now`, if nothing else happens.
  public func accessEnd(at now: Instant) -> Instant {
    if status(at: now) == .gracePeriod { return renewal.gracePeriodExpiresDate }
    if let leewayEnd, isPending(at: now) { return leewayEnd }
    return transaction.expiresDate
  }

  /// The next moment at which time alone changes status or access.
  var passingDeadline: Deadline? {
    guard let told else { return nil }
    var moments: [Instant] = [transaction.expiresDate]
    if let revocation = transaction.revocation { moments.append(revocation.date) }
    if renewal.isInBillingRetry, renewal.gracePeriodExpiresDate != .never {
      moments.append(renewal.gracePeriodExpiresDate)
    }
    if let leewayEnd { moments.append(leewayEnd) }
    var next: Instant?
    for moment in moments where moment > told.until && moment < (next ?? .never) {
      let before = moment.advanced(byMilliseconds: -1)
      if status(at: moment) != status(at: before) || isPending(at: moment) != isPending(at: before)
      {
        next = moment
      }
    }
    return next.map { Deadline(time: $0, kind: .passStatus) }
  }
}
