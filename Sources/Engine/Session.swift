import Subscriptions
import Varlink

/// One connection: what has come in and not been answered, what has been answered and not gone
/// out. Replies leave in the order of their calls, each only once what it says is durable.
final class Session {
  let id: ConnectionID
  let peer: Peer
  var roles: RoleSet
  var framer: VarlinkFramer
  /// Replies not yet taken by the kernel: `output[sent..<released]` may go, the rest is held.
  var output: [UInt8] = []
  var sent = 0
  var released = 0
  /// Where held replies end, and the sequence that must be durable before each may go.
  var holds: [Hold] = []
  var mode = Mode.serving
  /// No more calls are taken; it closes once its output has gone.
  var isClosing = false
  var isDirty = false
  /// The call that is carried out, or waits, is oneway: nothing is written for it.
  var isMute = false
  var isInBacklog = false
  /// When its peer last said something, milliseconds since the boot.
  var activeAt: Int64 = 0

  struct Hold {
    var end: Int
    var sequence: UInt64
  }

  /// What the connection is doing. Calls behind one that waits wait in the framer.
  enum Mode {
    case serving
    /// A call waits for the reader, and is carried out again with what it found.
    case reading(Suspended)
    case watching(WatchState)
    /// A call waits for an advance of a clock to end.
    case advancing(ClockNumber)
    /// A call waits for the end of the sweep that the event of this sequence began.
    case sweeping(UInt64)
    case reloading
  }

  init(id: ConnectionID, peer: Peer, roles: RoleSet, messageBytesMax: Int) {
    self.id = id
    self.peer = peer
    self.roles = roles
    framer = VarlinkFramer(messageBytesMax: messageBytesMax)
  }

  var unsentBytes: Int { output.count - sent }

  var isServing: Bool {
    if case .serving = mode { return true }
    return false
  }
}

/// A call that waits for the reader: its message, and what has been read for it so far.
struct Suspended {
  var message: [UInt8]
  var gathered: Gathered
}

/// What the log was asked for on behalf of one call.
struct Gathered {
  /// What the answer that is being waited for is.
  var wish = Wish.history
  /// The account's history, and the sequence of its newest event in it.
  var history: AccountHistory?
  var events: [StoredEvent] = []
  var historySequence: UInt64 = 0
  /// The account that a transaction id was found to be of.
  var account: AccountNumber?
  var hasSearched = false
  /// The event that an earlier request with the same id made, with those recorded beside it.
  var replay: [StoredEvent]?
  var page: [StoredEvent]?
  /// Events whose signed texts the answer gives.
  var texts: [StoredEvent] = []
  var verified: VerifyReport?
  var snapshot: (sequence: UInt64, bytes: UInt64)?
}
