import Foundation

/// Something that goes on until it is told to end.
public protocol Cancellable {
  /// Ends it; once more does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps it until the set is gone.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self as? AnyCancellable ?? AnyCancellable(self))
  }

  /// Keeps it until the collection is gone.
  public func store<Kept: RangeReplaceableCollection>(
    in collection: inout Kept
  ) where Kept.Element == AnyCancellable {
    collection.append(self as? AnyCancellable ?? AnyCancellable(self))
  }
}

/// Keeps what was begun going for as long as it lives: what `sink` gives back must be kept.
public final class AnyCancellable: Cancellable, Hashable {
  private let lock = NSLock()
  private var end: (() -> Void)?

  /// Calls `cancel` once: when it is told to, or when it is gone.
  public init(_ cancel: @escaping () -> Void) {
    end = cancel
  }

  public convenience init(_ canceller: some Cancellable) {
    self.init { canceller.cancel() }
  }

  deinit { cancel() }

  public func cancel() {
    let end = lock.withLock {
      let end = self.end
      self.end = nil
      return end
    }
    end?()
  }

  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
