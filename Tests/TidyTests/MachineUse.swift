/// What code outside the shell may not name: anything that makes two runs of it differ, or that
/// reaches past its arguments.
enum MachineUse {
  /// Whole identifiers, wherever they stand.
  static let names: Set<Substring> = [
    // clocks
    "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", "timespec_get", "Date",
    "localtime_r", "gmtime_r", "nanosleep", "DispatchTime",
    // chance
    "SystemRandomNumberGenerator", "randomElement", "shuffled", "shuffle", "arc4random",
    "getrandom", "getentropy", "drand48", "UUID",
    // environment
    "getenv", "setenv", "environ", "CommandLine", "ProcessInfo", "getpid", "getuid", "gethostname",
    // files and the terminal
    "fopen", "fdopen", "FileManager", "FileHandle", "debugPrint", "readLine", "stdout", "stderr",
    "fputs", "mmap",
    // sockets and processes
    "URLSession", "sockaddr_un", "socketpair", "epoll_wait", "fork", "posix_spawn", "dlopen",
    // tasks and threads
    "Task", "TaskGroup", "withTaskGroup", "withThrowingTaskGroup", "AsyncStream", "AsyncSequence",
    "async", "await", "actor", "MainActor", "DispatchQueue", "DispatchSource", "Thread",
    "pthread_create", "pthread_mutex_lock",
  ]

  /// Members of standard types that take chance from the system unless a generator is given.
  static let randomCalls = [".random(in:", "Bool.random()"]

  /// Functions whose names are good names for other things too: their calls are what counts.
  static let calls = ["print"]

  static func findings(in file: SourceFile) -> [Finding] {
    guard let target = file.target, ImportTable.allowed[target] != nil,
      !ImportTable.shell.contains(target)
    else { return [] }
    var found: [Finding] = []
    for (index, line) in file.code.enumerated() {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      found += words.filter(names.contains).map {
        Finding(path: file.path, line: index + 1, text: "\(target) may not use \($0)")
      }
      found += calls.filter { isCalled($0, in: line) }.map {
        Finding(path: file.path, line: index + 1, text: "\(target) may not use \($0)")
      }
      if randomCalls.contains(where: line.contains) && !line.contains("using:") {
        found.append(Finding(path: file.path, line: index + 1, text: "chance needs a generator"))
      }
    }
    return found
  }

  private static func isCalled(_ name: String, in line: String) -> Bool {
    line.ranges(of: "\(name)(").contains { range in
      guard let before = line[..<range.lowerBound].last else { return true }
      return !before.isLetter && !before.isNumber && before != "_" && before != "."
    }
  }
}
