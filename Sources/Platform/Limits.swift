/// The limits of the shell around the engine, each with its reason.
enum Limits {
  /// Bytes of `sun_path`, the ending NUL counted (unix(7)).
  static let socketPathByteCountMax = 108

  /// Connections at once: more than any machine's app server opens, few enough that all their
  /// buffers fit beside a log of a million subscriptions.
  static let connectionsMax = 8192

  /// Connections of one user: half, so that one user's flood leaves room for everybody else.
  static let connectionsPerUserMax = 4096

  /// Connections kept free for root and the daemon's own user, so that `renewctl` gets in when
  /// all others are taken.
  static let connectionsReserved = 64

  /// The width of a paragraph of the help: that of its longest line of options, about.
  static let helpColumns = 91

  /// Descriptors that are not connections: log files, epolls, timers, sockets.
  static let otherDescriptors = 64

  /// Connections that may wait to be accepted; the kernel cuts it to `net.core.somaxconn`.
  static let backlog: Int32 = 4096

  /// Accepts in one turn, so that a flood of connects does not keep those connected waiting.
  static let acceptsPerTurnMax = 64

  /// Connections served in one turn, in the order the kernel found them ready.
  static let readyPerTurnMax = 256

  /// Bytes read from one connection in one turn: some hundreds of small calls, and little enough
  /// that one eager client does not hold up the others.
  static let readByteCount = 64 << 10

  /// Turns on connections alone before signals, timers and new connections are looked at: a
  /// turn takes about a millisecond at most.
  static let turnsBetweenLooks = 16

  /// The longest sleep, in milliseconds, after which the clocks are read again whatever was
  /// asked for: a machine that slept or a clock that was set is noticed within it.
  static let sleepMillisecondsMax: Int64 = 60_000

  /// How exact a timer is, in microseconds; sd-event's own default is a quarter of a second.
  static let timerAccuracyMicroseconds: UInt64 = 1

  /// How long accepting pauses when descriptors have run out, in milliseconds: long enough not to
  /// spin, short enough not to be felt.
  static let acceptPauseMilliseconds: Int64 = 100

  /// How long a connection that is to be closed may take to read what was sent to it, in
  /// milliseconds.
  static let closeMillisecondsMax: Int64 = 5000

  /// How long half a message may lie, in milliseconds: no client needs so long for one, and a
  /// crowd of those that never go on must not take the memory of the others.
  static let partialMillisecondsMax: Int64 = 30_000

  /// Between two looks for such connections, in milliseconds: a walk over all of them.
  static let sweepMilliseconds: Int64 = 10_000

  /// How long leaving waits for clients to take their last bytes, in milliseconds: a stop is to
  /// take less than half a second.
  static let drainMillisecondsMax: Int64 = 200

  /// Between two notices about refused connections, in milliseconds: a flood must not fill the
  /// journal.
  static let refusalNoticeMilliseconds: Int64 = 1000

  /// Groups of one peer (`NGROUPS_MAX` of Linux).
  static let peerGroupsMax = 65_536

  /// How long one write with its sync counts as progress for the watchdog, in milliseconds. A
  /// disk that takes longer is better restarted than waited for.
  static let writeMillisecondsMax: Int64 = 120_000

  /// The same for one job of the reader: a check or a snapshot goes through the whole log, and
  /// nobody but who asked waits for it.
  static let readMillisecondsMax: Int64 = 3_600_000

  /// Between two attempts to make reserve segments on a full disk, in milliseconds.
  static let replenishMilliseconds: Int32 = 1000

  /// Between two messages to the service manager during a replay, in milliseconds.
  static let progressMilliseconds: Int64 = 500

  /// What each of them asks for, in microseconds: a long stretch of one replay between two.
  static let startExtensionMicroseconds: UInt64 = 30_000_000

  /// The largest file of keys read: three keys and certificates are under 4 KB.
  static let authorityByteCountMax = 64 << 10
  /// A configuration file: what is larger was not written by a person.
  static let configurationByteCountMax = 1 << 20

  /// A catalogue file, as large as `Catalog.Import` takes.
  static let catalogueByteCountMax = 16 << 20

  /// A zone file; the largest of tzdata is under 4 KiB.
  static let zoneFileByteCountMax = 1 << 20

  /// Bytes of a segment of a log that is thrown away at exit: most of these hold a few events,
  /// and many of these daemons run at once in tests.
  static let ephemeralSegmentByteCount = 1 << 20

  /// Room for one user's or group's entry (`getpwnam_r`), grown up to `accountByteCountMax`.
  static let accountByteCount = 16 << 10

  /// A group with many thousands of members.
  static let accountByteCountMax = 16 << 20
  /// A segment is at most this part of its file system, so that a small disk is not all reserve.
  static let segmentsPerFileSystem = 16
  /// Segments are whole numbers of this many bytes.
  static let segmentByteCountStep = 64 << 10

  /// A file of root certificates: a few of them, at two kilobytes each in PEM.
  static let certificateFileByteCountMax = 1 << 20
}
