import Foundation
import Testing

@testable import Platform

@Suite("The table of connections")
struct ConnectionTableTests {
  private func pair() -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("an id is found while its connection lasts and never given out again")
  func ids() throws {
    var table = try ConnectionTable(countMax: 10, countPerUserMax: 10, reserved: 1)
    var seen: Set<UInt64> = []
    for round in 0..<300 {
      let (ours, theirs) = pair()
      defer { close(theirs) }
      let id = try table.add(ours, uid: 7, boottime: Int64(round))
      #expect(id != 0)
      #expect(seen.insert(id).inserted)
      let found = table.place(id)
      let entry = table[try #require(found)]
      #expect(entry.descriptor == ours)
      #expect(entry.lastReceived == Int64(round))
      table.close(id)
      let afterwards = table.place(id)
      #expect(afterwards == nil)
      table.close(id)
      let count = table.count
      #expect(count == 0)
    }
    let nowhere = table.place(0)
    #expect(nowhere == nil)
  }

  @Test("each user has a limit, all have one, and some places are kept for the privileged")
  func limits() throws {
    var table = try ConnectionTable(countMax: 6, countPerUserMax: 3, reserved: 2)
    var ids: [UInt64] = []
    var others: [Int32] = []
    defer { others.forEach { close($0) } }
    func refusal(_ uid: UInt32, _ isPrivileged: Bool = false) -> String? {
      table.refusal(uid: uid, isPrivileged: isPrivileged)
    }
    for _ in 0..<3 {
      #expect(refusal(7) == nil)
      let (ours, theirs) = pair()
      others.append(theirs)
      ids.append(try table.add(ours, uid: 7, boottime: 0))
    }
    #expect(refusal(7) == "user 7 has 3 connections, as many as one user may have")
    #expect(refusal(8) == nil)
    let (ours, theirs) = pair()
    others.append(theirs)
    ids.append(try table.add(ours, uid: 8, boottime: 0))
    #expect(refusal(8) == "4 connections are open, and at most 6 may be")
    #expect(refusal(0, true) == nil)
    for _ in 0..<2 {
      let (ours, theirs) = pair()
      others.append(theirs)
      ids.append(try table.add(ours, uid: 0, boottime: 0))
    }
    #expect(refusal(0, true) == "6 connections are open, and at most 6 may be")
    for id in ids { table.close(id) }
    #expect(refusal(7) == nil)
  }
}
