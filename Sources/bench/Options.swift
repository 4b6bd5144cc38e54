/// What the bench is told.
struct Options {
  var accounts = Limits.accountsDefault
  var seconds = Limits.secondsDefault
  var isHelp = false

  static let help = """
    Measures renewd beside what it can be measured against, in one run.

      bench [--accounts N] [--seconds S]

      --accounts N   subscriptions to hold (default \(Limits.accountsDefault))
      --seconds S    how long each load lasts (default \(Limits.secondsDefault))

      Scripts/bench --accounts 1000000
    """

  init(_ words: [String]) throws(BenchError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help": isHelp = true
      case "--accounts":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0,
          number <= Limits.accountsMax
        else { throw BenchError("--accounts takes a number from 1 to \(Limits.accountsMax)") }
        accounts = number
      case "--seconds":
        guard let number = rest.popFirst().flatMap({ Double($0) }), number > 0 else {
          throw BenchError("--seconds takes a number above 0")
        }
        seconds = number
      default: throw BenchError("unknown option \(word); see --help")
      }
    }
  }
}
