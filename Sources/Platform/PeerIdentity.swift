import CLinux
import Engine
import Glibc

/// Reads who is at the other end of a Unix socket.
enum PeerIdentity {
  /// The peer as it was when it connected.
  static func read(_ socket: Int32) throws(SystemError) -> Peer {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    guard clinux_peer_credentials(socket, &pid, &uid, &gid) == 0 else { throw .last }
    return Peer(uid: uid, gid: gid, groups: try groups(socket), pid: pid)
  }

  private static func groups(_ socket: Int32) throws(SystemError) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 32)
    while true {
      var count = groups.count
      if clinux_peer_groups(socket, &groups, &count) == 0 {
        groups.removeLast(groups.count - count)
        return groups
      }
      guard errno == ERANGE, count > groups.count, count <= Limits.peerGroupsMax else {
        throw .last
      }
      groups = [UInt32](repeating: 0, count: count)
    }
  }
}
