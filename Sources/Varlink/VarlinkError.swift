import JSON

/// Why bytes on a connection are not a Varlink message.
public enum VarlinkError: Error, Equatable, Sendable {
  /// More bytes than allowed came without a NUL.
  case messageTooLong(bytesMax: Int)
  /// The message is not the JSON it must be.
  case json(JSONError)
  /// A call has no `method`.
  case methodMissing
  /// A call's `method` is no interface name, dot and member name.
  case methodMalformed(at: Int)
  /// A field of the message itself has a value of the wrong kind.
  case fieldMalformed(VarlinkField, at: Int)
  /// A field of the message itself stands twice.
  case fieldRepeated(VarlinkField, at: Int)
}

/// The fields that Varlink gives meaning to in a call or a reply.
public enum VarlinkField: UInt8, Equatable, Sendable {
  case method, parameters, more, oneway, upgrade, error, continues

  /// The name on the wire.
  public var name: String {
    switch self {
    case .method: "method"
    case .parameters: "parameters"
    case .more: "more"
    case .oneway: "oneway"
    case .upgrade: "upgrade"
    case .error: "error"
    case .continues: "continues"
    }
  }
}

extension VarlinkError: CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public var description: String {
    switch self {
    case .messageTooLong(let bytesMax): "a message is longer than \(bytesMax) bytes"
    case .json(let error): "a message is not valid JSON: \(error)"
    case .methodMissing: "a call has no method"
    case .methodMalformed(let at): "the method at byte \(at) is not a qualified method name"
    case .fieldMalformed(let field, let at): "\(field.name) at byte \(at) has the wrong type"
    case .fieldRepeated(let field, let at): "\(field.name) at byte \(at) stands twice"
    }
  }
}
