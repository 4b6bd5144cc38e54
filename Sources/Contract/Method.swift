import Varlink

/// What a peer may call. The configuration says who has which role.
public enum PeerRole: String, Sendable, CaseIterable {
  /// Asks who is a member.
  case read
  /// Sells, and takes in what the App Store signed.
  case write
  /// Speaks to the world outside for the daemon.
  case gateway
  /// Does everything else.
  case admin

  /// Its name in the configuration.
  public var name: String { rawValue }
}

/// What a call does to the log.
public enum Effect: Sendable {
  /// Nothing, so it may be sent again when a connection ends.
  case reads
  case changes
}

/// A Varlink interface of the daemon's.
public protocol Interface {
  static var name: String { get }
  /// What stands above it in its description.
  static var about: String { get }
  /// The role that its methods need.
  static var role: PeerRole { get }
  /// Whether logs that keep what the App Store signed have none of it.
  static var isForStoresAlone: Bool { get }
}

extension Interface {
  public static var isForStoresAlone: Bool { false }
}

/// A method of the daemon's: its fields are what a call says, `Answer` is what it answers.
public protocol Method: Fields {
  associatedtype Home: Interface
  associatedtype Answer: Fields

  /// Its name in its interface.
  static var name: String { get }
  /// What stands above it in the description; empty where its name says all.
  static var about: String { get }
  static var effect: Effect { get }
  /// The parts of StoreKit that this call stands for, and fails with where a tester made them.
  var standsFor: [SimulatedAPI] { get }
  /// Whether logs that keep what the App Store signed refuse it, since they sell nothing.
  static var isForStoresAlone: Bool { get }
  /// Whether its answer is signed, whatever the call says.
  static var alwaysSigns: Bool { get }
  /// Whether a call may be longer than others, since it brings a file.
  static var takesLongCalls: Bool { get }
}

extension Method {
  /// The name that calls have, such as `org.renewd.Testing.Refund`.
  public static var qualifiedName: String { "\(Home.name).\(name)" }
  public static var effect: Effect { .changes }
  public var standsFor: [SimulatedAPI] { [] }
  public static var isForStoresAlone: Bool { Home.isForStoresAlone }
  public static var alwaysSigns: Bool { false }
  public static var takesLongCalls: Bool { false }
}

/// A method that changes nothing.
public protocol Reading: Method {}

extension Reading {
  public static var effect: Effect { .reads }
}
