import CLinux
import Glibc

/// The time that a run's command sees: that of the clock `default`, by libfaketime and a library
/// of this package's own that is loaded before it, for waits.
struct CommandTime {
  private let libraries: [String]

  /// Finds the libraries before anything is started.
  init(_ environment: Environment) throws(Failure) {
    try self.init(
      fakers: Self.fakers, standstills: ProgramFinder.ownDirectory.map(Self.standstills) ?? [])
  }

  /// The first that is there of each kind.
  init(fakers: [String], standstills: [String]) throws(Failure) {
    guard let faker = fakers.first(where: ProgramFinder.isFile) else {
      throw .own(
        "LibraryNotFound", .unavailable,
        "--time needs libfaketime, which is not installed: apt-get install libfaketime")
    }
    guard let standstill = standstills.first(where: ProgramFinder.isFile) else {
      throw .own(
        "LibraryNotFound", .unavailable,
        "--time needs \(RENEWD_STANDSTILL).so, which comes with renewctl and is not beside it",
        ["Looked for: \(standstills.joined(separator: ", "))"])
    }
    libraries = [standstill, faker]
    // The list of libraries to load knows no way to write these.
    if let wrong = libraries.first(where: { $0.contains(":") || $0.contains(" ") }) {
      throw .own(
        "LibraryNotFound", .unavailable,
        "--time cannot load \(wrong): its path must have no space and no colon")
    }
  }

  /// The build for programs with threads, where Debian has it, then where others do.
  private static let fakers =
    [
      "/usr/lib/\(machine)-linux-gnu/faketime", "/usr/lib64/faketime", "/usr/lib/faketime",
      "/usr/local/lib/faketime",
    ].map { "\($0)/libfaketimeMT.so.1" }

  private static var machine: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Beside this program, as it is built, and where it is installed.
  private static func standstills(_ own: String) -> [String] {
    [own, "\(own)/../lib/renewd"].map { "\($0)/\(RENEWD_STANDSTILL).so" }
  }

  /// The daemon has written the file by the time it is ready, if there is such a clock.
  static func check(_ file: String) throws(Failure) {
    guard !ProgramFinder.isFile(file) else { return }
    throw .usage(
      "--time follows the test clock default, and there is none: add --clock TIME")
  }

  /// Names the libraries and tells them what to do.
  func apply(to environment: inout Environment, file: String) {
    // Whatever else was said to libfaketime would be heard before the file.
    for name in environment.variables.keys where name.hasPrefix("FAKETIME") {
      environment[name] = nil
    }
    let others = environment.text("LD_PRELOAD").map { [$0] } ?? []
    environment["LD_PRELOAD"] = (libraries + others).joined(separator: ":")
    environment["FAKETIME_TIMESTAMP_FILE"] = file
    environment[RENEWD_CLOCK_FILE] = file
    // A date would be read in the zone of each program.
    environment["FAKETIME_FMT"] = RENEWD_STANDSTILL_FORMAT
    // An advance counts at once.
    environment["FAKETIME_NO_CACHE"] = "1"
    // What measures how long something takes goes on measuring.
    environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
    // All files would look as if they had been written at this moment.
    environment["NO_FAKE_STAT"] = "1"
  }
}
