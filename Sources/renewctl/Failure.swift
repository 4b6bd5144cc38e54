import Client

/// Why a verb did not do what was asked: a sentence for people, a name and parameters for
/// programs, and the exit status.
struct Failure: Error {
  var code: ExitCode
  /// One sentence without a full stop.
  var sentence: String
  /// Lines below the sentence: candidates, or what to do.
  var details: [String] = []
  /// The qualified name of the daemon's error, or one of this program's own.
  var name: String
  var parameters: JSONObject

  /// The refusal of the daemon that this is, if it is one.
  var reason: RenewdError.Reason?

  /// What a person typed is wrong.
  static func usage(_ sentence: String, _ details: String...) -> Failure {
    own("Usage", .usage, sentence, details)
  }

  /// A failure that no daemon named.
  static func own(
    _ name: String, _ code: ExitCode, _ sentence: String, _ details: [String] = []
  ) -> Failure {
    Failure(
      code: code, sentence: sentence, details: details, name: "renewctl.\(name)",
      parameters: JSONObject([("reason", .string(sentence))]))
  }

  /// The failure as `--json` prints it.
  var json: JSONValue {
    .members([("error", .string(name)), ("parameters", .object(parameters))])
  }
}

extension Failure {
  init(_ error: ClientError) {
    switch error {
    case .transport(let error): self = Failure(error)
    case .refused(let error): self = Failure(error)
    }
  }

  init(_ error: RenewdError) {
    self.init(
      code: error.reason.exitCode, sentence: error.description,
      details: error.reason.advice.map { [$0] } ?? [], name: error.name,
      parameters: error.parameters)
    reason = error.reason
  }

  init(_ error: TransportError) {
    switch error {
    case .addressEmpty, .addressTooLong: self = .own("Usage", .usage, error.description)
    case .permissionDenied(let address):
      self = .own(
        "PermissionDenied", .permission, error.description, SocketOwner.advice(path: address))
    case .unreachable:
      self = .own(
        "Unreachable", .unavailable, error.description,
        [
          "Start it (systemctl start renewd), name its socket with --socket, "
            + "or try one out: renewctl run -- sh"
        ])
    case .closed, .system: self = .own("Unreachable", .unavailable, error.description)
    case .timedOut, .interrupted: self = .own("TryAgain", .tryAgain, error.description)
    case .malformedReply, .unexpectedAnswer:
      self = .own("Protocol", .software, error.description)
    }
  }
}

extension Failure {
  /// Runs `body`; its failure as this program's.
  static func wrapping<Value>(
    _ body: () throws(ClientError) -> Value
  ) throws(Failure) -> Value {
    do throws(ClientError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }

  /// Runs `body`; its failure as this program's.
  static func wrapping<Value>(
    _ body: () throws(TransportError) -> Value
  ) throws(Failure) -> Value {
    do throws(TransportError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}

extension RenewdError.Reason {
  /// The exit status of a refusal.
  var exitCode: ExitCode {
    switch self {
    case .invalidParameter, .invalidQuantity, .invalidTime: .usage
    case .productNotFound, .transactionNotFound, .clockNotFound, .subscriptionNotFound: .notFound
    case .alreadySubscribed, .ineligibleForOffer, .notPossible, .ambiguous, .requestIDReused,
      .clockBehind, .clockMismatch, .cursorAhead, .forecastTooFar, .notInThisRole, .noTrustRoot,
      .verificationFailed, .simulatedError:
      .refused
    case .clockBusy, .connectionBusy, .diskFull, .limitReached: .tryAgain
    case .logFailed: .damaged
    case .permissionDenied: .permission
    case .catalogueInvalid: .configuration
    case .interfaceNotFound, .methodNotFound, .expectedMore, .unknown: .software
    }
  }

  /// Who may read, as far as it is known here: the daemon's configuration may name more.
  static let readersAdvice =
    "Members of the group renewd may read, and those of the daemon's --socket-group and"
    + " read-groups; or ask root."

  /// What a person can do about it.
  var advice: String? {
    switch self {
    case .permissionDenied(let role):
      switch role {
      case "read": Self.readersAdvice
      case "": nil
      default:
        "Ask root, or have your user or group named for the role \(role) in "
          + "/etc/renewd/renewd.conf."
      }
    case .clockNotFound: "renewctl clock list shows the clocks there are."
    case .productNotFound: "renewctl products shows what is sold."
    case .interfaceNotFound, .methodNotFound:
      "The daemon is of another version than this renewctl; see renewctl version."
    case .diskFull: "Free space in the state directory; the daemon goes on by itself."
    case .logFailed:
      "renewctl log verify tells what is wrong; where no daemon runs, renewd log verify DIR."
    case .invalidQuantity:
      "A consumable or a non-renewing subscription is bought 1 to 10 at once, all else one by one."
    case .clockBehind:
      "An account moves to a clock that has reached its last event: advance that clock first, "
        + "or wait where it is the system's."
    case .clockMismatch:
      "renewctl clock list shows the clocks; clock attach moves an account, and its family."
    case .clockBusy: "renewctl clock list shows how far it is."
    case .cursorAhead: "renewctl log describe says where the log ends."
    case .forecastTooFar: "Ask for an earlier time, or advance a test clock first."
    case .requestIDReused: "Give another call another --request-id."
    case .notInThisRole:
      "renewd --role store sells and tests; renewd --role record takes renewctl submit and link."
    case .noTrustRoot: "Name one: renewd --root-certificate FILE."
    case .simulatedError: "renewctl fault lists what fails; renewctl fault API off ends it."
    case .invalidParameter, .transactionNotFound, .subscriptionNotFound, .alreadySubscribed,
      .ineligibleForOffer, .invalidTime, .notPossible, .ambiguous, .connectionBusy,
      .verificationFailed, .limitReached, .catalogueInvalid, .expectedMore, .unknown:
      nil
    }
  }

  /// What the account has, or has not, is why.
  var isByAccount: Bool {
    switch self {
    case .transactionNotFound, .subscriptionNotFound, .alreadySubscribed, .ineligibleForOffer,
      .notPossible:
      true
    case .invalidParameter, .productNotFound, .clockNotFound, .invalidQuantity, .invalidTime,
      .ambiguous, .requestIDReused, .clockBusy, .clockBehind, .clockMismatch, .connectionBusy,
      .cursorAhead, .forecastTooFar, .notInThisRole, .noTrustRoot, .verificationFailed,
      .limitReached, .simulatedError, .catalogueInvalid, .expectedMore, .permissionDenied,
      .diskFull, .logFailed, .interfaceNotFound, .methodNotFound, .unknown:
      false
    }
  }
}
