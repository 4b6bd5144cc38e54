import Contract
import EventLog
import JSON
import Subscriptions
import Varlink

/// Why a call is not carried out. Each case is one error on the wire.
enum Refusal: Error {
  case rule(Rejection)
  /// A parameter is unknown, missing or of the wrong type.
  case parameter(String)
  /// A parameter's value is wrong.
  case value(String, String)
  case permission(PeerRole)
  case requestIDReused
  case connectionBusy
  case cursorAhead(UInt64)
  case limit(String)
  /// A tester made it fail.
  case simulated(SimulatedAPI, SimulatedError)
  case diskFull
  case logFailed
  /// What is asked for cannot be read from the log.
  case logUnreadable(LogError)
  case expectedMore
  /// No root certificate is trusted, so nothing signed can be believed.
  case noTrustRoot
  /// A signed text is not believed, and why.
  case verification(String)
  /// The message is no call, or its parameters no JSON: answered, then the connection closes.
  case malformed(String)
}

extension Refusal {
  /// Writes the whole error reply.
  func write(into writer: inout JSONWriter) {
    // What is wrong with a call's form, the service says by its own errors.
    if case .parameter(let name) = self {
      VarlinkReply.invalidParameter(&writer, parameter: name)
    } else {
      VarlinkReply.error(&writer, error.qualifiedName, error)
    }
  }

  /// The error as the contract has it.
  private var error: CallError {
    switch self {
    case .rule(let rejection): rejection.error
    case .parameter(let name): .invalidParameter(name: name, reason: "")
    case .value(let name, let reason): .invalidParameter(name: name, reason: reason)
    case .permission(let role): .permissionDenied(role: role.name)
    case .requestIDReused: .requestIDReused
    case .connectionBusy: .connectionBusy
    case .cursorAhead(let head): .cursorAhead(head: Int64(head))
    case .limit(let limit): .limitReached(limit: limit)
    case .simulated(let api, let error): .simulatedError(api: api.name, error: error.name)
    case .diskFull: .diskFull
    case .logFailed: .logFailed(reason: nil)
    case .logUnreadable(let error): .logFailed(reason: error.ofReading)
    case .expectedMore: .expectedMore
    case .noTrustRoot: .noTrustRoot
    case .verification(let reason): .verificationFailed(reason: reason)
    case .malformed(let reason): .invalidParameter(name: "message", reason: reason)
    }
  }
}

extension Rejection {
  /// The error as the contract has it.
  fileprivate var error: CallError {
    switch self {
    case .invalidParameter(let name, let reason): .invalidParameter(name: name, reason: reason)
    case .productNotFound(let productID, let nearest):
      .productNotFound(productID: productID, nearest: nearest)
    case .transactionNotFound: .transactionNotFound
    case .subscriptionNotFound: .subscriptionNotFound
    case .clockNotFound: .clockNotFound
    case .alreadySubscribed: .alreadySubscribed
    case .ineligibleForOffer(let reason): .ineligibleForOffer(reason: reason)
    case .invalidQuantity: .invalidQuantity
    case .invalidTime(let reason): .invalidTime(reason: reason)
    case .notPossible(let status, let reason):
      .notPossible(
        status: status.map { SubscriptionStatus(rawValue: Int64($0.rawValue)) }, reason: reason)
    case .ambiguous(let candidates): .ambiguous(candidates: candidates.map { String($0) })
    case .clockBusy(let target): .clockBusy(target: target)
    case .clockBehind: .clockBehind
    case .clockMismatch: .clockMismatch
    case .forecastTooFar: .forecastTooFar
    case .notInThisRole: .notInThisRole
    case .catalogueInvalid(let path, let reason): .catalogueInvalid(path: path, reason: reason)
    }
  }
}
