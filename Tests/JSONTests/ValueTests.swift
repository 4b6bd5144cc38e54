import JSON
import Testing

@Suite("The tree of a text")
struct ValueTests {
  @Test("accessors give the value of their kind and nil for any other")
  func accessors() throws {
    let value = try JSONValue.parse(
      Array(#"{"s":"t","i":7,"f":7.0,"b":true,"n":null,"a":[1],"o":{}}"#.utf8), depthMax: 2)
    #expect(value["s"]?.stringValue == "t")
    #expect(value["i"]?.int64Value == 7)
    #expect(value["f"]?.int64Value == nil)
    #expect(value["b"]?.boolValue == true)
    #expect(value["n"]?.isNull == true)
    #expect(value["a"]?[0] == .int(1))
    #expect(value["a"]?[1] == nil)
    #expect(value["o"]?.objectValue?.isEmpty == true)
    #expect(value["missing"] == nil)
    #expect(value["s"]?["t"] == nil)
    #expect(value["s"]?[0] == nil)
    #expect(value["s"]?.int64Value == nil)
    #expect(value["i"]?.stringValue == nil)
    #expect(value.objectValue?.keys == ["s", "i", "f", "b", "n", "a", "o"])
  }

  @Test("an object keeps the order of its keys while members are set, added and removed")
  func objects() {
    for count in [3, 7, 8, 9, 40] {
      var object = JSONObject()
      for index in 0..<count { object["k\(index)"] = .int(Int64(index)) }
      object["k1"] = .bool(true)
      object["k0"] = nil
      object["missing"] = nil
      object["k0"] = .null
      let expected = (1..<count).map { "k\($0)" } + ["k0"]
      #expect(object.keys == expected)
      #expect(object["k1"] == .bool(true))
      #expect(object["k2"] == .int(2))
      #expect(object["k0"] == .null)
      #expect(object.count == count)
      let isAppended = object.append("k2", .null)
      #expect(!isAppended)
    }
  }

  @Test("a number keeps its text, so that nothing is lost")
  func numbers() throws {
    for raw in ["1.10", "123456789012345678901234567890", "1E+2", "-0.0"] {
      let value = try JSONValue.parse(Array(raw.utf8), depthMax: 0)
      #expect(value.compactText == raw)
    }
    #expect(JSONNumber(raw: "1.5")?.double == 1.5)
    #expect(JSONNumber(-5).raw == "-5")
  }
}
