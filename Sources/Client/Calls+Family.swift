extension Call where Result == SequenceAnswer {
  /// Family Sharing: `member` gets what `account` has of shareable products, by transactions of
  /// its own, and what `account` buys of them from now on. At most five members; an account is in
  /// one family at most. Role: admin.
  public static func share(
    account: String, with member: String, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.Share",
      [
        "account": .string(account), "to": .string(member), "requestId": .text(requestID),
      ])
  }

  /// Ends sharing with one member, or with all if `member` is nil: they lose all they had by it.
  /// Role: admin.
  public static func unshare(
    account: String, with member: String? = nil, cause: SharingEnd? = nil,
    requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.Unshare",
      [
        "account": .string(account), "to": .text(member), "cause": .text(cause?.rawValue),
        "requestId": .text(requestID),
      ])
  }
}
