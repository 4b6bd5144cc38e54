import AppStore
import Contract
import Subscriptions

/// `Store.Submit` and `Store.Link`: what the App Store signed, and whose it is.
extension Engine {
  func submit(_ asked: StoreInterface.Submit, _ call: CallContext) throws(Refusal) -> Outcome {
    let command = try fact(asked.signed, account: try Checked.account(asked.account))
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      answerReplay(call.session, command, events[0])
      return .answered
    case .new(let fingerprint):
      return try take(command, call, fingerprint: fingerprint)
    }
  }

  private func fact(_ text: String, account: [UInt8]?) throws(Refusal) -> IngestCommand {
    guard !signing.rootCertificates.isEmpty else { throw .noTrustRoot }
    let reader = FactReader(
      signing: signing, bundleID: configuration.bundleID, appAppleID: configuration.appAppleID,
      now: Instant(milliseconds: reading.realtime))
    do throws(VerificationFailure) {
      return try reader.command(text, account: account)
    } catch {
      throw .verification("\(error.code): \(error)")
    }
  }

  private func take(
    _ command: IngestCommand, _ call: CallContext, fingerprint: UInt64
  ) throws(Refusal) -> Outcome {
    let chain = chain(of: command)
    try claimSpace(
      // What was read of it beside the signed text is no longer than that.
      Limits.commandBytesMax + 2 * command.signed.count + linkBytes(of: chain),
      records: Limits.ingestEventsMax, from: .ordinary)
    if let chain, chain.account != noNumber { catchUp(chain.account) }
    let decision = try decide(.ingest(command))
    let events = decision.events
    let moved = events.firstIndex { $0.fact.kind == .appStore(.unlinked) }
    let movedFrom = moved.map { events[$0].fact.account } ?? noNumber
    guard case .duplicate(let first)? = decision.ingest else {
      let sequence = try commit(decision, from: call, fingerprint: fingerprint).last
      answerSubmit(
        call.session, command, duplicate: false, movedFrom: movedFrom, sequence: sequence)
      return .answered
    }
    // A repeat that moves a line is remembered by the event that says whose it was.
    var sequence = try commit(
      events, from: call, main: moved ?? events.count - 1, fingerprint: fingerprint)
    duplicateCount += 1
    if events.isEmpty { sequence = first == 0 ? ownSequence(of: command) : first }
    answerSubmit(
      call.session, command, duplicate: true, movedFrom: movedFrom, sequence: sequence)
    return .answered
  }

  /// The first answer again, from the event that has the request's id.
  private func answerReplay(
    _ session: Session, _ command: IngestCommand, _ stored: StoredEvent
  ) {
    var movedFrom = noNumber
    var sequence = stored.sequence
    if case .appStore(.ingested(let fact)) = stored.event.fact { movedFrom = fact.movedFrom }
    if case .appStore(.unlinked(let fact)) = stored.event.fact {
      movedFrom = fact.account
      // The line comes to its new account right behind.
      sequence += 1
    }
    answerSubmit(
      session, command, duplicate: stored.event.fact.kind != .appStore(.ingested),
      movedFrom: movedFrom,
      sequence: sequence)
  }

  /// The daemon's own environment.
  var home: StoreEnvironment {
    StoreEnvironment(wireName: configuration.environment) ?? .sandbox
  }

  private func chain(of command: IngestCommand) -> AppleChain? {
    command.originalID.flatMap {
      state.apple.chain(ChainKey(environment: command.environment, originalID: $0))
    }
  }

  /// What linking a chain takes in the log, where it may have to be.
  private func linkBytes(of chain: AppleChain?) -> Int {
    guard let chain else { return 0 }
    return chain.versions.reduce(chain.renewal?.fields?.byteCount ?? 0) {
      $0 + Limits.versionBytesMax + ($1.fields?.byteCount ?? 0)
    }
  }

  /// The newest event of the account to which the store sold what a fact tells it of.
  private func ownSequence(of command: IngestCommand) -> UInt64 {
    guard let id = command.originalID, let line = state.line(originalID: id) else {
      return durable
    }
    return sequence(of: state.lines[Int(line)].account)
  }

  private func answerSubmit(
    _ session: Session, _ command: IngestCommand, duplicate: Bool, movedFrom: AccountNumber,
    sequence: UInt64
  ) {
    answer(
      session, after: sequence,
      SubmitAnswer {
        $0.kind = Contract.SubmittedKind(rawValue: command.kind.wireName)
        $0.transactionID = command.transaction.map { String($0.id) }
        $0.isDuplicate = duplicate
        if movedFrom != noNumber { $0.movedFrom = state.name(of: movedFrom) }
        $0.sequence = Int64(sequence)
        $0.missing = command.missing
      })
  }

  // MARK: Link

  func link(_ asked: StoreInterface.Link, _ call: CallContext) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let id = try Checked.transactionID(asked.originalID, "originalTransactionId")
    return try change(call) { fingerprint throws(Refusal) in
      let chain = StoreEnvironment.allCases.lazy.compactMap {
        self.state.apple.chain(ChainKey(environment: $0, originalID: id))
      }.max { $0.versions.count < $1.versions.count }
      try claimSpace(
        Limits.commandBytesMax + linkBytes(of: chain), records: Limits.ingestEventsMax,
        from: .ordinary)
      if let chain, chain.account != noNumber { catchUp(chain.account) }
      return try carryOut(.link(account: key, originalID: id), call, fingerprint: fingerprint)
        .change(orStanding: sequence(ofKey: key))
    }
  }
}

extension SubmittedKind {
  var wireName: String {
    switch self {
    case .transaction: "transaction"
    case .renewalInfo: "renewalInfo"
    case .notification: "notification"
    }
  }
}
