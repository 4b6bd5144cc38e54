/// The engine's limits, each with its reason.
enum Limits {
  /// A request id is a label of the caller's, 1 to 64 bytes.
  static let requestIDBytesMax = 64
  /// Request ids remembered at least: an hour of 300 commands a second.
  static let requestIDsKept = 1_000_000
  /// Request ids are remembered at least a day, milliseconds of the machine's clock.
  static let requestIDsKeptMilliseconds: Int64 = 86_400_000
  /// Deadlines dealt with in one turn, about a millisecond's work, so that clients wait no
  /// longer behind an advance.
  static let dueEventsPerTurn = 1_000
  /// Calls of one connection answered in one turn: a greedy client leaves the others their turn.
  static let callsPerTurn = 64
  /// Bytes that wait for a slow reader before its further calls wait too.
  static let outputBytesMax = 1 << 20
  /// Bytes of a watch that wait for its reader; behind that it is fed from the log again.
  static let watchOutputBytesMax = 128 << 10
  /// Events kept in memory for the watches that are at the head.
  static let recentEventsMax = 8_192
  /// Events asked of the reader at once, for a watch that lags.
  static let eventsPerRead = 1_024
  /// Subscriptions sent in one turn at the start of a watch.
  static let subscriptionsPerTurn = 256
  /// A watch hears at least this often how far the log is, milliseconds.
  static let heartbeatMilliseconds: Int64 = 15_000
  /// Transactions in one reply of History: below the 1 MiB that a reply may have.
  static let transactionsPerPage = 1_000
  /// Entries in one reply of Ledger: a few hundred bytes each, below the same 1 MiB.
  static let ledgerEntriesPerPage = 2_000
  /// Signed transactions in one reply: one is under 6 KiB with its plain form, and signing them
  /// takes a few milliseconds of the engine's turn.
  static let signedTransactionsPerPage = 100
  /// Bytes of signed texts in one reply, below the 1 MiB that it may have; and what an event or a
  /// transaction with forms that are signed here takes of them beside the App Store's own texts.
  static let signedPageBytesMax = 600 << 10
  static let signedEventBytes = 6 << 10
  /// Events in one reply of Log.Read, for the same reason.
  static let eventsPerPage = 500
  /// Sealed batches that wait for the writer before due work pauses: one is being written, one
  /// is ready, and more would only be memory.
  static let sealedBatchesMax = 3
  /// Events told to the journal in a second: more nobody reads, and an advance makes thousands.
  static let journalEventsPerSecond = 50
  /// A step of the machine's clock smaller than this is its being steered, milliseconds.
  static let clockStepMilliseconds: Int64 = 1_000
  /// A step forward longer than this holds due work, milliseconds.
  static let clockHoldMilliseconds: Int64 = 48 * 3_600_000
  /// Events after the newest snapshot that make another one worth its writing.
  static let eventsPerSnapshot: UInt64 = 1_000_000
  /// Bytes that a command may need in the log: its events and their framing. A catalogue's are
  /// counted apart.
  static let commandBytesMax = 4_096
  /// Events that one command makes at most: an account opened, an offer's nonce, a purchase, a code
  /// that waits, a cancellation, and the boot's own before them. A restore's are counted apart.
  static let commandEventsMax = 6
  /// Lines of one account that one command changes at most: each has its events in the lines of
  /// the account's family.
  static let followedLinesMax = 2
  /// Events that a signed fact makes at most: the boot's own, names, an account opened, a line that
  /// leaves one account and comes to another, the fact.
  static let ingestEventsMax = 6
  /// Bytes that one version of a transaction takes in the log, at worst.
  static let versionBytesMax = 320
  /// Bytes that one slice of the check of all segments reads, a few milliseconds' work: no question
  /// to the reader waits longer behind it.
  static let checkSliceBytes = 1 << 20
  /// The pause between two slices, milliseconds: at most 10 MiB a second are read, which leaves a
  /// disk and a core to others, and a log of a gigabyte is through in two minutes.
  static let checkPauseMilliseconds: Int64 = 100
  /// The status line changes at most so often, milliseconds: it is for people.
  static let statusMilliseconds: Int64 = 250
  /// While stopping, a connection silent for so long has nothing more to say.
  static let idleWhenStoppingMilliseconds: Int64 = 100
  /// A stop takes no longer than this, whoever still talks.
  static let stopMilliseconds: Int64 = 400
  /// How often a stop looks whether it can end.
  static let stopTickMilliseconds: Int64 = 20
  /// A catalogue source's name is a file's.
  static let sourceBytesMax = 4_096
  /// Bytes of one renewal or expiry, at worst.
  static let dueEventBytesMax = 256
  /// How long a batch without space waits before it is tried again.
  static let spaceRetryMilliseconds: Int64 = 1_000
  /// More events alike than these are told in one sentence: a reader skips what repeats.
  static let explainAlikeMax = 4
}
