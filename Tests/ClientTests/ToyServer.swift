import Client
import Foundation
import Glibc
import Synchronization
import Varlink

/// A Varlink server of a few lines, so that the client can be tested without a daemon: each call
/// is answered by a closure, connections are served by threads of their own.
final class ToyServer: Sendable {
  /// A call as it came.
  struct Call: Sendable, Equatable {
    let method: String
    let parameters: JSONObject
    let more: Bool
  }

  enum Answer: Sendable {
    case reply(JSONValue, continues: Bool = false)
    case error(String, JSONValue = .members([]))
    /// Bytes that are no reply of ours.
    case bytes([UInt8])
    /// Ends the connection.
    case close
    /// Lets time pass.
    case pause(Duration)
  }

  let address: SocketAddress
  private let listener: Int32
  private let handler: @Sendable (Call) -> [Answer]
  private let seen = Mutex<[Call]>([])
  private let open = Mutex<Set<Int32>>([])

  /// Listens; at an abstract address of its own unless one is given.
  init(at given: SocketAddress? = nil, _ handler: @escaping @Sendable (Call) -> [Answer]) throws {
    address = try given ?? SocketAddress("@renewd-toy-\(UUID().uuidString)")
    self.handler = handler
    listener = try Self.listen(at: address)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// The calls so far.
  var calls: [Call] { seen.withLock { $0 } }

  /// Stops listening and ends all connections. Each descriptor is closed by the thread that uses
  /// it: a number given back sooner might be another test's by then.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    open.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private static func listen(at address: SocketAddress) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) {
      $0.copyBytes(from: address.text.utf8)
      if address.isAbstract { $0[0] = 0 }
    }
    if !address.isAbstract { unlink(address.text) }
    let length = 2 + address.text.utf8.count + (address.isAbstract ? 0 : 1)
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length))
      }
    }
    guard bound == 0, Glibc.listen(descriptor, 64) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    return descriptor
  }

  private func acceptAll() {
    defer { close(listener) }
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      _ = open.withLock { $0.insert(connection) }
      Thread.detachNewThread { [self] in
        serve(connection)
        open.withLock {
          $0.remove(connection)
          close(connection)
        }
      }
    }
  }

  private func serve(_ connection: Int32) {
    var framer = VarlinkFramer(messageBytesMax: 1 << 20)
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      framer.append(chunk.span.extracting(0..<count))
      while let range = try? framer.next() {
        let message = Array(framer.buffer[range])
        guard let call = try? VarlinkCall.parse(message.span),
          let parameters = try? call.parametersValue(in: message.span).objectValue
        else { return }
        let made = Call(
          method: call.methodName(in: message.span), parameters: parameters, more: call.more)
        seen.withLock { $0.append(made) }
        for answer in handler(made) where !perform(answer, connection) { return }
      }
    }
  }

  /// Sends an answer; false where the connection ends.
  private func perform(_ answer: Answer, _ connection: Int32) -> Bool {
    var writer = JSONWriter()
    switch answer {
    case .reply(let parameters, let continues):
      VarlinkReply.write(&writer, parameters: parameters, continues: continues)
    case .error(let name, let parameters):
      let text = JSONValue.members([("error", .string(name)), ("parameters", parameters)])
      writer = JSONWriter(appendingTo: Array(text.compactText.utf8) + [0])
    case .bytes(let bytes): writer = JSONWriter(appendingTo: bytes)
    case .close: return false
    case .pause(let duration):
      Thread.sleep(forTimeInterval: Double(duration.components.attoseconds) / 1e18)
    }
    let bytes = writer.take()
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
