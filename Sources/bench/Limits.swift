/// The bench's limits, each with its reason.
enum Limits {
  /// Accounts unless told otherwise: a minute in all on two cores.
  static let accountsDefault = 100_000
  static let accountsMax = 10_000_000
  /// Seconds of each measured load: long enough to pass over a hiccup.
  static let secondsDefault = 2.0
  /// Seconds a daemon may take to be ready, or a load to make progress.
  static let patienceSeconds = 300.0
  /// Bytes read at once from a connection.
  static let readBytes = 256 << 10
  /// Writes of the disk's floor.
  static let floorWrites = 200
  /// Bytes of one write of the floor: a purchase's batch.
  static let floorBytes = 4_096
  /// Signatures made or checked between two looks at the clock.
  static let signaturesAtOnce = 100
  /// Calls under way on a connection while accounts are made.
  static let fillDepth = 32
}
