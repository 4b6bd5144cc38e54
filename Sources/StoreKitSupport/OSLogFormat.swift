import Foundation

/// Writes a message whose values are named by `printf`'s letters: `%d`, `%@`, `%{public}@`.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ values: Any...
) {
  log.write(OSLogMessage(format: "\(message)", values), type)
}

/// Writes a message whose values are named by `printf`'s letters.
public func os_log(
  _ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ values: Any...
) {
  log.write(OSLogMessage(format: "\(message)", values), type)
}

/// Writes a message with its values in it.
@_disfavoredOverload
public func os_log(
  _ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage
) {
  log.write(message, type)
}

extension OSLogMessage {
  /// Takes the values in their order; where one is missing, the letters stay as they are.
  init(format: String, _ values: [Any]) {
    var parts: [Part] = []
    var rest = format[...]
    var left = values[...]
    while let percent = rest.firstIndex(of: "%") {
      parts.append(.literal(String(rest[..<percent])))
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        parts.append(.literal("%"))
        rest = rest.dropFirst()
        continue
      }
      guard let value = left.first, let named = FormatValue(&rest) else {
        parts.append(.literal("%"))
        continue
      }
      parts.append(named.part(value))
      left = left.dropFirst()
    }
    parts.append(.literal(String(rest)))
    self.init(parts: parts)
  }
}

/// One value that a format names: `{public}`, flags and width, and the letter.
private struct FormatValue {
  private let privacy: OSLogPrivacy
  /// The flags, width and precision.
  private let flags: String
  private let letter: Character

  /// Reads behind the `%`; nil, and nothing read, where no letter comes.
  init?(_ rest: inout Substring) {
    var after = rest
    var words: [Substring] = []
    if after.first == "{", let close = after.firstIndex(of: "}") {
      words = after[after.index(after: after.startIndex)..<close].split(separator: ",")
      after = after[after.index(after: close)...]
    }
    let flags = after.prefix { "0123456789.+-# ".contains($0) }
    let letters = after[flags.endIndex...].drop { "hlqLzjt".contains($0) }
    guard let letter = letters.first, letter.isLetter || letter == "@" else { return nil }
    rest = letters.dropFirst()
    self.flags = String(flags)
    self.letter = letter
    if words.contains("public") {
      privacy = .public
    } else if words.contains("private") || words.contains("sensitive") {
      privacy = .private
    } else {
      privacy = .auto
    }
  }

  func part(_ value: Any) -> OSLogMessage.Part {
    let isNumber = value is any BinaryInteger || value is any BinaryFloatingPoint || value is Bool
    return .value(text(value), privacy.resolved(asNumber: isNumber))
  }

  private func text(_ value: Any) -> String {
    switch (letter, value) {
    case ("x", let number as any BinaryInteger), ("X", let number as any BinaryInteger):
      let format: OSLogIntegerFormatting = .hex
      return letter == "X" ? format.text(number).uppercased() : format.text(number)
    case ("f", let number as any BinaryFloatingPoint), ("e", let number as any BinaryFloatingPoint),
      ("g", let number as any BinaryFloatingPoint):
      return String(format: "%\(flags)\(letter)", Double(number))
    case (_, let text as UnsafePointer<CChar>): return String(cString: text)
    default: return String(describing: value)
    }
  }
}
