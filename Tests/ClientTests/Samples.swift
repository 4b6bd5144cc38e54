import Client

/// Parameters as a daemon writes them.
enum Samples {
  static let january = Timestamp(milliseconds: 1_738_317_600_000)
  static let february = Timestamp(milliseconds: 1_740_736_800_000)

  static func transaction(
    id: String = "2000000000000001", product: String = "pro.monthly",
    purchased: Timestamp = january, expires: Timestamp? = february, forecast: Bool = false,
    also: [(String, JSONValue)] = []
  ) -> JSONValue {
    var object = JSONObject([
      ("transactionId", .string(id)), ("originalTransactionId", .string("2000000000000001")),
      ("account", .string("u1")), ("productId", .string(product)),
      ("subscriptionGroupIdentifier", .string("21")), ("type", .string("autoRenewable")),
      ("purchaseDate", .int(purchased.milliseconds)),
      ("originalPurchaseDate", .int(january.milliseconds)), ("quantity", .int(1)),
      ("price", .int(9990)), ("currency", .string("USD")), ("storefront", .string("USA")),
      ("transactionReason", .string(purchased == january ? "purchase" : "renewal")),
      ("inAppOwnershipType", .string("purchased")), ("isUpgraded", .bool(false)),
      ("environment", .string("Sandbox")), ("signedDate", .int(purchased.milliseconds)),
      ("finished", .bool(false)), ("forecast", .bool(forecast)),
    ])
    object["expiresDate"] = expires.map { .int($0.milliseconds) }
    for (key, value) in also { object[key] = value }
    return .object(object)
  }

  static func renewalInfo(
    renews: Bool = true, product: String = "pro.monthly", at time: Timestamp = february,
    also: [(String, JSONValue)] = []
  ) -> JSONValue {
    var object = JSONObject([
      ("productId", .string(product)), ("autoRenewProductId", .string(product)),
      ("autoRenewStatus", .int(renews ? 1 : 0)), ("renewalDate", .int(time.milliseconds)),
      ("renewalPrice", .int(9990)), ("currency", .string("USD")),
      ("isInBillingRetryPeriod", .bool(false)),
      ("recentSubscriptionStartDate", .int(january.milliseconds)),
      ("signedDate", .int(january.milliseconds)),
    ])
    for (key, value) in also { object[key] = value }
    return .object(object)
  }

  /// What is trusted: a root that is three bytes.
  static func trust(bundleID: String = "com.example.app") -> JSONValue {
    .members([
      ("bundleId", .string(bundleID)), ("environment", .string("Sandbox")),
      ("rootCertificates", .array([.string("MAD/")])),
    ])
  }

  static func subscription(
    status: Int64 = 1, id: String = "2000000000000001", transaction: JSONValue? = nil,
    renewalInfo: JSONValue? = nil
  ) -> JSONValue {
    .members([
      ("originalTransactionId", .string(id)), ("account", .string("u1")),
      ("subscriptionGroupIdentifier", .string("21")), ("status", .int(status)),
      ("entitled", .bool(status == 1 || status == 4)), ("pending", .bool(false)),
      ("origin", .string("store")),
      ("transaction", transaction ?? Samples.transaction(id: id)),
      ("renewalInfo", renewalInfo ?? Samples.renewalInfo()),
      ("nextDue", .int(february.milliseconds)),
    ])
  }

  static func status(
    subscriptions: [JSONValue] = [subscription()], purchases: [JSONValue] = [],
    entitled: Bool = true, basis: String = "present", asOf: Timestamp = january,
    sequence: Int64 = 5
  ) -> JSONValue {
    .members([
      ("account", .string("u1")), ("entitled", .bool(entitled)),
      ("subscriptions", .array(subscriptions)), ("purchases", .array(purchases)),
      ("sequence", .int(sequence)), ("asOf", .int(asOf.milliseconds)),
      ("clock", .string("default")), ("basis", .string(basis)),
    ])
  }

  static func event(
    _ sequence: Int64, _ kind: String, at time: Timestamp = january,
    also: [(String, JSONValue)] = []
  ) -> JSONValue {
    var object = JSONObject([
      ("sequence", .int(sequence)), ("at", .int(time.milliseconds)),
      ("recorded", .int(time.milliseconds)), ("clock", .string("default")),
      ("kind", .string(kind)), ("account", .string("u1")),
      ("originalTransactionId", .string("2000000000000001")), ("late", .bool(false)),
    ])
    for (key, value) in also { object[key] = value }
    return .object(object)
  }

  static func watched(_ event: JSONValue) -> JSONValue {
    .members([("sequence", event["sequence"]!), ("event", event)])
  }

  static func clock(
    at time: Timestamp = february, name: String = "default", held: Bool = false,
    nextDue: Timestamp? = nil
  ) -> JSONValue {
    .members(
      [
        ("name", .string(name)), ("now", .int(time.milliseconds)), ("kind", .string("test")),
        ("accounts", .int(1)), ("held", .bool(held)),
      ] + (nextDue.map { [("nextDue", .int($0.milliseconds))] } ?? []))
  }

  static func check(entitled: Bool = true) -> JSONValue {
    .members([
      ("entitled", .bool(entitled)), ("status", .int(entitled ? 1 : 2)),
      ("until", .int(february.milliseconds)), ("sequence", .int(5)),
    ])
  }
}
