import Engine
import EventLog
import Glibc

/// From a locked log to a loop in service.
extension Daemon {
  mutating func run(in directory: StateDirectory) throws(StartFailure) -> ExitStatus {
    let settings = directory.logSettings
    let disk = try openDisk(directory.path)
    let recovered = try recover(disk, settings)
    let isRecord = try role(of: recovered.state)
    if let fault = options.configuration.fault(in: recovered.state.identity) {
      throw .configuration(ConfigurationError(fault))
    }
    let signing = try openSigning(disk, directory, try roots(isRecord: isRecord))
    let engine = try makeEngine(recovered.state, signing, isRecord: isRecord)
    let listeners = try openListeners()
    do throws(SystemError) {
      let waker = try Waker(isBlocking: false)
      let writer = try WriterThread(loop: waker)
      let reader = try ReaderThread(loop: waker)
      try reader.start(ReadRunner(disk: disk, index: recovered.index, settings: settings))
      try writer.start(recovered.files, spareCount: settings.spareCount)
      let loop = try EventLoop(
        engine: engine, writer: writer, reader: reader, waker: waker, journal: journal,
        manager: manager, listeners: listeners, connectionsMax: Self.raiseDescriptorLimit(),
        clockFile: options.clockFile.map { ClockFile(path: $0) },
        readConfiguration: readAgain, announce: announce)
      let status = try loop.run()
      loop.leave()
      return ExitStatus(rawValue: status) ?? .fault
    } catch {
      for listener in listeners { listener.close() }
      throw .system(error)
    }
  }

  private func openDisk(_ path: String) throws(StartFailure) -> FileDisk {
    do throws(DiskError) {
      return try FileDisk(path: path)
    } catch {
      throw .configuration(
        ConfigurationError(
          "the state directory \(path) cannot be opened: \(SystemError(code: error.code))"))
    }
  }

  /// What recovery says of the file of keys, which lies beside the log and is none of its files.
  private static let ofKeys = LogNotice.unknownFile(AuthorityFile.name).description

  /// Locks the log, reads it back and says meanwhile how far it is.
  private func recover(
    _ disk: FileDisk, _ settings: LogSettings
  ) throws(StartFailure) -> Recovered<FileDisk> {
    let identity = LogIdentity(
      low: MachineClock.randomNumber(), high: MachineClock.randomNumber())
    do throws(LogError) {
      let manager = manager
      let recovered = try Recovery.open(disk, settings: settings, newIdentity: identity) { done in
        manager.starting(status: "replaying · \(Self.grouped(done)) events so far")
      }
      for notice in recovered.notices where notice != Self.ofKeys {
        journal.send(Notice(.recovery, .warning, notice))
      }
      return recovered
    } catch {
      throw .log(error)
    }
  }

  /// A number with commas between its thousands.
  static func grouped(_ number: UInt64) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// What the log is for: its first event says so, and before that the options do.
  private func role(of state: RecoveredState) throws(StartFailure) -> Bool {
    guard let known = state.isRecord else { return options.role?.isRecord ?? false }
    guard let wanted = options.role, wanted.isRecord != known else { return known }
    throw .configuration(
      ConfigurationError(
        wanted.origin, OptionName.role.rawValue,
        "the log was made for the role \(known ? "record" : "store"), and keeps it"))
  }

  /// The roots that a record trusts; nil for a store, which trusts its own.
  private func roots(isRecord: Bool) throws(StartFailure) -> [[UInt8]]? {
    guard isRecord else {
      guard let setting = options.rootCertificates.first else { return nil }
      throw .configuration(
        ConfigurationError(
          setting.origin, OptionName.rootCertificate.rawValue,
          "a store believes its own root alone; a log of the role record takes others"))
    }
    var found: [[UInt8]] = []
    for setting in options.rootCertificates {
      do throws(ConfigurationError) {
        found += try certificates(setting)
      } catch {
        throw .configuration(error)
      }
    }
    return found
  }

  private func certificates(_ setting: Setting) throws(ConfigurationError) -> [[UInt8]] {
    func wrong(_ message: String) -> ConfigurationError {
      ConfigurationError(
        setting.origin, OptionName.rootCertificate.rawValue, "\(setting.value): \(message)")
    }
    let file: [UInt8]
    do throws(SystemError) {
      file = try readFile(setting.value, byteCountMax: Limits.certificateFileByteCountMax)
    } catch {
      throw wrong("cannot be read: \(error)")
    }
    do throws(SigningError) {
      return try authority.certificates(file: file)
    } catch {
      throw wrong(error.message)
    }
  }

  /// The keys of the log's folder, made now where it has none. A log that is thrown away leaves
  /// none behind.
  private func openSigning(
    _ disk: FileDisk, _ directory: StateDirectory, _ roots: [[UInt8]]?
  ) throws(StartFailure) -> Signing {
    do throws(SigningError) {
      let file =
        directory.isEphemeral
        ? try authority.makeFile() : try AuthorityFile.contents(on: disk, authority)
      return try authority.signing(file: file, trusting: roots)
    } catch {
      throw .configuration(
        ConfigurationError("\(directory.path)/\(AuthorityFile.name): \(error.message)"))
    }
  }

  /// The engine with all that the options want in its log: its first event, catalogues, a clock.
  private func makeEngine(
    _ state: RecoveredState, _ signing: Signing, isRecord: Bool
  ) throws(StartFailure) -> Engine {
    let boot = MachineClock.bootIdentity()
    let engine = Engine(
      state, configuration: options.configuration, boot: .init(high: boot.high, low: boot.low),
      signing: signing)
    _ = engine.step(
      .started(
        MachineClock.reading(), isRecord ? .record : .store,
        seed: .init(high: MachineClock.randomNumber(), low: MachineClock.randomNumber())))
    do throws(ConfigurationError) {
      for file in options.catalogueSettings {
        for notice in file.settings.notices {
          journal.send(Notice(.configuration, .notice, "\(file.path): \(notice)"))
        }
      }
      for path in options.catalogues { try importCatalogue(path, into: engine) }
      try makeClock(in: engine)
    } catch {
      throw .configuration(error)
    }
    return engine
  }

  private func importCatalogue(
    _ path: String, into engine: Engine
  ) throws(ConfigurationError) {
    let text = try catalogueText(path)
    // A file is known by its name alone, so that the same one from another folder is no other.
    let source = path.split(separator: "/").last.map(String.init) ?? path
    let switches = options.catalogueSettings.first { $0.path == path }?.settings.switches ?? []
    do {
      let (result, kept) = try engine.importCatalogue(
        source: source, text: text, switches: switches)
      tell(kept: kept, of: path, isRecord: engine.isRecord)
      for notice in result.notices {
        journal.send(Notice(.catalogue, .notice, "\(path): \(notice)"))
      }
      guard !result.isUnchanged else { return }
      journal.send(
        Notice(.catalogue, .info, "\(path): \(result.products) products are on sale"))
    } catch {
      guard case .catalogueInvalid(let place, let reason) = error else {
        throw ConfigurationError("the catalogue \(path) was refused: \(error)")
      }
      throw ConfigurationError("the catalogue \(path) is wrong at \(place): \(reason)")
    }
  }

  private func tell(kept: [StartSwitch], of path: String, isRecord: Bool) {
    guard !kept.isEmpty else { return }
    let names = kept.map(\.description).joined(separator: ", ")
    let reason =
      isRecord
      ? "a record sells nothing" : "the log has the catalogue already and keeps its switches"
    journal.send(
      Notice(.configuration, .notice, "\(path): its \(names) has no effect: \(reason)"))
  }

  private func catalogueText(_ path: String) throws(ConfigurationError) -> [UInt8] {
    if path == Self.builtInCatalogue { return Engine.builtInCatalogue }
    do throws(SystemError) {
      return try readFile(path, byteCountMax: Limits.catalogueByteCountMax)
    } catch {
      throw ConfigurationError("the catalogue \(path) cannot be read: \(error)")
    }
  }

  /// The name by which `--catalog` asks for the catalogue that comes with the daemon.
  static let builtInCatalogue = "builtin:"

  private func makeClock(in engine: Engine) throws(ConfigurationError) {
    guard let time = options.clock else { return }
    do {
      if try engine.createDefaultClock(at: .init(milliseconds: time)) { return }
    } catch {
      throw ConfigurationError("--clock: the clock was refused: \(error)")
    }
    journal.send(
      Notice(
        .configuration, .notice,
        "--clock has no effect: the log has its clock 'default' already and keeps its time"))
  }

  /// The service manager's sockets if it has any for us, else our own.
  private func openListeners() throws(StartFailure) -> [ListeningSocket] {
    do throws(ConfigurationError) {
      let inherited = try ListeningSocket.inherited()
      guard inherited.isEmpty else { return inherited }
      return [
        try ListeningSocket(
          path: options.socketPath, mode: options.socketMode,
          group: options.configuration.socketGroup)
      ]
    } catch {
      throw .configuration(error)
    }
  }

  /// As many descriptors as we may have, and how many of them may be connections.
  private static func raiseDescriptorLimit() throws(SystemError) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last }
    if limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last }
    }
    let room = Int(clamping: limit.rlim_cur) - Limits.otherDescriptors
    return max(Limits.connectionsReserved + 1, min(Limits.connectionsMax, room))
  }

  /// The configuration as its files have it now.
  private func readAgain() -> Result<Configuration, ConfigurationError> {
    do throws(ConfigurationError) {
      let new = try DaemonOptions(commandLine)
      for option in OptionName.allCases where new.fixed[option] != options.fixed[option] {
        journal.send(
          Notice(
            .configuration, .notice,
            "\(option.rawValue) has changed and takes effect at the next start"))
      }
      // The socket's file stays its group's.
      var configuration = new.configuration
      configuration.socketGroup = options.configuration.socketGroup
      return .success(configuration)
    } catch {
      return .failure(error)
    }
  }

  /// Tells whoever started us without a service manager.
  private func announce() throws(SystemError) {
    guard let descriptor = options.readyDescriptor else { return }
    do throws(SystemError) {
      try writeAll("READY=1\n", to: descriptor)
    } catch {
      // Whoever asked has gone; the daemon's clients have not.
      guard error.code == EPIPE else { throw error }
    }
    close(descriptor)
  }
}
