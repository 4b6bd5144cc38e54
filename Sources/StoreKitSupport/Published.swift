import Foundation

/// A property of a class whose changes can be heard: each through `$property`, and all of an
/// `ObservableObject` through its `objectWillChange`. Both are told before the property has its new
/// value, on the thread that changes it.
@propertyWrapper
public struct Published<Value> {
  private let storage: Storage

  public init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  public init(initialValue: Value) {
    storage = Storage(initialValue)
  }

  /// Only classes can say that they change.
  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { fatalError("the compiler refuses this") }
    set { fatalError("the compiler refuses this: \(newValue)") }
  }

  /// What tells the property's changes.
  public var projectedValue: Publisher { Publisher(storage: storage) }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      let storage = object[keyPath: storageKeyPath].storage
      (object as? any ObservableObject)?.objectWillChange.send()
      storage.listeners.tell(newValue)
      storage.value = newValue
    }
  }

  /// The value and those who listen to it; they hear no more once it is gone.
  fileprivate final class Storage {
    let listeners = Listeners<Value>()
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
      get { lock.withLock { stored } }
      set {
        // What the old value held is let go outside the lock.
        let old = lock.withLock {
          let old = stored
          stored = newValue
          return old
        }
        withExtendedLifetime(old) {}
      }
    }
  }

  /// Tells a property's value: the present one at first, then each new one before it is set.
  ///
  /// It is no publisher of Combine's: it can be listened to, and has no operators.
  public struct Publisher {
    fileprivate let storage: Storage

    /// Calls `receiveValue` for each value, for as long as what is given back is kept.
    public func sink(receiveValue: @escaping (Value) -> Void) -> AnyCancellable {
      let listening = storage.listeners.add(Listeners.Listener(receive: receiveValue))
      receiveValue(storage.value)
      return listening
    }
  }
}

extension Published.Publisher where Value: Sendable {
  /// The values as a sequence, which ends with the object that has the property. Who is slower
  /// than the changes gets the newest.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let listening = storage.listeners.add(
      Listeners.Listener(
        receive: { continuation.yield($0) }, finish: { continuation.finish() }))
    continuation.yield(storage.value)
    let kept = Kept(listening)
    continuation.onTermination = { _ in kept.listening.cancel() }
    return stream
  }
}

/// Carries a cancellable to where a stream ends; its `cancel()` may be called on any thread.
private struct Kept: @unchecked Sendable {
  let listening: AnyCancellable

  init(_ listening: AnyCancellable) { self.listening = listening }
}
