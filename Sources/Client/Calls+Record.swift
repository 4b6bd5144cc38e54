/// What kind of signed text was submitted.
public struct SubmittedKind: OpenWord {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let transaction = SubmittedKind(rawValue: "transaction")
  public static let renewalInfo = SubmittedKind(rawValue: "renewalInfo")
  public static let notification = SubmittedKind(rawValue: "notification")
}

/// What `Store.Submit` answers.
public struct SubmitAnswer: Answer, Hashable {
  public var kind: SubmittedKind
  /// The transaction that it speaks of, if any.
  public var transactionID: String?
  /// It was there before: nothing was appended.
  public var isDuplicate: Bool
  /// The account that the subscription or purchase was of until now, where this moved it.
  public var movedFrom: String?
  /// The event that holds it.
  public var sequence: Int64
  /// The fields without which a signed part of a notification is no fact; the notification and its
  /// other part were taken all the same.
  public var missing: [String]

  public init(from reader: AnswerReader) throws(TransportError) {
    kind = try reader.word("kind")
    transactionID = try reader.stringIfPresent("transactionId")
    isDuplicate = try reader.bool("duplicate")
    movedFrom = try reader.stringIfPresent("movedFrom")
    sequence = try reader.integer("sequence")
    missing = try reader.stringsIfPresent("missing") ?? []
  }
}

extension Call where Result == SubmitAnswer {
  /// Takes in what the App Store signed: the compact JWS of a transaction, a renewal info or a
  /// notification. Without an account it is its line's, or its appAccountToken's; with one, a line
  /// that was another's comes along, and the answer says from whom. Fails with
  /// `verificationFailed` where it is not believed, `noTrustRoot` where nothing could be.
  /// Role: write.
  public static func submit(
    signed: String, account: String? = nil, requestID: String? = nil
  ) -> Call {
    Call(
      "Store.Submit",
      ["account": .text(account), "signed": .string(signed), "requestId": .text(requestID)])
  }
}

extension Call where Result == SequenceAnswer {
  /// Moves a subscription or purchase that signed facts told of to an account. Role: write.
  public static func link(
    account: String, originalID: String, requestID: String? = nil
  ) -> Call {
    Call(
      "Store.Link",
      [
        "account": .string(account), "originalTransactionId": .string(originalID),
        "requestId": .text(requestID),
      ])
  }
}
