import JSON

/// Writes replies, NUL included, behind what a writer holds.
///
/// ```
/// VarlinkReply.begin(&writer)
/// writer.key("entitled")
/// writer.bool(true)
/// VarlinkReply.end(&writer)
/// ```
/// An error is begun with `beginError` and ended in the same way. What is written for a call with
/// `oneway` must not be sent; the caller sees to that.
public enum VarlinkReply {
  /// Starts a reply; the members of its parameters follow.
  public static func begin(_ writer: inout JSONWriter) {
    writer.fragment("{\"parameters\":{")
  }

  /// Ends what `begin` or `beginError` started. With `continues` more replies will follow.
  public static func end(_ writer: inout JSONWriter, continues: Bool = false) {
    writer.fragment(continues ? "},\"continues\":true}\0" : "}}\0")
  }

  /// A reply without parameters.
  public static func empty(_ writer: inout JSONWriter, continues: Bool = false) {
    begin(&writer)
    end(&writer, continues: continues)
  }

  /// A whole reply whose parameters are the JSON text of an object.
  public static func write(
    _ writer: inout JSONWriter, parameters: Span<UInt8>, continues: Bool = false
  ) {
    writer.beginObject()
    writer.key("parameters")
    writer.raw(parameters)
    finish(&writer, continues: continues)
  }

  /// A whole reply whose parameters are a tree.
  public static func write(
    _ writer: inout JSONWriter, parameters: JSONValue, continues: Bool = false
  ) {
    writer.beginObject()
    writer.key("parameters")
    writer.value(parameters)
    finish(&writer, continues: continues)
  }

  /// Starts an error with its qualified name; the members of its parameters follow, then `end`.
  public static func beginError(_ writer: inout JSONWriter, _ name: StaticString) {
    writer.beginObject()
    writer.key("error")
    writer.string(name)
    writer.key("parameters")
    writer.beginObject()
  }

  /// A whole error without parameters.
  public static func error(_ writer: inout JSONWriter, _ name: StaticString) {
    beginError(&writer, name)
    end(&writer)
  }

  /// A whole error whose one parameter is a text.
  public static func error(
    _ writer: inout JSONWriter, _ name: StaticString, _ key: StaticString, _ text: String
  ) {
    beginError(&writer, name)
    writer.key(key)
    writer.string(text)
    end(&writer)
  }

  /// A whole error with the fields of `error`.
  public static func error(_ writer: inout JSONWriter, _ name: String, _ error: some Coded) {
    writer.beginObject()
    writer.key("error")
    writer.string(name)
    writer.key("parameters")
    error.write(into: &writer)
    writer.fragment("}\0")
  }

  /// A whole reply with the fields of `answer`.
  public static func write(
    _ writer: inout JSONWriter, _ answer: some Coded, continues: Bool = false
  ) {
    begin(&writer)
    answer.writeMembers(into: &writer)
    end(&writer, continues: continues)
  }

  private static func finish(_ writer: inout JSONWriter, continues: Bool) {
    writer.fragment(continues ? ",\"continues\":true}\0" : "}\0")
  }
}

// MARK: The errors of org.varlink.service

extension VarlinkReply {
  /// The service has no such interface.
  public static func interfaceNotFound(_ writer: inout JSONWriter, interface: String) {
    error(&writer, "org.varlink.service.InterfaceNotFound", "interface", interface)
  }

  /// The interface has no such method; the method is given qualified.
  public static func methodNotFound(_ writer: inout JSONWriter, method: String) {
    error(&writer, "org.varlink.service.MethodNotFound", "method", method)
  }

  /// The interface has the method, but this service does not offer it.
  public static func methodNotImplemented(_ writer: inout JSONWriter, method: String) {
    error(&writer, "org.varlink.service.MethodNotImplemented", "method", method)
  }

  /// A parameter is unknown, missing or wrong.
  public static func invalidParameter(_ writer: inout JSONWriter, parameter: String) {
    error(&writer, "org.varlink.service.InvalidParameter", "parameter", parameter)
  }

  /// The caller may not do this.
  public static func permissionDenied(_ writer: inout JSONWriter) {
    error(&writer, "org.varlink.service.PermissionDenied")
  }

  /// The method must be called with `more`.
  public static func expectedMore(_ writer: inout JSONWriter) {
    error(&writer, "org.varlink.service.ExpectedMore")
  }
}
