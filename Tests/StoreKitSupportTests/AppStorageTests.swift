import Foundation
import StoreKitSupport
import Testing

private enum Theme: String {
  case light
  case dark
}

private enum Level: Int {
  case low = 1
  case high
}

/// Defaults of its own, gone with it.
private final class Defaults {
  let name = "com.example.app.\(UInt64.random(in: 0 ... .max))"
  let store: UserDefaults

  init() throws { store = try #require(UserDefaults(suiteName: name)) }

  deinit { store.removePersistentDomain(forName: name) }
}

/// A property of each type that can be kept.
private struct Settings {
  @AppStorage var flag: Bool
  @AppStorage var count: Int
  @AppStorage var ratio: Double
  @AppStorage var name: String
  @AppStorage var data: Data
  @AppStorage var date: Date
  @AppStorage var page: URL
  @AppStorage var theme: Theme
  @AppStorage var level: Level
  @AppStorage var nickname: String?
  @AppStorage var last: Date?
  @AppStorage var home: URL?
  @AppStorage var wish: Theme?

  init(_ store: UserDefaults) throws {
    let page = try #require(URL(string: "https://example.com/a"))
    _flag = AppStorage(wrappedValue: true, "flag", store: store)
    _count = AppStorage(wrappedValue: 3, "count", store: store)
    _ratio = AppStorage(wrappedValue: 0.5, "ratio", store: store)
    _name = AppStorage(wrappedValue: "a", "name", store: store)
    _data = AppStorage(wrappedValue: Data([1]), "data", store: store)
    _date = AppStorage(wrappedValue: Date(timeIntervalSince1970: 1), "date", store: store)
    _page = AppStorage(wrappedValue: page, "page", store: store)
    _theme = AppStorage(wrappedValue: .light, "theme", store: store)
    _level = AppStorage(wrappedValue: .low, "level", store: store)
    _nickname = AppStorage("nickname", store: store)
    _last = AppStorage("last", store: store)
    _home = AppStorage("home", store: store)
    _wish = AppStorage("wish", store: store)
  }
}

private final class Observed: ObservableObject {
  @AppStorage var count: Int

  init(_ store: UserDefaults) {
    _count = AppStorage(wrappedValue: 0, "count", store: store)
  }
}

@Suite("Properties that are kept")
struct AppStorageTests {
  @Test("what was never set is the property's default, and is not kept")
  func defaults() throws {
    let defaults = try Defaults()
    let settings = try Settings(defaults.store)
    #expect(settings.flag && settings.count == 3 && settings.ratio == 0.5)
    #expect(settings.name == "a" && settings.data == Data([1]) && settings.theme == .light)
    #expect(settings.page.path == "/a" && settings.level == .low)
    #expect(settings.nickname == nil && settings.last == nil && settings.home == nil)
    #expect(settings.wish == nil)
    #expect(defaults.store.object(forKey: "count") == nil)
  }

  @Test("each type is kept, and read by another property of the same key")
  func kept() throws {
    let defaults = try Defaults()
    let page = try #require(URL(string: "https://example.com/b?c=d"))
    let date = Date(timeIntervalSince1970: 1_738_317_600)
    let settings = try Settings(defaults.store)
    settings.flag = false
    settings.count += 4
    settings.ratio = 2
    settings.name = "ä"
    settings.data = Data([2, 3])
    settings.date = date
    settings.page = page
    settings.theme = .dark
    settings.level = .high
    settings.nickname = "n"
    settings.last = date
    settings.home = page
    settings.wish = .dark
    let again = try Settings(defaults.store)
    #expect(!again.flag && again.count == 7 && again.ratio == 2 && again.name == "ä")
    #expect(again.data == Data([2, 3]) && again.date == date && again.page == page)
    #expect(again.theme == .dark && again.level == .high && again.nickname == "n")
    #expect(again.last == date && again.home == page && again.wish == .dark)
    again.nickname = nil
    again.wish = nil
    #expect(settings.nickname == nil && settings.wish == nil)
    #expect(defaults.store.object(forKey: "nickname") == nil)
  }

  @Test("a value of another type, or of no case, reads as the default")
  func otherTypes() throws {
    let defaults = try Defaults()
    let settings = try Settings(defaults.store)
    defaults.store.set("three", forKey: "count")
    defaults.store.set(7, forKey: "name")
    defaults.store.set("neon", forKey: "theme")
    defaults.store.set(Data([9]), forKey: "home")
    #expect(settings.count == 3 && settings.name == "a" && settings.theme == .light)
    #expect(settings.home == nil)
  }

  @Test("in an observed object a change is told before it is made")
  func observed() throws {
    let defaults = try Defaults()
    let object = Observed(defaults.store)
    var seen: [Int] = []
    let listening = object.objectWillChange.sink { seen.append(object.count) }
    object.count = 5
    object.count += 1
    #expect(seen == [0, 5] && object.count == 6)
    listening.cancel()
  }
}
