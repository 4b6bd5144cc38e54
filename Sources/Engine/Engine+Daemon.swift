import Contract
import Subscriptions

/// Why a new configuration is refused: a sentence with file and line.
public struct ReloadFailure: Error, Equatable, Sendable {
  public var message: String

  public init(message: String) {
    self.message = message
  }
}

/// `org.renewd.Daemon`, and the daemon's own beginning and end.
extension Engine {
  // MARK: The beginning

  /// The first turn: a new log is given its first event, which fixes its role for good.
  func start(_ reading: ClockReading, role: Role, seed: UUIDBits) {
    beginTurn(reading)
    adoptIdentity()
    guard state.sequence == 0 else { return }
    let environment = StoreEnvironment(wireName: configuration.environment)
    let identity = environment.map {
      StoreIdentity(
        bundleID: configuration.bundleID, environment: $0, appAppleID: configuration.appAppleID)
    }
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .log(
          .logCreated(
            role: role, seed: seed, identity: role == .store ? identity : nil))))
  }

  /// A store signs as its log was made to.
  private func adoptIdentity() {
    guard let identity = state.identity else { return }
    configuration.bundleID = identity.bundleID
    configuration.environment = identity.environment.wireName
    configuration.appAppleID = identity.appAppleID
  }

  /// Whether the log keeps what others signed, and sells nothing.
  public var isRecord: Bool { state.role == .record }

  /// Makes the test clock on which accounts live by default. False where the log has it already.
  public func createDefaultClock(at time: Instant) throws(Rejection) -> Bool {
    guard state.clock(named: Clock.defaultName) == nil else { return false }
    let decision = try state.decide(
      .createClock(name: Clock.defaultName, at: time), Moment(configuration.policies))
    for event in decision.events { commit(event) }
    return true
  }

  func describeDaemon(_ asked: DaemonInterface.Describe, _ call: CallContext) -> Outcome {
    answer(
      call.session, after: 0,
      DaemonDescription {
        $0.version = configuration.version
        $0.role = DaemonRole(rawValue: state.role.wireName)
        $0.environment = configuration.environment
        $0.bundleID = configuration.bundleID
        $0.status = statusText
        $0.sequence = Int64(durable)
        $0.options = options
      })
    return .answered
  }

  private var options: [DaemonOption] {
    configuration.options.map { option in
      DaemonOption {
        $0.name = option.name
        $0.value = option.value
        $0.origin = option.origin
      }
    }
  }

  // MARK: Reload

  func reload(_ asked: DaemonInterface.Reload, _ call: CallContext) -> Outcome {
    call.session.mode = .reloading
    outputs.append(.reload)
    return .waiting
  }

  /// The configuration was read again. A wrong one changes nothing.
  func reloaded(_ read: Result<Configuration, ReloadFailure>) {
    var result = read
    if case .success(let new) = read, let fault = new.fault(in: state.identity) {
      result = .failure(ReloadFailure(message: fault))
    }
    switch result {
    case .success(let new):
      configuration = new
      adoptIdentity()
      books.adopt(new.policies)
      for id in order {
        if let session = sessions[id] { session.roles = new.roles(of: session.peer) }
      }
      outputs.append(.notice(Notice(.reloaded, .notice, "the configuration was read again")))
    case .failure(let failure):
      outputs.append(
        .notice(
          Notice(
            .reloadRefused, .error, "the configuration stays as it was: \(failure.message)")))
    }
    for id in order {
      guard let session = sessions[id], case .reloading = session.mode else { continue }
      session.mode = .serving
      switch result {
      case .success:
        answer(session, after: 0, ReloadAnswer { $0.options = options })
      case .failure(let failure):
        refuse(session, .value("configuration", failure.message))
      }
      session.isMute = false
      addBacklog(session)
    }
  }

  // MARK: The end

  /// Begins to leave: watches get their last reply, calls that wait are refused, and calls of
  /// connections already taken are still answered until those fall silent.
  func stop() {
    guard stoppedAt == nil else { return }
    stoppedAt = reading.boottime
    outputs.append(.notice(Notice(.stopping, .info, "stopping")))
    endWatches()
    for id in order {
      guard let session = sessions[id] else { continue }
      switch session.mode {
      case .serving:
        break
      case .reading, .advancing, .sweeping, .reloading, .watching:
        session.mode = .serving
        forgetReads(of: session.id)
        refuse(session, .limit("the daemon is stopping"))
        close(session)
      }
    }
  }

  var isStopping: Bool { stoppedAt != nil }

  /// Leaves once nobody says anything any more and everything accepted is durable.
  func finishStopping() {
    guard let stoppedAt, !isFailed, !hasExited else { return }
    let elapsed = reading.boottime - stoppedAt
    let isLate = elapsed >= Limits.stopMilliseconds
    for id in order {
      guard let session = sessions[id], !session.isClosing, session.unsentBytes == 0,
        isLate || reading.boottime - session.activeAt >= Limits.idleWhenStoppingMilliseconds
      else { continue }
      close(session)
    }
    guard sessions.isEmpty || isLate else { return }
    guard !isWriting, appender.openRecordCount == 0, appender.sealedCount == 0 else { return }
    exit(0)
  }
}
