import Glibc
import Varlink

/// Why no answer came: the daemon could not be reached, or what it sent is no reply. What the
/// daemon itself refuses is a `RenewdError`.
public enum TransportError: Error, Equatable, Sendable {
  /// The address has no text.
  case addressEmpty
  /// A socket's path is longer than the kernel takes; both lengths in bytes.
  case addressTooLong(path: String, bytes: Int, bytesMax: Int)
  /// Nobody listened at the address within the time; `code` is the last attempt's errno.
  case unreachable(address: String, waited: Duration, code: Int32)
  /// The file system does not let this user connect.
  case permissionDenied(address: String)
  /// The connection ended before the answer was whole.
  case closed
  /// No reply came within the connection's time-out.
  case timedOut(after: Duration)
  /// The wait was ended by `Interrupt.trigger`.
  case interrupted
  /// A system call failed.
  case system(call: String, code: Int32)
  /// What came is no Varlink reply.
  case malformedReply(VarlinkError)
  /// A reply lacks what its method promises; `path` names the field.
  case unexpectedAnswer(path: String, expected: String)
}

extension TransportError: CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public var description: String {
    switch self {
    case .addressEmpty: "the socket's address is empty"
    case .addressTooLong(let path, let bytes, let bytesMax):
      "the socket path \(path) has \(bytes) bytes, at most \(bytesMax) are possible; "
        + "use a shorter directory"
    case .unreachable(let address, let waited, let code):
      "no daemon answers at \(address) (\(Self.text(of: code)), waited \(Self.text(of: waited)))"
    case .permissionDenied(let address): "no permission to connect to \(address)"
    case .closed: "the daemon closed the connection before it answered"
    case .timedOut(let after): "the daemon did not answer within \(Self.text(of: after))"
    case .interrupted: "interrupted"
    case .system(let call, let code): "\(call): \(Self.text(of: code))"
    case .malformedReply(let error): "the daemon's reply cannot be read: \(error)"
    case .unexpectedAnswer(let path, let expected):
      "the daemon's reply is not as described: \(path) is not \(expected)"
    }
  }

  /// The system's words for an error number.
  static func text(of code: Int32) -> String {
    guard let words = strerror(code) else { return "error \(code)" }
    return String(cString: words)
  }

  private static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
  }
}

/// Why a call has no answer.
public enum ClientError: Error, Equatable, Sendable {
  /// The daemon could not be reached or understood.
  case transport(TransportError)
  /// The daemon refused, and said why.
  case refused(RenewdError)
}

extension ClientError: CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public var description: String {
    switch self {
    case .transport(let error): error.description
    case .refused(let error): error.description
    }
  }
}

extension ClientError {
  /// Runs `body`; its failure as a client's error.
  static func wrapping<Value>(
    _ body: () throws(TransportError) -> Value
  ) throws(ClientError) -> Value {
    do throws(TransportError) {
      return try body()
    } catch {
      throw .transport(error)
    }
  }
}
