import Varlink

/// Why the daemon does not do what a call asks: the errors of the interface `org.renewd`, and those
/// of `org.varlink.service`.
public enum CallError: Coded, Equatable, Sendable {
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
  case clockBusy(target: Timestamp)
  /// The clock stands before the account's last event.
  case clockBehind
  /// The accounts live on different clocks.
  case clockMismatch
  /// A watch or an advance owns this connection.
  case connectionBusy
  /// The cursor is ahead of the log, whose last sequence is `head`.
  case cursorAhead(head: Int64)
  /// More steps than a forecast may take.
  case forecastTooFar
  /// A log of the other role does not do this.
  case notInThisRole
  case noTrustRoot
  case verificationFailed(reason: String)
  /// No space for new purchases; reads go on.
  case diskFull
  /// The log could not be written; with a reason, what was asked for could not be read.
  case logFailed(reason: String?)
  case limitReached(limit: String)
  /// A tester made this part of StoreKit fail; `error` is StoreKit's name of it.
  case simulatedError(api: String, error: String)
  /// `path` names the place in the file.
  case catalogueInvalid(path: String, reason: String)
  // Of `org.varlink.service`.
  /// The daemon has no such interface.
  case interfaceNotFound(name: String)
  /// The interface has no such method, or the daemon does not offer it.
  case methodNotFound(name: String)
  /// The method must be called with `more`.
  case expectedMore
  /// An error that is not known here.
  case unknown
}

extension CallError {
  /// One of each that `org.renewd` has, in the order of the description.
  public static let all: [CallError] = [
    .permissionDenied(role: ""),
    .invalidParameter(name: "", reason: ""),
    .productNotFound(productID: "", nearest: []),
    .transactionNotFound,
    .clockNotFound,
    .subscriptionNotFound,
    .alreadySubscribed,
    .ineligibleForOffer(reason: ""),
    .invalidQuantity,
    .invalidTime(reason: ""),
    .notPossible(status: nil, reason: ""),
    .ambiguous(candidates: []),
    .requestIDReused,
    .clockBusy(target: .zero),
    .clockBehind,
    .clockMismatch,
    .connectionBusy,
    .cursorAhead(head: 0),
    .forecastTooFar,
    .notInThisRole,
    .noTrustRoot,
    .verificationFailed(reason: ""),
    .simulatedError(api: "", error: ""),
    .diskFull,
    .logFailed(reason: nil),
    .limitReached(limit: ""),
    .catalogueInvalid(path: "", reason: ""),
  ]

  /// The error of that qualified name, with nothing in it; nil for one that is not known here.
  public init?(named name: String) {
    switch name {
    case "org.varlink.service.InterfaceNotFound": self = .interfaceNotFound(name: "")
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      self = .methodNotFound(name: "")
    case "org.varlink.service.ExpectedMore": self = .expectedMore
    // What the service says with one word the daemon says with a reason, or a role.
    case "org.varlink.service.InvalidParameter": self = .invalidParameter(name: "", reason: "")
    case "org.varlink.service.PermissionDenied": self = .permissionDenied(role: "")
    default:
      guard let error = Self.all.first(where: { $0.qualifiedName == name }) else { return nil }
      self = error
    }
  }

  /// The name on the wire, such as `org.renewd.ProductNotFound`.
  public var qualifiedName: String {
    switch self {
    case .interfaceNotFound, .methodNotFound, .expectedMore: "org.varlink.service.\(name)"
    default: "org.renewd.\(name)"
    }
  }

  /// Its name in its interface.
  public var name: String {
    switch self {
    case .permissionDenied: "PermissionDenied"
    case .invalidParameter: "InvalidParameter"
    case .productNotFound: "ProductNotFound"
    case .transactionNotFound: "TransactionNotFound"
    case .clockNotFound: "ClockNotFound"
    case .subscriptionNotFound: "SubscriptionNotFound"
    case .alreadySubscribed: "AlreadySubscribed"
    case .ineligibleForOffer: "IneligibleForOffer"
    case .invalidQuantity: "InvalidQuantity"
    case .invalidTime: "InvalidTime"
    case .notPossible: "NotPossible"
    case .ambiguous: "Ambiguous"
    case .requestIDReused: "RequestIdReused"
    case .clockBusy: "ClockBusy"
    case .clockBehind: "ClockBehind"
    case .clockMismatch: "ClockMismatch"
    case .connectionBusy: "ConnectionBusy"
    case .cursorAhead: "CursorAhead"
    case .forecastTooFar: "ForecastTooFar"
    case .notInThisRole: "NotInThisRole"
    case .noTrustRoot: "NoTrustRoot"
    case .verificationFailed: "VerificationFailed"
    case .simulatedError: "SimulatedError"
    case .diskFull: "DiskFull"
    case .logFailed: "LogFailed"
    case .limitReached: "LimitReached"
    case .catalogueInvalid: "CatalogueInvalid"
    case .interfaceNotFound: "InterfaceNotFound"
    case .methodNotFound: "MethodNotFound"
    case .expectedMore: "ExpectedMore"
    case .unknown: "Unknown"
    }
  }

  /// What stands above it in the description; empty where its name says all.
  public var about: String {
    switch self {
    case .permissionDenied: "The caller's role does not reach; role is the one that does."
    case .invalidParameter: "A parameter's value is wrong."
    case .productNotFound: "Nothing is sold under this id; nearest is what may have been meant."
    case .notPossible: "The rules refuse it in this status."
    case .ambiguous: "Several could be meant: transaction ids to choose from."
    case .requestIDReused: "The request id was used for another call."
    case .clockBusy: "The clock is being advanced already, to target."
    case .clockBehind: "The clock stands before the account's last event."
    case .clockMismatch: "The account lives on another clock."
    case .connectionBusy: "A watch or an advance owns this connection."
    case .cursorAhead: "The cursor is ahead of the log; head is its last sequence."
    case .forecastTooFar: "More steps than a forecast may take."
    case .notInThisRole: "A log of the other role, or of another environment, does not do this."
    case .simulatedError:
      "A tester made this part of StoreKit fail; error is StoreKit's name of it."
    case .diskFull: "No space for new purchases; reads, renewals and cancellations go on."
    case .logFailed:
      """
      The log could not be written: nothing more is taken, and the daemon leaves. With a reason:
      what was asked for could not be read, and all else goes on.
      """
    case .catalogueInvalid: "path names the place in the file."
    case .transactionNotFound, .clockNotFound, .subscriptionNotFound, .alreadySubscribed,
      .ineligibleForOffer, .invalidQuantity, .invalidTime, .noTrustRoot, .verificationFailed,
      .limitReached, .interfaceNotFound, .methodNotFound, .expectedMore, .unknown:
      ""
    }
  }

  /// Shows each parameter to `coder`, in the order of the description.
  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .permissionDenied(var role):
      try coder.text("role", &role)
      self = .permissionDenied(role: role)
    case .invalidParameter(var name, var reason):
      try coder.text("parameter", &name)
      try coder.text("reason", &reason)
      self = .invalidParameter(name: name, reason: reason)
    case .productNotFound(var productID, var nearest):
      try coder.text("productId", &productID)
      try coder.texts("nearest", &nearest)
      self = .productNotFound(productID: productID, nearest: nearest)
    case .ineligibleForOffer(var reason):
      try coder.text("reason", &reason)
      self = .ineligibleForOffer(reason: reason)
    case .invalidTime(var reason):
      try coder.text("reason", &reason)
      self = .invalidTime(reason: reason)
    case .notPossible(var status, var reason):
      try coder.status("status", &status)
      try coder.text("reason", &reason)
      self = .notPossible(status: status, reason: reason)
    case .ambiguous(var candidates):
      try coder.texts("candidates", &candidates)
      self = .ambiguous(candidates: candidates)
    case .clockBusy(var target):
      try coder.time("target", &target)
      self = .clockBusy(target: target)
    case .cursorAhead(var head):
      try coder.integer("head", &head)
      self = .cursorAhead(head: head)
    case .verificationFailed(var reason):
      try coder.text("reason", &reason)
      self = .verificationFailed(reason: reason)
    case .simulatedError(var api, var error):
      try coder.text("api", &api)
      try coder.text("error", &error)
      self = .simulatedError(api: api, error: error)
    case .logFailed(var reason):
      try coder.text("reason", &reason)
      self = .logFailed(reason: reason)
    case .limitReached(var limit):
      try coder.text("limit", &limit)
      self = .limitReached(limit: limit)
    case .catalogueInvalid(var path, var reason):
      try coder.text("path", &path)
      try coder.text("reason", &reason)
      self = .catalogueInvalid(path: path, reason: reason)
    case .interfaceNotFound(var name):
      try coder.text("interface", &name)
      self = .interfaceNotFound(name: name)
    case .methodNotFound(var name):
      try coder.text("method", &name)
      self = .methodNotFound(name: name)
    case .transactionNotFound, .clockNotFound, .subscriptionNotFound, .alreadySubscribed,
      .invalidQuantity, .requestIDReused, .clockBehind, .clockMismatch, .connectionBusy,
      .forecastTooFar, .notInThisRole, .noTrustRoot, .diskFull, .expectedMore,
      .unknown:
      break
    }
  }
}
