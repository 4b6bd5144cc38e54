import JSON
import Testing

/// What RFC 8259 allows and refuses, one case a row. `skipValue` and `JSONValue.parse` must agree
/// on every row, because the hot path reads with the one and tools with the other.
@Suite("Parsing a JSON text")
struct ParseTests {
  private func parse(_ bytes: [UInt8], depthMax: Int = 32) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in try JSONValue.parse(bytes, depthMax: depthMax) }
  }

  private func skip(_ bytes: [UInt8], depthMax: Int = 32) -> JSONError? {
    var scanner = JSONScanner(bytes.span, depthMax: depthMax)
    do throws(JSONError) {
      try scanner.skipValue()
      try scanner.finish()
      return nil
    } catch {
      return error
    }
  }

  private func expect(_ bytes: [UInt8], fails error: JSONError, depthMax: Int = 32) {
    #expect(parse(bytes, depthMax: depthMax) == .failure(error), "\(bytes)")
    #expect(skip(bytes, depthMax: depthMax) == error, "\(bytes)")
  }

  private func expect(_ text: String, fails error: JSONError) {
    expect(Array(text.utf8), fails: error)
  }

  @Test(
    "a well-formed text is read and written back without white space",
    arguments: [
      ("null", "null"), (" true\n", "true"), ("false", "false"), ("0", "0"), ("-0", "-0"),
      ("-12.50e+03", "-12.50e+03"), ("1E9", "1E9"), ("\"\"", "\"\""), ("[]", "[]"), ("{}", "{}"),
      ("[ ]", "[]"), ("{\t}", "{}"), ("[1 , [2],{}]", "[1,[2],{}]"),
      (#"{"a" : {"b":[null]} , "c":"d"}"#, #"{"a":{"b":[null]},"c":"d"}"#),
      (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#), (#""\u0041\u00e9""#, #""Aé""#),
      (#""\uD83D\uDE00""#, #""😀""#), (#""\u0000\u001f""#, #""\u0000\u001f""#),
      ("\"\u{7f}\u{2028}\u{ffff}\u{10ffff}\"", "\"\u{7f}\u{2028}\u{ffff}\u{10ffff}\""),
    ])
  func wellFormed(text: String, compact: String) throws {
    let value = try JSONValue.parse(Array(text.utf8), depthMax: 8)
    #expect(value.compactText == compact)
    #expect(skip(Array(text.utf8)) == nil)
    #expect(try JSONValue.parse(Array(compact.utf8), depthMax: 8) == value)
  }

  @Test("a text that ends too early is told by its length")
  func ends() {
    let texts = [
      "", " ", "{", "[", "\"", "\"a", "t", "tru", "fals", "nul", "-", "1.", "1e", "1e+", "[1",
      "[1,", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"\\", "\"\\u", "\"\\u12",
    ]
    for text in texts { expect(text, fails: .unexpectedEnd(at: text.utf8.count)) }
  }

  @Test("a byte out of place is named with its offset")
  func outOfPlace() {
    let cases: [(String, UInt8, Int)] = [
      ("tRue", 0x52, 1), ("nil", 0x69, 1), ("NaN", 0x4e, 0), ("Infinity", 0x49, 0),
      ("+1", 0x2b, 0), (".5", 0x2e, 0), ("[1,]", 0x5d, 3),
      ("[,1]", 0x2c, 1), ("[1 2]", 0x32, 3), ("[1}", 0x7d, 2), ("{1:2}", 0x31, 1),
      ("{a:1}", 0x61, 1), ("{\"a\" 1}", 0x31, 5), ("{\"a\":1]", 0x5d, 6), ("{\"a\":1,}", 0x7d, 7),
      ("{,}", 0x2c, 1), ("{\"a\":}", 0x7d, 5), ("'a'", 0x27, 0), ("/*x*/1", 0x2f, 0),
      ("[1;2]", 0x3b, 2), ("]", 0x5d, 0), ("\u{b}1", 0x0b, 0), ("\u{a0}1", 0xc2, 0),
      ("\u{feff}1", 0xef, 0),
    ]
    for (text, byte, offset) in cases {
      expect(text, fails: .unexpectedByte(byte, at: offset))
    }
    expect("-Infinity", fails: .malformedNumber(at: 1))
  }

  @Test("a number that breaks the grammar is malformed")
  func numbers() {
    expect("01", fails: .malformedNumber(at: 0))
    expect("-01", fails: .malformedNumber(at: 1))
    expect("00", fails: .malformedNumber(at: 0))
    expect("-x", fails: .malformedNumber(at: 1))
    expect("1.x", fails: .malformedNumber(at: 2))
    expect("1ex", fails: .malformedNumber(at: 2))
    expect("1e+x", fails: .malformedNumber(at: 3))
    expect("1.e5", fails: .malformedNumber(at: 2))
    expect("0x10", fails: .trailingBytes(at: 1))
    expect("1_000", fails: .trailingBytes(at: 1))
    expect("1.5.5", fails: .trailingBytes(at: 3))
    expect("--1", fails: .malformedNumber(at: 1))
  }

  @Test("a string with a bad escape, half a pair or a bare control character is refused")
  func strings() {
    expect(#""\x41""#, fails: .malformedEscape(at: 1))
    expect(#""a\'""#, fails: .malformedEscape(at: 2))
    expect(#""\U0041""#, fails: .malformedEscape(at: 1))
    expect(#""\u00g0""#, fails: .malformedEscape(at: 1))
    expect(#""\ud800""#, fails: .loneSurrogate(at: 1))
    expect(#""\udc00""#, fails: .loneSurrogate(at: 1))
    expect(#""\ud800x""#, fails: .loneSurrogate(at: 1))
    expect(#""\ud800\n""#, fails: .loneSurrogate(at: 1))
    expect(#""\ud800\ud800""#, fails: .loneSurrogate(at: 1))
    expect(#""\ud83d\u00zz""#, fails: .malformedEscape(at: 7))
    for byte in UInt8(0)..<0x20 {
      expect([0x22, 0x61, byte, 0x22], fails: .controlCharacter(byte, at: 2))
      expect(
        [0x22] + Array("long enough for a word".utf8) + [byte, 0x22],
        fails: .controlCharacter(byte, at: 23))
    }
  }

  @Test(
    "bytes that are not UTF-8 are refused at the first byte of the bad sequence",
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc3, 0x28], [0xe0, 0x80, 0x80],
      [0xe0, 0x9f, 0xbf], [0xe2, 0x28, 0xa1], [0xe2, 0x82, 0x28], [0xed, 0xa0, 0x80],
      [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xfe], [0xff],
      [0xf0, 0x9f, 0x98, 0x22],
    ] as [[UInt8]])
  func encoding(sequence: [UInt8]) {
    expect([0x22] + sequence + [0x22], fails: .malformedUTF8(at: 1))
    expect([0x22, 0x61, 0x62] + sequence + [0x22], fails: .malformedUTF8(at: 3))
  }

  @Test("a scalar cut by the end of the text is an end")
  func cutScalar() {
    expect([0x22, 0xe2, 0x82], fails: .unexpectedEnd(at: 3))
  }

  @Test("something behind the value is refused; white space is not")
  func trailing() {
    expect("1 1", fails: .trailingBytes(at: 2))
    expect("{}]", fails: .trailingBytes(at: 2))
    expect([0x31, 0x00], fails: .trailingBytes(at: 1))
    #expect(skip(Array("1 \n\t\r".utf8)) == nil)
  }

  @Test("nesting is allowed to the limit and refused one past it, whatever opens")
  func depth() {
    for depthMax in [0, 1, 2, 16, JSONLimits.depthCeiling] {
      for (open, close, step) in [("[", "]", 1), ("{\"a\":", "}", 5)] {
        let inner = String(repeating: open, count: depthMax)
        let atLimit = inner + "1" + String(repeating: close, count: depthMax)
        #expect(skip(Array(atLimit.utf8), depthMax: depthMax) == nil)
        #expect(throws: Never.self) { try JSONValue.parse(Array(atLimit.utf8), depthMax: depthMax) }
        let past = inner + open + "1"
        expect(
          Array(past.utf8), fails: .tooDeep(depthMax: depthMax, at: depthMax * step),
          depthMax: depthMax)
      }
    }
  }

  @Test("the tree refuses a key that stands twice, escaped or not, in short and long objects")
  func duplicateKeys() {
    #expect(parse(Array(#"{"a":1,"a":2}"#.utf8)) == .failure(.duplicateKey(at: 7)))
    #expect(parse(Array(#"{"a":1,"\u0061":2}"#.utf8)) == .failure(.duplicateKey(at: 7)))
    #expect(skip(Array(#"{"a":1,"a":2}"#.utf8)) == nil)
    let many = (0..<100).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(parse(Array("{\(many)}".utf8)) != .failure(.duplicateKey(at: 0)))
    let start = many.utf8.count + 2
    #expect(parse(Array("{\(many),\"k7\":0}".utf8)) == .failure(.duplicateKey(at: start)))
  }

  @Test("every error says where it is in a sentence")
  func sentences() {
    let errors: [(JSONError, String)] = [
      (.unexpectedEnd(at: 3), "the text ends inside a value, at byte 3"),
      (.unexpectedByte(0x5d, at: 4), "unexpected ']' at byte 4"),
      (.unexpectedByte(0x0b, at: 4), "unexpected byte 0x0b at byte 4"),
      (.tooDeep(depthMax: 16, at: 20), "more than 16 levels deep at byte 20"),
      (.malformedNumber(at: 1), "malformed number at byte 1"),
      (.notAnInteger(at: 1), "not an integer of 64 bits at byte 1"),
      (.malformedEscape(at: 1), "unknown escape in a string at byte 1"),
      (.loneSurrogate(at: 1), "half a surrogate pair at byte 1"),
      (.malformedUTF8(at: 1), "not UTF-8 at byte 1"),
      (.controlCharacter(0x0a, at: 1), "byte 0x0a inside a string at byte 1"),
      (.trailingBytes(at: 1), "something follows the value at byte 1"),
      (.duplicateKey(at: 1), "the key at byte 1 stands twice in its object"),
      (.wrongKind(expected: .object, at: 1), "expected an object at byte 1"),
    ]
    for (error, sentence) in errors {
      #expect(error.description == sentence)
      #expect(sentence.hasSuffix("byte \(error.offset)") || sentence.contains("\(error.offset)"))
    }
  }
}
