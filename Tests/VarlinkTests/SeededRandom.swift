/// A small generator (SplitMix64) whose seed stands in the test, so that a failure repeats.
struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// One to four bytes changed, removed, doubled, put in, swapped, or everything behind one cut.
  mutating func damage(_ bytes: inout [UInt8], signs: String) {
    let signs = Array(signs.utf8) + [0x00, 0x80, 0xc3, 0xff]
    for _ in 0...below(4) {
      guard !bytes.isEmpty else { return }
      let index = below(bytes.count)
      switch below(6) {
      case 0: bytes[index] = pick(signs)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(bytes[index], at: index)
      case 3: bytes.insert(pick(signs), at: index)
      case 4: bytes.removeLast(bytes.count - index)
      default: bytes.swapAt(index, below(bytes.count))
      }
    }
  }
}
