/// A field of Apple's signed transactions and renewal infos which a record of fixed size holds only
/// in part, or not at all. Raw values stand in the log and are never used again.
public enum ToldField: UInt8, Sendable, CaseIterable {
  case webOrderLineItemID = 0
  case subscriptionGroupIdentifier = 1
  case originalPurchaseDate = 2
  case expiresDate = 3
  case quantity = 4
  case type = 5
  case appAccountToken = 6
  case ownershipType = 7
  case signedDate = 8
  case revocationDate = 9
  case revocationReason = 10
  case revocationType = 11
  case revocationPercentage = 12
  case isUpgraded = 13
  case offerType = 14
  case offerIdentifier = 15
  case offerDiscountType = 16
  case offerPeriod = 17
  case storefront = 18
  case storefrontID = 19
  case transactionReason = 20
  case price = 21
  case currency = 22
  case appTransactionID = 23
  case previousOriginalTransactionID = 24
  case advancedCommerceInfo = 25
  case billingPlanType = 26
  case commitmentInfo = 27
  case productID = 28
  case autoRenewProductID = 29
  case autoRenewStatus = 30
  case expirationIntent = 31
  case isInBillingRetryPeriod = 32
  case priceIncreaseStatus = 33
  case renewalPrice = 34
  case eligibleWinBackOfferIDs = 35
  case renewalBillingPlanType = 36

  /// What says that a transaction was taken back.
  public static let ofRevocation: [ToldField] = [
    .revocationDate, .revocationReason, .revocationType, .revocationPercentage,
  ]
}

/// A field's value as it came, where the record has no room for it.
public enum ToldValue: Hashable, Sendable {
  case text(String)
  case number(Int64)
  /// Anything else, as JSON.
  case json(String)
}

/// Which fields a signed payload had, beside a record of fixed size that has a place for most of
/// them: what the record holds in a field's place counts only where the field is plain here. So
/// what was told is shown as it came, unknown words too, and nothing stands for what was not told.
///
/// Fields are plain until something else is said of them. The values take few bytes and no
/// objects: there is one of these for every period that was ever told of.
public struct ToldFields: Hashable, Sendable {
  /// Fields that are not plain, a bit each.
  private(set) var notPlain: UInt64 = 0
  /// Values that differ from what the record can say: field, kind and value, one after another.
  private(set) var others: [UInt8] = []

  private enum Kind {
    static let text: UInt8 = 0
    static let number: UInt8 = 1
    static let json: UInt8 = 2
  }

  public init() {}

  init(notPlain: UInt64, others: [UInt8]) {
    self.notPlain = notPlain
    self.others = others
  }

  /// The field was not told.
  public mutating func leaveOut(_ field: ToldField) {
    notPlain |= 1 << UInt64(field.rawValue)
  }

  /// The field has a value which the record does not hold.
  public mutating func put(_ field: ToldField, _ value: ToldValue) {
    leaveOut(field)
    var writer = ByteWriter(bytes: others)
    writer.byte(field.rawValue)
    switch value {
    case .text(let text):
      writer.byte(Kind.text)
      writer.text(text)
    case .number(let number):
      writer.byte(Kind.number)
      writer.zigzag(number)
    case .json(let text):
      writer.byte(Kind.json)
      writer.text(text)
    }
    others = writer.bytes
  }

  /// Whether the record's own value is what was told.
  public func isPlain(_ field: ToldField) -> Bool {
    notPlain & 1 << UInt64(field.rawValue) == 0
  }

  /// How many fields were told, those that the payload cannot have counted as well.
  var toldCount: Int {
    ToldField.allCases.count { isPlain($0) || value(of: $0) != nil }
  }

  /// The value that was told in place of the record's; nil where there is none.
  public func value(of field: ToldField) -> ToldValue? {
    guard !others.isEmpty, !isPlain(field) else { return nil }
    return others.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      while !reader.isAtEnd, !reader.failed {
        let found = reader.byte()
        let value = Self.value(from: &reader)
        if found == field.rawValue { return value }
      }
      return nil
    }
  }

  private static func value(from reader: inout ByteReader) -> ToldValue? {
    switch reader.byte() {
    case Kind.text: return .text(reader.text())
    case Kind.number: return .number(reader.zigzag())
    case Kind.json: return .json(reader.text())
    default:
      reader.fail()
      return nil
    }
  }

  /// Bytes that it takes in the log, at most.
  public var byteCount: Int { others.count + Limits.toldFieldsHeadBytesMax }

  func encode(into writer: inout ByteWriter) {
    writer.varint(notPlain)
    writer.data(others)
  }

  init(from reader: inout ByteReader) {
    notPlain = reader.varint()
    others = reader.data()
    let isWhole = others.withUnsafeBytes { bytes in
      var values = ByteReader(bytes)
      while !values.isAtEnd, !values.failed {
        _ = values.byte()
        _ = Self.value(from: &values)
      }
      return !values.failed
    }
    if !isWhole { reader.fail() }
  }
}
