/// A refusal by the daemon: the error's qualified name, its parameters as they came, and what they
/// mean. Names are those of the interface `org.renewd` and of `org.varlink.service`.
public struct RenewdError: Error, Equatable, Sendable {
  /// The qualified name on the wire, such as `org.renewd.ProductNotFound`.
  public let name: String
  /// The parameters on the wire.
  public let parameters: JSONObject
  /// What was refused.
  public let reason: Reason

  /// An error as it came. A name this client does not know becomes `.unknown`.
  public init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
    reason = Reason(name: name, Parameters(object: parameters))
  }

  /// The errors that the daemon's interfaces name.
  public enum Reason: Equatable, Sendable {
    /// The caller's role does not reach; `role` is the one that does.
    case permissionDenied(role: String)
    /// A parameter is unknown, missing or wrong.
    case invalidParameter(name: String, reason: String)
    /// Nothing is sold under this id; `nearest` is what may have been meant.
    case productNotFound(productID: String, nearest: [String])
    case transactionNotFound
    case clockNotFound
    case subscriptionNotFound
    case alreadySubscribed
    case ineligibleForOffer(reason: String)
    case invalidQuantity
    case invalidTime(reason: String)
    /// The rules refuse it in this status; nil where no subscription is involved.
    case notPossible(status: SubscriptionStatus?, reason: String)
    /// Several could be meant: transaction ids to choose from.
    case ambiguous(candidates: [String])
    /// The request id was used for another call.
    case requestIDReused
    /// The clock is being advanced already.
    case clockBusy(target: Timestamp?)
    /// The clock stands before the account's last event.
    case clockBehind
    /// The accounts live on different clocks.
    case clockMismatch
    /// A watch or an advance owns this connection.
    case connectionBusy
    /// The cursor is ahead of the log, whose last sequence is `head`.
    case cursorAhead(head: Int64?)
    /// More steps than a forecast may take.
    case forecastTooFar
    /// A log of the other role does not do this.
    case notInThisRole
    case noTrustRoot
    case verificationFailed(reason: String)
    /// No space for new purchases; reads go on.
    case diskFull
    /// The log could not be written; with a reason, what was asked for could not be read.
    case logFailed(reason: String)
    case limitReached(limit: String)
    /// A tester made this part of StoreKit fail; `error` is StoreKit's name of it.
    case simulatedError(api: String, error: String)
    /// `path` names the place in the file.
    case catalogueInvalid(path: String, reason: String)
    /// `org.varlink.service`: the daemon has no such interface.
    case interfaceNotFound(name: String)
    /// `org.varlink.service`: the interface has no such method, or the daemon does not offer it.
    case methodNotFound(name: String)
    /// `org.varlink.service`: the method must be called with `more`.
    case expectedMore
    /// An error that this client does not know.
    case unknown
  }
}

/// Parameters of an error, read leniently: an error must be told even where a field is amiss.
private struct Parameters {
  let object: JSONObject

  func text(_ key: String) -> String { object[key]?.stringValue ?? "" }
  func integer(_ key: String) -> Int64? { object[key]?.int64Value }
  func texts(_ key: String) -> [String] {
    (object[key]?.arrayValue ?? []).compactMap(\.stringValue)
  }
}

extension RenewdError.Reason {
  fileprivate init(name: String, _ parameters: Parameters) {
    if let own = Self.own(name, parameters) {
      self = own
      return
    }
    switch name {
    case "org.varlink.service.InterfaceNotFound":
      self = .interfaceNotFound(name: parameters.text("interface"))
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      self = .methodNotFound(name: parameters.text("method"))
    case "org.varlink.service.InvalidParameter":
      self = .invalidParameter(name: parameters.text("parameter"), reason: "")
    case "org.varlink.service.PermissionDenied": self = .permissionDenied(role: "")
    case "org.varlink.service.ExpectedMore": self = .expectedMore
    default: self = .unknown
    }
  }

  private static func own(_ name: String, _ parameters: Parameters) -> Self? {
    let prefix = "org.renewd."
    guard name.hasPrefix(prefix) else { return nil }
    let reason = parameters.text("reason")
    return switch name.dropFirst(prefix.count) {
    case "PermissionDenied": .permissionDenied(role: parameters.text("role"))
    case "InvalidParameter":
      .invalidParameter(name: parameters.text("parameter"), reason: reason)
    case "ProductNotFound":
      .productNotFound(
        productID: parameters.text("productId"), nearest: parameters.texts("nearest"))
    case "TransactionNotFound": .transactionNotFound
    case "ClockNotFound": .clockNotFound
    case "SubscriptionNotFound": .subscriptionNotFound
    case "AlreadySubscribed": .alreadySubscribed
    case "IneligibleForOffer": .ineligibleForOffer(reason: reason)
    case "InvalidQuantity": .invalidQuantity
    case "InvalidTime": .invalidTime(reason: reason)
    case "NotPossible":
      .notPossible(
        status: parameters.integer("status").map(SubscriptionStatus.init(rawValue:)),
        reason: reason)
    case "Ambiguous": .ambiguous(candidates: parameters.texts("candidates"))
    case "RequestIdReused": .requestIDReused
    case "ClockBusy":
      .clockBusy(target: parameters.integer("target").map(Timestamp.init(milliseconds:)))
    case "ClockBehind": .clockBehind
    case "ClockMismatch": .clockMismatch
    case "ConnectionBusy": .connectionBusy
    case "CursorAhead": .cursorAhead(head: parameters.integer("head"))
    case "ForecastTooFar": .forecastTooFar
    case "NotInThisRole": .notInThisRole
    case "NoTrustRoot": .noTrustRoot
    case "VerificationFailed": .verificationFailed(reason: reason)
    case "DiskFull": .diskFull
    case "LogFailed": .logFailed(reason: reason)
    case "SimulatedError":
      .simulatedError(api: parameters.text("api"), error: parameters.text("error"))
    case "LimitReached": .limitReached(limit: parameters.text("limit"))
    case "CatalogueInvalid":
      .catalogueInvalid(path: parameters.text("path"), reason: reason)
    default: nil
    }
  }
}
