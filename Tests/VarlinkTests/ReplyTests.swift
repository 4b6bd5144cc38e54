import JSON
import Testing
import Varlink

@Suite("Writing and reading replies")
struct ReplyTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("a reply holds its parameters, says when more follow, and ends in a NUL")
  func replies() {
    #expect(
      written {
        VarlinkReply.begin(&$0)
        $0.key("entitled")
        $0.bool(true)
        VarlinkReply.end(&$0)
      } == "{\"parameters\":{\"entitled\":true}}\0")
    #expect(
      written {
        VarlinkReply.empty(&$0, continues: true)
        VarlinkReply.empty(&$0)
      } == "{\"parameters\":{},\"continues\":true}\0{\"parameters\":{}}\0")
    #expect(
      written {
        VarlinkReply.write(&$0, parameters: .members([("a", .int(1))]), continues: true)
        VarlinkReply.write(&$0, parameters: Array("{\"b\":2}".utf8).span)
      } == "{\"parameters\":{\"a\":1},\"continues\":true}\0{\"parameters\":{\"b\":2}}\0")
  }

  @Test("an error has its qualified name and typed parameters")
  func errors() {
    #expect(
      written {
        VarlinkReply.beginError(&$0, "org.renewd.CursorAhead")
        $0.key("head")
        $0.int(7)
        VarlinkReply.end(&$0)
      } == "{\"error\":\"org.renewd.CursorAhead\",\"parameters\":{\"head\":7}}\0")
    #expect(
      written { VarlinkReply.error(&$0, "org.renewd.DiskFull") }
        == "{\"error\":\"org.renewd.DiskFull\",\"parameters\":{}}\0")
  }

  @Test("the errors of org.varlink.service fit its description")
  func standardErrors() throws {
    let replies: [(String, String)] = [
      ("InterfaceNotFound", written { VarlinkReply.interfaceNotFound(&$0, interface: "a.b") }),
      ("MethodNotFound", written { VarlinkReply.methodNotFound(&$0, method: "a.b.C") }),
      ("MethodNotImplemented", written { VarlinkReply.methodNotImplemented(&$0, method: "a.B") }),
      ("InvalidParameter", written { VarlinkReply.invalidParameter(&$0, parameter: "x") }),
      ("PermissionDenied", written { VarlinkReply.permissionDenied(&$0) }),
      ("ExpectedMore", written { VarlinkReply.expectedMore(&$0) }),
    ]
    let service = try InterfaceDescription.parse(VarlinkService.serviceText)
    for (name, text) in replies {
      let bytes = Array(text.utf8.dropLast())
      let reply = try VarlinkReplyMessage.parse(bytes.span)
      #expect(reply.error == "org.varlink.service.\(name)")
      let parameters = try reply.parametersValue(in: bytes.span)
      #expect(service.error(named: name) != nil)
      #expect(service.validate(parameters: parameters, ofError: name) == nil)
    }
  }

  @Test("a reply is read back: parameters, error, continues, unknown fields ignored")
  func reading() throws {
    let bytes = Array(#"{"x":[1],"continues":true,"parameters":{"a":1}}"#.utf8)
    let reply = try VarlinkReplyMessage.parse(bytes.span)
    #expect(reply.error == nil && reply.continues)
    #expect(try reply.parametersValue(in: bytes.span) == .members([("a", .int(1))]))
    let bare = try VarlinkReplyMessage.parse(Array("{}".utf8).span)
    #expect(bare.error == nil && !bare.continues && bare.parameters == nil)
    let error = try VarlinkReplyMessage.parse(
      Array(#"{"error":"a.B","parameters":null}"#.utf8).span)
    #expect(error.error == "a.B")
  }

  @Test("what is not a reply is refused by what is wrong and where")
  func faults() {
    for (text, expected) in [
      (#"{"parameters":1}"#, VarlinkError.fieldMalformed(.parameters, at: 14)),
      (#"{"error":1}"#, .fieldMalformed(.error, at: 9)),
      (#"{"continues":1}"#, .fieldMalformed(.continues, at: 13)),
      (#"{"error":"a","error":"a"}"#, .fieldRepeated(.error, at: 14)),
      ("", .json(.unexpectedEnd(at: 0))), ("{}{}", .json(.trailingBytes(at: 2))),
    ] {
      #expect(throws: expected) { try VarlinkReplyMessage.parse(Array(text.utf8).span) }
    }
  }

  @Test("a call that the client writes is the call that the service reads")
  func calls() throws {
    let parameters = JSONValue.members([("account", .string("a\"\n")), ("at", .int(-1))])
    for (more, oneway) in [(false, false), (true, false), (false, true)] {
      let bytes = VarlinkMessage.encodeCall(
        method: "org.renewd.Membership.Status", parameters: parameters, more: more, oneway: oneway)
      #expect(bytes.last == 0)
      let message = Array(bytes.dropLast())
      let call = try VarlinkCall.parse(message.span)
      #expect(call.methodName(in: message.span) == "org.renewd.Membership.Status")
      #expect(try call.parametersValue(in: message.span) == parameters)
      #expect(call.more == more && call.oneway == oneway && !call.upgrade)
    }
    #expect(VarlinkMessage.encodeCall(method: "a.B") == Array("{\"method\":\"a.B\"}\0".utf8))
    #expect(
      written {
        VarlinkMessage.beginCall(&$0, method: "a.B")
        $0.key("x")
        $0.int(1)
        VarlinkMessage.endCall(&$0, more: true)
      } == "{\"method\":\"a.B\",\"parameters\":{\"x\":1},\"more\":true}\0")
  }

  @Test("every error is a sentence")
  func sentences() {
    for (error, sentence) in [
      (VarlinkError.messageTooLong(bytesMax: 5), "a message is longer than 5 bytes"),
      (
        .json(.trailingBytes(at: 2)),
        "a message is not valid JSON: something follows the value at byte 2"
      ),
      (.methodMissing, "a call has no method"),
      (.methodMalformed(at: 3), "the method at byte 3 is not a qualified method name"),
      (.fieldMalformed(.more, at: 3), "more at byte 3 has the wrong type"),
      (.fieldRepeated(.error, at: 3), "error at byte 3 stands twice"),
    ] {
      #expect(error.description == sentence)
    }
  }
}
