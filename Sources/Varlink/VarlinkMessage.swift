import JSON

/// Writes calls, NUL included: the client's side.
public enum VarlinkMessage {
  /// A whole call. `parameters` is left out when nil.
  public static func encodeCall(
    method: String, parameters: JSONValue? = nil, more: Bool = false, oneway: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    if let parameters {
      writer.key("parameters")
      writer.value(parameters)
    }
    finish(&writer, more: more, oneway: oneway)
    return writer.take()
  }

  /// A whole call whose parameters are the text of a JSON object; without them where that is empty.
  public static func encodeCall(
    method: String, parametersText: [UInt8], more: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    if parametersText.count > 2 {
      writer.key("parameters")
      writer.raw(parametersText)
    }
    finish(&writer, more: more, oneway: false)
    return writer.take()
  }

  /// Starts a call behind what the writer holds; the members of its parameters follow.
  public static func beginCall(_ writer: inout JSONWriter, method: StaticString) {
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    writer.key("parameters")
    writer.beginObject()
  }

  /// Ends what `beginCall` started.
  public static func endCall(
    _ writer: inout JSONWriter, more: Bool = false, oneway: Bool = false
  ) {
    writer.endObject()
    finish(&writer, more: more, oneway: oneway)
  }

  private static func finish(_ writer: inout JSONWriter, more: Bool, oneway: Bool) {
    if more {
      writer.key("more")
      writer.bool(true)
    }
    if oneway {
      writer.key("oneway")
      writer.bool(true)
    }
    writer.endObject()
    writer.endText(terminator: 0)
  }
}
