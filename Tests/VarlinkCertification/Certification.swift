import JSON
import Varlink

/// The service side of `org.varlink.certification`: each client calls the methods in their order
/// and hands each answer back as the next call's parameters.
struct Certification {
  /// One method: what it must be given beside the client's id, and what it answers.
  struct Step {
    var method: String
    var wants: String
    var replies: [String]
    var more = false
    var oneway = false
  }

  private let service: VarlinkService
  /// The step each client must call next.
  private var nextStep: [String: Int] = [:]
  private var clients = 0

  init() throws(InterfaceError) {
    var service = VarlinkService(
      VarlinkService.Identity(
        vendor: "renewd", product: "Varlink certification", version: "1",
        url: "https://varlink.org"))
    try service.register(Self.interfaceText)
    self.service = service
  }

  /// Answers one message; throws when the connection must be closed.
  mutating func answer(
    _ message: Span<UInt8>, into writer: inout JSONWriter
  ) throws(VarlinkError) {
    let call = try VarlinkCall.parse(message)
    let start = writer.bytes.count
    guard case .method(let interface, let member) = service.route(call, in: message, into: &writer)
    else { return }
    let parameters = try call.parametersValue(in: message)
    let description = service.interfaces[interface].description
    if let fault = description.validate(parameters: parameters, against: member) {
      VarlinkReply.invalidParameter(&writer, parameter: fault.parameter)
    } else if member == "Start" {
      begin(into: &writer)
    } else {
      step(member, call, parameters, into: &writer)
    }
    if call.oneway { writer.truncate(to: start) }
  }

  private mutating func begin(into writer: inout JSONWriter) {
    clients += 1
    let client = "client-\(clients)"
    nextStep[client] = 0
    VarlinkReply.write(&writer, parameters: .members([("client_id", .string(client))]))
  }

  private mutating func step(
    _ member: String, _ call: VarlinkCall, _ parameters: JSONValue, into writer: inout JSONWriter
  ) {
    guard let client = parameters["client_id"]?.stringValue, let index = nextStep[client] else {
      VarlinkReply.error(&writer, "org.varlink.certification.ClientIdError")
      return
    }
    let step = Self.steps[index]
    var wants = Self.tree(step.wants).objectValue!
    wants["client_id"] = .string(client)
    guard step.method == member, step.oneway == call.oneway,
      Self.areEqual(.object(wants), parameters)
    else {
      nextStep[client] = nil
      refuse(step.method, .object(wants), member, parameters, into: &writer)
      return
    }
    guard call.more || !step.more else {
      VarlinkReply.expectedMore(&writer)
      return
    }
    nextStep[client] = index + 1 < Self.steps.count ? index + 1 : nil
    for (number, reply) in step.replies.enumerated() {
      let isLast = number == step.replies.count - 1
      VarlinkReply.write(&writer, parameters: Self.tree(reply), continues: !isLast)
    }
  }

  private func refuse(
    _ wanted: String, _ wants: JSONValue, _ member: String, _ got: JSONValue,
    into writer: inout JSONWriter
  ) {
    let name = "org.varlink.certification."
    VarlinkReply.beginError(&writer, "org.varlink.certification.CertificationError")
    writer.key("wants")
    writer.value(.members([("method", .string(name + wanted)), ("parameters", wants)]))
    writer.key("got")
    writer.value(.members([("method", .string(name + member)), ("parameters", got)]))
    VarlinkReply.end(&writer)
  }

  /// The tree of a text of this program.
  private static func tree(_ text: String) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue.parse(Array(text.utf8), depthMax: VarlinkLimits.depthMax)
    } catch {
      preconditionFailure("a text of the certification is wrong: \(error)")
    }
  }

  /// Equal as Varlink sees it: members in any order, null as good as missing, 1 as good as 1.0.
  private static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): return left.double == right.double
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(areEqual)
    case (.object(let left), .object(let right)):
      return Set(left.keys).union(right.keys).allSatisfy { key in
        areEqual(left[key] ?? .null, right[key] ?? .null)
      }
    default: return left == right
    }
  }
}

// MARK: The steps

extension Certification {
  private static let everyScalar =
    #""bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string""#
  private static let map = #""map":{"foo":"Foo","bar":"Bar"}"#
  private static let set = #""set":{"one":{},"two":{},"three":{}}"#
  private static let mytype = #"""
    "mytype":{"object":{"method":"org.varlink.certification.Test09",
    "parameters":{"map":{"foo":"Foo","bar":"Bar"}}},"enum":"two",
    "struct":{"first":1,"second":"2"},"array":["one","two","three"],
    "dictionary":{"foo":"Foo","bar":"Bar"},"stringset":{"one":{},"two":{},"three":{}},
    "nullable":null,"nullable_array_struct":null,
    "interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,{"one":"foo","two":"bar"}],
    "anon":{"foo":true,"bar":false}}}
    """#
  private static let numbered = (1...10).map { "\"Reply number \($0)\"" }

  static let steps: [Step] = [
    Step(method: "Test01", wants: "{}", replies: [#"{"bool":true}"#]),
    Step(method: "Test02", wants: #"{"bool":true}"#, replies: [#"{"int":1}"#]),
    Step(method: "Test03", wants: #"{"int":1}"#, replies: [#"{"float":1.0}"#]),
    Step(method: "Test04", wants: #"{"float":1.0}"#, replies: [#"{"string":"ping"}"#]),
    Step(method: "Test05", wants: #"{"string":"ping"}"#, replies: ["{\(everyScalar)}"]),
    Step(
      method: "Test06", wants: "{\(everyScalar)}", replies: [#"{"struct":{\#(everyScalar)}}"#]),
    Step(method: "Test07", wants: #"{"struct":{\#(everyScalar)}}"#, replies: ["{\(map)}"]),
    Step(method: "Test08", wants: "{\(map)}", replies: ["{\(set)}"]),
    Step(method: "Test09", wants: "{\(set)}", replies: ["{\(mytype)}"]),
    Step(
      method: "Test10", wants: "{\(mytype)}", replies: numbered.map { "{\"string\":\($0)}" },
      more: true),
    Step(
      method: "Test11", wants: "{\"last_more_replies\":[\(numbered.joined(separator: ","))]}",
      replies: ["{}"], oneway: true),
    Step(method: "End", wants: "{}", replies: [#"{"all_ok":true}"#]),
  ]
}
