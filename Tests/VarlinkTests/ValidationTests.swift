import JSON
import Testing
import Varlink

@Suite("Checking parameters against an interface")
struct ValidationTests {
  private let interface: InterfaceDescription

  init() throws {
    interface = try InterfaceDescription.parse(
      """
      interface org.example.shop
      type Offer (type: (introductory, code), id: ?string)
      method Buy(account: string, quantity: ?int, offer: ?Offer, tags: ?[]string, gift: ?bool,
        prices: ?[string]int, set: ?[string](), extra: ?object, ratio: ?float) -> (total: int)
      error Refused (why: string)
      """)
  }

  private func fault(_ text: String) throws -> String? {
    let value = try JSONValue.parse(Array(text.utf8), depthMax: 16)
    return interface.validate(parameters: value, against: "Buy").map {
      "\($0.parameter) \($0.phrase)"
    }
  }

  @Test(
    "parameters that fit have no fault; optional ones may be missing or null",
    arguments: [
      #"{"account":"a"}"#,
      #"{"account":"a","quantity":null,"offer":null,"tags":null,"gift":null,"extra":null}"#,
      #"{"account":"","quantity":-9223372036854775808,"offer":{"type":"code"},"tags":[],"#
        + #""gift":false,"prices":{},"set":{"x":{}},"extra":{"y":[1.5]},"ratio":0.5}"#,
      #"{"ratio":3,"account":"a","offer":{"id":null,"type":"introductory"},"prices":{"EUR":1}}"#,
    ])
  func fitting(text: String) throws {
    #expect(try fault(text) == nil)
  }

  @Test(
    "the first fault is named with its path: given members in their order, then missing ones",
    arguments: [
      (#"{}"#, "account is missing"),
      (#"[]"#, " must be an object"),
      (#"{"account":null}"#, "account must be a string"),
      (#"{"account":1}"#, "account must be a string"),
      (#"{"x":1}"#, "x is not a parameter of this method"),
      (#"{"account":"a","Account":"a"}"#, "Account is not a parameter of this method"),
      (#"{"quantity":"1","x":1}"#, "quantity must be an integer"),
      (#"{"account":"a","quantity":1.0}"#, "quantity must be an integer of 64 bits"),
      (#"{"account":"a","quantity":1e2}"#, "quantity must be an integer of 64 bits"),
      (
        #"{"account":"a","quantity":9223372036854775808}"#, "quantity must be an integer of 64 bits"
      ),
      (#"{"account":"a","offer":{}}"#, "offer.type is missing"),
      (#"{"account":"a","offer":{"type":"x"}}"#, "offer.type must be one of introductory, code"),
      (#"{"account":"a","offer":{"type":1}}"#, "offer.type must be a string"),
      (
        #"{"account":"a","offer":{"type":"code","y":1}}"#,
        "offer.y is not a parameter of this method"
      ),
      (#"{"account":"a","tags":["b",2]}"#, "tags[1] must be a string"),
      (#"{"account":"a","tags":{}}"#, "tags must be an array"),
      (#"{"account":"a","gift":0}"#, "gift must be true or false"),
      (#"{"account":"a","prices":{"EUR":0.5}}"#, "prices.EUR must be an integer of 64 bits"),
      (#"{"account":"a","set":{"x":1}}"#, "set.x must be an object"),
      (#"{"account":"a","set":{"x":{"y":1}}}"#, "set.x.y is not a parameter of this method"),
      (#"{"account":"a","extra":[]}"#, "extra must be an object"),
      (#"{"account":"a","ratio":"x"}"#, "ratio must be a number"),
    ])
  func faults(text: String, expected: String) throws {
    #expect(try fault(text) == expected)
  }

  @Test("replies and errors are checked in the same way")
  func repliesAndErrors() {
    let total = JSONValue.members([("total", .int(1))])
    #expect(interface.validate(reply: total, of: "Buy") == nil)
    #expect(interface.validate(reply: .members([]), of: "Buy")?.reason == .missing)
    #expect(interface.validate(parameters: total, ofError: "Refused")?.reason == .unknown)
    let why = JSONValue.members([("why", .string(""))])
    #expect(interface.validate(parameters: why, ofError: "Refused") == nil)
  }
}
