/// A command that the rules refuse. Nothing has changed; each case is one of the errors of the
/// interface `org.renewd`, with its parameters.
public enum Rejection: Error, Equatable, Sendable {
  case invalidParameter(name: String, reason: String)
  case productNotFound(productID: String, nearest: [String])
  case transactionNotFound
  case subscriptionNotFound
  case clockNotFound
  case alreadySubscribed
  case ineligibleForOffer(reason: String)
  case invalidQuantity
  case invalidTime(reason: String)
  case notPossible(status: Status?, reason: String)
  case ambiguous(candidates: [UInt64])
  case clockBusy(target: Instant)
  case clockBehind
  case clockMismatch
  case forecastTooFar
  case notInThisRole
  case catalogueInvalid(path: String, reason: String)
}
