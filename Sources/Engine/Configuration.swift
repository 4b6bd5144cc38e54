import Subscriptions

/// Who has a role: user and group ids, as the configuration named them.
public struct RoleMembers: Sendable, Equatable {
  public var users: [UInt32]
  public var groups: [UInt32]

  public init(users: [UInt32] = [], groups: [UInt32] = []) {
    self.users = users
    self.groups = groups
  }
}

/// One option as it stands, and where it came from: for `Daemon.Describe`.
public struct OptionValue: Sendable, Equatable {
  public var name: String
  public var value: String
  /// `default`, `command line`, or a file with its line.
  public var origin: String

  public init(name: String, value: String, origin: String) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}

/// An entitlement: a name that an app asks for, and the products that grant it.
public struct Entitlement: Sendable, Equatable {
  public var name: String
  public var productIDs: [String]

  public init(name: String, productIDs: [String]) {
    self.name = name
    self.productIDs = productIDs
  }
}

/// What the engine is told at start and at each reload. Everything but the log and the clock.
public struct Configuration: Sendable {
  /// Members of each role. Root and the daemon's own user are admins besides.
  public var read = RoleMembers()
  public var write = RoleMembers()
  public var gateway = RoleMembers()
  public var admin = RoleMembers()
  public var daemonUser: UInt32 = 0
  /// The group that the socket was given to, whose members may read besides those of the role.
  public var socketGroup: UInt32?
  /// The group whose members may read, for the words of a refusal.
  public var readGroupName = "renewd"
  public var entitlements: [Entitlement] = []
  /// The string on the wire: Sandbox, Production, Xcode or LocalTesting.
  public var environment = "Sandbox"
  public var bundleID = "com.example.app"
  /// The app's number in the store; production data carries it.
  public var appAppleID: Int64?
  public var policies = Policies()
  public var options: [OptionValue] = []
  public var version = "0"
  public init() {}
}

extension Configuration {
  /// Which option asks in so many words for what the log was not made for, with its origin and what
  /// to do, in a sentence; nil where none does. What is only a default gives way to the log.
  public func fault(in identity: StoreIdentity?) -> String? {
    guard let identity else { return nil }
    let number = { (id: Int64?) in id.map(String.init) ?? "none" }
    let facts = [
      (["bundle-id"], "app", bundleID, identity.bundleID),
      (
        ["environment", "profile"], "environment", environment, identity.environment.wireName
      ),
      (["app-apple-id"], "Apple ID", number(appAppleID), number(identity.appAppleID)),
    ]
    for (names, noun, wanted, kept) in facts where wanted != kept {
      guard let said = options.first(where: { names.contains($0.name) && $0.origin != "default" })
      else { continue }
      return "\(said.origin): \(said.name) \(said.value): the log was made for the \(noun)"
        + " \(kept), which is in all that it signed, and keeps it; another"
        + " --state-directory can have another"
    }
    return nil
  }
}

/// The roles that one peer has.
struct RoleSet: OptionSet, Sendable {
  let rawValue: UInt8

  static let read = RoleSet(rawValue: 1)
  static let write = RoleSet(rawValue: 2)
  static let gateway = RoleSet(rawValue: 4)
  static let admin = RoleSet(rawValue: 8)
  static let all: RoleSet = [.read, .write, .gateway, .admin]

  func contains(_ role: PeerRole) -> Bool {
    switch role {
    case .read: contains(RoleSet.read)
    case .write: contains(RoleSet.write)
    case .gateway: contains(RoleSet.gateway)
    case .admin: contains(RoleSet.admin)
    }
  }
}

extension Configuration {
  /// The roles of a peer: root and the daemon's own user may do everything.
  func roles(of peer: Peer) -> RoleSet {
    func isMember(_ members: RoleMembers) -> Bool {
      members.users.contains(peer.uid) || members.groups.contains(peer.gid)
        || peer.groups.contains(where: members.groups.contains)
    }
    if peer.uid == 0 || peer.uid == daemonUser || isMember(admin) { return .all }
    var roles: RoleSet = []
    if let socketGroup, peer.gid == socketGroup || peer.groups.contains(socketGroup) {
      roles.insert(.read)
    }
    if isMember(read) { roles.insert(.read) }
    if isMember(write) { roles.formUnion([.read, .write]) }
    if isMember(gateway) { roles.formUnion([.read, .write, .gateway]) }
    return roles
  }
}
