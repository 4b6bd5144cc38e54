import Foundation
import StoreKitSupport
import Testing

@MainActor
private class Shelf: ObservableObject {
  @Published var count = 0
  @Published private(set) var title: String
  @Published var note: String?
  var told = 0

  init(title: String) { self.title = title }

  func rename(_ title: String) { self.title = title }
}

private final class Account: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()
  @Published var name = "a"
}

private class Parent: ObservableObject {
  @Published var first = 1
}

private final class Child: Parent {
  @Published var second = 2
}

/// Says nothing of itself.
private final class Plain {
  @Published var count = 0
}

@Observable
private final class Counted {
  var count = 0
}

@Suite("Objects that are observed") @MainActor
struct ObservableObjectTests {
  @Test("each change of a published property is told before it is made")
  func willChange() {
    let shelf = Shelf(title: "books")
    var seen: [Int] = []
    let listening = shelf.objectWillChange.sink { seen.append(shelf.count) }
    shelf.count = 1
    shelf.count += 1
    shelf.rename("maps")
    shelf.note = "old"
    #expect(seen == [0, 1, 2, 2])
    #expect(shelf.count == 2 && shelf.title == "maps" && shelf.note == "old")
    listening.cancel()
    shelf.count = 9
    #expect(seen.count == 4)
  }

  @Test("a property that is not published is not told, and send() tells by itself")
  func unpublished() {
    let shelf = Shelf(title: "books")
    var count = 0
    let listening = shelf.objectWillChange.sink { _ in count += 1 }
    shelf.told = 1
    #expect(count == 0)
    shelf.objectWillChange.send()
    #expect(count == 1)
    listening.cancel()
  }

  @Test("an object has one publisher, its own where it has one, and subclasses share it")
  func publishers() {
    let shelf = Shelf(title: "a")
    let other = Shelf(title: "b")
    #expect(shelf.objectWillChange === shelf.objectWillChange)
    #expect(shelf.objectWillChange !== other.objectWillChange)
    let account = Account()
    var count = 0
    let listening = account.objectWillChange.sink { count += 1 }
    account.name = "b"
    #expect(count == 1)
    let child = Child()
    let more = child.objectWillChange.sink { count += 1 }
    child.first = 3
    child.second = 3
    #expect(count == 3)
    listening.cancel()
    more.cancel()
  }

  @Test("objects that are gone are forgotten, and nobody hears of their successors")
  func manyObjects() {
    var count = 0
    var kept: [AnyCancellable] = []
    for _ in 0..<1_000 {
      let shelf = Shelf(title: "short")
      shelf.objectWillChange.sink { count += 1 }.store(in: &kept)
      shelf.count = 1
    }
    #expect(count == 1_000)
  }

  @Test("$property tells the present value, then each new one before it is set")
  func sink() {
    let shelf = Shelf(title: "books")
    var heard: [Int] = []
    var present: [Int] = []
    var kept = Set<AnyCancellable>()
    shelf.$count.sink {
      heard.append($0)
      present.append(shelf.count)
    }.store(in: &kept)
    shelf.count = 5
    shelf.count = 7
    #expect(heard == [0, 5, 7])
    #expect(present == [0, 0, 5])
    kept.removeAll()
    shelf.count = 8
    #expect(heard == [0, 5, 7])
  }

  @Test("a listener that ends itself, or another, while being told is heard no more")
  func cancelInside() {
    let plain = Plain()
    var heard: [String] = []
    var second: AnyCancellable?
    let first = plain.$count.sink { value in
      heard.append("first \(value)")
      if value == 1 { second?.cancel() }
    }
    second = plain.$count.sink { heard.append("second \($0)") }
    plain.count = 1
    plain.count = 2
    #expect(heard == ["first 0", "second 0", "first 1", "first 2"])
    first.cancel()
  }

  @Test("the values of a property are a sequence, which ends with its object")
  func values() async {
    var plain: Plain? = Plain()
    var iterator = plain?.$count.values.makeAsyncIterator()
    #expect(await iterator?.next() == 0)
    plain?.count = 3
    plain?.count = 4
    #expect(await iterator?.next() == 4)
    plain = nil
    #expect(await iterator?.next() == nil)
  }

  @Test("@Observable comes with the library")
  func observable() {
    let counted = Counted()
    var changes = 0
    withObservationTracking {
      _ = counted.count
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    counted.count = 1
    #expect(changes == 1)
  }
}
