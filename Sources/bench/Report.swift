import Glibc

/// The table that the bench prints, a row a figure.
enum Report {
  static func title(_ text: String) {
    print(text)
    fflush(nil)
  }

  static func row(_ name: String, _ value: Double, _ unit: String) {
    let figure = value >= 1_000 ? grouped(Int(value)) : decimals(value)
    print("  \(padded(name, 42)) \(leading(figure, 14)) \(unit)")
    fflush(nil)
  }

  static func load(_ name: String, _ result: LoadResult) {
    let middle = decimals(result.percentile(0.5))
    let high = decimals(result.percentile(0.99))
    print(
      "  \(padded(name, 42)) \(leading(grouped(Int(result.perSecond)), 14)) /s"
        + "   p50 \(middle) µs, p99 \(high) µs")
    fflush(nil)
  }

  static func fail(_ text: String) {
    let bytes = Array("bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  static func note(_ text: String) {
    print("  \(text)")
  }

  private static func decimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func grouped(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
