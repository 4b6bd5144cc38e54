/// The options of `renewd`: flags on the command line, and most of them keys of `[daemon]` in a
/// configuration file. The raw value is the name in both.
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

  /// How many values an option has.
  enum Arity {
    /// None on the command line; yes or no in a file.
    case flag
    /// One; the last one given counts.
    case single
    /// Any number; all given count.
    case list
  }

  var arity: Arity {
    switch self {
    case .ephemeral, .catalogSettings, .help, .version: .flag
    case .catalog, .policy, .rootCertificate: .list
    case .role, .config, .stateDirectory, .socket, .socketMode, .socketGroup, .bundleID,
      .appAppleID, .environment, .profile, .clock, .clockFile, .http,
      .readyFD:
      .single
    }
  }

  /// Whether the option may stand in a file: not those about the one process that is started.
  var isKey: Bool {
    switch self {
    case .config, .clockFile, .readyFD, .help, .version: false
    case .role, .stateDirectory, .ephemeral, .socket, .socketMode, .socketGroup, .catalog,
      .catalogSettings, .bundleID, .appAppleID, .environment, .profile, .policy, .clock,
      .rootCertificate, .http:
      true
    }
  }

  /// The value in the help.
  var placeholder: String {
    switch self {
    case .ephemeral, .catalogSettings, .help, .version: ""
    case .role: "ROLE"
    case .config: "FILE"
    case .stateDirectory: "DIR"
    case .socket: "PATH"
    case .socketMode: "MODE"
    case .socketGroup: "GROUP"
    case .catalog: "FILE…"
    case .bundleID: "ID"
    case .appAppleID: "N"
    case .environment: "NAME"
    case .profile: "NAME"
    case .policy: "NAME=VALUE…"
    case .clock: "TIME"
    case .clockFile: "FILE"
    case .rootCertificate: "FILE…"
    case .http: "ADDRESS"
    case .readyFD: "N"
    }
  }

  /// One line of the help; nil for what this version refuses.
  var help: String? {
    switch self {
    case .role: "store or record: what the log is, fixed by its first event"
    case .config: "read FILE and FILE.d/*.conf (\(DaemonOptions.configurationDefault))"
    case .stateDirectory: "where the log is ($STATE_DIRECTORY)"
    case .ephemeral: "a temporary log, removed at exit"
    case .socket: "where to listen (\(DaemonOptions.socketDefault))"
    case .socketMode: "mode of the socket's file (0660)"
    case .socketGroup: "group of the socket's file; its members may read"
    case .catalog: "Xcode .storekit files to sell from"
    case .bundleID: "the app's bundle identifier"
    case .appAppleID: "the app's number in the App Store"
    case .environment: "Sandbox (default), Production, Xcode or LocalTesting"
    case .profile: "a set of defaults for the policies: xcode, sandbox or production"
    case .policy: "a rule of the store, such as billingGracePeriod=16d; see below"
    case .clock: "make a test clock named default that shows TIME"
    case .clockFile: "keep the time of the clock named default in FILE, for libfaketime"
    case .readyFD: "write READY=1 to descriptor N when ready"
    case .help: "show this"
    case .version: "show the version"
    case .catalogSettings: "let the settings of the .storekit files set the start values"
    case .rootCertificate: "roots of signed facts, PEM or DER; a record log needs them"
    case .http: nil
    }
  }
}
