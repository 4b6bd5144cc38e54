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
}

/// Random JSON texts of every form the grammar has, with white space and escapes where allowed.
struct SeededDocuments {
  var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// One text, nested at most `depth` deep.
  mutating func document(depth: Int) -> String {
    space() + value(depth: depth) + space()
  }

  private mutating func value(depth: Int) -> String {
    switch random.below(depth > 0 ? 8 : 5) {
    case 0: return random.pick(["null", "true", "false"])
    case 1, 2: return number()
    case 3, 4: return string()
    case 5, 6:
      let members = (0..<random.below(6)).map { index in
        space() + key(index) + space() + ":" + space() + value(depth: depth - 1) + space()
      }
      return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    default:
      let elements = (0..<random.below(6)).map { _ in space() + value(depth: depth - 1) + space() }
      return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }
  }

  /// Keys differ within an object by the index at their end.
  private mutating func key(_ index: Int) -> String {
    string().dropLast() + "\(index)\""
  }

  private mutating func number() -> String {
    let sign = random.pick(["", "", "-"])
    let whole = random.pick([
      "0", "1", "7", "42", "1735689600000", "9223372036854775807", "9223372036854775808",
      "\(random.next() >> UInt64(random.below(64)))",
    ])
    let fraction = random.pick(["", "", "", ".0", ".5", ".125", ".\(random.next() >> 40)"])
    let exponent = random.pick(["", "", "", "", "e0", "E+2", "e-3", "e07"])
    return sign + whole + fraction + exponent
  }

  private mutating func string() -> String {
    var text = "\""
    for _ in 0..<random.below(12) {
      text += random.pick([
        "a", "bc", "account", " ", "/", "é", "漢", "😀", "\u{7f}", "\u{80}", "\u{2028}",
        "\u{ffff}", "\u{10ffff}", #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#,
        #"\u0041"#, #"\u00e9"#, #"\u0000"#, #"\uD83D\uDE00"#, #"\uffff"#, #"\udbff\udfff"#,
      ])
    }
    return text + "\""
  }

  private mutating func space() -> String {
    random.pick(["", "", "", "", " ", "\n", "\t", "\r\n", "  \n "])
  }
}
