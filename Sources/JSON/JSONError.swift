/// Why a text is not the JSON that was asked for. Every case carries the offset, in bytes from the
/// start of the span that was read, of the first byte that is wrong.
public enum JSONError: Error, Equatable, Sendable {
  /// The text ends inside a value.
  case unexpectedEnd(at: Int)
  /// A byte that cannot stand here by RFC 8259.
  case unexpectedByte(UInt8, at: Int)
  /// Arrays and objects nest deeper than the caller allows.
  case tooDeep(depthMax: Int, at: Int)
  /// A number that breaks the grammar: a leading zero, a bare point, a missing exponent.
  case malformedNumber(at: Int)
  /// A well-formed number that is not an integer in the range of Int64.
  case notAnInteger(at: Int)
  /// A backslash that starts no escape of RFC 8259.
  case malformedEscape(at: Int)
  /// A `\u` escape that is half of a surrogate pair without the other half.
  case loneSurrogate(at: Int)
  /// Bytes that are not UTF-8: a stray continuation, an overlong form, a surrogate, past U+10FFFF.
  case malformedUTF8(at: Int)
  /// A control character that stands bare inside a string.
  case controlCharacter(UInt8, at: Int)
  /// Something other than white space follows the value.
  case trailingBytes(at: Int)
  /// The object has this key already.
  case duplicateKey(at: Int)
  /// The value is well-formed so far, but of another kind than the caller asked for.
  case wrongKind(expected: JSONKind, at: Int)

  /// The offset in bytes of the first wrong byte.
  public var offset: Int {
    switch self {
    case .unexpectedEnd(let at), .unexpectedByte(_, let at), .tooDeep(_, let at),
      .malformedNumber(let at), .notAnInteger(let at), .malformedEscape(let at),
      .loneSurrogate(let at), .malformedUTF8(let at), .controlCharacter(_, let at),
      .trailingBytes(let at), .duplicateKey(let at), .wrongKind(_, let at):
      at
    }
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence for a person, without a full stop, with the offset in it.
  public var description: String {
    switch self {
    case .unexpectedEnd(let at): "the text ends inside a value, at byte \(at)"
    case .unexpectedByte(let byte, let at): "unexpected \(Self.name(byte)) at byte \(at)"
    case .tooDeep(let depthMax, let at): "more than \(depthMax) levels deep at byte \(at)"
    case .malformedNumber(let at): "malformed number at byte \(at)"
    case .notAnInteger(let at): "not an integer of 64 bits at byte \(at)"
    case .malformedEscape(let at): "unknown escape in a string at byte \(at)"
    case .loneSurrogate(let at): "half a surrogate pair at byte \(at)"
    case .malformedUTF8(let at): "not UTF-8 at byte \(at)"
    case .controlCharacter(let byte, let at):
      "\(Self.name(byte)) inside a string at byte \(at)"
    case .trailingBytes(let at): "something follows the value at byte \(at)"
    case .duplicateKey(let at): "the key at byte \(at) stands twice in its object"
    case .wrongKind(let expected, let at): "expected \(expected.phrase) at byte \(at)"
    }
  }

  private static func name(_ byte: UInt8) -> String {
    if byte > 0x20 && byte < 0x7f {
      return "'\(Character(Unicode.Scalar(byte)))'"
    }
    let digits = String(byte, radix: 16)
    return "byte 0x\(digits.count == 1 ? "0" : "")\(digits)"
  }
}

/// The kinds of JSON value, as told by the first byte of each.
public enum JSONKind: UInt8, Equatable, Sendable {
  case null, bool, number, string, array, object

  /// The kind with its article, for sentences.
  public var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
