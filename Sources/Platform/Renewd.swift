import CLinux
import Engine
import Glibc

/// The program `renewd`: the daemon, and verbs on a log that no daemon has open.
public enum Renewd {
  /// Runs with the process's arguments and leaves with one of the statuses that its help names.
  /// `authority` makes the keys that the store signs with.
  public static func main(_ authority: any SigningAuthority) -> Never {
    guard clinux_return_to_machine_time(CommandLine.unsafeArgv) == 0 else {
      Journal().sendLast(
        Notice(.stopping, .error, "renewd cannot leave the time of its clock: \(SystemError.last)"))
      exit(ExitStatus.fault.rawValue)
    }
    exit(run(Array(CommandLine.arguments.dropFirst()), authority).rawValue)
  }

  static func run(_ words: [String], _ authority: any SigningAuthority) -> ExitStatus {
    if words.first == "log" { return LogCommand.run(Array(words.dropFirst())) }
    let journal = Journal()
    do throws(ConfigurationError) {
      let commandLine = try CommandLineOptions(words)
      if commandLine.has(.help) { return show(help) }
      if commandLine.has(.version) { return show("renewd \(renewdVersion)\n") }
      return try Daemon.run(commandLine, journal, authority)
    } catch {
      journal.sendLast(Notice(.configuration, .error, error.message))
      return .configuration
    }
  }

  static func show(_ text: String) -> ExitStatus {
    do throws(SystemError) {
      try writeAll(text, to: STDOUT_FILENO)
      return .done
    } catch {
      return .fault
    }
  }

  static var help: String {
    let roleKeys = OptionMerger.RoleKey.all.map(\.name).joined(separator: ", ")
    var lines = [
      "renewd sells, renews and ends App Store subscriptions, and answers on a Unix socket.", "",
      "  renewd --state-directory DIR [options]", "  renewd --ephemeral [options]",
      "  renewd log read|export|verify|accept-loss DIR", "",
    ]
    for option in OptionName.allCases {
      let row = option.row
      guard let help = row.help else { continue }
      let name = "--\(option.rawValue) \(row.argument)"
      let gap = String(repeating: " ", count: max(1, 26 - name.count))
      lines.append("  \(name)\(gap)\(help)")
    }
    lines += [
      "",
      "Keys of [daemon] in the configuration are the options without the dashes; there are also",
      "[roles] with \(roleKeys);",
      "and [entitlement NAME] with products = ID ID.", "",
    ]
    lines += wrapped(Policy.help)
    lines += [
      "", "Profiles: xcode is real time and UTC; sandbox is",
      "\(words(of: .sandbox)); production",
      "is \(words(of: .production)). Each has its environment too. A policy that is set",
      "by name beats the profile.", "",
      "Example: renewd --ephemeral --socket /tmp/renewd.sock --catalog Shop.storekit", "",
    ]
    return lines.joined(separator: "\n")
  }

  private static func words(of profile: Profile) -> String {
    profile.policies.joined(separator: " ")
  }

  /// A paragraph in lines of a width that people read.
  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= Limits.helpColumns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

/// How the program ends.
enum ExitStatus: Int32 {
  case done = 0
  case usage = 2
  case fault = 70
  case logDamaged = 74
  case tryLater = 75
  case configuration = 78
}
