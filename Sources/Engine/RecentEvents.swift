/// The newest events, for the watches that are at the head: a bounded run without a hole, kept
/// only while somebody watches.
struct RecentEvents {
  private var events: [StoredEvent] = []
  /// Events at the front that no longer count.
  private var dropped = 0

  var firstSequence: UInt64? {
    dropped < events.count ? events[dropped].sequence : nil
  }

  func event(_ sequence: UInt64) -> StoredEvent? {
    guard let first = firstSequence, sequence >= first else { return nil }
    let index = dropped + Int(sequence - first)
    return index < events.count ? events[index] : nil
  }

  mutating func append(_ event: StoredEvent) {
    if let last = events.last, last.sequence + 1 != event.sequence { removeAll() }
    events.append(event)
    if events.count - dropped > Limits.recentEventsMax { dropped += 1 }
    if dropped >= Limits.recentEventsMax {
      events.removeFirst(dropped)
      dropped = 0
    }
  }

  /// A batch was sealed: its events now have the time it was recorded.
  mutating func setRecorded(_ recorded: Int64, from first: UInt64, through last: UInt64) {
    guard let oldest = firstSequence, last >= oldest else { return }
    var index = dropped + Int(max(first, oldest) - oldest)
    while index < events.count, events[index].sequence <= last {
      events[index].recorded = recorded
      index += 1
    }
  }

  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    dropped = 0
  }
}
