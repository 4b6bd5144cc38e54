import CLinux
import Engine
import Glibc

/// The connections of clients, behind one epoll descriptor of their own.
///
/// A connection's id is a number counted up, with its place in the table in the low 16 bits: it
/// is found without a search and never used again.
struct ConnectionTable: ~Copyable {
  struct Entry {
    var id: ConnectionID
    var descriptor: Int32
    var uid: UInt32
    /// What the kernel is asked to report: EPOLLIN, EPOLLOUT.
    var interest: UInt32
    /// When the last bytes came, in milliseconds since boot.
    var lastReceived: Int64
    /// When a connection that is to be closed is cut, in milliseconds since boot; 0 for others.
    var closeDeadline: Int64
  }

  /// The epoll descriptor.
  let descriptor: Int32
  /// By place; 0 as the id of a free one.
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var serial: UInt64 = 0
  private(set) var count = 0
  private var perUser: [UInt32: Int] = [:]
  private let countMax: Int
  private let countPerUserMax: Int
  private let reserved: Int

  private static let placeMask: UInt64 = 0xFFFF

  /// - Parameter reserved: how many of all are kept for the privileged.
  init(countMax: Int, countPerUserMax: Int, reserved: Int) throws(SystemError) {
    precondition(countMax <= Int(Self.placeMask) && reserved < countMax)
    self.countMax = countMax
    self.countPerUserMax = countPerUserMax
    self.reserved = reserved
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .last }
  }

  /// Why one more connection of a user is not taken; nil if it is.
  func refusal(uid: UInt32, isPrivileged: Bool) -> String? {
    let most = isPrivileged ? countMax : countMax - reserved
    if count >= most { return "\(count) connections are open, and at most \(countMax) may be" }
    let own = perUser[uid, default: 0]
    if !isPrivileged, own >= countPerUserMax {
      return "user \(uid) has \(own) connections, as many as one user may have"
    }
    return nil
  }

  /// Takes a connection in and asks for its bytes.
  mutating func add(
    _ socket: Int32, uid: UInt32, boottime: Int64
  ) throws(SystemError) -> ConnectionID {
    let place = free.popLast() ?? entries.count
    serial += 1
    let id = serial << 16 | UInt64(place)
    let entry = Entry(
      id: id, descriptor: socket, uid: uid, interest: EPOLLIN.rawValue, lastReceived: boottime,
      closeDeadline: 0)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    count += 1
    perUser[uid, default: 0] += 1
    guard control(EPOLL_CTL_ADD, entry) else {
      let error = SystemError.last
      forget(id)
      throw error
    }
    return id
  }

  /// The place of a connection that is still there.
  @inline(__always)
  func place(_ id: ConnectionID) -> Int? {
    let place = Int(id & Self.placeMask)
    guard id != 0, place < entries.count, entries[place].id == id else { return nil }
    return place
  }

  @inline(__always)
  subscript(place: Int) -> Entry { entries[place] }

  /// Asks the kernel for other reports of a connection.
  mutating func setInterest(_ place: Int, _ interest: UInt32) {
    guard entries[place].interest != interest else { return }
    entries[place].interest = interest
    // The descriptor is in the set: the call has nothing to fail on but memory, and a missed
    // change is made up for by the next.
    _ = control(EPOLL_CTL_MOD, entries[place])
  }

  @inline(__always)
  mutating func noteReceived(_ place: Int, _ boottime: Int64) {
    entries[place].lastReceived = boottime
  }

  mutating func setCloseDeadline(_ place: Int, _ boottime: Int64) {
    entries[place].closeDeadline = boottime
  }

  /// Closes a connection.
  mutating func close(_ id: ConnectionID) {
    guard let place = place(id) else { return }
    _ = Glibc.close(entries[place].descriptor)
    forget(id)
  }

  /// Calls with the id of each connection.
  func forEach(_ body: (Entry) -> Void) {
    for entry in entries where entry.id != 0 { body(entry) }
  }

  private mutating func forget(_ id: ConnectionID) {
    let place = Int(id & Self.placeMask)
    let uid = entries[place].uid
    entries[place].id = 0
    free.append(place)
    count -= 1
    let left = perUser[uid, default: 0] - 1
    perUser[uid] = left > 0 ? left : nil
  }

  private func control(_ operation: Int32, _ entry: Entry) -> Bool {
    var event = epoll_event(events: entry.interest, data: epoll_data_t(u64: entry.id))
    return epoll_ctl(descriptor, operation, entry.descriptor, &event) == 0
  }
}
