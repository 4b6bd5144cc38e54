import JSON
import Testing

@Suite("Writing a text")
struct WriterTests {
  private func text(_ writer: JSONWriter) -> String {
    String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("commas come between values and nowhere else")
  func commas() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.int(1)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.endArray()
    writer.key("b")
    writer.bool(true)
    writer.key(String("é\""))
    writer.bool(false)
    writer.key("c")
    writer.raw("[1]")
    writer.key("d")
    writer.raw(Array("2".utf8))
    writer.key("e")
    writer.value(.members([("f", .string("g"))]))
    writer.endObject()
    #expect(
      text(writer)
        == #"{"a":[1,{},[],null],"b":true,"é\"":false,"c":[1],"d":2,"e":{"f":"g"}}"#)
  }

  @Test("control characters, quotes and backslashes are escaped, and nothing else is")
  func escapes() throws {
    var writer = JSONWriter()
    writer.string("\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}é\u{2028}😀")
    #expect(
      text(writer)
        == #""\u0000\u0001\b\t\n\u000b\f\r\u001f\"\\/"# + "\u{7f}é\u{2028}😀\"")
    for byte in UInt8(0)..<0x80 {
      let string = "ab" + String(Unicode.Scalar(byte)) + "cd"
      var writer = JSONWriter()
      writer.string(utf8: Array(string.utf8).span)
      #expect(try JSONValue.parse(writer.bytes, depthMax: 0) == .string(string))
    }
  }

  @Test("integers of every length are written as the standard library writes them")
  func integers() {
    var numbers: [Int64] = [0, .max, .min]
    var power: Int64 = 1
    for _ in 0..<19 {
      numbers += [power, power - 1, power + 1, -power, -power + 1, 5 * (power / 5)]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    var random = SeededRandom(seed: 3)
    for shift in 0..<64 { numbers.append(Int64(bitPattern: random.next()) >> Int64(shift)) }
    for number in numbers {
      var writer = JSONWriter()
      writer.int(number)
      #expect(text(writer) == String(number))
      var unsigned = JSONWriter()
      unsigned.uint(UInt64(bitPattern: number))
      #expect(text(unsigned) == String(UInt64(bitPattern: number)))
    }
  }

  @Test("a writer goes on behind a buffer, gives it back, and starts anew after a text's end")
  func buffers() {
    var writer = JSONWriter(appendingTo: [0x31, 0])
    writer.int(2)
    writer.endText(terminator: 0)
    writer.int(3)
    writer.endText(terminator: 0)
    let mark = writer.bytes.count
    writer.beginArray()
    writer.int(4)
    writer.truncate(to: mark)
    writer.int(5)
    #expect(writer.take() == Array("1\02\03\05".utf8))
    #expect(writer.bytes.isEmpty)
    writer.int(6)
    writer.int(7)
    #expect(text(writer) == "6,7")
    writer.removeAll()
    writer.int(8)
    #expect(text(writer) == "8")
  }

  @Test("a fragment goes in as it is, and neither it nor what follows it gets a comma")
  func fragments() {
    var writer = JSONWriter()
    writer.fragment("{\"a\":")
    writer.int(1)
    writer.fragment(",\"b\":")
    writer.beginArray()
    writer.string("c")
    writer.string("d")
    writer.endArray()
    writer.key("e")
    writer.uint(2)
    writer.fragment("}\0")
    writer.int(3)
    #expect(text(writer) == "{\"a\":1,\"b\":[\"c\",\"d\"],\"e\":2}\u{0}3")
  }

  @Test("pretty text has a member a line and two spaces a level, and reads back the same")
  func pretty() throws {
    let text = #"{"a":[],"b":{},"c":[1,{"d":"e"}],"f":{"g":null}}"#
    let value = try JSONValue.parse(Array(text.utf8), depthMax: 8)
    #expect(
      value.prettyText == """
        {
          "a": [],
          "b": {},
          "c": [
            1,
            {
              "d": "e"
            }
          ],
          "f": {
            "g": null
          }
        }
        """)
    #expect(try JSONValue.parse(Array(value.prettyText.utf8), depthMax: 8) == value)
  }
}
