import Engine
import EventLog
import JSON
import Subscriptions

/// A whole daemon in a simulated world: the real engine over a disk in memory, a machine's
/// clocks, connections. It drives the engine in the order of turns that the real shell has, and
/// nothing in it depends on anything but its options and the calls made.
///
/// With `isChaotic` the seed decides when the writer and the reader finish and how the streams of
/// bytes are cut; without, everything comes at the next turn.
public final class World {
  public struct Options: Sendable {
    public var seed: UInt64 = 1
    /// The machine's realtime clock at first, milliseconds since 1970: 2025-01-31T10:00:00Z.
    public var realtime: Int64 = 1_738_317_600_000
    /// Where the test clock `default` stands at first; nil for none.
    public var clock: Int64?
    public var configuration = World.configuration
    public var shop: Shop? = .standard
    /// What the shop's own settings switch on.
    public var switches: [StartSwitch] = []
    /// What a new log is made for.
    public var role = Role.store
    public var settings = LogSettings(segmentByteCount: Limits.segmentByteCount)
    public var isChaotic = false
    /// Whether what comes into each daemon is noted in `recording`.
    public var isRecorded = false
    /// What the daemon signs with and believes.
    public var signing = SimulatedSigner.signing(root: 1)

    public init() {}
  }

  public let options: Options
  public let disk: MemoryDisk
  let simulatedDisk: SimulatedDisk
  public internal(set) var machine: SimulatedMachine
  /// The daemon; nil while it does not run.
  public internal(set) var engine: Engine?
  /// What the daemon will be told when it reads its configuration again.
  public var configuration: Result<Configuration, ReloadFailure>
  public internal(set) var clients: [SimulatedClient] = []
  /// The exit status with which the daemon left by itself.
  public internal(set) var exitStatus: Int32?
  public internal(set) var notices: [Notice] = []
  public internal(set) var recoveryNotices: [String] = []
  public internal(set) var status = ""
  /// When the engine wants to be woken, on the machine's realtime clock.
  public internal(set) var wake: Int64?
  /// A hash of all bytes written, sent and said so far.
  public internal(set) var outputs = RunningHash()
  /// The last record known to be durable.
  public internal(set) var durableSequence: UInt64 = 0
  /// The last record found at the last start.
  public internal(set) var recoveredSequence: UInt64 = 0
  public internal(set) var turnCount = 0
  /// Starts with a price increase or a mass extension that some lines had been told of, and not
  /// all.
  public internal(set) var resumedSweepCount = 0
  /// The last record of the batch that was under way when the daemon last died, if any was.
  public internal(set) var lastInDoubt: UInt64?
  /// A bug put in on purpose.
  public var plant: Plant? {
    didSet {
      simulatedDisk.forgetsDataSyncs = plant == .forgetSync
      simulatedDisk.forgetsDirectorySyncs = plant == .forgetDirectorySync
    }
  }

  var random: SeededGenerator
  var writer: SimulatedWriter?
  var reader: SimulatedReader?
  var nextConnection: ConnectionID = 1
  var isReloadAsked = false
  var lastFailed: UInt64?
  /// What the engine wants done, until its place in the turn.
  var wanted: [Output] = []
  /// What came into the daemon since it started, and what came of it.
  public internal(set) var recording: Recording?

  public convenience init(_ options: Options = Options()) {
    self.init(
      options, disk: MemoryDisk(seed: options.seed ^ 0xd15c),
      machine: SimulatedMachine(realtime: options.realtime))
  }

  private init(_ options: Options, disk: MemoryDisk, machine: SimulatedMachine) {
    self.options = options
    random = SeededGenerator(seed: options.seed)
    self.disk = disk
    simulatedDisk = SimulatedDisk(disk)
    self.machine = machine
    configuration = .success(options.configuration)
  }

  /// Another world with a copy of this one's disk, as after a kill: what happens there does not
  /// happen here.
  public func twin(seed: UInt64) -> World {
    World(options, disk: disk.copy(seed: seed), machine: machine)
  }

  /// Root is an admin; 1000 reads and writes, 1001 reads, 1002 may nothing.
  public static var configuration: Configuration {
    var configuration = Configuration()
    configuration.daemonUser = 990
    configuration.write.users = [1000]
    configuration.read.users = [1001]
    configuration.admin.users = [1003]
    configuration.version = "1"
    return configuration
  }

  /// Whether the daemon runs.
  public var isRunning: Bool { engine != nil }

  // MARK: Start and end

  /// Starts the daemon on what is on the disk.
  ///
  /// - Throws: why the log cannot be opened.
  public func start() throws(LogError) {
    precondition(engine == nil, "a daemon runs already")
    let engine = try makeEngine()
    self.engine = engine
    recording = options.isRecorded ? Recording() : nil
    step(
      .started(
        machine.reading, options.role, seed: UUIDBits(high: options.seed, low: 0x5eed)), engine)
    importShop(into: engine)
    step(.end, engine)
    finishTurn(engine)
    settle()
  }

  /// Gives what was recorded of another world's daemon to one on this world's disk, which was as
  /// that one's; how it differs, nil for not at all.
  public func replay(_ recording: Recording) throws(LogError) -> String? {
    recording.replay(on: try makeEngine()) { importShop(into: $0) }
  }

  private func makeEngine() throws(LogError) -> Engine {
    let recovered = try Recovery.open(
      simulatedDisk, settings: options.settings,
      newIdentity: LogIdentity(low: options.seed, high: 0x10e))
    recoveryNotices = recovered.notices
    if let sweep = recovered.state.state.sweeps.first, sweep.fact.succeeded + sweep.fact.failed > 0
    {
      resumedSweepCount += 1
    }
    exitStatus = nil
    status = ""
    wake = nil
    durableSequence = recovered.index.lastSequence
    recoveredSequence = durableSequence
    writer = SimulatedWriter(
      files: recovered.files, spareCount: options.settings.spareCount)
    reader = SimulatedReader(
      runner: ReadRunner(disk: simulatedDisk, index: recovered.index, settings: options.settings))
    let configuration = (try? self.configuration.get()) ?? options.configuration
    return Engine(
      recovered.state, configuration: configuration,
      boot: plant == .forgetBoot ? UUIDBits(high: 0xb007, low: 1) : machine.boot,
      signing: options.signing)
  }

  /// What the shop's file is called.
  static let shopName = "shop.storekit"

  private func importShop(into engine: Engine) {
    do {
      if let shop = options.shop {
        _ = try engine.importCatalogue(
          source: Self.shopName, text: shop.storekitText, switches: options.switches)
      }
      if let clock = options.clock {
        _ = try engine.createDefaultClock(at: Instant(milliseconds: clock))
      }
    } catch {
      preconditionFailure("the simulated shop was refused: \(error)")
    }
  }

  /// The process dies at once; what it wrote stays with the kernel.
  public func kill() {
    abandon()
    disk.kill()
  }

  /// The machine loses its power: what was not synced is there, torn or gone.
  public func losePower() {
    finishWriteHalfway()
    abandon()
    disk.losePower()
  }

  private func abandon() {
    lastInDoubt = writer?.batch?.lastSequence ?? lastFailed
    lastFailed = nil
    engine = nil
    wanted = []
    writer = nil
    reader = nil
    isReloadAsked = false
    for client in clients { client.end() }
  }

  /// A batch under way may have got anywhere when the power goes.
  private func finishWriteHalfway() {
    guard let batch = writer?.batch, Bool.random(using: &random) else { return }
    let operation = disk.operationCount + Int.random(in: 0...6, using: &random)
    disk.faults.failures[operation] = DiskError.codeInputOutput
    _ = writer?.perform(batch)
    disk.faults.failures[operation] = nil
  }

  /// Kills the daemon and starts it again.
  public func restart() throws(LogError) {
    kill()
    try start()
  }

  /// Asks the daemon to stop, as SIGTERM does, and lets it leave.
  public func stop() {
    guard let engine else { return }
    for input in [Input.turn(machine.reading), .stop, .end] { step(input, engine) }
    finishTurn(engine)
    while exitStatus == nil, self.engine != nil {
      machine.pass(Limits.stopMilliseconds)
      turn()
    }
    try? writer?.files.close()
    kill()
  }
}
