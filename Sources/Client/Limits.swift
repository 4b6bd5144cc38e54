/// The limits of this target.
public enum ClientLimits {
  /// How long connecting waits for a daemon that is starting, unless told otherwise: a replay of
  /// a few million events, or a unit that systemd starts at this very connection.
  public static let connectWait: Duration = .seconds(5)

  /// The longest path of a Unix socket, in bytes: `sun_path` has 108, and one holds the NUL.
  public static let socketPathBytesMax = 107

  /// The longest wait between two attempts to reach a daemon that is not there. Short, because a
  /// person waits for it; the first attempts come faster.
  static let retryPauseMax: Duration = .milliseconds(50)

  /// The longest wait between two attempts of a watch to reconnect: hundreds of watchers of one
  /// daemon must not keep a machine busy while it is stopped.
  static let watchPauseMax: Duration = .seconds(1)

  /// How many bytes one read takes at most: larger than most replies, small enough to stay in a
  /// cache.
  static let readBytesMax = 64 << 10

  /// How deep a reply may nest; the protocol's own limit.
  static let replyDepthMax = 16
}
