import Engine
import Foundation
import Testing

@testable import Platform

@Suite("Sockets and who is at their other end")
struct SocketTests {
  private func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = SocketAddress.with(path) { Glibc.connect(descriptor, $0, $1) }
    if result == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  @Test("a socket gets the mode asked for whatever the umask, and its file goes with it")
  func mode() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/s"
    let before = umask(0o077)
    defer { umask(before) }
    let listener = try ListeningSocket(path: path, mode: 0o666, group: getgid())
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666)
    #expect(umask(0o077) == 0o077)
    listener.close()
    #expect(try folder.names == [])
  }

  @Test("a stale file is taken over, one that somebody answers on is not")
  func stale() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/s"
    let first = try ListeningSocket(path: path, mode: 0o600, group: nil)
    #expect {
      try ListeningSocket(path: path, mode: 0o600, group: nil)
    } throws: {
      "\($0)" == "somebody answers on \(path) already; is renewd running?"
    }
    // The socket without its file's removal is what a killed daemon leaves.
    close(first.descriptor)
    let second = try ListeningSocket(path: path, mode: 0o600, group: nil)
    let client = connect(path)
    #expect(client >= 0)
    close(client)
    second.close()
  }

  @Test("a file that is no socket is never removed")
  func otherFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s", "precious")
    #expect {
      try ListeningSocket(path: path, mode: 0o600, group: nil)
    } throws: {
      "\($0)" == "\(path) exists and is no socket; take another path"
    }
    #expect(try folder.names == ["s"])
  }

  @Test("a missing folder is an error that names the socket")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/no/s"
    #expect {
      try ListeningSocket(path: path, mode: 0o600, group: nil)
    } throws: {
      "\($0)" == "the socket \(path) cannot be bound: No such file or directory"
    }
  }

  @Test("a file that another daemon has put in place of ours is left alone at the end")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/s"
    let first = try ListeningSocket(path: path, mode: 0o600, group: nil)
    unlink(path)
    let second = try ListeningSocket(path: path, mode: 0o600, group: nil)
    first.close()
    #expect(try folder.names == ["s"])
    second.close()
  }

  @Test("an abstract socket needs no file")
  func abstract() throws {
    let name = "@renewd-test-\(UUID().uuidString)"
    let listener = try ListeningSocket(path: name, mode: 0o600, group: nil)
    let client = connect(name)
    #expect(client >= 0)
    close(client)
    listener.close()
  }

  @Test("the peer is the process, user and groups of whoever connected")
  func peer() throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { pair.forEach { close($0) } }
    let peer = try PeerIdentity.read(pair[0])
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    #expect(peer.uid == getuid())
    #expect(peer.gid == getgid())
    #expect(peer.pid == getpid())
    #expect(peer.groups.sorted() == groups.prefix(Int(count)).sorted())
    #expect(throws: SystemError.self) { try PeerIdentity.read(0) }
  }

  @Test("the longest path that fits is taken, one byte more is not")
  func longestPath() throws {
    func check(_ count: Int) throws -> String {
      let path = "/" + String(repeating: "a", count: count - 1)
      return try SocketAddress.checked(path)
    }
    #expect(try check(107).utf8.count == 107)
    #expect(throws: WrongValue.self) { try check(108) }
  }
}
