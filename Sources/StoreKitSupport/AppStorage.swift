import Foundation

/// A property that is kept in the user's defaults, under a key, from one run to the next.
///
/// It reads and writes through: what another part of the program sets is seen at the next reading.
/// In an `ObservableObject` a change is told by `objectWillChange`. Values of another type under
/// the same key read as the property's default.
@propertyWrapper
public struct AppStorage<Value> {
  private let key: String
  private let store: UserDefaults
  private let fallback: Value
  private let read: (UserDefaults, String) -> Value?
  private let write: (UserDefaults, String, Value) -> Void

  private init(
    key: String, store: UserDefaults?, fallback: Value,
    read: @escaping (UserDefaults, String) -> Value?,
    write: @escaping (UserDefaults, String, Value) -> Void
  ) {
    self.key = key
    self.store = store ?? .standard
    self.fallback = fallback
    self.read = read
    self.write = write
  }

  public var wrappedValue: Value {
    get { read(store, key) ?? fallback }
    nonmutating set {
      write(store, key, newValue)
      // Foundation on Linux writes the file only when it is told to.
      if !store.synchronize() {
        OSLog.default.write("the value of \(key, privacy: .public) could not be kept", .error)
      }
    }
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, AppStorage<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].wrappedValue }
    set {
      (object as? any ObservableObject)?.objectWillChange.send()
      object[keyPath: storageKeyPath].wrappedValue = newValue
    }
  }
}

extension AppStorage {
  /// A value that the defaults hold as it is.
  private init(plain fallback: Value, _ key: String, _ store: UserDefaults?) {
    self.init(
      key: key, store: store, fallback: fallback,
      read: { $0.object(forKey: $1) as? Value },
      write: { store, key, value in store.set(value, forKey: key) })
  }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == Bool { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == Int { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == Double { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == String { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == Data { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == Date { self.init(plain: wrappedValue, key, store) }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value == URL {
    self.init(
      key: key, store: store, fallback: wrappedValue, read: { $0.address(forKey: $1) },
      write: { store, key, value in store.set(value.absoluteString, forKey: key) })
  }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value: RawRepresentable, Value.RawValue == String {
    self.init(raw: wrappedValue, key, store)
  }

  public init(
    wrappedValue: Value, _ key: String, store: UserDefaults? = nil
  ) where Value: RawRepresentable, Value.RawValue == Int {
    self.init(raw: wrappedValue, key, store)
  }

  /// A value that the defaults hold as its raw value.
  private init(
    raw fallback: Value, _ key: String, _ store: UserDefaults?
  ) where Value: RawRepresentable {
    self.init(
      key: key, store: store, fallback: fallback,
      read: { ($0.object(forKey: $1) as? Value.RawValue).flatMap(Value.init(rawValue:)) },
      write: { store, key, value in store.set(value.rawValue, forKey: key) })
  }
}

// Values that may be missing: nil stands for no value under the key, and setting it removes it.
extension AppStorage where Value: ExpressibleByNilLiteral {
  private init<Kept>(plain key: String, _ store: UserDefaults?) where Value == Kept? {
    self.init(
      key: key, store: store, fallback: nil,
      read: { .some($0.object(forKey: $1) as? Kept) },
      write: { store, key, value in store.set(value, orRemoveFor: key) })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Date? {
    self.init(plain: key, store)
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == URL? {
    self.init(
      key: key, store: store, fallback: nil, read: { .some($0.address(forKey: $1)) },
      write: { store, key, value in store.set(value?.absoluteString, orRemoveFor: key) })
  }

  public init<Kept: RawRepresentable>(
    _ key: String, store: UserDefaults? = nil
  ) where Value == Kept?, Kept.RawValue == String { self.init(raw: key, store) }

  public init<Kept: RawRepresentable>(
    _ key: String, store: UserDefaults? = nil
  ) where Value == Kept?, Kept.RawValue == Int { self.init(raw: key, store) }

  private init<Kept: RawRepresentable>(
    raw key: String, _ store: UserDefaults?
  ) where Value == Kept? {
    self.init(
      key: key, store: store, fallback: nil,
      read: { .some(($0.object(forKey: $1) as? Kept.RawValue).flatMap(Kept.init(rawValue:))) },
      write: { store, key, value in store.set(value?.rawValue, orRemoveFor: key) })
  }
}

extension UserDefaults {
  /// An address, kept as its text: Foundation on Linux does not give back what `set(_: URL?)` took.
  fileprivate func address(forKey key: String) -> URL? {
    (object(forKey: key) as? String).flatMap(URL.init(string:))
  }

  fileprivate func set<Kept>(_ value: Kept?, orRemoveFor key: String) {
    if let value { set(value, forKey: key) } else { removeObject(forKey: key) }
  }
}
