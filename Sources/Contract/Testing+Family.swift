import Varlink

extension TestingInterface {
  public struct Share: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Share"
    public static let about = """
      Family Sharing: to gets what account has of shareable products, by transactions of its own
      that follow account's, and what account buys of them from now on. At most five members; all
      live on account's clock, where an unknown one is opened. An account is in one family at most.
      """
    public var account = ""
    public var to = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("to", &to)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Unshare: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Unshare"
    public static let about = """
      Ends sharing with one member, or with all if to is absent: they lose all they had by it. cause
      is for the story; memberLeft if absent with to, turnedOff without.
      """
    public var account = ""
    public var to: String?
    public var cause: SharingEnd?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("to", &to)
      try coder.word("cause", &cause)
      try coder.text("requestId", &requestID)
    }
  }
}

extension Call where Result == SequenceAnswer {
  /// Family Sharing: `member` gets what `account` has of shareable products, by transactions of
  /// its own, and what `account` buys of them from now on. At most five members; an account is in
  /// one family at most. Role: admin.
  public static func share(
    account: String, with member: String, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.Share()) {
      $0.account = account
      $0.to = member
      $0.requestID = requestID
    }
  }

  /// Ends sharing with one member, or with all if `member` is nil: they lose all they had by it.
  /// Role: admin.
  public static func unshare(
    account: String, with member: String? = nil, cause: SharingEnd? = nil,
    requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.Unshare()) {
      $0.account = account
      $0.to = member
      $0.cause = cause
      $0.requestID = requestID
    }
  }
}
