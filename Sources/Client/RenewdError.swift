import Varlink

/// A refusal by the daemon: the error's qualified name, its parameters as they came, and what they
/// mean. Names are those of the interface `org.renewd` and of `org.varlink.service`.
public struct RenewdError: Error, Equatable, Sendable {
  /// The qualified name on the wire, such as `org.renewd.ProductNotFound`.
  public let name: String
  /// The parameters on the wire.
  public let parameters: JSONObject
  /// What was refused.
  public let reason: Reason

  /// An error as it came. A name this client does not know becomes `.unknown`; a field that is
  /// amiss is as if it were empty, since an error must be told all the same.
  public init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
    reason = Reason(named: name)?.filled(from: parameters) ?? .unknown
  }

  /// An error that no reply brought: it has no parameters of the wire.
  public init(_ reason: Reason) {
    name = reason.qualifiedName
    parameters = JSONObject()
    self.reason = reason
  }

  /// The errors that the daemon's interfaces name.
  public typealias Reason = CallError
}

extension CallError {
  fileprivate func filled(from parameters: JSONObject) -> CallError {
    var error = self
    var parameters = parameters
    // The service says which parameter, and no more.
    if case .invalidParameter = self, parameters["reason"] == nil {
      parameters["reason"] = .string("")
    }
    do throws(FieldFault) {
      try error.read(parameters)
      return error
    } catch {
      return self
    }
  }
}
