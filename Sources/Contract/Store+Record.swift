import Varlink

extension StoreInterface {
  public struct Submit: StoreMethod {
    public typealias Answer = SubmitAnswer
    public static let name = "Submit"
    public static let about = """
      Takes in what the App Store signed: the compact JWS of a transaction, a renewal info or a
      notification. It is verified against the roots that are trusted (NoTrustRoot where there are
      none), for this app, and kept in the environment that it names. kind says which of the three
      it is. duplicate: it was here before, and nothing was appended. Whose it is: the account
      given, else its line's, else the one that holds its token, else one named as the token. An
      account that is given takes the line along where it was another's, since a fact is never
      refused for whose it is; movedFrom says from whom.
      missing: the fields without which a signed part of a notification is no fact; the
      notification and its other part are taken all the same.
      """
    public static let isForStoresAlone = false
    public var account: String?
    public var signed = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("signed", &signed)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Link: StoreMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Link"
    public static let about = """
      Moves a subscription or purchase that signed facts told of to an account.
      """
    public static let isForStoresAlone = false
    public var account = ""
    public var originalID = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("originalTransactionId", &originalID)
      try coder.text("requestId", &requestID)
    }
  }
}

/// What kind of signed text was submitted.
public struct SubmittedKind: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let transaction = SubmittedKind(rawValue: "transaction")
  public static let renewalInfo = SubmittedKind(rawValue: "renewalInfo")
  public static let notification = SubmittedKind(rawValue: "notification")

  public static let known = [transaction, renewalInfo, notification]
}

/// What `Store.Submit` answers.
public struct SubmitAnswer: Fields, Hashable {
  public var kind = SubmittedKind(rawValue: "")
  /// The transaction that it speaks of, if any.
  public var transactionID: String?
  /// It was there before: nothing was appended.
  public var isDuplicate = false
  /// The account that the subscription or purchase was of until now, where this moved it.
  public var movedFrom: String?
  /// The event that holds it.
  public var sequence: Int64 = 0
  /// The fields without which a signed part of a notification is no fact; the notification and its
  /// other part were taken all the same.
  public var missing: [String] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("kind", &kind)
    try coder.text("transactionId", &transactionID)
    try coder.flag("duplicate", &isDuplicate)
    try coder.text("movedFrom", &movedFrom)
    try coder.integer("sequence", &sequence)
    try coder.textsIfAny("missing", &missing)
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
    Call(StoreInterface.Submit()) {
      $0.account = account
      $0.signed = signed
      $0.requestID = requestID
    }
  }
}

extension Call where Result == SequenceAnswer {
  /// Moves a subscription or purchase that signed facts told of to an account. Role: write.
  public static func link(
    account: String, originalID: String, requestID: String? = nil
  ) -> Call {
    Call(StoreInterface.Link()) {
      $0.account = account
      $0.originalID = originalID
      $0.requestID = requestID
    }
  }
}
