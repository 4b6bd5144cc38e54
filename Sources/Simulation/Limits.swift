/// The limits of the simulated world, each with its reason.
enum Limits {
  /// Turns that a world takes at most before it says that nothing will come of waiting: far more
  /// than ten years of weekly renewals for a thousand accounts need.
  static let turnsMax = 200_000
  /// Bytes that a quick reader takes at once: what a socket's buffer holds.
  static let socketByteCount = 208 << 10
  /// Bytes that a slow reader takes in one turn.
  static let slowByteCount = 96
  /// Turns that a delayed completion or a cut of the stream may be late.
  static let delayTurnsMax = 4
  /// Segments of a simulated log: small, so that a short run sees many of them.
  static let segmentByteCount = 64 << 10
  /// How deep an answer may nest; the daemon's own limit.
  static let depthMax = 16
  /// Milliseconds between two turns while a daemon leaves.
  static let stopMilliseconds: Int64 = 10
  /// How long a full disk is waited for before it is looked at again, longer than the engine's
  /// own pause.
  static let spaceMilliseconds: Int64 = 1_100
  /// Steps shown before a violation: enough to see what led to it.
  static let scriptLinesMax = 20
  /// The event that a planted watch loses.
  static let plantedEvent = 25
  /// Times that a run lets the daemon wake while time passes: heartbeats come every 15 s, and
  /// months pass.
  static let wakesMax = 12
  /// One run in so many has a crowd, which costs as much as several others.
  static let crowdedRunsOneIn = 10
  /// Accounts of a crowd: what is told to all of them fills more than one segment.
  static let crowdCount = 120
  /// Purchases of a crowd that are asked for at once: few enough for the segments kept ready.
  static let crowdBurst = 8
  /// Accounts of a crowd that are held against the model at the end.
  static let crowdAudited = 6
  /// Notices kept for a test to look at.
  static let noticesMax = 4_096
  /// Every so many lives one is looked at far more closely: what that finds is rare, and takes
  /// several times as long.
  static let thoroughLifeEvery: UInt64 = 16
  /// Room in a life's log from the beginning: what most lives need.
  static let lifeEventsUsual = 256
  /// Lines that a sweep looks at in a step: few, so that a life has several steps of one.
  static let sweptLinesPerStep = 3
}
