extension RenewdError: CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public var description: String {
    if case .unknown = reason {
      return parameters.isEmpty
        ? "refused: \(name)" : "refused: \(name) \(JSONValue.object(parameters).compactText)"
    }
    return reason.sentence
  }
}

extension RenewdError.Reason {
  fileprivate var sentence: String {
    switch self {
    case .permissionDenied(let role):
      role.isEmpty ? "permission denied" : "permission denied: this needs the role \(role)"
    case .invalidParameter(let name, let reason):
      reason.isEmpty ? "wrong parameter \(name)" : "wrong parameter \(name): \(reason)"
    case .productNotFound(let productID, let nearest): Self.noProduct(productID, nearest)
    case .transactionNotFound: "there is no such transaction"
    case .clockNotFound: "there is no such clock"
    case .subscriptionNotFound: "there is no such subscription"
    case .alreadySubscribed: "the account is subscribed to this product already"
    case .ineligibleForOffer(let reason): Self.join("not eligible for the offer", reason)
    case .invalidQuantity: "this quantity cannot be bought"
    case .invalidTime(let reason): Self.join("this time is not possible", reason)
    case .notPossible(let status, let reason): Self.notPossible(status, reason)
    case .ambiguous(let candidates):
      "several could be meant: \(candidates.joined(separator: ", "))"
    case .requestIDReused: "the request id was used for another call"
    case .clockBusy(let target):
      target == .zero
        ? "the clock is being advanced already"
        : "the clock is being advanced already, to \(target)"
    case .clockBehind: "the clock stands before the account's last event"
    case .clockMismatch: "the account lives on another clock"
    case .connectionBusy: "a watch or an advance owns this connection"
    case .cursorAhead(let head):
      "the cursor is ahead of the log, which ends with #\(head)"
    case .forecastTooFar: "too far ahead: a forecast takes a limited number of steps"
    case .notInThisRole: "a log of this role does not do this"
    case .noTrustRoot: "no root certificate is configured to verify against"
    case .verificationFailed(let reason): Self.join("verification failed", reason)
    case .diskFull: "the disk is full: the daemon takes no purchases, reads go on"
    case .logFailed(let reason):
      reason ?? "the log could not be written; see the daemon's journal"
    case .simulatedError(let api, let error): "a tester makes \(api) fail with \(error)"
    case .limitReached(let limit): Self.join("a limit is reached", limit)
    case .catalogueInvalid(let path, let reason):
      Self.join(
        path.isEmpty ? "the catalogue is wrong" : "the catalogue is wrong at \(path)", reason)
    case .interfaceNotFound(let name): "the daemon has no interface \(name)"
    case .methodNotFound(let name): "the daemon has no method \(name)"
    case .expectedMore: "this method answers only as a stream"
    case .unknown: "refused"
    }
  }

  private static func join(_ what: String, _ reason: String) -> String {
    reason.isEmpty ? what : "\(what): \(reason)"
  }

  /// The status stands there where it is part of the rule and not in the reason already.
  private static func notPossible(_ status: SubscriptionStatus?, _ reason: String) -> String {
    guard let status, status != .active, !reason.contains(status.words) else {
      return join("not possible", reason)
    }
    return join("not possible while the subscription is \(status.words)", reason)
  }

  private static func noProduct(_ productID: String, _ nearest: [String]) -> String {
    switch nearest.count {
    case 1 where nearest[0] == productID: "\(productID) is not on sale any more"
    case 0: "there is no product \(productID)"
    case 1: "there is no product \(productID); did you mean \(nearest[0])?"
    default:
      "there is no product \(productID); did you mean one of \(nearest.joined(separator: ", "))?"
    }
  }
}
