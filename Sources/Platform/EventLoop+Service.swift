import CLinux
import Engine
import Glibc

/// Connecting, reloading, stopping, and telling the watchdog.
extension EventLoop {
  /// Takes new connections, some at a time.
  func accept(_ listener: Int32) throws(SystemError) {
    guard !isStopping else { return }
    for _ in 0..<Limits.acceptsPerTurnMax {
      let socket = clinux_accept(listener)
      if socket >= 0 {
        admit(socket)
        continue
      }
      switch errno {
      case EAGAIN: return
      case EINTR, ECONNABORTED: continue
      default:
        // Out of descriptors or memory: those connected go on, the others wait in the backlog.
        refuse("no connection can be taken: \(SystemError.last)")
        acceptPausedUntil = boottime + Limits.acceptPauseMilliseconds
        try sources.setListening(false)
        return
      }
    }
  }

  /// Takes a connection whose peer is known and that is within the limits; closes any other.
  private func admit(_ socket: Int32) {
    do throws(SystemError) {
      let peer = try PeerIdentity.read(socket)
      let isPrivileged = peer.uid == 0 || peer.uid == geteuid()
      if let reason = connections.refusal(uid: peer.uid, isPrivileged: isPrivileged) {
        close(socket)
        refuse("a connection of user \(peer.uid) was refused: \(reason)")
        return
      }
      let id = try connections.add(socket, uid: peer.uid, boottime: boottime)
      step(.connected(id, peer))
    } catch {
      close(socket)
      refuse("a connection could not be taken: \(error)")
    }
  }

  private func refuse(_ message: String) {
    if let text = refusals.next(message, at: boottime) {
      journal.send(Notice(.connectionRefused, .warning, text))
    }
  }

  /// Reads the configuration again; the old one stays where the new one is wrong. The service
  /// manager is told in either case, or it would wait.
  func reload() {
    isReloadAsked = false
    manager.reloading()
    let result = readConfiguration().mapError { ReloadFailure(message: $0.message) }
    switch result {
    case .success: refusedConfiguration = nil
    case .failure(let failure): refusedConfiguration = failure.message
    }
    step(.reloaded(result))
    manager.reloaded(status: status)
  }

  /// Takes no more connections and lets the engine end what it has begun.
  func stop() throws(SystemError) {
    guard !isStopping else {
      // Asked twice: whoever asks does not want to wait for clients. Nothing is lost by it.
      exitStatus = 0
      return
    }
    isStopping = true
    manager.stopping()
    closeListeners()
    step(.stop)
  }

  /// Leaves the sockets and tells the service manager, if that has not been done.
  func leave() {
    manager.stopping()
    closeListeners()
  }

  private func closeListeners() {
    sources.removeListeners()
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// Pings only while the threads get on with their work; this one does, or it would not be here.
  func pingWatchdog() {
    guard writer.progress.isAlive(at: boottime), reader.progress.isAlive(at: boottime) else {
      return
    }
    manager.watchdog()
  }
}

/// Says at most now and then that connections are refused, and how many were in between.
struct RefusalNotices {
  private var last: Int64?
  private var unsaid = 0

  mutating func next(_ message: String, at boottime: Int64) -> String? {
    if let last, boottime - last < Limits.refusalNoticeMilliseconds {
      unsaid += 1
      return nil
    }
    defer {
      last = boottime
      unsaid = 0
    }
    return unsaid == 0 ? message : "\(message); \(unsaid) more were before"
  }
}
