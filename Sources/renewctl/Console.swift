import Glibc

/// Where a verb writes: standard output, gathered and written out at the end or when there is
/// much; and standard error, at once.
final class Console {
  /// Takes bytes that were gathered.
  typealias Sink = ([UInt8]) -> Void

  /// Columns of the terminal, or what stands for them.
  let columns: Int
  /// Standard output is a terminal.
  let isTerminal: Bool
  /// Standard error is a terminal: progress may be drawn there.
  let drawsProgress: Bool
  /// Block characters can be shown.
  let hasBlocks: Bool
  private let hasColor: Bool
  private var gathered: [UInt8] = []
  private let output: Sink
  private let errors: Sink

  init(
    output: @escaping Sink, errors: @escaping Sink, environment: Environment,
    columns: Int? = nil, isTerminal: Bool = false, drawsProgress: Bool = false
  ) {
    self.output = output
    self.errors = errors
    self.columns = columns ?? ControlLimits.columnsOffTerminal
    self.isTerminal = isTerminal
    self.drawsProgress = drawsProgress
    // The word is there to be set; whatever it is set to means no (no-color.org).
    hasColor = isTerminal && environment.text("NO_COLOR") == nil && environment["TERM"] != "dumb"
    hasBlocks = Self.isUnicode(environment)
  }

  /// The process's own standard output and error.
  static func standard(_ environment: Environment) -> Console {
    Console(
      output: { Self.write($0, to: STDOUT_FILENO) }, errors: { Self.write($0, to: STDERR_FILENO) },
      environment: environment, columns: Self.columns(environment),
      isTerminal: isatty(STDOUT_FILENO) == 1, drawsProgress: isatty(STDERR_FILENO) == 1)
  }

  // MARK: Standard output

  func line(_ text: String = "") {
    gathered.append(contentsOf: text.utf8)
    gathered.append(UInt8(ascii: "\n"))
    if gathered.count >= ControlLimits.outputBufferBytesMax { flush() }
  }

  func lines(_ texts: [String]) {
    for text in texts { line(text) }
  }

  /// Writes out what was gathered.
  func flush() {
    guard !gathered.isEmpty else { return }
    output(gathered)
    gathered.removeAll(keepingCapacity: true)
  }

  // MARK: Standard error

  /// A line on standard error, after all that was printed before.
  func error(_ text: String) {
    flush()
    errors(Array("\(text)\n".utf8))
  }

  /// Draws over the line of progress; an empty text clears it.
  func progress(_ text: String) {
    guard drawsProgress else { return }
    errors(Array("\r\(text)\u{1B}[K".utf8))
  }

  // MARK: Look

  /// The text in a colour, where there are colours.
  func styled(_ text: String, _ style: Style) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// A named character set that is not UTF-8 is believed; none named says nothing, as on most
  /// build machines, whose logs show UTF-8.
  private static func isUnicode(_ environment: Environment) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let locale = names.lazy.compactMap({ environment.text($0) }).first else { return true }
    let lowered = locale.lowercased()
    return lowered.contains("utf-8") || lowered.contains("utf8")
  }

  private static func columns(_ environment: Environment) -> Int? {
    if let text = environment.text("COLUMNS"), let columns = Int(text), columns > 0 {
      return columns
    }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR && errno != EAGAIN {
        // Nobody reads, or the disk of the redirection is full: there is no one left to tell.
        exit(ExitCode.software.rawValue)
      }
    }
  }
}
