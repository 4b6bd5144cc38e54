import EventLog
import Glibc

/// The folder of the log: one that stays, or a temporary one that goes when the daemon does.
struct StateDirectory {
  let path: String
  let isEphemeral: Bool

  /// The folder of the options. One that is missing is made, for its owner alone, if the folder
  /// above exists.
  init(_ options: DaemonOptions) throws(ConfigurationError) {
    if let path = options.stateDirectory {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw ConfigurationError(
          "the state directory \(path) cannot be made: \(SystemError.last)")
      }
      self.path = path
      isEphemeral = false
    } else {
      path = try Self.makeTemporary()
      isEphemeral = true
    }
  }

  private static func makeTemporary() throws(ConfigurationError) -> String {
    let parent = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/renewd-XXXXXX".utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
    guard isMade else {
      throw ConfigurationError("no folder can be made in \(parent): \(SystemError.last)")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// How the log in it is kept: a log that is thrown away is small and needs no reserve.
  var logSettings: LogSettings {
    isEphemeral
      ? LogSettings(
        segmentByteCount: Limits.ephemeralSegmentByteCount, spareCount: 0,
        checksum: machineChecksum)
      : LogSettings(segmentByteCount: segmentByteCount, checksum: machineChecksum)
  }

  /// A segment and the spare ones take a small part of the file system, however small that is.
  private var segmentByteCount: Int {
    let largest = EventLog.Limits.segmentByteCountDefault
    var figures = statvfs()
    guard statvfs(path, &figures) == 0 else { return largest }
    let whole = UInt64(figures.f_blocks) * UInt64(figures.f_frsize)
    let share = Int(clamping: whole) / Limits.segmentsPerFileSystem
    let rounded = share / Limits.segmentByteCountStep * Limits.segmentByteCountStep
    return min(largest, max(Limits.segmentByteCountStep, rounded))
  }

  /// Removes a temporary folder with what the log put into it; leaves any other alone.
  ///
  /// - Returns: what was left behind, as a sentence; nil for nothing.
  func removeIfEphemeral() -> String? {
    guard isEphemeral else { return nil }
    do throws(ConfigurationError) {
      for name in try DirectoryListing.names(in: path) { unlink("\(path)/\(name)") }
    } catch {
      return error.message
    }
    guard rmdir(path) == 0 else { return "\(path) cannot be removed: \(SystemError.last)" }
    return nil
  }
}
