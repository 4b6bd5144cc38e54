import Engine

/// A policy's value that comes with something else: a profile, or a catalogue's own settings.
struct PolicyPreset {
  var policy: Setting
  /// The option that brought it.
  var option: OptionName
  /// Where it came from, for `Daemon.Describe`.
  var origin: String

  private var name: Substring { policy.value.prefix { $0 != "=" } }

  /// All of them, those of the catalogues behind the profile's so that they count; those that
  /// `--policy` names are left out, and of two of one name the first.
  static func all(_ merger: OptionMerger, _ profile: Profile?) -> [PolicyPreset] {
    var found: [PolicyPreset] = []
    if let profile, let setting = merger.setting(.profile) {
      found = profile.policies.map {
        PolicyPreset(
          policy: Setting(value: $0, origin: setting.origin), option: .profile,
          origin: "profile \(setting.value), \(setting.origin)")
      }
    }
    for file in merger.catalogueSettings {
      found += file.settings.policies.map {
        PolicyPreset(
          policy: Setting(value: $0, origin: .catalogue(file.path)), option: .catalogSettings,
          origin: "settings of \(file.path)")
      }
    }
    let named = Set(merger.values(.policy).map { $0.prefix { $0 != "=" } })
    var kept: [PolicyPreset] = []
    for preset in found where !named.contains(preset.name) {
      kept.removeAll { $0.name == preset.name }
      kept.append(preset)
    }
    return kept
  }
}

/// A catalogue's own settings, where they are asked for.
struct CatalogueFileSettings {
  var path: String
  var settings: CatalogueSettings

  /// Those of each catalogue in order; none without `--catalog-settings`.
  static func all(_ merger: OptionMerger) throws(ConfigurationError) -> [CatalogueFileSettings] {
    var found: [CatalogueFileSettings] = []
    guard merger.has(.catalogSettings) else { return found }
    for path in merger.values(.catalog) {
      found.append(CatalogueFileSettings(path: path, settings: try CatalogueSettings.read(path)))
    }
    return found
  }
}

extension CatalogueSettings {
  /// The settings of a file; `builtin:` is the catalogue that comes with the daemon.
  fileprivate static func read(_ path: String) throws(ConfigurationError) -> CatalogueSettings {
    let text: [UInt8]
    if path == Daemon.builtInCatalogue {
      text = Engine.builtInCatalogue
    } else {
      do throws(SystemError) {
        text = try readFile(path, byteCountMax: Limits.catalogueByteCountMax)
      } catch {
        throw ConfigurationError("the catalogue \(path) cannot be read: \(error)")
      }
    }
    do throws(ConfigurationTextError) {
      return try CatalogueSettings(ofCatalogue: text)
    } catch {
      throw ConfigurationError("the catalogue \(path) is \(error.message)")
    }
  }
}
