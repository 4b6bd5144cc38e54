import Client

/// What several verbs print where the signed forms were asked for.
enum SignedLines {
  static let option = Option(
    "signed", nil,
    "with the signed forms: compact JWS (ES256); what the App Store signed, as it came")

  /// The form of a transaction and that of its renewal, each behind its name.
  static func of(_ subscription: Subscription) -> [String] {
    of(subscription.transaction)
      + line("signedRenewalInfo", subscription.renewalInfo?.signedRenewalInfo)
  }

  static func of(_ transaction: Transaction) -> [String] {
    line("signedTransactionInfo", transaction.signedTransactionInfo)
  }

  /// A notification's own text, and the forms of what the event says.
  static func of(_ event: Event) -> [String] {
    line("signedPayload", event.signedPayload) + (event.transaction.map(of) ?? [])
      + line("signedRenewalInfo", event.renewalInfo?.signedRenewalInfo)
  }

  static func line(_ name: String, _ text: String?) -> [String] {
    text.map { ["\(name) \($0)"] } ?? []
  }
}
