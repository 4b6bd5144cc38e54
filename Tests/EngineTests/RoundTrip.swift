import Contract
import JSON
import Varlink

@testable import Engine

/// Whether what the daemon writes by hand, because it is written often, is what the contract's type
/// would write: the same members with the same values. A mark that is not set and an empty list may
/// be written or left out.
enum RoundTrip {
  static func holds(_ parameters: JSONValue, of name: String) -> Bool {
    guard let method = Interfaces.methods[name]?.method, let object = parameters.objectValue,
      let again = try? again(object, as: method)
    else { return false }
    return agree(parameters, again)
  }

  private static func again<M: Method>(_ object: JSONObject, as: M.Type) throws -> JSONValue {
    var writer = JSONWriter()
    try M.Answer(object).write(into: &writer)
    return try JSONValue.parse(writer.take(), depthMax: VarlinkLimits.depthMax)
  }

  private static func agree(_ written: JSONValue, _ again: JSONValue) -> Bool {
    switch (written, again) {
    case (.object(let written), .object(let again)):
      let members = written.members.filter {
        again[$0.key] != nil || ($0.value != .bool(false) && $0.value.arrayValue != [])
      }
      guard members.map(\.key).sorted() == again.keys.sorted() else { return false }
      return members.allSatisfy { agree($0.value, again[$0.key]!) }
    case (.array(let written), .array(let again)):
      return written.count == again.count && zip(written, again).allSatisfy(agree)
    default:
      return written == again
    }
  }
}
