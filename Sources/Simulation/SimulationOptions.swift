/// A bug put in on purpose, to see that the tester finds it. Plants live in the simulated world
/// and its settings; the product has no seam for them.
public enum Plant: String, Sendable, CaseIterable {
  /// The writer does not sync what it has written, and a crash loses it.
  case forgetSync = "forget-sync"
  /// Directories are not synced, and a crash loses a segment's name.
  case forgetDirectorySync = "forget-directory-sync"
  /// A watch's reader loses one event.
  case dropEvent = "drop-event"
  /// A month after 31 January and 28 February is 28 March.
  case chainMonths = "chain-months"
  /// The store gives a day more of grace than it should.
  case longGrace = "long-grace"
  /// The daemon is told the wrong boot id, and takes a stepped clock for downtime.
  case forgetBoot = "forget-boot"
}

/// What makes a run: two runs with the same options are the same to the last byte.
public struct SimulationOptions: Sendable, Equatable {
  public var seed: UInt64
  /// Steps of the phase with faults.
  public var steps: Int
  public var plant: Plant?
  /// Whether there is a crowd of accounts; nil lets the seed decide.
  public var isCrowded: Bool?

  public init(seed: UInt64, steps: Int = 120, plant: Plant? = nil) {
    self.seed = seed
    self.steps = steps
    self.plant = plant
  }
}

/// What came of a run.
public struct SimulationOutcome: Sendable, Equatable {
  public var seed: UInt64
  /// A hash of everything the daemon wrote, sent and said.
  public var hash: RunningHash
  /// What must never happen and did; nil for a good run.
  public var violation: String?
  /// The step at which that was found.
  public var step: Int
  /// The last steps before it.
  public var script: [String]
  public var eventCount: UInt64
  public var commandCount: Int
  public var crashCount: Int
  /// Starts of the daemon in the midst of what reaches many lines.
  public var resumedSweepCount: Int
  /// How often each method did something.
  public var done: [String: Int]
}
