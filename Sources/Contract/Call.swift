import JSON
import Varlink

/// A method call that is not sent yet: its qualified name, its parameters and, as a type, what it
/// answers. The daemon's methods are static functions of it:
///
/// ```
/// let status = try connection.call(.status(account: "u1"))
/// ```
public struct Call<Result: Parameters>: Sendable {
  /// The qualified method, such as `org.renewd.Membership.Status`.
  public let method: String
  /// The parameters as the text of a JSON object.
  public let parameters: [UInt8]
  /// It changes nothing, so it may be sent again when a connection ends.
  public let isRead: Bool

  /// A call of any method. Typed ones are static functions beside what they answer.
  public init(method: String, parameters: JSONObject = JSONObject(), isRead: Bool = false) {
    self.method = method
    var writer = JSONWriter()
    writer.value(.object(parameters))
    self.parameters = writer.take()
    self.isRead = isRead
  }

  /// A call of a method of the daemon's, with what `set` says.
  public init<M: Method>(
    _ method: M, _ set: (inout M) -> Void = { _ in }
  ) where M.Answer == Result {
    var method = method
    set(&method)
    self.method = M.qualifiedName
    var writer = JSONWriter()
    method.write(into: &writer)
    parameters = writer.take()
    isRead = M.effect == .reads
  }
}

/// The answer of a method whose fields the caller reads by itself.
public struct Members: Parameters, Equatable {
  /// The parameters of the reply.
  public let object: JSONObject

  public init(_ parameters: JSONObject) {
    object = parameters
  }
}
