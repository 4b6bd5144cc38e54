/// Which app a store sells for, and in which environment: what stands in everything it signs. It is
/// fixed when its log is made, so that what was once signed never reads as another app's.
public struct StoreIdentity: Hashable, Sendable {
  public var bundleID: String
  public var environment: StoreEnvironment
  /// The app's number in the App Store; nil where none was told.
  public var appAppleID: Int64?

  public init(bundleID: String, environment: StoreEnvironment, appAppleID: Int64? = nil) {
    self.bundleID = bundleID
    self.environment = environment
    self.appAppleID = appAppleID
  }
}

extension EventFormat {
  /// Beside a role: the identity stands behind the seed.
  static let hasIdentity: UInt8 = 1 << 1

  static func encode(_ identity: StoreIdentity, into writer: inout ByteWriter) {
    writer.text(identity.bundleID)
    writer.byte(identity.environment.rawValue)
    writer.byte(identity.appAppleID == nil ? 0 : 1)
    if let id = identity.appAppleID { writer.zigzag(id) }
  }

  static func identity(from reader: inout ByteReader) -> StoreIdentity? {
    let bundleID = reader.text()
    guard let environment = reader.value(StoreEnvironment.self) else { return nil }
    let hasNumber = reader.byte()
    if hasNumber > 1 { reader.fail() }
    return StoreIdentity(
      bundleID: bundleID, environment: environment,
      appAppleID: hasNumber == 1 ? reader.zigzag() : nil)
  }

  static func encodeCreation(
    _ role: Role, _ seed: UUIDBits, _ identity: StoreIdentity?, into writer: inout ByteWriter
  ) {
    writer.byte(role.rawValue | (identity == nil ? 0 : hasIdentity))
    encode(seed, into: &writer)
    if let identity { encode(identity, into: &writer) }
  }

  static func creation(from reader: inout ByteReader) -> LogFact? {
    let flags = reader.byte()
    guard let role = Role(rawValue: flags & ~hasIdentity) else { return nil }
    let seed = uuid(from: &reader)
    guard flags & hasIdentity != 0 else { return .logCreated(role: role, seed: seed) }
    guard let identity = identity(from: &reader) else { return nil }
    return .logCreated(role: role, seed: seed, identity: identity)
  }
}
