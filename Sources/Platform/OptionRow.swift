/// What there is to say of an option: a row of the table that `OptionName` is.
struct OptionRow {
  /// How many values an option has.
  enum Arity {
    /// None on the command line; yes or no in a file.
    case flag
    /// One; the last one given counts.
    case single
    /// Any number; all given count.
    case list
  }

  /// Where an option may stand, and from when a changed one counts.
  enum Scope {
    /// On the command line alone: it is about the one process that is started.
    case process
    /// In files too; it counts from the next start.
    case start
    /// In files too; it counts from the next reload.
    case reload
  }

  typealias Setter = (inout DaemonOptions, Setting) throws(WrongValue) -> Void

  let arity: Arity
  /// The word for its value in the help; empty for a flag.
  let argument: String
  /// One line of the help; nil for what this version refuses.
  let help: String?
  let scope: Scope
  /// The value that it has where nobody gives one, for `Daemon.Describe`.
  var defaultValue: String?
  /// Sets what it sets: to the value that counts, or to each where all do. An option that sets
  /// nothing is asked for by its name.
  let set: Setter

  static func flag(
    _ help: String, _ scope: Scope, sets set: @escaping Setter = { _, _ in }
  ) -> OptionRow {
    OptionRow(arity: .flag, argument: "", help: help, scope: scope, set: set)
  }

  static func single(
    _ argument: String, _ help: String, _ scope: Scope, default value: String? = nil,
    sets set: @escaping Setter = { _, _ in }
  ) -> OptionRow {
    OptionRow(
      arity: .single, argument: argument, help: help, scope: scope, defaultValue: value, set: set)
  }

  static func list(
    _ argument: String, _ help: String, _ scope: Scope, sets set: @escaping Setter = { _, _ in }
  ) -> OptionRow {
    OptionRow(arity: .list, argument: argument, help: help, scope: scope, set: set)
  }

  /// What a later version will do. It is refused by name: a daemon that passed it over would do
  /// something else than it was told.
  static func later(_ argument: String) -> OptionRow {
    OptionRow(arity: .single, argument: argument, help: nil, scope: .reload, set: { _, _ in })
  }

  /// Sets a property to the text, or to what `read` makes of it.
  static func value<Value>(
    _ property: WritableKeyPath<DaemonOptions, Value>,
    _ read: @escaping (String) throws(WrongValue) -> Value
  ) -> Setter {
    { options, setting throws(WrongValue) in
      options[keyPath: property] = try read(setting.value)
    }
  }

  static func text(_ property: WritableKeyPath<DaemonOptions, String?>) -> Setter {
    { options, setting in options[keyPath: property] = setting.value }
  }
}
