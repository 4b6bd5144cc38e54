/// The members of a JSON object in the order they were written, each key once.
public struct JSONObject: Equatable, Sendable {
  /// One key and its value.
  public struct Member: Equatable, Sendable {
    public let key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members in order.
  public private(set) var members: [Member] = []
  /// Where each key is; made only for objects too long to search, never a source of order.
  private var positions: [String: Int] = [:]

  /// No members.
  public init() {}

  /// Members in order; traps on a repeated key.
  public init(_ members: [(String, JSONValue)]) {
    for (key, value) in members {
      precondition(append(key, value), "the key \(key) stands twice")
    }
  }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// How many members there are.
  public var count: Int { members.count }

  /// Whether there are none.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of a key. Setting a new key puts it last; setting nil removes.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      guard let newValue else { return remove(key) }
      if let position = position(of: key) {
        members[position].value = newValue
      } else {
        _ = append(key, newValue)
      }
    }
  }

  /// Puts a member last; false, and nothing done, when the key is there.
  public mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard position(of: key) == nil else { return false }
    members.append(Member(key: key, value: value))
    if members.count == JSONLimits.walkedMembers {
      rebuildPositions()
    } else if members.count > JSONLimits.walkedMembers {
      positions[key] = members.count - 1
    }
    return true
  }

  /// Objects are equal when the same members stand in the same order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members == right.members
  }

  private func position(of key: String) -> Int? {
    if members.count < JSONLimits.walkedMembers { return members.firstIndex { $0.key == key } }
    return positions[key]
  }

  private mutating func remove(_ key: String) {
    guard let position = position(of: key) else { return }
    members.remove(at: position)
    rebuildPositions()
  }

  private mutating func rebuildPositions() {
    positions.removeAll()
    guard members.count >= JSONLimits.walkedMembers else { return }
    for (index, member) in members.enumerated() { positions[member.key] = index }
  }
}
