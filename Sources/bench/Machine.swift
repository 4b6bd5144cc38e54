import Glibc

/// The few things of the machine that a measurement needs.
enum Machine {
  /// Seconds on a clock that never steps.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds that this thread has computed, whoever else wanted the processor meanwhile.
  static func computed() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A process's resident memory, bytes.
  static func residentBytes(of process: pid_t) throws(BenchError) -> Int {
    let text = try read("/proc/\(process)/statm")
    guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw BenchError("/proc/\(process)/statm is not as expected")
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  static func read(_ path: String) throws(BenchError) -> String {
    guard let file = fopen(path, "r") else { throw BenchError("\(path) cannot be read") }
    defer { fclose(file) }
    var text = ""
    var buffer = [CChar](repeating: 0, count: 4_096)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      text += String(decoding: line, as: UTF8.self)
    }
    return text
  }

  static func makeDirectory() throws(BenchError) -> String {
    var template = Array("/tmp/renewd-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError("no directory can be made in /tmp") }
    return String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder of the running program.
  static func ownFolder() -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }

  /// Starts a program with its output thrown away.
  static func spawn(_ words: [String]) throws(BenchError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard code == 0 else { throw BenchError("\(words[0]) cannot be started") }
    return process
  }

  static func end(_ process: pid_t) {
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  static func remove(_ path: String) {
    guard let process = try? spawn(["rm", "-rf", path]) else { return }
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Removes what a replay would otherwise begin with.
  static func removeSnapshots(in folder: String) {
    guard let process = try? spawn(["sh", "-c", "rm -f '\(folder)'/snapshot-*"]) else { return }
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}
