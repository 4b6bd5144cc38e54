import Foundation

/// Tells all who listen, and keeps for the first listener what came while nobody did.
struct Broadcast<Element: Sendable>: Sendable {
  private var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  private var nextListener = 0
  private var waiting: [Element] = []
  private let waitingMax: Int

  /// Keeps at most `waitingMax` elements, the newest.
  init(keeping waitingMax: Int) {
    self.waitingMax = waitingMax
  }

  mutating func tell(_ element: Element) {
    guard listeners.isEmpty else {
      for listener in listeners.values { listener.yield(element) }
      return
    }
    waiting.append(element)
    if waiting.count > waitingMax { waiting.removeFirst(waiting.count - waitingMax) }
  }

  /// Adds a listener, which hears at once what waited; its number.
  mutating func add(_ listener: AsyncStream<Element>.Continuation) -> Int {
    nextListener += 1
    listeners[nextListener] = listener
    for element in waiting { listener.yield(element) }
    waiting = []
    return nextListener
  }

  mutating func remove(_ listener: Int) {
    listeners[listener] = nil
  }

  /// Whether something waits for a first listener.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Forgets what waits and is no news any more.
  mutating func forgetWaiting(where isOver: (Element) -> Bool) {
    waiting.removeAll(where: isOver)
  }

  /// Forgets what waits; the listeners stay.
  mutating func forget() {
    waiting = []
  }
}
