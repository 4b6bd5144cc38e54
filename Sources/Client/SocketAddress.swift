import Glibc

/// Where a daemon listens: a path in the file system, or a name in Linux's abstract space, written
/// with a leading `@`. Its length is checked here, so it is never cut silently.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as a person writes it.
  public let text: String

  /// Where a daemon that systemd started listens.
  public static let standard = SocketAddress(unchecked: "/run/renewd/renewd.sock")

  /// Checks an address; throws `.addressEmpty` or `.addressTooLong`.
  public init(_ text: String) throws(TransportError) {
    guard !text.isEmpty, text != "@" else { throw .addressEmpty }
    let bytes = text.utf8.count
    guard bytes <= ClientLimits.socketPathBytesMax else {
      throw .addressTooLong(
        path: text, bytes: bytes, bytesMax: ClientLimits.socketPathBytesMax)
    }
    self.text = text
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// Whether this is a name in the abstract space, which no file stands for.
  public var isAbstract: Bool { text.utf8.first == UInt8(ascii: "@") }

  /// The address as a person writes it.
  public var description: String { text }

  /// Calls `body` with the address as the kernel takes it.
  func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: text.utf8)
      if isAbstract { path[0] = 0 }
    }
    // An abstract name ends with its length, a path with its NUL.
    let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let length = pathOffset + text.utf8.count + (isAbstract ? 0 : 1)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
    }
  }
}
