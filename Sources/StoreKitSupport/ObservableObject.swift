import Foundation

/// An object that says when it is about to change: before each of its `@Published` properties
/// does, and whenever it calls `objectWillChange.send()`.
public protocol ObservableObject: AnyObject {
  /// The same one for the whole life of the object.
  var objectWillChange: ObservableObjectPublisher { get }
}

extension ObservableObject {
  public var objectWillChange: ObservableObjectPublisher {
    ObjectPublishers.shared.publisher(of: self)
  }
}

/// Says that an object is about to change, not how.
public final class ObservableObjectPublisher {
  private let listeners = Listeners<Void>()

  public init() {}

  /// Tells all who listen, on the caller's thread, before it returns.
  public func send() { listeners.tell(()) }

  /// Calls `receiveValue` at each change, for as long as what is given back is kept.
  public func sink(receiveValue: @escaping (()) -> Void) -> AnyCancellable {
    listeners.add(Listeners.Listener(receive: receiveValue))
  }
}

/// The publishers of objects that have none of their own, by the object; they go with it.
///
/// The lock guards the table, and each publisher has a lock of its own.
private final class ObjectPublishers: @unchecked Sendable {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  static let shared = ObjectPublishers()

  private let lock = NSLock()
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// At how many entries those of objects that are gone are looked for.
  private var sweepCount = SupportLimits.firstSweepCount

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    lock.withLock {
      let key = ObjectIdentifier(object)
      // An identifier is used again once its object is gone.
      if let entry = entries[key], entry.object === object { return entry.publisher }
      if entries.count >= sweepCount {
        entries = entries.filter { $0.value.object != nil }
        sweepCount = max(SupportLimits.firstSweepCount, entries.count * 2)
      }
      let entry = Entry(object: object, publisher: ObservableObjectPublisher())
      // An object that is about to be gone has no weak reference, and nobody to tell.
      if entry.object != nil { entries[key] = entry }
      return entry.publisher
    }
  }
}
