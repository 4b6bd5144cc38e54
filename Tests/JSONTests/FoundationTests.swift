import Foundation
import JSON
import TestSizes
import Testing

/// Goal: our reader and writer say what an independent decoder says. Method: seeded random texts
/// and broken variants of them, read by both.
@Suite("Agreement with Foundation's decoder")
struct FoundationTests {
  /// A tree as Foundation reads it.
  private enum Tree: Decodable {
    case null
    case bool(Bool)
    case number(Double, Int64?)
    case string(String)
    case array([Tree])
    case object([String: Tree])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value, try? container.decode(Int64.self))
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([Tree].self) {
        self = .array(value)
      } else {
        self = .object(try container.decode([String: Tree].self))
      }
    }
  }

  private static func foundation(_ bytes: [UInt8]) -> Tree? {
    try? JSONDecoder().decode(Tree.self, from: Data(bytes))
  }

  private static func areEqual(_ ours: JSONValue, _ theirs: Tree) -> Bool {
    switch (ours, theirs) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.string(let left), .string(let right)):
      return Array(left.unicodeScalars) == Array(right.unicodeScalars)
    case (.number(let left), .number(let double, let integer)):
      return left.double == double && (left.int64 == nil || left.int64 == integer)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(areEqual)
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.members.allSatisfy { member in
          right[member.key].map { areEqual(member.value, $0) } ?? false
        }
    default: return false
    }
  }

  @Test("4,000 random texts (quick: 500) give the same tree, and what we write gives it again")
  func wellFormed() throws {
    var documents = SeededDocuments(seed: 1)
    for round in 0..<TestSize.times(4000, quick: 500) {
      let text = documents.document(depth: round % 6)
      let bytes = Array(text.utf8)
      let ours = try JSONValue.parse(bytes, depthMax: 8)
      guard !Self.hasNumberOutOfItsReach(ours) else { continue }
      let theirs = try #require(Self.foundation(bytes), "\(text)")
      #expect(Self.areEqual(ours, theirs), "\(text)")
      for written in [ours.compactText, ours.prettyText] {
        let again = try #require(Self.foundation(Array(written.utf8)), "\(written)")
        #expect(Self.areEqual(ours, again), "\(written)")
      }
    }
  }

  @Test("20,000 broken texts (quick: 2,000) are refused by us exactly when Foundation refuses them")
  func broken() {
    var documents = SeededDocuments(seed: 2)
    var refused = 0
    let count = TestSize.times(20_000, quick: 2000)
    for round in 0..<count {
      var bytes = Array(documents.document(depth: round % 4).utf8)
      Self.damage(&bytes, &documents.random)
      guard !Self.isReadAsAnotherEncoding(bytes) else { continue }
      let ours: JSONValue?
      do throws(JSONError) {
        ours = try JSONValue.parse(bytes, depthMax: 32)
      } catch {
        // Foundation keeps one of two equal keys; that difference is ours by intention.
        if case .duplicateKey = error { continue }
        ours = nil
        refused += 1
      }
      if let ours, Self.hasNumberOutOfItsReach(ours) { continue }
      let theirs = Self.foundation(bytes)
      #expect(
        (ours == nil) == (theirs == nil), "\(String(decoding: bytes, as: UTF8.self)) \(bytes)")
      if let ours, let theirs { #expect(Self.areEqual(ours, theirs), "\(bytes)") }
    }
    #expect(refused > count / 4, "the damage hardly damages: \(refused)")
  }

  /// One to three bytes changed, removed, doubled, moved or cut.
  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let signs = Array("{}[],:\"\\u0123eE+-. ntf/".utf8) + [0x00, 0x1f, 0x80, 0xc0, 0xed, 0xff]
    for _ in 0...random.below(3) {
      guard !bytes.isEmpty else { return }
      let index = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[index] = random.pick(signs)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(bytes[index], at: index)
      case 3: bytes.insert(random.pick(signs), at: index)
      case 4: bytes.removeLast(bytes.count - index)
      default: bytes.swapAt(index, random.below(bytes.count))
      }
    }
  }

  /// Foundation refuses well-formed numbers that overflow or vanish as a Double, and takes a zero
  /// with an exponent for one of these.
  private static func hasNumberOutOfItsReach(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool, .string: return false
    case .number(let number):
      let double = number.double ?? .infinity
      return !double.isFinite || double == 0 && number.raw.lowercased().contains("e")
    case .array(let elements): return elements.contains(where: hasNumberOutOfItsReach)
    case .object(let object):
      return object.members.contains { hasNumberOutOfItsReach($0.value) }
    }
  }

  /// Foundation guesses UTF-16 and UTF-32 from a NUL among the first four bytes; JSON between
  /// systems is UTF-8 (RFC 8259, 8.1), and that is all we read.
  private static func isReadAsAnotherEncoding(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(4).contains(0) || bytes.starts(with: [0xff, 0xfe])
      || bytes.starts(with: [0xfe, 0xff])
  }
}
