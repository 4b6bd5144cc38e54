/// The limits of this target. Depth and size for a given use are arguments of the calls; these
/// bound what any caller may ask for.
public enum JSONLimits {
  /// The greatest `depthMax` a caller may pass. Values are read by recursion, at about 200 bytes
  /// of stack a level; 512 levels stay far inside the 512 KiB of a small thread's stack.
  public static let depthCeiling = 512

  /// The longest number text, in bytes, that is read as an integer: a sign and the 19 digits of
  /// Int64's extremes. Anything longer is out of range without looking at it, because leading
  /// zeros are not JSON.
  static let integerBytesMax = 20

  /// From this many members on, an object finds keys by a table: below it a walk is as fast, and
  /// without one a hostile object of many keys would cost their square.
  static let walkedMembers = 8
}
