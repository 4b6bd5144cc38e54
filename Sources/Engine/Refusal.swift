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
    switch self {
    case .rule(let rejection): Self.write(rejection, into: &writer)
    case .parameter(let name): VarlinkReply.invalidParameter(&writer, parameter: name)
    case .value(let name, let reason): Self.invalid(name, reason, into: &writer)
    case .permission(let role):
      VarlinkReply.error(&writer, "org.renewd.PermissionDenied", "role", role.name)
    case .requestIDReused: VarlinkReply.error(&writer, "org.renewd.RequestIdReused")
    case .connectionBusy: VarlinkReply.error(&writer, "org.renewd.ConnectionBusy")
    case .cursorAhead(let head):
      Self.error("org.renewd.CursorAhead", "head", Int64(head), into: &writer)
    case .limit(let limit):
      VarlinkReply.error(&writer, "org.renewd.LimitReached", "limit", limit)
    case .simulated(let api, let error):
      VarlinkReply.beginError(&writer, "org.renewd.SimulatedError")
      writer.member("api", api.name)
      writer.member("error", error.name)
      VarlinkReply.end(&writer)
    case .diskFull: VarlinkReply.error(&writer, "org.renewd.DiskFull")
    case .logFailed: VarlinkReply.error(&writer, "org.renewd.LogFailed")
    case .logUnreadable(let error):
      VarlinkReply.error(&writer, "org.renewd.LogFailed", "reason", error.ofReading)
    case .expectedMore: VarlinkReply.expectedMore(&writer)
    case .noTrustRoot: VarlinkReply.error(&writer, "org.renewd.NoTrustRoot")
    case .verification(let reason):
      VarlinkReply.error(&writer, "org.renewd.VerificationFailed", "reason", reason)
    case .malformed(let reason): Self.invalid("message", reason, into: &writer)
    }
  }

  private static func write(_ rejection: Rejection, into writer: inout JSONWriter) {
    switch rejection {
    case .invalidParameter(let name, let reason): invalid(name, reason, into: &writer)
    case .productNotFound(let productID, let nearest):
      VarlinkReply.beginError(&writer, "org.renewd.ProductNotFound")
      writer.key("productId")
      writer.string(productID)
      writer.key("nearest")
      writer.beginArray()
      for name in nearest { writer.string(name) }
      writer.endArray()
      VarlinkReply.end(&writer)
    case .transactionNotFound: VarlinkReply.error(&writer, "org.renewd.TransactionNotFound")
    case .subscriptionNotFound: VarlinkReply.error(&writer, "org.renewd.SubscriptionNotFound")
    case .clockNotFound: VarlinkReply.error(&writer, "org.renewd.ClockNotFound")
    case .alreadySubscribed: VarlinkReply.error(&writer, "org.renewd.AlreadySubscribed")
    case .ineligibleForOffer(let reason):
      VarlinkReply.error(&writer, "org.renewd.IneligibleForOffer", "reason", reason)
    case .invalidQuantity: VarlinkReply.error(&writer, "org.renewd.InvalidQuantity")
    case .invalidTime(let reason):
      VarlinkReply.error(&writer, "org.renewd.InvalidTime", "reason", reason)
    case .notPossible(let status, let reason):
      VarlinkReply.beginError(&writer, "org.renewd.NotPossible")
      if let status {
        writer.key("status")
        writer.int(Int64(status.rawValue))
      }
      writer.key("reason")
      writer.string(reason)
      VarlinkReply.end(&writer)
    case .ambiguous(let candidates):
      VarlinkReply.beginError(&writer, "org.renewd.Ambiguous")
      writer.key("candidates")
      writer.beginArray()
      for id in candidates { writer.string(String(id)) }
      writer.endArray()
      VarlinkReply.end(&writer)
    case .clockBusy(let target):
      error("org.renewd.ClockBusy", "target", target.milliseconds, into: &writer)
    case .clockBehind: VarlinkReply.error(&writer, "org.renewd.ClockBehind")
    case .clockMismatch: VarlinkReply.error(&writer, "org.renewd.ClockMismatch")
    case .forecastTooFar: VarlinkReply.error(&writer, "org.renewd.ForecastTooFar")
    case .notInThisRole: VarlinkReply.error(&writer, "org.renewd.NotInThisRole")
    case .catalogueInvalid(let path, let reason):
      VarlinkReply.beginError(&writer, "org.renewd.CatalogueInvalid")
      writer.key("path")
      writer.string(path)
      writer.key("reason")
      writer.string(reason)
      VarlinkReply.end(&writer)
    }
  }

  private static func invalid(_ name: String, _ reason: String, into writer: inout JSONWriter) {
    VarlinkReply.beginError(&writer, "org.renewd.InvalidParameter")
    writer.key("parameter")
    writer.string(name)
    writer.key("reason")
    writer.string(reason)
    VarlinkReply.end(&writer)
  }

  private static func error(
    _ name: StaticString, _ key: StaticString, _ value: Int64, into writer: inout JSONWriter
  ) {
    VarlinkReply.beginError(&writer, name)
    writer.key(key)
    writer.int(value)
    VarlinkReply.end(&writer)
  }
}
