import Testing

@testable import Engine

@Suite("How long request ids are remembered")
struct RequestTableTests {
  private let kept = Limits.requestIDsKept
  private let dayLong = Limits.requestIDsKeptMilliseconds

  private func table(count: Int, recorded: (Int) -> Int64) -> RequestTable {
    var table = RequestTable()
    for number in 0..<count {
      table.insert(hash: UInt64(number), sequence: UInt64(number), recorded: recorded(number))
    }
    return table
  }

  @Test("At least a day, however many there are")
  func aDay() {
    let table = table(count: kept + 100) { Int64($0) }
    #expect(table[0] == 0)
    #expect(table[UInt64(kept + 99)] == UInt64(kept + 99))
  }

  @Test("At least a million, however old they are; then the oldest go")
  func aMillion() {
    let dayLong = dayLong
    let kept = kept
    let table = table(count: kept + 100) { $0 < kept ? 0 : dayLong + 1 }
    #expect(table[0] == nil)
    #expect(table[99] == nil)
    #expect(table[100] == 100)
  }

  @Test("A snapshot remembers the same")
  func snapshot() {
    let table = table(count: 1_000) { Int64($0) }
    var bytes: [UInt8] = []
    table.encodeSnapshot(into: &bytes)
    let copy = bytes.withUnsafeBytes { RequestTable(snapshot: $0) }
    #expect((0..<1_001).allSatisfy { copy?[UInt64($0)] == table[UInt64($0)] })
    let cut = bytes.dropLast().withUnsafeBytes { RequestTable(snapshot: $0) }
    #expect(cut == nil)
  }

  @Test("The same id of two users is two ids")
  func perUser() {
    #expect(
      RequestTable.hash(uid: 1, requestID: "r") != RequestTable.hash(uid: 2, requestID: "r"))
  }
}
