import Subscriptions

/// One sentence of an account's story.
public struct ExplainLine: Sendable, Hashable {
  /// The event told of, the first where one sentence tells of several; nil for where things stand.
  public var sequence: UInt64?
  /// The event's time on its clock, or the moment at which things stand so.
  public var at: Instant
  /// A whole sentence, its dates included: it needs nothing beside it to be understood.
  public var text: String
}

/// Tells the story of one account in plain sentences: what happened, oldest first, then where
/// each subscription and lasting purchase stands, why, and what will happen next. It reads events
/// and state and decides nothing.
public enum Explainer {
  /// - Parameters:
  ///   - events: the account's whole chain, oldest first, completed (`State.complete`).
  ///   - now: the time on the account's clock.
  ///   - rate: how fast subscriptions run now.
  public static func lines(
    events: [StoredEvent], state: State, terms: RenewalTerms, account: AccountNumber, now: Instant,
    environment: String, rate: Subscriptions.RenewalRate = .realTime
  ) -> [ExplainLine] {
    var story = AccountStory(state: state, terms: terms)
    for stored in events { story.tell(stored) }
    story.endRuns()
    let standing = AccountStanding(
      state: state, terms: terms, now: now, environment: environment, rate: rate,
      endings: story.endings)
    return story.lines
      + standing.sentences(of: account, history: story.history).map {
        ExplainLine(sequence: nil, at: now, text: $0)
      }
  }
}

/// The part of the story that has happened: takes in events, gives sentences.
struct AccountStory {
  let state: State
  let terms: RenewalTerms
  private(set) var history = AccountHistory()
  /// What was paid and given back so far.
  private(set) var ledger = Ledger()
  /// How each line ended, last: what a state alone does not tell.
  private(set) var endings: [LineNumber: Ending] = [:]
  /// The products of purchases that waited, by the id they waited under.
  private(set) var waited: [UInt64: ProductNumber] = [:]
  private(set) var lines: [ExplainLine] = []
  /// True once the account's first event has been told; a later one of its kind is a new token.
  private(set) var isOpen = false
  /// Events that may turn out to be many alike, not yet told.
  var runs: [Run] = []

  init(state: State, terms: RenewalTerms) {
    self.state = state
    self.terms = terms
  }

  /// Takes in the account's next event.
  mutating func tell(_ stored: StoredEvent) {
    let line = ExplainLine(
      sequence: stored.sequence, at: stored.event.at,
      text: sentence(stored.event, before: history) ?? "")
    let alike = likeness(of: stored.event)
    if let (number, ending) = ending(by: stored.event, before: history) {
      endings[number] = ending
    }
    if case .account(.purchasePending(let purchase)) = stored.event.fact {
      waited[purchase.id] = purchase.product
    }
    history.apply(stored.event)
    ledger.apply(stored.event, sequence: stored.sequence)
    isOpen = true
    guard !line.text.isEmpty else { return }
    guard let alike else {
      endRuns()
      lines.append(line)
      return
    }
    if let index = runs.lastIndex(where: { $0.likeness.strand == alike.strand }),
      runs[index].likeness == alike
    {
      runs[index].members.append(Run.Member(line: line, fact: stored.event.fact))
    } else {
      runs.append(Run(likeness: alike, members: [.init(line: line, fact: stored.event.fact)]))
    }
  }

  /// Tells what was held back: each event by itself where they are few, else all in one sentence.
  mutating func endRuns() {
    var told: [ExplainLine] = []
    for run in runs {
      if run.members.count <= Limits.explainAlikeMax {
        told += run.members.map(\.line)
      } else {
        told.append(summary(of: run))
      }
    }
    told.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    lines += told
    runs.removeAll()
  }
}

extension AccountStory {
  /// What makes two events alike enough to be told in one sentence.
  struct Likeness: Equatable {
    enum Kind: Equatable {
      case renewal(price: Int64, offer: AppliedOffer?, isForced: Bool)
      case finish
      case restore
    }

    /// Kinds of event of one line make runs side by side; restores, of one original transaction,
    /// which need not be a line's.
    enum Strand: Equatable {
      case renewals(LineNumber)
      case finishes(LineNumber)
      case restores(originalID: UInt64)
    }

    var strand: Strand
    var product: ProductNumber
    var kind: Kind
  }

  /// Events alike that came one after another, others of the kind in between left aside.
  struct Run {
    struct Member {
      var line: ExplainLine
      var fact: Fact
    }

    var likeness: Likeness
    var members: [Member]
  }

  private func likeness(of event: Event) -> Likeness? {
    if case .line(.renewed, let fact) = event.fact {
      // A renewal that another plan begins with is told by itself.
      let held = history.lines.first { $0.number == fact.line }?.line.transaction
      guard let transaction = fact.transaction, held?.product == transaction.product
      else { return nil }
      return Likeness(
        strand: .renewals(fact.line), product: transaction.product,
        kind: .renewal(
          price: transaction.price, offer: transaction.offer,
          isForced: isForced(transaction, line: fact.line, before: history)))
    }
    if case .account(.finished(_, let line, let id)) = event.fact {
      return history.entry(id: id).map {
        Likeness(strand: .finishes(line), product: $0.transaction.product, kind: .finish)
      }
    }
    return (event.fact.restored?.transaction).map(restoreLikeness)
  }

  private func restoreLikeness(_ transaction: Transaction) -> Likeness {
    Likeness(
      strand: .restores(originalID: transaction.originalID), product: transaction.product,
      kind: .restore)
  }

  private func summary(of run: Run) -> ExplainLine {
    let first = run.members[0].line
    let last = run.members[run.members.count - 1]
    let product = state.products[Int(run.likeness.product)].entry.id
    let span = "From \(first.at.rfc3339) to \(last.line.at.rfc3339)"
    let numbers = "#\(first.sequence ?? 0) to #\(last.line.sequence ?? 0)"
    var line = first
    switch run.likeness.kind {
    case .finish:
      line.text =
        "\(span) the app finished \(run.members.count) transactions of \(product) (\(numbers))."
    case .restore:
      let id = last.fact.restored?.transaction.id ?? 0
      line.text =
        "From \(first.at.rfc3339) on, the account restored \(product) \(run.members.count) times,"
        + " last on \(last.line.at.rfc3339); it is transaction \(id) since then, and nothing was"
        + " charged (\(numbers))."
    case .renewal(_, _, let isForced):
      var end = ""
      var price = ""
      if case .line(_, let fact) = last.fact, let transaction = fact.transaction {
        price = state.pricePhrase(of: transaction)
        end = transaction.expiresDate.rfc3339
      }
      line.text =
        "\(span) \(product) \(isForced ? "was renewed at once" : "renewed")"
        + " \(run.members.count) times, each time \(price);"
        + " the last of these periods runs until \(end) (\(numbers))."
    }
    return line
  }

  /// True where a renewal came before the period ended, or in billing trouble: only a test's
  /// command does that.
  func isForced(
    _ transaction: Transaction, line: LineNumber, before history: AccountHistory
  ) -> Bool {
    guard let held = history.lines.first(where: { $0.number == line }) else { return false }
    return transaction.purchaseDate < held.line.transaction.expiresDate
      || held.line.renewal.isInBillingRetry
  }
}
