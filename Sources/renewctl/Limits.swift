/// The limits of this program.
enum ControlLimits {
  /// How many letters a mistyped name may differ from the one that is suggested: beyond two a
  /// suggestion is more often wrong than right.
  static let nearestDistanceMax = 2

  /// Output is written out once it has gathered this many bytes, so that a long list neither
  /// costs a system call a line nor grows in memory.
  static let outputBufferBytesMax = 64 << 10

  /// How many lines a timeline shows before it folds runs of renewals: what a large terminal
  /// shows at once.
  static let timelineLinesMax = 40

  /// The least and the greatest width of a timeline's bars, in columns: below it they say nothing,
  /// above it the eye no longer connects a bar with its line.
  static let timelineBarMin = 12
  static let timelineBarMax = 48

  /// The width of paragraphs in a help text, in columns: fits the smallest usual terminal.
  static let helpColumns = 78

  /// The width that tables are laid out for where there is no terminal, in columns.
  static let columnsOffTerminal = 120

  /// The longest catalogue that is sent, in bytes; the daemon takes 16 MiB a message, and quoting
  /// lengthens a text.
  static let catalogueBytesMax = 12 << 20

  /// The longest signed text that the daemon reads, in bytes.
  static let signedBytesMax = 48 << 10

  /// The longest file that is looked at for a signed text, in bytes: enough to say how much too
  /// long it is.
  static let signedFileBytesMax = 16 << 20

  /// The longest file of signed texts, in bytes: some thousand notifications.
  static let signedTextsBytesMax = 16 << 20

  /// How deep the body of a notification may nest: Apple's is one object.
  static let bodyDepthMax = 8

  /// How long `run` waits for its daemon to be ready: sixty-four of them may start at once on two
  /// processors.
  static let daemonStartMax: Duration = .seconds(30)

  /// How long `run` waits for its daemon to end before it kills it: a stop takes less than a
  /// second, several at once on a busy machine a few.
  static let daemonStopMax: Duration = .seconds(10)

  /// How many accounts `run` draws after a failure: more would bury the failure itself.
  static let failureTimelinesMax = 8

  /// How much of what its daemon said `run` repeats when that failed, in bytes.
  static let daemonOutputBytesMax = 16 << 10

  /// How far the daemon's clock and this machine's may differ before `doctor` says so: more than
  /// any round trip takes.
  static let clockDifferenceMax: Int64 = 2000

  /// How often an advance redraws its progress.
  static let progressPause: Duration = .milliseconds(100)
}
