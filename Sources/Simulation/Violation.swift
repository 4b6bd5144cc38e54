/// Something that must never happen has happened.
public struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
  /// Which promise is broken, and how.
  public var description: String

  public init(_ description: String) {
    self.description = description
  }

  /// Throws unless `condition` holds.
  static func unless(
    _ condition: Bool, _ description: @autoclosure () -> String
  ) throws(Violation) {
    guard condition else { throw Violation(description()) }
  }
}
