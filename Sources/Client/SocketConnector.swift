import Glibc

/// Connects a socket, and tries again for a while when nobody listens yet.
struct SocketConnector {
  let address: SocketAddress
  let wait: Duration
  let interrupt: Interrupt?

  /// A connected socket, blocking, closed on exec.
  func connect() throws(TransportError) -> Int32 {
    let deadline = ContinuousClock.now + wait
    var pause: Duration = .milliseconds(1)
    while true {
      switch try attempt() {
      case .success(let descriptor): return descriptor
      case .failure(let failure):
        if failure.code == EACCES || failure.code == EPERM {
          throw .permissionDenied(address: address.text)
        }
        guard failure.isPassing else { throw .system(call: "connect", code: failure.code) }
        let left = deadline - .now
        guard left > .zero else {
          throw .unreachable(address: address.text, waited: wait, code: failure.code)
        }
        try Self.sleep(min(pause, left), interrupt: interrupt)
        pause = min(pause * 2, ClientLimits.retryPauseMax)
      }
    }
  }

  private struct Failure: Error {
    let code: Int32

    /// Nobody there yet, nobody listening, or a full queue: each may pass.
    var isPassing: Bool { [ENOENT, ECONNREFUSED, EAGAIN, EINTR].contains(code) }
  }

  private func attempt() throws(TransportError) -> Result<Int32, Failure> {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    guard descriptor >= 0 else { throw .last("socket") }
    let connected = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
    if connected == 0 {
      // Only the connecting must not block: a full queue would hold it without end.
      guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw .last("fcntl") }
      return .success(descriptor)
    }
    let code = errno
    close(descriptor)
    return .failure(Failure(code: code))
  }

  /// Waits, unless interrupted.
  static func sleep(_ pause: Duration, interrupt: Interrupt?) throws(TransportError) {
    if let interrupt {
      if interrupt.isTriggered(within: pause) { throw .interrupted }
    } else {
      _ = poll(nil, 0, Poll.milliseconds(pause))
    }
  }
}
