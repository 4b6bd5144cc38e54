/// The deadlines of the lines on one clock, earliest first, in the total order (time, kind, line).
/// A four-ary heap of small records. Entries are not removed when a line's facts change: a line's
/// true deadline is a function of its facts, and an entry that differs from it is dropped when it
/// comes up.
public struct DeadlineQueue: Sendable {
  public struct Entry: Hashable, Sendable {
    public var time: Instant
    public var kind: DueKind
    public var line: LineNumber

    public init(_ deadline: Deadline, line: LineNumber) {
      time = deadline.time
      kind = deadline.kind
      self.line = line
    }

    @inline(__always)
    public static func < (left: Entry, right: Entry) -> Bool {
      if left.time != right.time { return left.time < right.time }
      if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
      return left.line < right.line
    }
  }

  private var heap: [Entry] = []

  public init() {}

  /// All entries at once, in linear time: after a replay.
  public init(entries: [Entry]) {
    heap = entries
    guard heap.count > 1 else { return }
    for index in stride(from: (heap.count - 2) / 4, through: 0, by: -1) { sink(from: index) }
  }

  public var count: Int { heap.count }

  public var first: Entry? { heap.first }

  public mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 4
      guard entry < heap[parent] else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  public mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    sink(from: 0)
  }

  /// Puts another entry in the place of the first: the usual end of dealing with one.
  public mutating func replaceFirst(with entry: Entry) {
    heap[0] = entry
    sink(from: 0)
  }

  private mutating func sink(from start: Int) {
    let count = heap.count
    heap.withUnsafeMutableBufferPointer { heap in
      let entry = heap[start]
      var index = start
      while true {
        let child = index * 4 + 1
        guard child < count else { break }
        var least = child
        for other in child..<min(child + 4, count) {
          if heap[other] < heap[least] { least = other }
        }
        guard heap[least] < entry else { break }
        heap[index] = heap[least]
        index = least
      }
      heap[index] = entry
    }
  }
}
