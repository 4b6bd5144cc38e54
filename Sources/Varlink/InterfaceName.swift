/// The rules for names in an interface description (varlink.org, "Interface Definition").
enum InterfaceName {
  /// A reversed domain name: two or more parts between dots, the first beginning with a letter,
  /// each of letters, digits and inner hyphens.
  static func isInterface(_ name: some Sequence<UInt8>) -> Bool {
    var parts = 1
    var previous = UInt8(ascii: ".")
    for byte in name {
      switch byte {
      case UInt8(ascii: "."):
        guard isLetterOrDigit(previous) else { return false }
        parts += 1
      case UInt8(ascii: "-"):
        guard previous != UInt8(ascii: ".") else { return false }
      default:
        guard isLetter(byte) || isDigit(byte) && !(parts == 1 && previous == UInt8(ascii: "."))
        else { return false }
      }
      previous = byte
    }
    return parts > 1 && isLetterOrDigit(previous)
  }

  /// A type, method or error: an upper-case letter, then letters and digits.
  static func isMember(_ name: some Sequence<UInt8>) -> Bool {
    var isFirst = true
    for byte in name {
      guard isFirst ? isUpper(byte) : isLetterOrDigit(byte) else { return false }
      isFirst = false
    }
    return !isFirst
  }

  /// A field or a value of an enumeration: a letter, then letters, digits and single inner
  /// underscores.
  static func isField(_ name: some Sequence<UInt8>) -> Bool {
    var previous: UInt8?
    for byte in name {
      if byte == UInt8(ascii: "_") {
        guard let previous, previous != byte else { return false }
      } else {
        guard previous == nil ? isLetter(byte) : isLetterOrDigit(byte) else { return false }
      }
      previous = byte
    }
    return previous != nil && previous != UInt8(ascii: "_")
  }

  /// Whether a byte may stand in some name; used to find where a word ends.
  static func isWordByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    isUpper(byte) || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte)
  }
}
