import Glibc

/// Users and groups of the machine, looked up by name.
enum AccountDatabase {
  /// The uid of a user, by name or number; nil if there is none.
  static func user(_ name: String) throws(SystemError) -> UInt32? {
    if let number = UInt32(name) { return number }
    var entry = passwd()
    let isFound = try lookUp { buffer, found in
      var result: UnsafeMutablePointer<passwd>?
      let code = getpwnam_r(name, &entry, buffer.baseAddress!, buffer.count, &result)
      found = result != nil
      return code
    }
    return isFound ? entry.pw_uid : nil
  }

  /// The gid of a group, by name or number; nil if there is none.
  static func group(_ name: String) throws(SystemError) -> UInt32? {
    if let number = UInt32(name) { return number }
    var entry = Glibc.group()
    let isFound = try lookUp { buffer, found in
      var result: UnsafeMutablePointer<Glibc.group>?
      let code = getgrnam_r(name, &entry, buffer.baseAddress!, buffer.count, &result)
      found = result != nil
      return code
    }
    return isFound ? entry.gr_gid : nil
  }

  /// Calls with more and more room. Several error numbers mean no more than that there is no
  /// such name (getpwnam(3)).
  private static func lookUp(
    _ call: (UnsafeMutableBufferPointer<CChar>, inout Bool) -> Int32
  ) throws(SystemError) -> Bool {
    var byteCount = Limits.accountByteCount
    while true {
      let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: byteCount)
      defer { buffer.deallocate() }
      var found = false
      switch call(buffer, &found) {
      case 0: return found
      case EINTR: continue
      case ENOENT, ESRCH, EBADF, EPERM: return false
      case ERANGE where byteCount < Limits.accountByteCountMax: byteCount *= 4
      case let code: throw SystemError(code: code)
      }
    }
  }
}
