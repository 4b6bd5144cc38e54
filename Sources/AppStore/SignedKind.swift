import JSON

/// What a signed text is, told by the fields that its kind alone has. The kinds look alike
/// otherwise, and one that is taken for another fails at a field that says nothing of it.
public enum SignedKind: String, Sendable, CaseIterable {
  case transaction = "a transaction"
  case renewalInfo = "a renewal info"
  case notification = "a notification"
  case appTransaction = "an app transaction"
  /// The App Store asks an app's server which message to show to a customer who leaves.
  case messageRequest = "a request for a retention message"
  /// What the app's own server signs: for an offer, or to call the App Store.
  case serverToken = "a token of the app's own server"

  /// The kind of a payload; nil where it has none of the fields that tell.
  public init?(payload: JSONObject) {
    func has(_ names: String...) -> Bool {
      names.contains { payload[$0].map { !$0.isNull } ?? false }
    }
    if has("notificationType", "notificationUUID") {
      self = .notification
    } else if has("receiptType", "receiptCreationDate", "originalApplicationVersion") {
      self = .appTransaction
    } else if has("aud", "iss") {
      self = .serverToken
    } else if has("requestIdentifier", "userLocale") {
      self = .messageRequest
    } else if has(
      "transactionId", "purchaseDate", "originalPurchaseDate", "inAppOwnershipType",
      "transactionReason")
    {
      self = .transaction
    } else if has(
      "autoRenewProductId", "autoRenewStatus", "renewalDate", "renewalPrice",
      "isInBillingRetryPeriod", "gracePeriodExpiresDate", "recentSubscriptionStartDate",
      "expirationIntent", "priceIncreaseStatus", "eligibleWinBackOfferIds")
    {
      self = .renewalInfo
    } else if has("data", "summary", "appData", "externalPurchaseToken") {
      self = .notification
    } else {
      return nil
    }
  }

  /// Kinds as a sentence lists them: `a transaction, renewal info or notification`.
  static func list(_ kinds: [SignedKind]) -> String {
    let names = kinds.enumerated().map { index, kind in
      // The article stands before the first alone.
      index == 0 ? kind.rawValue : String(kind.rawValue.drop { $0 != " " }.dropFirst())
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension CompactJWS {
  /// What the text is, by its payload; nil where that has none of the fields that tell.
  public func kind() throws(VerificationFailure) -> SignedKind? {
    SignedKind(payload: try payloadObject())
  }

  func payloadObject() throws(VerificationFailure) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(payload, depthMax: AppStoreLimits.payloadDepthMax)
    } catch {
      throw .malformed(.notJSON(.payload))
    }
    guard let object = value.objectValue else { throw .malformed(.notJSON(.payload)) }
    return object
  }
}
