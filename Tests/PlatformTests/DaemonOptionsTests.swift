import Engine
import Testing

@testable import Platform

@Suite("Options from the command line and from files")
struct DaemonOptionsTests {
  private func options(
    _ words: [String], file text: String = ""
  ) throws -> (options: DaemonOptions, path: String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.conf", text)
    let commandLine = try CommandLineOptions(["--config", path, "--ephemeral"] + words)
    return (try DaemonOptions(commandLine), path)
  }

  private func message(_ words: [String], file text: String = "") throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.conf", text)
    do {
      let commandLine = try CommandLineOptions(["--config", path] + words)
      _ = try DaemonOptions(commandLine)
      return "nothing is wrong"
    } catch {
      return error.message.replacing("\(folder.path)/", with: "")
    }
  }

  @Test("without any, the defaults hold")
  func defaults() throws {
    let (options, _) = try options([])
    #expect(options.stateDirectory == nil)
    #expect(options.socketPath == "/run/renewd/renewd.sock")
    #expect(options.socketMode == 0o660)
    #expect(options.catalogues == [])
    #expect(options.clock == nil)
    #expect(options.configuration.environment == "Sandbox")
    let socket = options.configuration.options.first { $0.name == "socket" }
    #expect(socket?.origin == "default")
  }

  @Test("a flag beats a file, a file beats the default, and each value says where it is from")
  func precedence() throws {
    let text = "[daemon]\nbundle-id = com.example.file\nenvironment = Xcode\n"
    let (options, path) = try options(["--bundle-id=com.example.flag"], file: text)
    #expect(options.configuration.bundleID == "com.example.flag")
    #expect(options.configuration.environment == "Xcode")
    let origins = Dictionary(
      uniqueKeysWithValues: options.configuration.options.map { ($0.name, $0.origin) })
    #expect(origins["bundle-id"] == "command line")
    #expect(origins["environment"] == "\(path):3")
    #expect(origins["role"] == "default")
  }

  @Test("drop-ins are read in the order of their names after the file they belong to")
  func dropIns() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.conf", "[daemon]\ncatalog = a\nbundle-id = one\n")
    try folder.write("r.conf.d/20-b.conf", "[daemon]\ncatalog = d\nbundle-id = three\n")
    try folder.write("r.conf.d/10-a.conf", "[daemon]\ncatalog =\ncatalog = b c\n")
    try folder.write("r.conf.d/readme.txt", "not read")
    let options = try DaemonOptions(try CommandLineOptions(["--config", path, "--ephemeral"]))
    #expect(options.catalogues == ["b", "c", "d"])
    #expect(options.configuration.bundleID == "three")
  }

  @Test("entitlements and roles come from files")
  func entitlementsAndRoles() throws {
    let (options, _) = try options(
      [],
      file: """
        [entitlement pro]
        products = a b
        products = c
        [roles]
        read-users = root 12
        write-groups = 100
        admin-users = 5
        [entitlement empty]
        """)
    #expect(
      options.configuration.entitlements == [
        Entitlement(name: "pro", productIDs: ["a", "b", "c"]),
        Entitlement(name: "empty", productIDs: []),
      ])
    #expect(options.configuration.read.users == [0, 12])
    #expect(options.configuration.write.groups == [100])
    #expect(options.configuration.admin.users == [5])
    #expect(options.configuration.gateway == RoleMembers())
  }

  @Test("a list takes several values at once and is given more than once")
  func lists() throws {
    let (options, _) = try options([
      "--catalog", "a.storekit", "b.storekit", "--policy", "monthEnd=chained", "--catalog", "c",
      "--clock", "2025-01-31T10:00:00Z",
    ])
    #expect(options.catalogues == ["a.storekit", "b.storekit", "c"])
    #expect(options.clock == 1_738_317_600_000)
    #expect("\(options.configuration.policies.monthEnd)" == "chained")
  }

  @Test(
    "each value of the policies about billing is taken",
    arguments: [
      ("billingGracePeriod=off", "0 allRenewals cycleStart"),
      ("billingGracePeriod=3d", "3 allRenewals cycleStart"),
      ("billingGracePeriod=16d", "16 allRenewals cycleStart"),
      ("billingGracePeriod=28d", "28 allRenewals cycleStart"),
      ("billingGracePeriodScope=allRenewals", "0 allRenewals cycleStart"),
      ("billingGracePeriodScope=paidToPaid", "0 paidToPaid cycleStart"),
      ("graceRecoveryPurchaseDate=cycleStart", "0 allRenewals cycleStart"),
      ("graceRecoveryPurchaseDate=recoveryTime", "0 allRenewals recoveryTime"),
    ])
  func billingPolicies(setting: String, expected: String) throws {
    func told(_ options: DaemonOptions) -> String {
      let policies = options.configuration.policies
      return "\(policies.graceDays) \(policies.graceScope) \(policies.graceRecoveryDate)"
    }
    #expect(told(try options(["--policy", setting]).options) == expected)
    #expect(told(try options([], file: "[daemon]\npolicy = \(setting)\n").options) == expected)
  }

  @Test("What ends for want of consent has its renewal off, unless a policy leaves it")
  func autoRenewAfterEnd() throws {
    func told(_ setting: String) throws -> String {
      "\(try options(["--policy", setting]).options.configuration.policies.autoRenewAfterEnd)"
    }
    #expect(try told("monthEnd=anchored") == "off")
    #expect(try told("autoRenewAfterEnd=off") == "off")
    #expect(try told("autoRenewAfterEnd=unchanged") == "unchanged")
  }

  @Test("what a catalogue's own settings switch on is told with its file, where they count")
  func startSwitches() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "own.storekit",
      Shop.catalogue.replacing(
        #""settings":{}"#,
        with: #""settings":{"_askToBuyEnabled":true,"_failTransactionsEnabled":true}"#))
    let told = try options(["--catalog", file, "--catalog-settings"]).options
    #expect(
      told.configuration.options.filter { $0.name == "start" } == [
        OptionValue(
          name: "start", value: "askToBuy=on",
          origin: "settings of \(file), when it is first imported"),
        OptionValue(
          name: "start", value: "purchase=unknown",
          origin: "settings of \(file), when it is first imported"),
      ])
    #expect(told.catalogueSettings.map(\.path) == [file])
    let untold = try options(["--catalog", file]).options
    #expect(!untold.configuration.options.contains { $0.name == "start" })
    #expect(untold.catalogueSettings.isEmpty)
  }

  @Test("without them there is no grace period; several policies stand side by side")
  func policyDefaults() throws {
    #expect(try options([]).options.configuration.policies.graceDays == 0)
    let policies = try options([
      "--policy", "billingGracePeriod=16d", "monthEnd=chained", "--policy",
      "billingGracePeriodScope=paidToPaid",
    ]).options.configuration.policies
    #expect(policies.graceDays == 16)
    #expect("\(policies.monthEnd) \(policies.graceScope)" == "chained paidToPaid")
  }

  @Test("the calendar's zone is read from the machine's zone files")
  func zone() throws {
    let (options, _) = try options(["--policy", "calendarTimeZone=America/Los_Angeles"])
    #expect(!options.configuration.policies.calendar.zone.isUTC)
  }

  @Test(
    "each wrong flag is named",
    arguments: [
      (["--sokcet", "x"], "--sokcet: no such option; did you mean --socket?"),
      (["--frobnicate"], "--frobnicate: no such option; see renewd --help"),
      (["serve"], "serve: not an option; see renewd --help"),
      (["--socket"], "--socket: needs a value: PATH"),
      (["--ephemeral=yes"], "--ephemeral: takes no value"),
      (["--socket-mode", "0999"], "--socket-mode: '0999' is not a mode in octal, such as 0660"),
      (
        ["--socket-group", "no-such-group"],
        "--socket-group: there is no group 'no-such-group' on this machine"
      ),
      (
        ["--environment", "Prod"],
        "--environment: 'Prod' is not an environment: "
          + "Sandbox, Production, Xcode, LocalTesting"
      ),
      (
        ["--bundle-id", "a b"],
        "--bundle-id: 'a b' is not a bundle identifier, such as com.example.app"
      ),
      (
        ["--app-apple-id", "x1"],
        "--app-apple-id: 'x1' is not an app's number in the App Store, such as 1234567890"
      ),
      (["--ready-fd", "900"], "--ready-fd: '900' is not the number of an open descriptor"),
      (["--policy", "monthEnd"], "--policy: 'monthEnd' is not NAME=VALUE"),
      (
        ["--policy", "monthEnd=late"],
        "--policy: monthEnd is anchored or chained, not 'late'"
      ),
      (
        ["--policy", "billingGracePeriod=5d"],
        "--policy: billingGracePeriod is off, 3d, 16d or 28d, not '5d'"
      ),
      (
        ["--policy", "billingGracePeriodScope=some"],
        "--policy: billingGracePeriodScope is allRenewals or paidToPaid, not 'some'"
      ),
      (
        ["--policy", "promotionalOfferSignature=yes"],
        "--policy: promotionalOfferSignature is optional or required, not 'yes'"
      ),
      (
        ["--policy", "graceRecoveryPurchaseDate="],
        "--policy: graceRecoveryPurchaseDate is cycleStart or recoveryTime, not ''"
      ),
      (
        ["--policy", "calendarTimeZone=CET"],
        "--policy: calendarTimeZone is UTC or America/Los_Angeles, not 'CET'"
      ),
      (
        ["--policy", "weather=fine"],
        "--policy: this version of renewd has no policy 'weather'; it has "
          + "monthEnd, calendarTimeZone, billingGracePeriod, billingGracePeriodScope, "
          + "graceRecoveryPurchaseDate, autoRenewAfterEnd, renewalRate, recentStartGap, "
          + "renewalLead, renewalLag, expiryLeeway, renewalCap, billingRetryInterval, "
          + "promotionalOfferSignature, renewalsFail"
      ),
      (
        ["--policy", "renewalRate=fast"],
        "--policy: renewalRate is one of realTime, oneHourIsOneDay, thirtyMinutesIsOneDay, "
          + "fiveMinutesIsOneDay, oneMinuteIsOneDay, thirtySecondsIsOneDay, oneSecondIsOneDay, "
          + "monthlyRenewalEveryHour, monthlyRenewalEveryThirtyMinutes, "
          + "monthlyRenewalEveryFifteenMinutes, monthlyRenewalEveryFiveMinutes, "
          + "monthlyRenewalEveryThreeMinutes, monthlyRenewalEveryThirtySeconds, "
          + "oneRenewalEveryFifteenMinutes, oneRenewalEveryFiveMinutes, oneRenewalEveryMinute, "
          + "oneRenewalEveryThirtySeconds, oneRenewalEveryTenSeconds, "
          + "oneRenewalEveryTwoSeconds, oneRenewalEveryDay, not 'fast'"
      ),
      (["--policy", "recentStartGap=1d"], "--policy: recentStartGap is 60d or 10min, not '1d'"),
      (["--role", "shop"], "--role: 'shop' is not a role: store, record"),
      (["--profile", "shop"], "--profile: 'shop' is not a profile: xcode, sandbox, production"),
      (
        ["--policy", "renewalLead=25h"],
        "--policy: renewalLead is a span of at most a day, such as 0, 2min or 10h: "
          + "'25h' is longer than a day"
      ),
      (["--policy", "renewalCap=0"], "--policy: renewalCap is off or 1 to 10000, not '0'"),
      (
        ["--policy", "renewalLead=10h", "--policy", "renewalLag=2min"],
        "--policy: renewalLead and renewalLag exclude each other"
      ),
      (["--http", "[::1]:80"], "--http: this version of renewd does not have it"),
      (["--state-directory", "a"], "--ephemeral and --state-directory exclude each other"),
    ] as [([String], String)])
  func wrongFlags(words: [String], expected: String) throws {
    #expect(try message(["--ephemeral"] + words) == expected)
  }

  @Test(
    "each wrong section, key and value of a file is named with file and line",
    arguments: [
      (
        "[daemno]\n",
        "r.conf:1: no section [daemno]: there are [daemon], [roles] and "
          + "[entitlement NAME]"
      ),
      ("[daemon]\nsokcet = x\n", "r.conf:2: [daemon] has no key sokcet; did you mean socket?"),
      (
        "[daemon]\nready-fd = 3\n",
        "r.conf:2: [daemon] has no key ready-fd; there are role, "
          + "state-directory, ephemeral, socket, socket-mode, socket-group, catalog, "
          + "catalog-settings, bundle-id, app-apple-id, environment, profile, policy, clock, "
          + "root-certificate, http"
      ),
      (
        "[daemon]\n\nsocket-mode = rw\n",
        "r.conf:3: socket-mode: 'rw' is not a mode in octal, "
          + "such as 0660"
      ),
      ("[daemon]\nephemeral = maybe\n", "r.conf:2: ephemeral: 'maybe' is not yes or no"),
      ("[daemon]\nhttp = :80\n", "r.conf:2: http: this version of renewd does not have it"),
      (
        "[roles]\nread = a\n",
        "r.conf:2: [roles] has no key read; there are read-users, "
          + "read-groups, write-users, write-groups, gateway-users, gateway-groups, admin-users, "
          + "admin-groups"
      ),
      (
        "[roles]\nwrite-users = no-such-user\n",
        "r.conf:2: write-users: there is no user "
          + "'no-such-user' on this machine"
      ),
      (
        "[roles]\nread-groups = no-such-group\n",
        "r.conf:2: read-groups: there is no group "
          + "'no-such-group' on this machine"
      ),
      ("[entitlement]\n", "r.conf:1: an entitlement needs a name: [entitlement pro]"),
      (
        "[entitlement pro]\nprodcuts = a\n",
        "r.conf:2: [entitlement pro] has no key prodcuts; "
          + "did you mean products?"
      ),
      ("[daemon x]\n", "r.conf:1: [daemon] takes no name"),
    ])
  func wrongFiles(text: String, expected: String) throws {
    #expect(try message(["--ephemeral"], file: text) == expected)
  }

  @Test("a wrong time of the clock is named with what a time looks like")
  func wrongClock() throws {
    #expect(try message(["--ephemeral", "--clock", "tomorrow"]).hasPrefix("--clock: "))
  }

  @Test("a file that was named must exist, one of the default place need not")
  func missingFile() throws {
    let folder = try TemporaryFolder()
    #expect {
      try DaemonOptions(
        try CommandLineOptions(["--config", "\(folder.path)/none.conf", "--ephemeral"]))
    } throws: {
      "\($0)" == "\(folder.path)/none.conf: cannot be read: No such file or directory"
    }
  }

  @Test("without a state directory the message says what to give")
  func noStateDirectory() throws {
    #expect(try message([]).hasPrefix("no state directory: give --state-directory DIR"))
  }

  @Test("a socket path that does not fit is refused with path, length, limit and remedy")
  func longSocketPath() throws {
    let path = "/tmp/" + String(repeating: "d", count: 120) + "/s.sock"
    let text = try message(["--ephemeral", "--socket", path])
    #expect(text.hasPrefix("--socket: \(path) has \(path.utf8.count) bytes"))
    #expect(text.contains("at most 107"))
    #expect(text.contains("take a shorter one"))
  }
}
