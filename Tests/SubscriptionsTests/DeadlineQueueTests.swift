import Subscriptions
import Testing

/// The queue of deadlines against a sorted array.
@Suite("The deadline queue")
struct DeadlineQueueTests {
  private typealias Key = (time: Int64, kind: UInt8, line: UInt32)

  private func key(_ entry: DeadlineQueue.Entry) -> Key {
    (entry.time.milliseconds, entry.kind.rawValue, entry.line)
  }

  /// Few times and few lines, so that ties are common.
  private func entry(_ chance: inout SeededGenerator) -> DeadlineQueue.Entry {
    DeadlineQueue.Entry(
      Deadline(
        time: Instant(milliseconds: .random(in: -4...4, using: &chance)),
        kind: Bool.random(using: &chance) ? .renew : .expire),
      line: .random(in: 0...6, using: &chance))
  }

  /// Where an entry belongs in a sorted array.
  private func place(of entry: DeadlineQueue.Entry, in sorted: [DeadlineQueue.Entry]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if key(entry) < key(sorted[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  @Test(
    "It gives the earliest first, ties by kind and line, whatever is done to it",
    arguments: [
      UInt64(1), 2, 3, 4, 5, 6, 7, 8,
    ])
  func agreesWithSortedArray(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var sorted: [DeadlineQueue.Entry] = []
    for _ in 0..<4000 {
      switch Int.random(in: 0..<9, using: &chance) {
      case 0..<4:
        let new = entry(&chance)
        queue.insert(new)
        sorted.insert(new, at: place(of: new, in: sorted))
      case 4..<7 where !sorted.isEmpty:
        queue.removeFirst()
        sorted.removeFirst()
      case 7 where !sorted.isEmpty:
        let new = entry(&chance)
        queue.replaceFirst(with: new)
        sorted.removeFirst()
        sorted.insert(new, at: place(of: new, in: sorted))
      case 8 where Int.random(in: 0..<20, using: &chance) == 0:
        queue = DeadlineQueue(entries: sorted.shuffled(using: &chance))
      default:
        break
      }
      // One comparison, so that thirty thousand of them take little time.
      let agrees = queue.count == sorted.count && queue.first == sorted.first
      if !agrees { Issue.record("\(queue.first as Any) is not \(sorted.first as Any)") }
    }
  }

  @Test("Made of many at once it empties in order", arguments: [0, 1, 2, 5, 6, 21, 22, 1000])
  func heapifies(count: Int) throws {
    var chance = SeededGenerator(seed: UInt64(count))
    let entries = (0..<count).map { _ in entry(&chance) }
    var queue = DeadlineQueue(entries: entries)
    var found: [DeadlineQueue.Entry] = []
    while let first = queue.first {
      found.append(first)
      queue.removeFirst()
    }
    #expect(found == entries.sorted { key($0) < key($1) })
  }

  @Test("What is due at one instant: renewals before expiries, then the older line")
  func totalOrder() {
    let now = Instant(milliseconds: 7)
    let later = Instant(milliseconds: 8)
    let wanted = [
      DeadlineQueue.Entry(Deadline(time: now, kind: .renew), line: 3),
      DeadlineQueue.Entry(Deadline(time: now, kind: .renew), line: 9),
      DeadlineQueue.Entry(Deadline(time: now, kind: .expire), line: 1),
      DeadlineQueue.Entry(Deadline(time: later, kind: .renew), line: 0),
    ]
    var queue = DeadlineQueue()
    for entry in wanted.reversed() { queue.insert(entry) }
    for entry in wanted {
      #expect(queue.first == entry)
      queue.removeFirst()
    }
    #expect(queue.first == nil)
  }
}
