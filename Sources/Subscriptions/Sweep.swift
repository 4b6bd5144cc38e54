/// A mass extension as it was asked for (Domain.md 1.11 and 3.5).
public struct MassExtension: Hashable, Sendable {
  public var days: Int32
  /// 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage.
  public var reason: UInt8
  /// The caller's name for it: the same again changes nothing.
  public var identifier: String
  /// Numbers in `Storefront.all`; empty for all of them.
  public var storefronts: [UInt16]

  public init(days: Int32, reason: UInt8, identifier: String, storefronts: [UInt16] = []) {
    self.days = days
    self.reason = reason
    self.identifier = identifier
    self.storefronts = storefronts
  }
}

/// What came of a mass extension.
public struct MassExtensionResult: Hashable, Sendable {
  public var product: ProductNumber
  public var succeeded: UInt64
  public var failed: UInt64
  /// The event that ended it, and its time.
  public var sequence: UInt64
  public var at: Instant
}

/// What an event says of a product: which of its fields count is the kind's to say.
public struct ProductFact: Hashable, Sendable {
  public var product: ProductNumber
  /// Milliunits.
  public var price: Int64
  public var needsConsent: Bool
  public var `extension`: MassExtension?
  /// Lines that were reached, and lines that should have been and could not.
  public var succeeded: UInt64
  public var failed: UInt64

  public init(
    product: ProductNumber, price: Int64 = 0, needsConsent: Bool = false,
    extension: MassExtension? = nil, succeeded: UInt64 = 0, failed: UInt64 = 0
  ) {
    self.product = product
    self.price = price
    self.needsConsent = needsConsent
    self.extension = `extension`
    self.succeeded = succeeded
    self.failed = failed
  }
}

/// A change that reaches many lines under way: an event began it, each line that it reaches gets
/// an event of its own, since that line's account, history and watches must hear of it, and one
/// more event ends it. It goes over the lines in their order; those that begin meanwhile are not
/// meant. While one is under way nothing falls due, so that it is as if all happened at once; a
/// restart goes on behind the last line that was told.
public struct Sweep: Hashable, Sendable {
  /// The kind that began it: `priceIncreaseAnnounced` or `massExtensionStarted`.
  public var kind: ProductKind
  public var fact: ProductFact
  public var nextLine: LineNumber
  /// The first line that was not there when it began.
  public var endLine: LineNumber
  /// Who asked for it.
  public var caller: Caller?
  public var sequence: UInt64
}

extension State {
  /// The next event of the sweep under way: of at most `count` lines, from where it stands, the
  /// first that it reaches. `next` is where to go on; the sweep is over where that is its end and
  /// there is no event.
  public func decideSweepStep(
    atMost count: Int, policies: Policies
  ) -> (event: LineEvent?, next: LineNumber)? {
    guard let sweep = facts.sweeps.first else { return nil }
    var number = max(sweep.nextLine, facts.firstLiveLine)
    let end = min(Int(sweep.endLine), Int(number) + count)
    while Int(number) < end {
      // Another store's lines are not this one's to change.
      guard facts.lines[Int(number)].origin == .store else {
        number += 1
        continue
      }
      let event =
        sweep.kind == .priceIncreaseAnnounced
        ? increase(sweep.fact, of: number, policies: policies)
        : massExtension(sweep.fact, of: number, policies: policies)
      number += 1
      if let event { return (event, number) }
    }
    return (nil, number)
  }

  /// Goes on behind lines that the sweep under way does not reach: without an event, since a
  /// restart passes over them again.
  public func moveSweep(to line: LineNumber) {
    facts.sweeps[0].nextLine = max(facts.sweeps[0].nextLine, line)
  }

  /// Whether the sweep under way has passed over all its lines.
  public var isSweepDone: Bool {
    guard let sweep = facts.sweeps.first else { return false }
    return max(sweep.nextLine, facts.firstLiveLine) >= sweep.endLine
  }

  /// The event that ends the sweep under way. It carries the sweep's caller, so that the request
  /// is answered alike when it is asked again.
  func decideSweepEnd() -> Event {
    let sweep = facts.sweeps[0]
    return Event(
      at: facts.clocks[Int(Clock.system)].now, clock: Clock.system, caller: sweep.caller,
      fact: .product(
        sweep.kind == .priceIncreaseAnnounced ? .priceIncreaseCompleted : .massExtensionCompleted,
        sweep.fact))
  }

  // MARK: The fold

  /// Takes note of an event that nobody asked for; true where it is one of a sweep.
  func noteSweep(_ fact: borrowing Fact) -> Bool {
    guard !facts.sweeps.isEmpty, case .line(let kind, let line) = copy fact else { return false }
    return noteSweep(kind, line)
  }

  func noteSweep(_ kind: LineKind, _ fact: LineFact) -> Bool {
    guard !facts.sweeps.isEmpty else { return false }
    guard kind == .priceIncreased || kind == .renewalExtended || kind == .extensionFailed else {
      return false
    }
    // A family member's line goes with the purchaser's, wherever it stands among the lines.
    guard facts.lines[Int(fact.line)].transaction.ownership == .purchased else { return true }
    facts.sweeps[0].nextLine = max(facts.sweeps[0].nextLine, fact.line + 1)
    if kind == .extensionFailed {
      facts.sweeps[0].fact.failed += 1
    } else {
      facts.sweeps[0].fact.succeeded += 1
    }
    return true
  }

  /// The event that began a sweep has been folded; its caller is answered at the end.
  func noteCaller(_ caller: Caller?, of fact: ProductFact) {
    guard let last = facts.sweeps.indices.last, facts.sweeps[last].sequence == facts.sequence else {
      return
    }
    facts.sweeps[last].caller = caller
  }

  func applyProduct(_ kind: ProductKind, _ fact: ProductFact, at: Instant) {
    if kind == .priceIncreaseAnnounced {
      facts.products[Int(fact.product)].entry.price = fact.price
    }
    if kind == .priceIncreaseAnnounced || kind == .massExtensionStarted {
      facts.sweeps.append(
        Sweep(
          kind: kind, fact: fact, nextLine: facts.firstLiveLine,
          endLine: LineNumber(facts.lines.count),
          caller: nil, sequence: facts.sequence))
    } else if kind == .removedFromSale {
      facts.products[Int(fact.product)].isOnSale = false
      facts.products[Int(fact.product)].isWithdrawn = true
      noteWinBackOffers()
    } else if !facts.sweeps.isEmpty {
      facts.sweeps.removeFirst()
      guard kind == .massExtensionCompleted, let asked = fact.extension else { return }
      facts.massExtensions[asked.identifier] = MassExtensionResult(
        product: fact.product, succeeded: fact.succeeded, failed: fact.failed,
        sequence: facts.sequence, at: at)
    }
  }

  /// Keeps the newest two times at which a line was extended.
  func noteExtension(of line: LineNumber, at: Instant) {
    facts.extensions[line] =
      (facts.extensions[line] ?? []).suffix(Limits.extensionsInWindow - 1) + [at]
  }
}
