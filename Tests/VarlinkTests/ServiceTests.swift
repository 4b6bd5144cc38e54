import JSON
import Testing
import Varlink

@Suite("What a service says about itself")
struct ServiceTests {
  private let service: VarlinkService
  private static let shop = "# A shop.\ninterface org.example.shop\nmethod Buy() -> ()\n"
  private static let bank = "interface org.example.bank\n"

  init() throws {
    var service = VarlinkService(
      VarlinkService.Identity(vendor: "v", product: "p", version: "1", url: "u"))
    try service.register(Self.shop)
    try service.register(Self.bank)
    self.service = service
  }

  private func route(
    _ method: String, _ parameters: String = "{}", oneway: Bool = false
  ) throws -> (route: VarlinkService.Route, written: String) {
    let message = Array(
      "{\"method\":\"\(method)\",\"parameters\":\(parameters),\"oneway\":\(oneway)}".utf8)
    let call = try VarlinkCall.parse(message.span)
    var writer = JSONWriter()
    let route = service.route(call, in: message.span, into: &writer)
    return (route, String(decoding: writer.bytes, as: UTF8.self))
  }

  private func answer(_ method: String, _ parameters: String = "{}") throws -> String {
    let (route, written) = try route(method, parameters)
    #expect(route == .answered)
    return written
  }

  @Test("GetInfo names the service and its interfaces in order")
  func info() throws {
    #expect(
      try answer("org.varlink.service.GetInfo")
        == #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"u","interfaces":"#
        + #"["org.example.bank","org.example.shop","org.varlink.service"]}}"# + "\0")
  }

  @Test("GetInterfaceDescription gives the registered text, its own included")
  func descriptions() throws {
    for text in [Self.shop, Self.bank, VarlinkService.serviceText] {
      let name = try InterfaceDescription.parse(text).name
      let written = try answer(
        "org.varlink.service.GetInterfaceDescription", "{\"interface\":\"\(name)\"}")
      let bytes = Array(written.utf8.dropLast())
      let reply = try VarlinkReplyMessage.parse(bytes.span)
      #expect(try reply.parametersValue(in: bytes.span)["description"] == .string(text))
    }
  }

  @Test("wrong parameters, interfaces and methods get the standard's errors")
  func errors() throws {
    let standard = "{\"error\":\"org.varlink.service."
    let describe = "org.varlink.service.GetInterfaceDescription"
    #expect(
      try answer(describe)
        == standard + "InvalidParameter\",\"parameters\":{\"parameter\":\"interface\"}}\0")
    #expect(
      try answer(describe, #"{"interface":1}"#)
        == standard + "InvalidParameter\",\"parameters\":{\"parameter\":\"interface\"}}\0")
    #expect(
      try answer(describe, #"{"interface":"a.b"}"#)
        == standard + "InterfaceNotFound\",\"parameters\":{\"interface\":\"a.b\"}}\0")
    #expect(
      try answer("org.varlink.service.GetInfo", #"{"x":1}"#)
        == standard + "InvalidParameter\",\"parameters\":{\"parameter\":\"x\"}}\0")
    #expect(
      try answer("org.varlink.service.GetInfo", #"{"x":1,"x":1}"#)
        == standard + "InvalidParameter\",\"parameters\":{\"parameter\":\"parameters\"}}\0")
    #expect(
      try answer("org.example.none.Buy")
        == standard + "InterfaceNotFound\",\"parameters\":{\"interface\":\"org.example.none\"}}\0")
    #expect(
      try answer("org.example.shop.Sell")
        == standard + "MethodNotFound\",\"parameters\":{\"method\":\"org.example.shop.Sell\"}}\0")
    #expect(
      try answer("org.varlink.service.Sell")
        == standard + "MethodNotFound\",\"parameters\":{\"method\":\"org.varlink.service.Sell\"}}\0"
    )
  }

  @Test("a call of a registered method is handed on, and nothing is written")
  func routes() throws {
    let (route, written) = try route("org.example.shop.Buy")
    #expect(route == .method(interface: 1, member: "Buy"))
    #expect(service.interfaces[1].description.name == "org.example.shop")
    #expect(written.isEmpty)
  }

  @Test("a call that wants no reply gets none")
  func oneway() throws {
    for method in ["org.varlink.service.GetInfo", "a.b.C", "org.example.shop.Sell"] {
      let (route, written) = try route(method, oneway: true)
      #expect(route == .answered)
      #expect(written.isEmpty)
    }
  }

  @Test("an interface is registered once, and only if it is one")
  func registering() {
    var service = service
    #expect(throws: InterfaceError(.repeatedInterface("org.example.shop"))) {
      try service.register(Self.shop)
    }
    #expect(throws: InterfaceError.self) { try service.register("interface org.varlink.service") }
    #expect(throws: InterfaceError.self) { try service.register("interface a.b\nmethod m() -> ()") }
    #expect(service.interfaces.count == 3)
  }
}
