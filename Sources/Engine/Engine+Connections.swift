/// What the shell asks about a connection whose client sends nothing more.
extension Engine {
  /// Whether an answer to the connection is still to be made, waits for the log, or has not been
  /// taken. A client may end its own side after its last call and still read.
  public func isOwing(_ id: ConnectionID) -> Bool {
    guard let session = sessions[id] else { return false }
    guard session.isServing else { return true }
    return session.unsentBytes > 0 || backlog.contains(id)
  }

  /// Whether part of a message has come and its rest has not.
  public func isAmidMessage(_ id: ConnectionID) -> Bool {
    guard let session = sessions[id], session.isServing else { return false }
    return session.framer.pendingBytes > 0 && session.unsentBytes == 0 && !backlog.contains(id)
  }
}
