extension EventFormat {
  /// What differs from a line that renews as it is: zero for the renewal info of a usual renewal.
  private enum RenewalFlag {
    static let off: UInt32 = 1 << 0
    static let billingRetry: UInt32 = 1 << 1
    static let intent: UInt32 = 1 << 2
    static let grace: UInt32 = 1 << 3
    static let priceIncrease: UInt32 = 1 << 4
    static let offer: UInt32 = 1 << 5
    static let otherProduct: UInt32 = 1 << 6
    static let otherDate: UInt32 = 1 << 7
    static let otherPrice: UInt32 = 1 << 8
    static let otherSignedDate: UInt32 = 1 << 9
    static let retryRate: UInt32 = 1 << 10
    static let otherStorefront: UInt32 = 1 << 11
    static let otherToken: UInt32 = 1 << 12
    /// All of them: a record with any other is a newer writer's, and is not half understood.
    static let known: UInt32 = (1 << 13) - 1
  }

  private static func flags(
    of renewal: RenewalInfo, beside transaction: Transaction?, at: Instant
  ) -> UInt32 {
    var flags: UInt32 = 0
    if !renewal.autoRenews { flags |= RenewalFlag.off }
    if renewal.isInBillingRetry { flags |= RenewalFlag.billingRetry }
    if renewal.expirationIntent != nil { flags |= RenewalFlag.intent }
    if renewal.gracePeriodExpiresDate != .never { flags |= RenewalFlag.grace }
    if renewal.priceIncreaseStatus != nil { flags |= RenewalFlag.priceIncrease }
    if renewal.offer != nil { flags |= RenewalFlag.offer }
    if renewal.autoRenewProduct != transaction?.product { flags |= RenewalFlag.otherProduct }
    if renewal.renewalDate != transaction?.expiresDate { flags |= RenewalFlag.otherDate }
    if renewal.renewalPrice != transaction?.price { flags |= RenewalFlag.otherPrice }
    if renewal.signedDate != at { flags |= RenewalFlag.otherSignedDate }
    if renewal.retryRate != .realTime { flags |= RenewalFlag.retryRate }
    if renewal.storefront != transaction?.storefront ?? noStorefront {
      flags |= RenewalFlag.otherStorefront
    }
    if renewal.token != transaction?.token ?? .opening { flags |= RenewalFlag.otherToken }
    return flags
  }

  static func encode(
    _ renewal: RenewalInfo, beside transaction: Transaction?, at: Instant,
    into writer: inout ByteWriter
  ) {
    let flags = flags(of: renewal, beside: transaction, at: at)
    writer.varint(flags)
    writer.zigzag(
      at.milliseconds &- renewal.recentSubscriptionStartDate.milliseconds)
    if flags & RenewalFlag.otherProduct != 0 { writer.varint(renewal.autoRenewProduct) }
    if flags & RenewalFlag.otherDate != 0 {
      writer.zigzag(renewal.renewalDate.milliseconds &- at.milliseconds)
    }
    if flags & RenewalFlag.otherPrice != 0 { writer.zigzag(renewal.renewalPrice) }
    if flags & RenewalFlag.otherSignedDate != 0 {
      writer.zigzag(renewal.signedDate.milliseconds &- at.milliseconds)
    }
    if let intent = renewal.expirationIntent { writer.byte(intent.rawValue) }
    if flags & RenewalFlag.grace != 0 {
      writer.zigzag(renewal.gracePeriodExpiresDate.milliseconds &- at.milliseconds)
    }
    if let status = renewal.priceIncreaseStatus { writer.byte(status) }
    if let offer = renewal.offer { encode(offer, into: &writer) }
    if flags & RenewalFlag.retryRate != 0 { writer.byte(renewal.retryRate.rawValue) }
    if flags & RenewalFlag.otherStorefront != 0 { writer.varint(UInt64(renewal.storefront)) }
    if flags & RenewalFlag.otherToken != 0 { writer.varint(renewal.token.rawValue) }
  }

  static func renewal(
    beside transaction: Transaction?, at: Instant, from reader: inout ByteReader
  ) -> RenewalInfo {
    let flags = reader.varint32()
    if flags & ~RenewalFlag.known != 0 { reader.fail() }
    let recent = Instant(milliseconds: at.milliseconds &- reader.zigzag())
    let product =
      flags & RenewalFlag.otherProduct != 0
      ? reader.varint32() : transaction?.product ?? noNumber
    let date =
      flags & RenewalFlag.otherDate != 0
      ? Instant(milliseconds: at.milliseconds &+ reader.zigzag())
      : transaction?.expiresDate ?? .never
    let price =
      flags & RenewalFlag.otherPrice != 0 ? reader.zigzag() : transaction?.price ?? 0
    var found = RenewalInfo(
      autoRenewProduct: product, autoRenews: flags & RenewalFlag.off == 0, renewalDate: date,
      renewalPrice: price, recentSubscriptionStartDate: recent, signedDate: at,
      storefront: transaction?.storefront ?? noStorefront, token: transaction?.token ?? .opening)
    if flags & RenewalFlag.otherSignedDate != 0 {
      found.signedDate = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
    found.isInBillingRetry = flags & RenewalFlag.billingRetry != 0
    if flags & RenewalFlag.intent != 0 {
      found.expirationIntent = reader.value(ExpirationIntent.self)
    }
    if flags & RenewalFlag.grace != 0 {
      found.gracePeriodExpiresDate = Instant(milliseconds: at.milliseconds &+ reader.zigzag())
    }
    if flags & RenewalFlag.priceIncrease != 0 { found.priceIncreaseStatus = reader.byte() }
    if flags & RenewalFlag.offer != 0 { found.offer = offer(from: &reader) }
    if flags & RenewalFlag.retryRate != 0 {
      found.retryRate = reader.value(RenewalRate.self) ?? .realTime
    }
    if flags & RenewalFlag.otherStorefront != 0 { found.storefront = reader.varint16() }
    if flags & RenewalFlag.otherToken != 0 {
      found.token = TokenReference(rawValue: reader.varint32())
    }
    return found
  }
}
