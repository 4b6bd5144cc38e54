import JSON

/// One message from the daemon, as a client has it.
public struct Reply: Equatable, Sendable {
  /// The qualified name of the error; nil for an answer.
  public var error: String?
  public var parameters: JSONValue
  /// More replies to the same call follow.
  public var continues: Bool

  public init(error: String? = nil, parameters: JSONValue, continues: Bool = false) {
    self.error = error
    self.parameters = parameters
    self.continues = continues
  }

  /// Reads a message without its NUL; nil where it is no reply.
  init?(message: [UInt8]) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(message, depthMax: Limits.depthMax)
    } catch {
      return nil
    }
    guard let object = value.objectValue else { return nil }
    error = object["error"]?.stringValue
    parameters = object["parameters"] ?? .members([])
    continues = object["continues"]?.boolValue ?? false
  }

  /// A parameter of the answer.
  public subscript(key: String) -> JSONValue? { parameters[key] }

  /// An integer parameter.
  public func int(_ key: String) -> Int64? { parameters[key]?.int64Value }

  /// A text parameter.
  public func text(_ key: String) -> String? { parameters[key]?.stringValue }

  /// A truth value.
  public func flag(_ key: String) -> Bool? { parameters[key]?.boolValue }

  /// The elements of an array.
  public func list(_ key: String) -> [JSONValue] { parameters[key]?.arrayValue ?? [] }
}
