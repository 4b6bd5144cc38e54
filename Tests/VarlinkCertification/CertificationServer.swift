import Glibc
import JSON
import Varlink

/// Serves the certification interface on a Unix socket until it is killed: one thread, blocking
/// writes, any number of connections.
struct CertificationServer {
  private struct Connection {
    var descriptor: Int32
    var framer = VarlinkFramer()
  }

  private let listener: Int32
  private var connections: [Connection] = []
  private var certification: Certification

  static func main(_ arguments: [String]) {
    guard arguments.count == 2 else {
      print("usage: varlink-certification SOCKET-PATH")
      exit(64)
    }
    do {
      var server = try CertificationServer(path: arguments[1])
      print("ready")
      fflush(nil)
      while true { try server.turn() }
    } catch {
      print("varlink-certification: \(error)")
      exit(1)
    }
  }

  /// A system call that failed.
  struct SystemError: Error {
    let call: String
    let code: Int32

    init(_ call: String) {
      self.call = call
      code = errno
    }
  }

  private init(path: String) throws {
    certification = try Certification()
    // A client that leaves early is no reason to stop.
    signal(SIGPIPE, SIG_IGN)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw SystemError("socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < capacity else {
      errno = ENAMETOOLONG
      throw SystemError("bind")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    unlink(path)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard bound == 0 else { throw SystemError("bind") }
    guard listen(listener, 16) == 0 else { throw SystemError("listen") }
  }

  /// Waits for something to happen and handles it.
  private mutating func turn() throws {
    var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    for connection in connections {
      polled.append(pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), -1) > 0 else {
      if errno == EINTR { return }
      throw SystemError("poll")
    }
    for index in connections.indices.reversed() where polled[index + 1].revents != 0 {
      if !serve(index) {
        close(connections[index].descriptor)
        connections.remove(at: index)
      }
    }
    if polled[0].revents != 0 {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { throw SystemError("accept") }
      connections.append(Connection(descriptor: descriptor))
    }
  }

  /// Reads once and answers each whole message; false when the connection has ended.
  private mutating func serve(_ index: Int) -> Bool {
    let descriptor = connections[index].descriptor
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return false }
    connections[index].framer.append(chunk.span.extracting(0..<count))
    var writer = JSONWriter()
    var isSound = true
    do throws(VarlinkError) {
      while let message = try connections[index].framer.next() {
        let buffer = connections[index].framer.buffer
        try certification.answer(buffer.span.extracting(message), into: &writer)
      }
    } catch {
      print("varlink-certification: closing a connection: \(error)")
      isSound = false
    }
    return Self.send(writer.bytes, to: descriptor) && isSound
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + sent, bytes.count - sent)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
