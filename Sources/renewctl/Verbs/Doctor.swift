import Client
import Glibc

/// `doctor`: is all well, and if not, what to do?
enum Doctor: Verb {
  static let description = VerbDescription(
    name: "doctor", summary: "Check the daemon and say what to do about what is wrong",
    example: "renewctl doctor",
    notes: ["Exit status 0: all is well; else that of the first problem."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    var examination = Examination(invocation.session, invocation.environment)
    let findings = examination.run()
    let console = invocation.console
    let width = findings.map(\.subject.count).max() ?? 0
    for finding in findings {
      guard invocation.isForPeople else {
        console.line(finding.json.compactText)
        continue
      }
      let isWell = finding.problem == nil
      let mark = console.styled(isWell ? "ok     " : "problem", isWell ? .green : .red)
      console.line("\(mark)  \(finding.subject.padded(to: width))  \(finding.text)")
      for line in finding.advice { console.line("         " + line) }
    }
    return findings.lazy.compactMap(\.problem).first ?? .done
  }
}

/// What `doctor` found of one thing.
struct Finding {
  let subject: String
  let text: String
  /// The exit status that the problem stands for; nil where all is well.
  let problem: ExitCode?
  var advice: [String] = []

  var json: JSONValue {
    .members([
      ("subject", .string(subject)), ("ok", .bool(problem == nil)), ("text", .string(text)),
      ("advice", .array(advice.map { .string($0) })),
    ])
  }
}

/// The questions of `doctor`, in order; one that cannot be asked is left out.
struct Examination {
  private let session: Session
  private let environment: Environment
  private var findings: [Finding] = []
  /// A record sells nothing, so it needs no catalogue.
  private var isRecord = false

  init(_ session: Session, _ environment: Environment) {
    self.session = session
    self.environment = environment
  }

  mutating func run() -> [Finding] {
    if reachDaemon() {
      examineRole()
      examineLog()
      examineClocks()
      examineCatalogue()
    }
    examineZones()
    return findings
  }

  /// Asks and hands the answer on; a refusal is a finding, but for one of permission, which the
  /// role's finding tells.
  private mutating func ask<Result>(
    _ subject: String, _ call: Call<Result>, _ judge: (Result) -> Finding
  ) {
    do throws(Failure) {
      findings.append(judge(try session.answer(call)))
    } catch {
      if case .permissionDenied = error.reason { return }
      findings.append(
        Finding(
          subject: subject, text: error.sentence, problem: error.code, advice: error.details))
    }
  }

  private mutating func reachDaemon() -> Bool {
    let address = session.address
    do throws(Failure) {
      let info = try session.answer(.serviceInfo())
      findings.append(Finding(subject: "socket", text: "\(address) answers", problem: nil))
      let same = info.version == Program.version
      findings.append(
        Finding(
          subject: "version",
          text: "renewd \(info.version), renewctl \(Program.version)",
          problem: same ? nil : .software,
          advice: same ? [] : ["Install both from the same package and restart renewd."]))
      return true
    } catch {
      findings.append(
        Finding(
          subject: "socket", text: error.sentence, problem: error.code, advice: error.details))
      return false
    }
  }

  private mutating func examineRole() {
    let role = highestRole()
    let user = "user \(getuid())"
    switch role {
    case "admin": break
    case let role?:
      findings.append(
        Finding(
          subject: "permission", text: "\(user) may \(role); what needs admin was not checked",
          problem: nil, advice: ["Run it as root for the rest."]))
      return
    case nil:
      findings.append(
        Finding(
          subject: "permission", text: "\(user) may not even read", problem: .permission,
          advice: [RenewdError.Reason.readersAdvice]))
      return
    }
    var isRecord = false
    var policies: [DaemonOption] = []
    var starts: [DaemonOption] = []
    ask("daemon", .describeDaemon()) { daemon in
      isRecord = daemon.role == .record
      policies = daemon.options.filter { $0.name == "policy" }
      starts = daemon.options.filter { $0.name == "start" }
      let state = daemon.status.isEmpty ? "" : ": \(daemon.status)"
      let advice = Self.advice(to: daemon)
      return Finding(
        subject: "daemon",
        text: "\(daemon.role), \(daemon.environment), \(daemon.bundleID)\(state)",
        problem: advice.isEmpty ? nil : .tryAgain, advice: advice)
    }
    self.isRecord = isRecord
    list(policies, as: "policies")
    list(starts, as: "start")
  }

  /// What to do about a daemon whose status line says that it is stuck; nothing for any other.
  private static func advice(to daemon: DaemonDescription) -> [String] {
    let status = daemon.status
    let isDisk = status.contains("disk full") || status.contains("disk nearly full")
    guard isDisk || ["holding", "failed"].contains(where: status.hasPrefix) else { return [] }
    let journal = "journalctl -u renewd tells more."
    guard isDisk else { return [journal] }
    let folder = daemon.options.first { $0.name == "state-directory" }?.value
    return [
      status.contains("nearly")
        ? "All goes on until the present segment of the log is used up."
        : "Reads, renewals and cancels go on; new purchases are refused.",
      "Make room in \(folder ?? "the state directory"); the daemon goes on by itself.", journal,
    ]
  }

  /// Options with the places that they are from, if there are any.
  private mutating func list(_ options: [DaemonOption], as subject: String) {
    guard !options.isEmpty else { return }
    findings.append(
      Finding(
        subject: subject,
        text: options.map { "\($0.value) (\($0.origin))" }.joined(separator: ", "),
        problem: nil))
  }

  /// The greatest of the roles this user has, by asking for something of each.
  private func highestRole() -> String? {
    func may<Result>(_ call: Call<Result>) -> Bool {
      do throws(Failure) {
        _ = try session.ask(call)
        return true
      } catch {
        if case .permissionDenied = error.reason { return false }
        // Refused for another reason, so not for this one.
        return error.reason != nil
      }
    }
    if may(.describeDaemon()) { return "admin" }
    if may(.products(ids: [])) { return "write" }
    return may(.check(account: "doctor")) ? "read" : nil
  }

  private mutating func examineLog() {
    ask("log", .describeLog()) { log in
      let pending = log.sequence - log.durable
      if let damage = log.damage {
        return Finding(
          subject: "log", text: "damaged: \(damage)", problem: .damaged,
          advice: [
            "What is in memory is served; what lies in the damaged part cannot be read.",
            "Stop renewd, put the file back from a copy of the folder, and start it again.",
            "renewctl log verify looks again.",
          ])
      }
      return Finding(
        subject: "log",
        text: "\(Words.count(log.sequence, "event")), \(Words.bytes(log.bytes)), "
          + "\(Words.count(log.accounts, "account"))"
          + (pending > 0 ? ", \(pending) being written" : "")
          + (log.checked.map { ", checked to #\($0)" } ?? ""),
        problem: nil)
    }
  }

  private mutating func examineClocks() {
    ask("clock", .clocks()) { list in
      let held = list.clocks.filter(\.isHeld)
      guard held.isEmpty else {
        return Finding(
          subject: "clock", text: "the machine's clock jumped, renewals are held",
          problem: .tryAgain,
          advice: ["If the time is right now: renewctl clock accept"])
      }
      let system = list.clocks.first { $0.kind == .system }
      let difference = system.map { $0.now.milliseconds - Self.now() } ?? 0
      guard abs(difference) <= ControlLimits.clockDifferenceMax else {
        return Finding(
          subject: "clock",
          text: "the daemon's clock is \(abs(difference) / 1000) s "
            + (difference > 0 ? "ahead" : "behind"),
          problem: .tryAgain,
          advice: ["The daemon never goes back; it goes on when the machine's clock is there."])
      }
      let names = list.clocks.map { "\($0.name) \($0.now)" }
      return Finding(subject: "clock", text: names.joined(separator: ", "), problem: nil)
    }
  }

  private mutating func examineCatalogue() {
    guard !isRecord else { return }
    ask("catalogue", .describeCatalogue()) { catalogue in
      let isEmpty = catalogue.products.isEmpty
      return Finding(
        subject: "catalogue",
        text: isEmpty
          ? "nothing is sold" : Words.count(Int64(catalogue.products.count), "product"),
        problem: isEmpty ? .configuration : nil,
        advice: isEmpty ? ["renewctl catalog import Shop.storekit"] : [])
    }
  }

  private mutating func examineZones() {
    let folder = environment.text("TZDIR") ?? "/usr/share/zoneinfo"
    let isThere = access("\(folder)/America/Los_Angeles", R_OK) == 0
    findings.append(
      Finding(
        subject: "time zones", text: isThere ? folder : "no zone files in \(folder)",
        problem: isThere ? nil : .configuration,
        advice: isThere ? [] : ["apt-get install tzdata"]))
  }

  /// The machine's time in milliseconds since 1970.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
