import Foundation

/// A message with its values, each of which may be private.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  enum Part: Sendable {
    case literal(String)
    case value(String, OSLogPrivacy)
  }

  let parts: [Part]

  init(parts: [Part]) { self.parts = parts }

  public init(stringLiteral value: String) { parts = [.literal(value)] }

  public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

  func text(showsPrivate: Bool) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .value(let text, let privacy): privacy.shown(text, showsPrivate: showsPrivate)
      }
    }.joined()
  }
}

/// Who may read a value: by itself a number may be read by all, text and objects by nobody.
public struct OSLogPrivacy: Hashable, Sendable {
  /// What stands in the place of a private value.
  public enum Mask: Hashable, Sendable {
    /// `<private>`.
    case none
    /// A number that is the same for equal values of one run, and tells nothing else.
    case hash
  }

  enum Kind: Hashable, Sendable {
    case readable
    case hidden
    case automatic
  }

  var kind: Kind
  var mask = Mask.none

  public static let `public` = OSLogPrivacy(kind: .readable)
  public static let `private` = OSLogPrivacy(kind: .hidden)
  public static let sensitive = OSLogPrivacy(kind: .hidden)
  public static let auto = OSLogPrivacy(kind: .automatic)

  public static func `private`(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .hidden, mask: mask)
  }

  public static func sensitive(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .hidden, mask: mask)
  }

  public static func auto(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .automatic, mask: mask)
  }

  /// The same with what `auto` means for the value.
  func resolved(asNumber: Bool) -> OSLogPrivacy {
    guard kind == .automatic else { return self }
    return OSLogPrivacy(kind: asNumber ? .readable : .hidden, mask: mask)
  }

  func shown(_ text: String, showsPrivate: Bool) -> String {
    if kind == .readable || showsPrivate { return text }
    switch mask {
    case .none: return "<private>"
    case .hash:
      let number = UInt(bitPattern: text.hashValue)
      return "<mask.hash: '\(String(number, radix: 36))'>"
    }
  }
}

/// How wide a value is written.
public struct OSLogStringAlignment: Sendable {
  enum Side: Sendable {
    case left
    case right
  }

  let side: Side
  let columns: Int

  public static let none = OSLogStringAlignment(side: .left, columns: 0)

  public static func left(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(side: .left, columns: columns)
  }

  public static func right(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(side: .right, columns: columns)
  }

  func aligned(_ text: String) -> String {
    let space = String(repeating: " ", count: max(0, columns - text.count))
    switch side {
    case .left: return text + space
    case .right: return space + text
    }
  }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  let digitsMin: Int

  public static let decimal = OSLogIntegerFormatting(radix: 10, digitsMin: 1)
  public static let hex = OSLogIntegerFormatting(radix: 16, digitsMin: 1)
  public static let octal = OSLogIntegerFormatting(radix: 8, digitsMin: 1)

  public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 10, digitsMin: minDigits)
  }

  func text(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude, radix: radix)
    let zeros = String(repeating: "0", count: max(0, digitsMin - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  let format: String

  public static let fixed = OSLogFloatFormatting(format: "%f")
  public static let exponential = OSLogFloatFormatting(format: "%e")
  public static let hybrid = OSLogFloatFormatting(format: "%g")

  public static func fixed(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(max(0, precision))f")
  }

  public static func exponential(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(max(0, precision))e")
  }

  public static func hybrid(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(max(0, precision))g")
  }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Sendable {
  case truth
  case answer

  func text(_ value: Bool) -> String {
    switch self {
    case .truth: value ? "true" : "false"
    case .answer: value ? "YES" : "NO"
    }
  }
}
