import Engine

/// Everything the daemon was told by its command line, its environment and its files, checked.
/// Flag over environment over file over default.
public struct DaemonOptions: Sendable {
  static let configurationDefault = "/etc/renewd/renewd.conf"
  static let socketDefault = "/run/renewd/renewd.sock"
  static let socketModeDefault: UInt32 = 0o660

  /// Where the log is; nil for one that is thrown away at exit.
  let stateDirectory: String?
  let socketPath: String
  let socketMode: UInt32
  let catalogues: [String]
  /// The time of the test clock to make, in milliseconds since 1970.
  let clock: Int64?
  /// Where the time of the clock `default` is kept for other programs.
  let clockFile: String?
  let readyDescriptor: Int32?
  /// Whether the log is to be a record, and where that was said; nil where nothing was.
  let role: (isRecord: Bool, origin: Origin)?
  /// Files of root certificates.
  let rootCertificates: [Setting]
  /// What the engine is told.
  let configuration: Configuration
  /// What the catalogues' own settings say; empty where they do not count.
  let catalogueSettings: [CatalogueFileSettings]
  /// What the shell alone uses and cannot change while it runs, for comparison at a reload.
  let fixed: [OptionName: [String]]

  /// Reads the files and puts everything together.
  ///
  /// - Throws: what is wrong first, with its place.
  init(_ commandLine: CommandLineOptions) throws(ConfigurationError) {
    let files = try Self.readFiles(commandLine)
    var merger = OptionMerger(commandLine)
    for file in files { try merger.add(file) }
    merger.addEnvironment()
    try Self.refuseWhatIsNotBuilt(merger)

    if merger.has(.ephemeral) {
      if merger.isOnCommandLine(.ephemeral), merger.isOnCommandLine(.stateDirectory) {
        throw ConfigurationError("--ephemeral and --state-directory exclude each other")
      }
      stateDirectory = nil
    } else {
      guard let directory = merger.value(.stateDirectory) else {
        throw ConfigurationError(
          "no state directory: give --state-directory DIR, or --ephemeral for a log that is "
            + "removed at exit")
      }
      stateDirectory = directory
    }
    let path = merger.setting(.socket, default: Self.socketDefault)
    socketPath = try SocketAddress.checked(path)
    socketMode = try merger.checked(.socketMode, Self.socketModeDefault, OptionValues.mode)
    catalogues = merger.values(.catalog)
    clock = try merger.checked(.clock, nil, OptionValues.time)
    clockFile = merger.value(.clockFile)
    role = try Self.role(merger)
    rootCertificates = merger.settings(.rootCertificate)
    readyDescriptor = try merger.checked(.readyFD, nil, OptionValues.descriptor)
    let settings = try CatalogueFileSettings.all(merger)
    merger.catalogueSettings = settings
    merger.presets = PolicyPreset.all(merger)
    catalogueSettings = settings
    configuration = try merger.configuration()
    fixed = merger.fixedValues()
  }

  /// Reads `/etc/renewd/renewd.conf`, which need not exist, or the file of `--config`, which
  /// must; then the drop-ins beside it, in the order of their names.
  private static func readFiles(
    _ commandLine: CommandLineOptions
  ) throws(ConfigurationError) -> [ConfigurationFile] {
    let given = commandLine.settings[.config]?.last?.value
    let path = given ?? configurationDefault
    var files: [ConfigurationFile] = []
    if let main = try readConfiguration(path, mustExist: given != nil) { files.append(main) }
    let folder = "\(path).d"
    let names = try DirectoryListing.names(in: folder).filter { $0.hasSuffix(".conf") }.sorted()
    for name in names where !name.hasPrefix(".") {
      if let file = try readConfiguration("\(folder)/\(name)", mustExist: true) {
        files.append(file)
      }
    }
    return files
  }

  private static func readConfiguration(
    _ path: String, mustExist: Bool
  ) throws(ConfigurationError) -> ConfigurationFile? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, byteCountMax: Limits.configurationByteCountMax)
    } catch {
      if error.isMissing, !mustExist { return nil }
      throw ConfigurationError("\(path): cannot be read: \(error)")
    }
    return try ConfigurationFile(path: path, bytes: bytes)
  }

  private static func role(
    _ merger: OptionMerger
  ) throws(ConfigurationError) -> (isRecord: Bool, origin: Origin)? {
    guard let setting = merger.setting(.role) else { return nil }
    guard setting.value == "store" || setting.value == "record" else {
      throw ConfigurationError(
        setting.origin, "role", "'\(setting.value)' is not a role: store, record")
    }
    return (setting.value == "record", setting.origin)
  }

  /// What a later version will do is refused by name: a daemon that passed it over would do
  /// something else than it was told.
  private static func refuseWhatIsNotBuilt(_ merger: OptionMerger) throws(ConfigurationError) {
    for option in [OptionName.http] {
      guard let setting = merger.setting(option) else { continue }
      throw ConfigurationError(
        setting.origin, option.rawValue, "this version of renewd does not have it")
    }
  }
}
