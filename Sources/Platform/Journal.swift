import CSystemd
import Engine
import Glibc

/// Where notices go: the journal with their fields if standard error is one of its streams,
/// else lines on standard error.
struct Journal: Sendable {
  private let isConnected: Bool

  init() {
    isConnected = Self.standardErrorIsJournal()
  }

  func send(_ notice: Notice) {
    if isConnected, Self.sendEntry(notice) { return }
    let word =
      switch notice.priority {
      case .error: "error: "
      case .warning: "warning: "
      case .notice, .info: ""
      }
    write("renewd: \(word)\(notice.message)\n")
  }

  /// The last word of a process that ends at once. The journal looks up an entry's sender when it
  /// reads the entry, and finds no unit for one that is gone by then. A line on standard error
  /// belongs to the unit in any case; its prefix is its priority (sd-daemon(3)).
  func sendLast(_ notice: Notice) {
    guard isConnected else { return send(notice) }
    write("<\(notice.priority.rawValue)>\(notice.message)\n")
  }

  private func write(_ line: String) {
    do throws(SystemError) {
      try writeAll(line, to: STDERR_FILENO)
    } catch {
      // Nobody is left to be told.
    }
  }

  /// Whether `$JOURNAL_STREAM` names the device and inode of standard error (systemd.exec(5)).
  private static func standardErrorIsJournal() -> Bool {
    guard let stream = environment("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  private static func sendEntry(_ notice: Notice) -> Bool {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    func add(_ name: String, _ value: String) {
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: value.utf8)
      ends.append(bytes.count)
    }
    add("MESSAGE", notice.message)
    add("PRIORITY", "\(notice.priority.rawValue)")
    add("MESSAGE_ID", notice.kind.messageID)
    for field in notice.fields { add("RENEWD_\(field.name)", field.value) }
    return bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      let parts = ends.map { end -> iovec in
        defer { start = end }
        return iovec(iov_base: buffer.baseAddress! + start, iov_len: end - start)
      }
      return sd_journal_sendv(parts, Int32(parts.count)) >= 0
    }
  }
}

extension NoticeKind {
  /// What tells entries of this kind from others (systemd.journal-fields(7)); renewd.catalog has
  /// an explanation under each.
  var messageID: String {
    switch self {
    case .event: "9d4e1b891cbc4586a0f3f0a3190cefaf"
    case .eventsOmitted: "5c7e0d9a41f84e02b3a6d2f18e907c54"
    case .clockStepped: "d1b162c45704411a984b7a8bf1129a68"
    case .clockHeld: "0cbbb5b68ff84b3a9d664cc50cef1962"
    case .clockWrong: "5b1f0c7a9e624d0f8a37c2d46e81f953"
    case .diskFull: "30b18e36b25f4c34be5b79ecd0c3495f"
    case .diskFreed: "9b6c34a962894fa7a5f7404db2527d35"
    case .logFailed: "226039dec3204c8db10a9cf67ef5736b"
    case .logUnreadable: "6d1f0c5b7c0f4f0e9a3b8d24e1a57c93"
    case .logChecked: "b3c2e8f47a5d4c1d8f60719e2d4ab85e"
    case .catalogue: "e7ff86a923fd4e1285ebf62e2ed4d990"
    case .reloaded: "4a47edee57734680997ca0eb74b9916f"
    case .reloadRefused: "9152b3bdf276499f9327571567a0cf2c"
    case .connectionRefused: "e2a9f17e1c3642c5b7b40f15d3f88a8f"
    case .recovery: "25b75efcdcc640ae992442807c0aa8a0"
    case .snapshot: "8fd4623848f641cc9bb2af9599e057c0"
    case .configuration: "765ff853f63144ffaf07d275060c1a37"
    case .stopping: "20172793521f40f3be73ec4c1fe7687a"
    }
  }
}
