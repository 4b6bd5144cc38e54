import Engine
import Glibc

/// Everything the daemon was told by its command line, its environment and its files, checked.
/// Flag over environment over file over default.
public struct DaemonOptions: Sendable {
  static let configurationDefault = "/etc/renewd/renewd.conf"
  static let socketDefault = "/run/renewd/renewd.sock"

  /// Where the log is; nil for one that is thrown away at exit.
  var stateDirectory: String?
  var socketPath = socketDefault
  var socketMode: UInt32 = 0o660
  var catalogues: [String] = []
  /// The time of the test clock to make, in milliseconds since 1970.
  var clock: Int64?
  /// Where the time of the clock `default` is kept for other programs.
  var clockFile: String?
  var readyDescriptor: Int32?
  /// Whether the log is to be a record, and where that was said; nil where nothing was.
  var role: (isRecord: Bool, origin: Origin)?
  /// Files of root certificates.
  var rootCertificates: [Setting] = []
  var profile: Profile?
  /// What the engine is told.
  var configuration = Configuration()
  /// What the catalogues' own settings say; empty where they do not count.
  private(set) var catalogueSettings: [CatalogueFileSettings] = []
  /// What the shell alone uses and cannot change while it runs, for comparison at a reload.
  private(set) var fixed: [OptionName: [String]] = [:]

  /// Reads the files and puts everything together.
  ///
  /// - Throws: what is wrong first, with its place.
  init(_ commandLine: CommandLineOptions) throws(ConfigurationError) {
    let files = try Self.readFiles(commandLine)
    var merger = OptionMerger(commandLine)
    for file in files { try merger.add(file) }
    merger.addEnvironment()
    try Self.refuseWhatIsNotBuilt(merger)
    try Self.checkStateDirectory(merger)
    for option in OptionName.allCases {
      for setting in merger.counted(option) { try set(option, setting) }
    }
    if let profile, !merger.has(.environment) { configuration.environment = profile.environment }
    catalogueSettings = try CatalogueFileSettings.all(merger)
    merger.catalogueSettings = catalogueSettings
    merger.presets = PolicyPreset.all(merger, profile)
    configuration.daemonUser = geteuid()
    configuration.version = renewdVersion
    try merger.complete(&configuration)
    fixed = merger.fixedValues()
  }

  private mutating func set(
    _ option: OptionName, _ setting: Setting
  ) throws(ConfigurationError) {
    do throws(WrongValue) {
      try option.row.set(&self, setting)
    } catch {
      throw ConfigurationError(setting.origin, option.rawValue, error.message)
    }
  }

  private static func checkStateDirectory(_ merger: OptionMerger) throws(ConfigurationError) {
    if merger.isOnCommandLine(.ephemeral), merger.isOnCommandLine(.stateDirectory) {
      throw ConfigurationError("--ephemeral and --state-directory exclude each other")
    }
    guard merger.has(.ephemeral) || merger.has(.stateDirectory) else {
      throw ConfigurationError(
        "no state directory: give --state-directory DIR, or --ephemeral for a log that is "
          + "removed at exit")
    }
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

  private static func refuseWhatIsNotBuilt(_ merger: OptionMerger) throws(ConfigurationError) {
    for option in OptionName.allCases where option.row.help == nil {
      guard let setting = merger.setting(option) else { continue }
      throw ConfigurationError(
        setting.origin, option.rawValue, "this version of renewd does not have it")
    }
  }
}
