/// The options of `renewd`: flags on the command line, and most of them keys of `[daemon]` in a
/// configuration file. The raw value is the name in both; a new one is a case and its row.
enum OptionName: String, CaseIterable, Sendable {
  case role
  case config
  case stateDirectory = "state-directory"
  case ephemeral
  case socket
  case socketMode = "socket-mode"
  case socketGroup = "socket-group"
  case catalog
  case catalogSettings = "catalog-settings"
  case bundleID = "bundle-id"
  case appAppleID = "app-apple-id"
  case environment
  case profile
  case policy
  case clock
  case clockFile = "clock-file"
  case rootCertificate = "root-certificate"
  case http
  case readyFD = "ready-fd"
  case help
  case version

  /// Whether the option may stand in a file.
  var isKey: Bool { row.scope != .process }

  static var keys: [OptionName] { allCases.filter(\.isKey) }

  /// What there is to say of each, one row an option, for the parser, the help, the list of
  /// `Daemon.Describe` and a reload.
  var row: OptionRow {
    switch self {
    case .role:
      .single(
        "ROLE", "store or record: what the log is, fixed by its first event", .start,
        default: "store"
      ) { options, setting throws(WrongValue) in
        options.role = (try OptionValues.isRecord(setting.value), setting.origin)
      }
    case .config:
      .single(
        "FILE", "read FILE and FILE.d/*.conf (\(DaemonOptions.configurationDefault))", .process,
        default: DaemonOptions.configurationDefault)
    case .stateDirectory:
      .single(
        "DIR", "where the log is ($STATE_DIRECTORY)", .start,
        sets: OptionRow.text(\.stateDirectory))
    case .ephemeral:
      .flag("a temporary log, removed at exit", .start) { options, _ in
        options.stateDirectory = nil
      }
    case .socket:
      .single(
        "PATH", "where to listen (\(DaemonOptions.socketDefault))", .start,
        default: DaemonOptions.socketDefault,
        sets: OptionRow.value(\.socketPath, SocketAddress.checked))
    case .socketMode:
      .single(
        "MODE", "mode of the socket's file (0660)", .start, default: "0660",
        sets: OptionRow.value(\.socketMode, OptionValues.mode))
    case .socketGroup:
      .single(
        "GROUP", "group of the socket's file; its members may read", .start,
        sets: OptionRow.value(\.configuration.socketGroup, OptionValues.group))
    case .catalog:
      .list("FILE…", "Xcode .storekit files to sell from", .start) { options, setting in
        options.catalogues.append(setting.value)
      }
    case .catalogSettings:
      .flag("let the settings of the .storekit files set the start values", .start)
    case .bundleID:
      .single(
        "ID", "the app's bundle identifier", .reload,
        sets: OptionRow.value(\.configuration.bundleID, OptionValues.bundleID))
    case .appAppleID:
      .single(
        "N", "the app's number in the App Store", .reload,
        sets: OptionRow.value(\.configuration.appAppleID, OptionValues.appAppleID))
    case .environment:
      .single(
        "NAME", "Sandbox (default), Production, Xcode or LocalTesting", .reload,
        default: "Sandbox",
        sets: OptionRow.value(\.configuration.environment, OptionValues.environment))
    case .profile:
      .single(
        "NAME", "a set of defaults for the policies: xcode, sandbox or production", .reload,
        sets: OptionRow.value(\.profile, OptionValues.profile))
    case .policy:
      .list(
        "NAME=VALUE…", "a rule of the store, such as billingGracePeriod=16d; see below", .reload)
    case .clock:
      .single(
        "TIME", "make a test clock named default that shows TIME", .start,
        sets: OptionRow.value(\.clock, OptionValues.time))
    case .clockFile:
      .single(
        "FILE", "keep the time of the clock named default in FILE, for libfaketime", .process,
        sets: OptionRow.text(\.clockFile))
    case .rootCertificate:
      .list(
        "FILE…", "roots of signed facts, PEM or DER; a record log needs them", .start
      ) { options, setting in options.rootCertificates.append(setting) }
    case .http: .later("ADDRESS")
    case .readyFD:
      .single(
        "N", "write READY=1 to descriptor N when ready", .process,
        sets: OptionRow.value(\.readyDescriptor, OptionValues.descriptor))
    case .help: .flag("show this", .process)
    case .version: .flag("show the version", .process)
    }
  }
}
