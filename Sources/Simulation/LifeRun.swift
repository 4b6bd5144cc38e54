import Subscriptions

/// What came of a life.
public struct LifeOutcome: Sendable {
  /// What must never happen and did; nil where all is well.
  public var violation: Violation?
  public var eventCount = 0
  /// What was done, refused commands included; steps that named nothing are left out.
  public var deeds: [LifeDeed] = []
  /// Which transitions of lines happened, by their place in the table.
  var seen: [Bool] = []

  /// The rule that is broken: the violation up to its colon.
  var rule: Substring? {
    violation.map { violation in violation.description.prefix { $0 != ":" } }
  }

  /// Those of the table that happened.
  public var transitions: [StatusTransitions.Transition] {
    StatusTransitions.all.filter { row in
      !seen.isEmpty && seen[LifeTransitions.place(row.from, row.kind, row.to)]
    }
  }
}

/// Lives a life out over the rules alone, and audits it on the way and at its end.
public enum LifeRun {
  public static func run(_ life: Life, plant: LifePlant? = nil) -> LifeOutcome {
    var outcome = LifeOutcome()
    do {
      var world = try LifeWorld(life, plant: plant)
      var audit = LifeAudit(policies: life.policies)
      defer {
        outcome.eventCount = world.log.count
        outcome.seen = audit.seen
      }
      try audit.take(world)
      let middle = life.steps.count / 2
      var snapshot = LifeSnapshot(world)
      for (index, step) in life.steps.enumerated() {
        if index == middle { snapshot = LifeSnapshot(world) }
        guard let deed = world.perform(step) else { continue }
        outcome.deeds.append(deed)
        if let violation = world.violation { throw violation }
        guard deed.hasChanged else { continue }
        try audit.take(world)
        try LifeChecks.checkStanding(world, audit)
      }
      try LifeChecks.checkFolds(world, audit, snapshot: snapshot)
      try LifeChecks.checkFuture(world.copy(), &audit)
    } catch let violation as Violation {
      outcome.violation = violation
    } catch {
      outcome.violation = Violation("refusal: a life could not begin: \(error)")
    }
    return outcome
  }

  /// The shortest part of a life that still breaks the same rule: delta debugging over its steps,
  /// then shorter hops of the clocks.
  public static func shrink(_ life: Life, plant: LifePlant? = nil) -> Life {
    guard let rule = run(life, plant: plant).rule else { return life }
    func fails(_ steps: [LifeStep]) -> Bool {
      var tried = life
      tried.steps = steps
      return run(tried, plant: plant).rule == rule
    }
    var shortest = life
    shortest.steps = withoutNeedless(life.steps, fails)
    shortest.steps = withLongHops(shortest.steps, fails)
    shortest.steps = withShortHops(shortest.steps, fails)
    return shortest
  }

  /// Leaves out ever smaller parts while it still fails without them, down to single steps.
  private static func withoutNeedless(
    _ steps: [LifeStep], _ fails: ([LifeStep]) -> Bool
  ) -> [LifeStep] {
    var kept = steps
    var size = max(1, kept.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < kept.count {
        var tried = kept
        tried.removeSubrange(start..<min(start + size, kept.count))
        if fails(tried) {
          kept = tried
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size > 1 {
        size /= 2
      } else if !hasShrunk {
        return kept
      }
    }
  }

  /// One hop of a clock in the place of two, one behind the other.
  private static func withLongHops(
    _ steps: [LifeStep], _ fails: ([LifeStep]) -> Bool
  ) -> [LifeStep] {
    var kept = steps
    var index = 0
    while index + 1 < kept.count {
      guard case .advance(let clock, let days, let rest) = kept[index],
        case .advance(clock, let more, let moreRest) = kept[index + 1]
      else {
        index += 1
        continue
      }
      var tried = kept
      tried[index] = .advance(clock: clock, days: days + more, milliseconds: rest + moreRest)
      tried.remove(at: index + 1)
      if fails(tried) { kept = tried } else { index += 1 }
    }
    return kept
  }

  private static func withShortHops(
    _ steps: [LifeStep], _ fails: ([LifeStep]) -> Bool
  ) -> [LifeStep] {
    var kept = steps
    for index in kept.indices {
      guard case .advance(let clock, let days, let milliseconds) = kept[index] else { continue }
      for shorter in [(0, 0), (1, 0), (7, 0), (31, 0), (days, 0)] as [(Int64, Int64)]
      where shorter.0 < days || (shorter.0 == days && shorter.1 < milliseconds) {
        var tried = kept
        tried[index] = .advance(clock: clock, days: shorter.0, milliseconds: shorter.1)
        if fails(tried) {
          kept = tried
          break
        }
      }
    }
    return kept
  }
}
