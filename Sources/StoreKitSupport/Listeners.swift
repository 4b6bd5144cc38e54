import Foundation

/// Who listens to one thing, told in the order in which they began. Nobody is told after its
/// `cancel()`, not even where that happens while others are being told.
final class Listeners<Value> {
  struct Listener {
    let receive: (Value) -> Void
    /// Called once there is nothing left to hear.
    var finish: (() -> Void)?
  }

  private let lock = NSLock()
  private var listeners: [Int: Listener] = [:]
  private var nextNumber = 0

  deinit {
    for listener in listeners.values { listener.finish?() }
  }

  /// Adds a listener, for as long as what is given back is kept.
  func add(_ listener: Listener) -> AnyCancellable {
    let number = lock.withLock {
      nextNumber += 1
      listeners[nextNumber] = listener
      return nextNumber
    }
    return AnyCancellable { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    // What the listener captured may end with it, and may come back here: outside the lock.
    let listener = lock.withLock { listeners.removeValue(forKey: number) }
    withExtendedLifetime(listener) {}
  }

  /// Tells all, on the caller's thread, without the lock: a listener may change what it hears of.
  func tell(_ value: Value) {
    for number in lock.withLock({ listeners.keys.sorted() }) {
      lock.withLock { listeners[number] }?.receive(value)
    }
  }
}
