import JSON
import Varlink

/// Writing replies, and holding them until what they say is durable.
extension Engine {
  /// Appends what `body` writes to the connection's output. It leaves once `sequence` is durable,
  /// and never before an earlier reply. A oneway call gets none.
  func reply(
    to session: Session, after sequence: UInt64, _ body: (inout JSONWriter) -> Void
  ) {
    guard !session.isMute else { return }
    var writer = JSONWriter(appendingTo: session.output)
    session.output = []
    let start = writer.bytes.count
    body(&writer)
    if writer.bytes.count - start > VarlinkLimits.replyBytesMax {
      writer.truncate(to: start)
      Refusal.limit("a reply is at most \(VarlinkLimits.replyBytesMax) bytes; ask for less")
        .write(into: &writer)
    }
    session.output = writer.take()
    if session.holds.isEmpty, sequence <= durable {
      session.released = session.output.count
    } else {
      session.holds.append(Session.Hold(end: session.output.count, sequence: sequence))
    }
    markDirty(session)
  }

  /// Answers with what a method answers.
  func answer(_ session: Session, after sequence: UInt64, _ answer: some Coded) {
    reply(to: session, after: sequence) { VarlinkReply.write(&$0, answer) }
  }

  /// Refuses a call. A refusal says nothing of the log and waits for nothing but its turn.
  func refuse(_ session: Session, _ refusal: Refusal) {
    reply(to: session, after: 0) { refusal.write(into: &$0) }
    if case .malformed = refusal { close(session) }
  }

  /// Takes no more calls; the connection ends when its output has gone.
  func close(_ session: Session) {
    session.isClosing = true
    if session.unsentBytes == 0 {
      outputs.append(.close(session.id))
    } else {
      markDirty(session)
    }
  }

  /// Lets go what has become durable.
  func releaseReplies() {
    for id in order {
      guard let session = sessions[id], !session.holds.isEmpty else { continue }
      var count = 0
      while count < session.holds.count, session.holds[count].sequence <= durable {
        session.released = session.holds[count].end
        count += 1
      }
      guard count > 0 else { continue }
      session.holds.removeFirst(count)
      markDirty(session)
    }
  }

  /// The log has failed: every held reply becomes `LogFailed`, since nobody knows what of it will
  /// be found again.
  func failReplies() {
    for id in order {
      guard let session = sessions[id] else { continue }
      let held = session.holds.count
      session.holds.removeAll()
      session.output.removeSubrange(session.released..<session.output.count)
      let isWaiting = !session.isServing && !session.isMute
      session.isMute = false
      for _ in 0..<held { refuse(session, .logFailed) }
      if isWaiting { refuse(session, .logFailed) }
      session.mode = .serving
      close(session)
    }
  }
}
