/// A method call that is not sent yet: its qualified name, its parameters and, as a type, what it
/// answers. The daemon's methods are static functions of it:
///
/// ```
/// let status = try connection.call(.status(account: "u1"))
/// ```
public struct Call<Result: Answer>: Sendable {
  /// The qualified method, such as `org.renewd.Membership.Status`.
  public let method: String
  /// The parameters; absent ones are left out.
  public let parameters: JSONObject
  /// It changes nothing, so it may be sent again when a connection ends.
  public let isRead: Bool

  /// A call of any method. Typed ones are static functions beside what they answer.
  public init(method: String, parameters: JSONObject = JSONObject(), isRead: Bool = false) {
    self.method = method
    self.parameters = parameters
    self.isRead = isRead
  }

  /// A call with those of the parameters that are not nil.
  init(_ method: String, isRead: Bool = false, _ parameters: KeyValuePairs<String, JSONValue?>) {
    var object = JSONObject()
    for (key, value) in parameters { object[key] = value }
    self.init(method: "org.renewd.\(method)", parameters: object, isRead: isRead)
  }
}

/// The answer of a method whose fields the caller reads by itself.
public struct Members: Answer, Equatable {
  /// The parameters of the reply.
  public let object: JSONObject

  public init(from reader: AnswerReader) throws(TransportError) {
    object = reader.members
  }
}

extension JSONValue {
  static func text(_ value: String?) -> JSONValue? { value.map { .string($0) } }
  static func integer(_ value: Int?) -> JSONValue? { value.map { .int(Int64($0)) } }
  static func integer(_ value: Int64?) -> JSONValue? { value.map { .int($0) } }
  static func time(_ value: Timestamp?) -> JSONValue? { value.map { .int($0.milliseconds) } }
  static func truth(_ value: Bool?) -> JSONValue? { value.map { .bool($0) } }
}
