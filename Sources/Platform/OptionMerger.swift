import Engine

/// Puts the command line, the environment and the files together: who gives a value, and what
/// files alone can say, roles and entitlements.
struct OptionMerger {
  private let commandLine: CommandLineOptions
  private var fileSettings: [OptionName: [Setting]] = [:]
  private var environmentSettings: [OptionName: Setting] = [:]
  private var roles: [RoleKey: [Setting]] = [:]
  private var entitlements: [(name: String, products: [Setting], origin: Origin)] = []
  /// What the profile and the catalogues' own settings say, but where a policy is set by name.
  var presets: [PolicyPreset] = []
  /// What the catalogues' own settings say; empty where they do not count.
  var catalogueSettings: [CatalogueFileSettings] = []

  /// A key of `[roles]`: `read-users`, `admin-groups` and so on.
  struct RoleKey: Hashable {
    var role: PeerRole
    var isGroup: Bool

    init(role: PeerRole, isGroup: Bool) {
      self.role = role
      self.isGroup = isGroup
    }

    init?(_ key: String) {
      guard let found = Self.all.first(where: { $0.name == key }) else { return nil }
      self = found
    }

    var name: String { "\(role.name)-\(isGroup ? "groups" : "users")" }

    static let all = PeerRole.allCases.flatMap {
      [RoleKey(role: $0, isGroup: false), RoleKey(role: $0, isGroup: true)]
    }
  }

  init(_ commandLine: CommandLineOptions) {
    self.commandLine = commandLine
  }

  /// Variables that the service manager and the command line's tools set.
  mutating func addEnvironment() {
    for (option, name) in [
      (OptionName.socket, "RENEWD_SOCKET"), (.stateDirectory, "STATE_DIRECTORY"),
    ] {
      // Of several state directories the first is the log's.
      guard let value = Platform.environment(name)?.split(separator: ":").first.map(String.init)
      else { continue }
      environmentSettings[option] = Setting(value: value, origin: .environment(name))
    }
  }

  mutating func add(_ file: ConfigurationFile) throws(ConfigurationError) {
    for section in file.sections {
      func wrong(_ line: Int, _ message: String) -> ConfigurationError {
        ConfigurationError("\(file.path):\(line): \(message)")
      }
      switch section.name {
      case "daemon", "roles":
        guard section.argument.isEmpty else {
          throw wrong(section.line, "[\(section.name)] takes no name")
        }
      case "entitlement":
        guard !section.argument.isEmpty else {
          throw wrong(section.line, "an entitlement needs a name: [entitlement pro]")
        }
      default:
        throw wrong(
          section.line,
          "no section [\(section.name)]: there are [daemon], [roles] and [entitlement NAME]")
      }
      for entry in section.entries {
        let origin = Origin.file(path: file.path, line: entry.line)
        let isTaken =
          switch section.name {
          case "daemon": try addOption(entry, origin)
          case "roles": addRole(entry, origin)
          default: addEntitlement(section.argument, entry, origin)
          }
        guard isTaken else {
          throw wrong(entry.line, Self.unknownKey(entry.key, in: section))
        }
      }
      if section.name == "entitlement" {
        declare(section.argument, .file(path: file.path, line: section.line))
      }
    }
  }

  private static func unknownKey(
    _ key: String, in section: ConfigurationFile.Section
  ) -> String {
    let names =
      switch section.name {
      case "daemon": OptionName.keys.map(\.rawValue)
      case "roles": RoleKey.all.map(\.name)
      default: ["products"]
      }
    let hint = Spelling.nearest(to: key, in: names).map { "did you mean \($0)?" }
    let title = section.argument.isEmpty ? section.name : "\(section.name) \(section.argument)"
    return "[\(title)] has no key \(key); \(hint ?? "there are \(names.joined(separator: ", "))")"
  }

  /// An empty value takes back what files before gave, as in systemd's own files.
  private mutating func addOption(
    _ entry: ConfigurationFile.Entry, _ origin: Origin
  ) throws(ConfigurationError) -> Bool {
    guard let option = OptionName(rawValue: entry.key), option.isKey else { return false }
    if entry.value.isEmpty {
      fileSettings[option] = nil
      return true
    }
    switch option.row.arity {
    case .single:
      fileSettings[option] = [Setting(value: entry.value, origin: origin)]
    case .list:
      for word in entry.value.split(separator: " ") {
        fileSettings[option, default: []].append(Setting(value: String(word), origin: origin))
      }
    case .flag:
      switch entry.value {
      case "yes", "true", "on", "1":
        fileSettings[option] = [Setting(value: "yes", origin: origin)]
      case "no", "false", "off", "0": fileSettings[option] = nil
      default: throw ConfigurationError(origin, entry.key, "'\(entry.value)' is not yes or no")
      }
    }
    return true
  }

  private mutating func addRole(_ entry: ConfigurationFile.Entry, _ origin: Origin) -> Bool {
    guard let key = RoleKey(entry.key) else { return false }
    if entry.value.isEmpty { roles[key] = nil }
    for word in entry.value.split(separator: " ") {
      roles[key, default: []].append(Setting(value: String(word), origin: origin))
    }
    return true
  }

  private mutating func addEntitlement(
    _ name: String, _ entry: ConfigurationFile.Entry, _ origin: Origin
  ) -> Bool {
    guard entry.key == "products" else { return false }
    let index = declare(name, origin)
    if entry.value.isEmpty { entitlements[index].products = [] }
    for word in entry.value.split(separator: " ") {
      entitlements[index].products.append(Setting(value: String(word), origin: origin))
    }
    return true
  }

  @discardableResult
  private mutating func declare(_ name: String, _ origin: Origin) -> Int {
    if let index = entitlements.firstIndex(where: { $0.name == name }) { return index }
    entitlements.append((name, [], origin))
    return entitlements.count - 1
  }
}

extension OptionMerger {
  /// All settings of an option from the closest place that has any.
  func settings(_ option: OptionName) -> [Setting] {
    if let given = commandLine.settings[option] { return given }
    // The service manager's directory is what the unit asked for; a file says where else.
    if option == .stateDirectory, let inFile = fileSettings[option] { return inFile }
    if let inEnvironment = environmentSettings[option] { return [inEnvironment] }
    return fileSettings[option] ?? []
  }

  func setting(_ option: OptionName) -> Setting? { settings(option).last }

  func has(_ option: OptionName) -> Bool { setting(option) != nil }

  /// Whether the command line itself has the option.
  func isOnCommandLine(_ option: OptionName) -> Bool { commandLine.has(option) }

  func value(_ option: OptionName) -> String? { setting(option)?.value }

  func values(_ option: OptionName) -> [String] { settings(option).map(\.value) }

  /// The settings that count: the last one, of an option that has one value.
  func counted(_ option: OptionName) -> [Setting] {
    let given = settings(option)
    return option.row.arity == .list ? given : given.suffix(1)
  }

  /// What only a restart changes.
  func fixedValues() -> [OptionName: [String]] {
    var found: [OptionName: [String]] = [:]
    for option in OptionName.allCases where option.row.scope == .start && has(option) {
      found[option] = values(option)
    }
    return found
  }

  /// Adds to what the engine is told what is in no single option's value.
  func complete(_ configuration: inout Configuration) throws(ConfigurationError) {
    for preset in presets { try configuration.apply(preset.policy, of: preset.option) }
    for policy in settings(.policy) { try configuration.apply(policy) }
    if let contradiction = configuration.policies.contradiction, let policy = setting(.policy) {
      throw ConfigurationError(policy.origin, OptionName.policy.rawValue, contradiction)
    }
    try addRoles(to: &configuration)
    configuration.entitlements = entitlements.map {
      Entitlement(name: $0.name, productIDs: $0.products.map(\.value))
    }
    configuration.options = optionValues(environment: configuration.environment)
  }

  private func addRoles(to configuration: inout Configuration) throws(ConfigurationError) {
    var members: [RoleKey: [UInt32]] = [:]
    for key in RoleKey.all {
      for setting in roles[key] ?? [] {
        let found: UInt32?
        do throws(SystemError) {
          found =
            try key.isGroup
            ? AccountDatabase.group(setting.value) : AccountDatabase.user(setting.value)
        } catch {
          throw ConfigurationError(
            setting.origin, key.name, "'\(setting.value)' cannot be looked up: \(error)")
        }
        guard let found else {
          throw ConfigurationError(
            setting.origin, key.name,
            "there is no \(key.isGroup ? "group" : "user") '\(setting.value)' on this machine")
        }
        members[key, default: []].append(found)
      }
    }
    func role(_ role: PeerRole) -> RoleMembers {
      RoleMembers(
        users: members[RoleKey(role: role, isGroup: false)] ?? [],
        groups: members[RoleKey(role: role, isGroup: true)] ?? [])
    }
    configuration.read = role(.read)
    configuration.write = role(.write)
    configuration.gateway = role(.gateway)
    configuration.admin = role(.admin)
    // A machine without the group has no one to let in by it; that is not a mistake.
    let name = configuration.readGroupName
    if roles[RoleKey(role: .read, isGroup: true)] == nil,
      let group = try? AccountDatabase.group(name)
    {
      configuration.read.groups.append(group)
    }
  }

  /// Each option that has a value, and where it is from, in the order of the help. The environment
  /// is by default the profile's.
  private func optionValues(environment: String) -> [OptionValue] {
    var found: [OptionValue] = []
    for option in OptionName.allCases {
      for setting in settings(option) {
        found.append(
          OptionValue(
            name: option.rawValue, value: setting.value, origin: setting.origin.description))
      }
      if !has(option), let value = option.row.defaultValue {
        found.append(
          OptionValue(
            name: option.rawValue, value: option == .environment ? environment : value,
            origin: "default"))
      }
    }
    for preset in presets {
      found.append(
        OptionValue(
          name: OptionName.policy.rawValue, value: preset.policy.value, origin: preset.origin))
    }
    for file in catalogueSettings {
      for start in file.settings.switches {
        found.append(
          OptionValue(
            name: "start", value: start.description,
            origin: "settings of \(file.path), when it is first imported"))
      }
    }
    for key in RoleKey.all {
      for setting in roles[key] ?? [] {
        found.append(
          OptionValue(
            name: "roles.\(key.name)", value: setting.value, origin: setting.origin.description))
      }
    }
    for entitlement in entitlements {
      found.append(
        OptionValue(
          name: "entitlement.\(entitlement.name)",
          value: entitlement.products.map(\.value).joined(separator: " "),
          origin: entitlement.origin.description))
    }
    return found
  }
}
