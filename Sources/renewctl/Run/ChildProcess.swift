import Glibc

/// A process this one started.
struct ChildProcess {
  /// How a process ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)

    /// The exit status a shell would give it.
    var exitStatus: Int32 {
      switch self {
      case .status(let status): status
      case .signal(let number): 128 + number
      }
    }

    var words: String {
      switch self {
      case .status(let status): "exit status \(status)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  /// What a new process gets besides its words.
  struct Setup {
    var environment: [String: String]
    var signalMask: sigset_t
    /// Descriptors of this process by the number they have in the new one.
    var descriptors: [(Int32, Int32)] = []
    /// Signals of the terminal do not reach it.
    var hasOwnGroup = false
  }

  let id: pid_t

  /// Starts a program; the error is the system's number.
  init(_ words: [String], path: String, _ setup: Setup) throws(SpawnError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in setup.descriptors {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = setup.signalMask
    posix_spawnattr_setsigmask(&attributes, &mask)
    var flags = POSIX_SPAWN_SETSIGMASK
    if setup.hasOwnGroup { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let variables = setup.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var id = pid_t()
    let code = CStringArray(words).withPointers { words in
      CStringArray(variables).withPointers { variables in
        posix_spawn(&id, path, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw SpawnError(code: code) }
    self.id = id
  }

  /// How it ended, if it has. Asked once more after that, it traps: the number may be another's.
  func ending(waiting: Bool = false) -> Ending? {
    var status: Int32 = 0
    while true {
      let result = waitpid(id, &status, waiting ? 0 : WNOHANG)
      if result == id { break }
      if result == 0 { return nil }
      precondition(errno == EINTR, "a child is waited for until it has ended, and not after")
    }
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }

  func send(_ signal: Int32) {
    // It may have ended meanwhile, which is what most signals ask for.
    _ = kill(id, signal)
  }
}

/// Why a process could not be started: the system's number.
struct SpawnError: Error {
  let code: Int32
  var words: String { String(cString: strerror(code)) }
}

/// Texts as C takes lists of them.
private struct CStringArray {
  let texts: [String]

  init(_ texts: [String]) {
    self.texts = texts
  }

  func withPointers<Result>(
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
