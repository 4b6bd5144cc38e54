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

  private static var help: String {
    let roleKeys = OptionMerger.RoleKey.all.map(\.name).joined(separator: ", ")
    var lines = [
      "renewd sells, renews and ends App Store subscriptions, and answers on a Unix socket.", "",
      "  renewd --state-directory DIR [options]", "  renewd --ephemeral [options]",
      "  renewd log read|export|verify|accept-loss DIR", "",
    ]
    for option in OptionName.allCases {
      guard let help = option.help else { continue }
      let name = "--\(option.rawValue) \(option.placeholder)"
      let gap = String(repeating: " ", count: max(1, 26 - name.count))
      lines.append("  \(name)\(gap)\(help)")
    }
    lines += [
      "",
      "Keys of [daemon] in the configuration are the options without the dashes; there are also",
      "[roles] with \(roleKeys);",
      "and [entitlement NAME] with products = ID ID.", "",
      "Policies: monthEnd=anchored|chained, calendarTimeZone=UTC|America/Los_Angeles,",
      "billingGracePeriod=off|3d|16d|28d, billingGracePeriodScope=allRenewals|paidToPaid,",
      "graceRecoveryPurchaseDate=cycleStart|recoveryTime, recentStartGap=60d|10min,",
      "autoRenewAfterEnd=off|unchanged, promotionalOfferSignature=optional|required,",
      "renewalRate=realTime or one of Apple's names, renewalCap=off|N, and spans of at most a day:",
      "renewalLead=0, renewalLag=0, expiryLeeway=0 (2h in a record), billingRetryInterval=24h;",
      "renewalsFail=no|yes. The first value is the default.", "",
      "Profiles: xcode is real time and UTC; sandbox is",
      "renewalRate=monthlyRenewalEveryFiveMinutes renewalCap=12 recentStartGap=10min; production",
      "is calendarTimeZone=America/Los_Angeles. Each has its environment too. A policy that is set",
      "by name beats the profile.", "",
      "Example: renewd --ephemeral --socket /tmp/renewd.sock --catalog Shop.storekit", "",
    ]
    return lines.joined(separator: "\n")
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
