/// The limits of this target; calls that use one take it as an argument with these as defaults.
public enum VarlinkLimits {
  /// The longest call, in bytes without its NUL. The largest ordinary call (a purchase with a
  /// promotional offer and its signature) stays under 4 KiB; a connection's buffer is charged to
  /// its user, so it is kept small.
  public static let requestBytesMax = 64 << 10

  /// The longest call that an administrator may send to import a catalogue: room for tens of
  /// thousands of products.
  public static let importRequestBytesMax = 16 << 20

  /// The longest reply, in bytes without its NUL. Lists longer than this are paged by their
  /// methods; clients may size their buffers by it.
  public static let replyBytesMax = 1 << 20

  /// How deep a message may nest. The deepest of the daemon's own, an event inside a reply, has
  /// six levels.
  public static let depthMax = 16

  /// A framer that has handed out everything keeps a buffer up to this capacity in bytes, so that
  /// one long message does not stay charged to an idle connection.
  static let idleBufferBytesMax = 128 << 10

  /// The longest interface description that is parsed, in bytes. The longest of the daemon's own
  /// has 8 KiB.
  public static let descriptionBytesMax = 256 << 10

  /// How deep the types of a description may nest in its text.
  public static let typeDepthMax = 32

  /// The longest line of a canonical description that is not broken, in bytes: what a terminal
  /// of the usual width shows.
  static let textLineBytesMax = 80
}
