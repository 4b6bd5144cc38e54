import Contract
import Subscriptions

/// What reaches many subscriptions at once: price increases and mass extensions. Their call waits
/// until every line is told; the work is done in slices, and nothing else falls due meanwhile.
extension Engine {
  // MARK: The work

  /// One slice of the sweep under way. Waits while the writer is behind, or for space.
  func doSweepWork() {
    var budget = Limits.dueEventsPerTurn
    var sink = EngineSink(engine: self)
    while let end = books.sweep(atMost: &budget, into: &sink) {
      guard case .product(let kind, let fact) = end.event.fact else { continue }
      for id in order {
        guard let session = sessions[id], case .sweeping(end.start) = session.mode else {
          continue
        }
        session.mode = .serving
        answerSweep(session, kind, fact, sequence: end.sequence)
        session.isMute = false
        addBacklog(session)
      }
    }
  }

  private func answerSweep(
    _ session: Session, _ kind: ProductKind, _ fact: ProductFact, sequence: UInt64
  ) {
    if kind == .priceIncreaseCompleted {
      answer(
        session, after: sequence,
        PriceIncreaseAnswer {
          $0.subscriptions = Int64(fact.succeeded)
          $0.sequence = Int64(sequence)
        })
    } else {
      answer(
        session, after: sequence,
        MassExtensionAnswer {
          $0.requestIdentifier = fact.extension?.identifier ?? ""
          $0.productID = state.products[Int(fact.product)].entry.id
          $0.succeeded = Int64(fact.succeeded)
          $0.failed = Int64(fact.failed)
          $0.sequence = Int64(sequence)
        })
    }
  }

  /// Begins a sweep and lets its call wait for the end; a repeated call gets the first answer.
  private func sweep(
    _ call: CallContext, _ command: Command, otherwise: () -> Outcome
  ) throws(Refusal) -> Outcome {
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      let first = events[0]
      guard case .product(let kind, let fact) = first.event.fact else {
        throw .requestIDReused
      }
      if state.sweeps.contains(where: { $0.sequence == first.sequence }) {
        call.session.mode = .sweeping(first.sequence)
        return .waiting
      }
      answerSweep(call.session, kind, fact, sequence: first.sequence)
      return .answered
    case .new(let fingerprint):
      try claimSpace(from: .ordinary)
      let decision = try decide(command)
      guard !decision.events.isEmpty else { return otherwise() }
      let done = try commit(decision, from: call, fingerprint: fingerprint)
      call.session.mode = .sweeping(done.sequence)
      return .waiting
    }
  }

  // MARK: The calls

  func announcePriceIncrease(
    _ asked: TestingInterface.AnnouncePriceIncrease, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let command = Command.increasePrice(
      productID: asked.productID, price: asked.price, needsConsent: asked.consent)
    return try sweep(call, command) {
      preconditionFailure("an increase is always an event")
    }
  }

  func extendAll(
    _ asked: TestingInterface.ExtendAll, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let identifier = asked.requestIdentifier
    let command = Command.extendAll(
      productID: asked.productID, days: asked.days, reason: asked.reason, identifier: identifier,
      storefronts: asked.storefronts)
    return try sweep(call, command) {
      if let running = state.sweeps.first(where: { $0.fact.extension?.identifier == identifier }) {
        call.session.mode = .sweeping(running.sequence)
        return .waiting
      }
      guard let result = state.massExtensions[identifier] else {
        preconditionFailure("a known extension is running or done")
      }
      let asked = MassExtension(days: 0, reason: 0, identifier: identifier)
      answerSweep(
        call.session, .massExtensionCompleted,
        ProductFact(
          product: result.product, extension: asked, succeeded: result.succeeded,
          failed: result.failed),
        sequence: result.sequence)
      return .answered
    }
  }

  func removeFromSale(
    _ asked: TestingInterface.RemoveFromSale, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try change(call) { fingerprint throws(Refusal) in
      try claimSpace(from: .ordinary)
      return try carryOut(
        .removeFromSale(productID: asked.productID), call, fingerprint: fingerprint
      ).change(orStanding: state.clocks[Int(Clock.system)].lastSequence)
    }
  }

  func consentToPriceIncrease(
    _ asked: TestingInterface.ConsentToPriceIncrease, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call, preferring: isAsked) { .consent($0) }
  }

  func declinePriceIncrease(
    _ asked: TestingInterface.DeclinePriceIncrease, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call, preferring: isAsked) { .declineIncrease($0) }
  }

  private func isAsked(_ line: Line, _ status: Status) -> Bool {
    status == .active && line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
  }

  func extend(_ asked: TestingInterface.Extend, _ call: CallContext) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call) { .extend($0, days: asked.days, reason: asked.reason) }
  }
}
