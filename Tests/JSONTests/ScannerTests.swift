import JSON
import Testing

@Suite("Pulling values from a text")
struct ScannerTests {
  /// Runs `body` on a scanner over `text`; the error is what `body` throws.
  private func scan<Value>(
    _ text: String, depthMax: Int = 8, _ body: (inout JSONScanner) throws(JSONError) -> Value
  ) -> Result<Value, JSONError> {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes.span, depthMax: depthMax)
    do throws(JSONError) {
      return .success(try body(&scanner))
    } catch {
      return .failure(error)
    }
  }

  @Test("members come in order, unknown ones are skipped, nested ones do not disturb the outer")
  func members() throws {
    let text = #" { "a" : 1 , "skip":{"x":[1,{"y":2}]},"list":[true,[],null],"z":"end"} "#
    let result = scan(text) { scanner throws(JSONError) -> [String] in
      var seen: [String] = []
      try scanner.beginObject()
      while try scanner.nextKey() != nil {
        if scanner.keyEquals("a") {
          seen.append("a=\(try scanner.int64())")
        } else if scanner.keyEquals("list") {
          try scanner.beginArray()
          while try scanner.nextElement() {
            seen.append("\(try scanner.kind())"); try scanner.skipValue()
          }
        } else if scanner.keyEquals("z") {
          seen.append("z=\(try scanner.string())")
        } else {
          seen.append("skip \(scanner.keyString())")
          try scanner.skipValue()
        }
      }
      try scanner.finish()
      return seen
    }
    #expect(try result.get() == ["a=1", "skip skip", "bool", "array", "null", "z=end"])
  }

  @Test("a key is compared by its text, also when it is written with escapes")
  func keys() throws {
    for (text, expected) in [
      (#"{"account":0}"#, true), (#"{"acc\u006funt":0}"#, true), (#"{"accounts":0}"#, false),
      (#"{"accoun":0}"#, false), (#"{"Account":0}"#, false), (#"{"":0}"#, false),
    ] {
      let result = scan(text) { scanner throws(JSONError) -> Bool in
        try scanner.beginObject()
        _ = try scanner.nextKey()
        return scanner.keyEquals("account")
      }
      #expect(try result.get() == expected, "\(text)")
    }
    let short = scan(#"{"a":0}"#) { scanner throws(JSONError) -> Bool in
      try scanner.beginObject()
      _ = try scanner.nextKey()
      return scanner.keyEquals("a")
    }
    #expect(try short.get())
  }

  @Test(
    "an integer is read in the range of Int64 and refused past it, with fraction or exponent",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("99999999999999999", 99_999_999_999_999_999),
      ("999999999999999999", 999_999_999_999_999_999),
      ("-999999999999999999", -999_999_999_999_999_999),
      ("1000000000000000000", 1_000_000_000_000_000_000),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e3", nil),
      ("0.5", nil), ("0e0", nil), ("12E0", nil), ("92233720368547758070", nil),
      ("10000000000000000000000000000000", nil),
    ] as [(String, Int64?)])
  func integers(text: String, expected: Int64?) throws {
    // With and without something behind it, because the end of the text is a case of its own.
    for suffix in ["", " ", ",", "]"] {
      let result = scan(text + suffix) { scanner throws(JSONError) in try scanner.int64() }
      #expect(result == expected.map { .success($0) } ?? .failure(.notAnInteger(at: 0)))
    }
    #expect(JSONNumber(raw: text)?.int64 == expected)
    #expect(try JSONValue.parse(Array(text.utf8), depthMax: 0).int64Value == expected)
  }

  @Test("a malformed integer is a malformed number")
  func malformedIntegers() {
    for (text, error) in [
      ("01", JSONError.malformedNumber(at: 0)), ("-01", .malformedNumber(at: 1)),
      ("-", .unexpectedEnd(at: 1)), ("-a", .malformedNumber(at: 1)), ("", .unexpectedEnd(at: 0)),
      ("1.", .unexpectedEnd(at: 2)), ("000000000000000000000", .malformedNumber(at: 0)),
      ("x", .unexpectedByte(0x78, at: 0)), ("\"1\"", .wrongKind(expected: .number, at: 0)),
    ] {
      #expect(scan(text) { s throws(JSONError) in try s.int64() } == .failure(error), "\(text)")
      #expect(JSONNumber(raw: text) == nil)
    }
    #expect(JSONNumber(raw: " 1") == nil)
    #expect(JSONNumber(raw: "1 ") == nil)
  }

  @Test("a value of another kind than asked for is told with the kind that was expected")
  func wrongKinds() {
    #expect(
      scan("1") { s throws(JSONError) in try s.string() }
        == .failure(.wrongKind(expected: .string, at: 0)))
    #expect(
      scan(" null") { s throws(JSONError) in try s.bool() }
        == .failure(.wrongKind(expected: .bool, at: 1)))
    #expect(
      scan("[]") { s throws(JSONError) in try s.beginObject() }.failure
        == .wrongKind(expected: .object, at: 0))
    #expect(
      scan("{}") { s throws(JSONError) in try s.beginArray() }.failure
        == .wrongKind(expected: .array, at: 0))
    #expect(
      scan("?") { s throws(JSONError) in try s.bool() }.failure == .unexpectedByte(0x3f, at: 0))
    #expect(scan("") { s throws(JSONError) in try s.isNull() }.failure == .unexpectedEnd(at: 0))
  }

  @Test("a plain string gives its range, an escaped one stays to be decoded")
  func ranges() throws {
    let result = scan(#"["plain","esc\n"]"#) { s throws(JSONError) -> ([Range<Int>?], [UInt8]) in
      try s.beginArray()
      _ = try s.nextElement()
      let first = try s.stringRange()
      _ = try s.nextElement()
      let second = try s.stringRange()
      var buffer: [UInt8] = [1]
      try s.stringBytes(into: &buffer)
      return ([first, second], buffer)
    }
    let (ranges, buffer) = try result.get()
    #expect(ranges == [2..<7, nil])
    #expect(buffer == [1] + Array("esc\n".utf8))
  }

  @Test("null is read only when it is there")
  func nulls() throws {
    let result = scan("[null,1,null]") { s throws(JSONError) -> [Bool] in
      var found: [Bool] = []
      try s.beginArray()
      while try s.nextElement() {
        let isNull = try s.isNull()
        if !isNull { try s.skipValue() }
        found.append(isNull)
      }
      return found
    }
    #expect(try result.get() == [true, false, true])
  }

  @Test("skipping gives the range of the value's text")
  func skipping() throws {
    let text = #"{"a": {"b":[1, 2]} ,"c":3}"#
    let result = scan(text) { s throws(JSONError) -> [String] in
      var found: [String] = []
      try s.beginObject()
      while try s.nextKey() != nil {
        let range = try s.skipValue()
        found.append(String(Array(text.utf8)[range].map { Character(Unicode.Scalar($0)) }))
      }
      return found
    }
    #expect(try result.get() == [#"{"b":[1, 2]}"#, "3"])
  }

  @Test("plain text of every length ends at the right quote, at every alignment")
  func lengths() throws {
    for length in 0..<40 {
      for offset in 0..<9 {
        let text = String(repeating: "x", count: length)
        let json = String(repeating: " ", count: offset) + "\"\(text)\",\"y\""
        #expect(try scan(json) { s throws(JSONError) in try s.string() }.get() == text)
      }
    }
  }
}

extension Result {
  /// The error, if it failed.
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
