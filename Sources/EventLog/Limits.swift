/// The log format this program writes; it reads this one and every earlier one.
public let formatVersion: UInt32 = 1

/// The limits of the log, each with its reason.
public enum Limits {
  /// A segment unless the caller says otherwise: large enough that making a new one is rare,
  /// small enough to scan its unused end at every start.
  public static let segmentByteCountDefault = 16 << 20

  /// The smallest segment: a header, a few batches and the room for the tail mark.
  public static let segmentByteCountMin = 16 << 10

  /// The largest segment, so that offsets inside a file fit 32 bits.
  public static let segmentByteCountMax = 1 << 30

  /// One batch: what one write and one sync carry. A sequential disk moves it in some
  /// milliseconds, which bounds how long the next batch waits.
  public static let batchByteCountMax = 1 << 20

  /// A batch is not opened in less than this; the segment ends instead. Costs at most 0.4 % of
  /// a segment of the default size.
  static let batchByteCountMin = 64 << 10

  /// One block: what must be read and checked to read one record.
  public static let blockByteCountMax = 64 << 10

  /// One record's payload. The largest thing stored is an imported catalogue, whose message is
  /// limited to 16 MiB.
  public static let payloadByteCountMax = 64 << 20

  /// Everything in a segment starts at a multiple of this, so that the search for whatever
  /// follows a damaged place looks at one offset in eight.
  static let alignment = 8

  /// The largest unit that disks tear or lose as one. The tail mark lies in the next such unit
  /// after the last batch, so that losing any one unit is noticed.
  static let sectorByteCount = 4096

  /// The least distance in bytes between blocks that are kept in the index in memory: every full
  /// block has its entry, and small ones cost 24 bytes for each 32 KiB of log.
  static let indexStride: UInt64 = 32 << 10

  /// What is read at once when the log is streamed; the system's read-ahead hides the rest.
  static let streamByteCount = 1 << 20

  /// How much a reader fetches to find a record: a full block, or the small ones around it.
  static let windowByteCount = 64 << 10

  /// How many such pieces a reader keeps. A walk back along one account's records rarely needs
  /// more than the newest few.
  static let windowCountMax = 8

  /// Bytes of a varint of 64 bits.
  static let varintByteCountMax = 10

  /// Bytes around a payload at worst: its length, its tag, and a pointer to the record before.
  static let recordOverheadMax = 5 + 1 + 2 * varintByteCountMax

  /// Sealed segments kept ready: one to go on with, one in reserve for renewals and cancels on
  /// a full disk.
  public static let spareCountDefault = 2

  /// A snapshot's payload; past this a full replay is the better way to start.
  public static let snapshotByteCountMax: UInt64 = 4 << 30
}
