import JSON
import Testing
import Varlink

@Suite("Reading a call")
struct CallTests {
  private func parse(_ text: String, depthMax: Int = 16) -> Result<VarlinkCall, VarlinkError> {
    let bytes = Array(text.utf8)
    return Result { () throws(VarlinkError) in
      try VarlinkCall.parse(bytes.span, depthMax: depthMax)
    }
  }

  private func failure(_ text: String, depthMax: Int = 16) -> VarlinkError? {
    if case .failure(let error) = parse(text, depthMax: depthMax) { error } else { nil }
  }

  @Test("method, interface, member and parameters are ranges of the message")
  func ranges() throws {
    let text = #"{"method":"org.renewd.Membership.Check","parameters":{"account":"a"}}"#
    let bytes = Array(text.utf8)
    let call = try parse(text).get()
    #expect(call.methodName(in: bytes.span) == "org.renewd.Membership.Check")
    #expect(call.interfaceName(in: bytes.span) == "org.renewd.Membership")
    #expect(call.memberName(in: bytes.span) == "Check")
    let names: [StaticString] = [
      "org.renewd.Membership.Check", "org.renewd.Membership.Chec", "org.renewd.Membership.Checj",
    ]
    let matches = names.map { call.isMethod($0, in: bytes.span) }
    #expect(matches == [true, false, false])
    let parameters = try #require(call.parameters)
    #expect(String(decoding: bytes[parameters], as: UTF8.self) == #"{"account":"a"}"#)
    #expect(try call.parametersValue(in: bytes.span) == .members([("account", .string("a"))]))
    #expect(!call.more && !call.oneway && !call.upgrade)
  }

  @Test("flags are read in any order, null is as good as absent, unknown fields are ignored")
  func flags() throws {
    let all = try parse(
      #" { "x":{"y":[1]},"upgrade" : true,"oneway":true,"more":true ,"method":"a.B"} "#
    ).get()
    #expect(all.more && all.oneway && all.upgrade)
    #expect(all.parameters == nil)
    let none = try parse(
      #"{"more":null,"oneway":false,"upgrade":null,"parameters":null,"method":"a.B"}"#
    ).get()
    #expect(!none.more && !none.oneway && !none.upgrade)
    #expect(none.parameters == nil)
    let bytes = Array(#"{"method":"a.B"}"#.utf8)
    let bare = try VarlinkCall.parse(bytes.span)
    #expect(try bare.parametersValue(in: bytes.span) == .object(JSONObject()))
    #expect(try parse(#"{"m\u0065thod":"a.B"}"#).get().method == 16..<19)
  }

  @Test(
    "a method without an interface and a name is refused",
    arguments: ["", "C", "Check", ".Check", "a.", ".", "a.b."])
  func methods(method: String) {
    #expect(failure("{\"method\":\"\(method)\"}") == .methodMalformed(at: 11))
  }

  @Test("what is not a call is refused by what is wrong and where")
  func faults() {
    #expect(failure("{}") == .methodMissing)
    #expect(failure(#"{"method":null}"#) == .methodMissing)
    #expect(failure(#"{"method":1}"#) == .fieldMalformed(.method, at: 10))
    #expect(failure(#"{"method":"a\u002eB"}"#) == .methodMalformed(at: 10))
    #expect(failure(#"{"method":"a.B","more":1}"#) == .fieldMalformed(.more, at: 23))
    #expect(failure(#"{"method":"a.B","oneway":"x"}"#) == .fieldMalformed(.oneway, at: 25))
    #expect(failure(#"{"method":"a.B","upgrade":[]}"#) == .fieldMalformed(.upgrade, at: 26))
    #expect(failure(#"{"method":"a.B","parameters":[]}"#) == .fieldMalformed(.parameters, at: 29))
    #expect(failure(#"{"method":"a.B","method":"a.C"}"#) == .fieldRepeated(.method, at: 17))
    #expect(failure(#"{"more":true,"more":true}"#) == .fieldRepeated(.more, at: 14))
    #expect(failure("") == .json(.unexpectedEnd(at: 0)))
    #expect(failure("[]") == .json(.wrongKind(expected: .object, at: 0)))
    #expect(failure(#"{"method":"a.B"}x"#) == .json(.trailingBytes(at: 16)))
    #expect(
      failure(#"{"method":"a.B","parameters":{"a":01}}"#)
        == .json(.malformedNumber(at: 34)))
    #expect(
      failure("{\"method\":\"a.B\",\"parameters\":{\"a\":\"\u{1}\"}}")
        == .json(.controlCharacter(1, at: 35)))
  }

  @Test("parameters may nest to the limit of the message and not one deeper")
  func depth() throws {
    func call(_ levels: Int) -> String {
      #"{"method":"a.B","parameters":{"x":"#
        + String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2)
        + "}}"
    }
    #expect(failure(call(VarlinkLimits.depthMax)) == nil)
    #expect(
      failure(call(VarlinkLimits.depthMax + 1)) == .json(.tooDeep(depthMax: 16, at: 34 + 14)))
    let bytes = Array(call(VarlinkLimits.depthMax).utf8)
    let parsed = try VarlinkCall.parse(bytes.span)
    #expect(try parsed.parametersValue(in: bytes.span)["x"] != nil)
  }

  @Test("parameters with a key twice fail only as a tree")
  func repeatedParameter() throws {
    let bytes = Array(#"{"method":"a.B","parameters":{"a":1,"a":2}}"#.utf8)
    let call = try VarlinkCall.parse(bytes.span)
    #expect(throws: VarlinkError.json(.duplicateKey(at: 7))) {
      try call.parametersValue(in: bytes.span)
    }
  }

  @Test("damaged calls are read or refused, never more, and what is read is in the message")
  func fuzz() {
    var random = SeededRandom(seed: 5)
    let calls = [
      #"{"method":"org.renewd.Store.Purchase","parameters":{"account":"a","productId":"p","#
        + #""quantity":1,"offer":{"type":"code","id":null}},"more":true,"oneway":false}"#,
      #"{"parameters":{"x":"😀\u00e9\ud83d\ude00"},"method":"a.B","upgrade":true}"#,
    ]
    var read = 0
    for _ in 0..<30_000 {
      var bytes = Array(random.pick(calls).utf8)
      random.damage(&bytes, signs: "{}[]\":,\\utfn019.-e ")
      guard let call = try? VarlinkCall.parse(bytes.span) else { continue }
      read += 1
      #expect(call.method.upperBound <= bytes.count)
      if let parameters = call.parameters {
        #expect(bytes[parameters].first == UInt8(ascii: "{"))
        #expect(bytes[parameters].last == UInt8(ascii: "}"))
      }
      #expect(call.methodName(in: bytes.span).contains("."))
      _ = try? VarlinkReplyMessage.parse(bytes.span)
    }
    #expect(read > 1000 && read < 25_000, "the damage is too much or too little: \(read)")
  }
}
