import Foundation
import Testing

@testable import AppStore

@Suite("prices as decimal text")
struct DisplayPriceTests {
  static let prices: [(String, Int64, Bool)] = [
    ("9.99", 9990, true), ("0.0", 0, true), ("10", 10_000, true), ("0.99", 990, true),
    ("3300", 3_300_000, true), ("1.234", 1234, true), ("1.5", 1500, true), (".5", 500, true),
    ("5.", 5000, true), ("007", 7000, true), ("1.9900000", 1990, true),
    ("0.9994", 999, false), ("0.9995", 1000, false), ("0.99949", 999, false),
    ("999999999999.999", 999_999_999_999_999, true),
  ]

  @Test("text to thousandths, exactly", arguments: prices)
  func price(text: String, milliunits: Int64, isExact: Bool) throws {
    let price = try #require(DisplayPrice(text))
    #expect(price.milliunits == milliunits)
    #expect(price.isExact == isExact)
  }

  @Test(
    "what is no plain decimal is none",
    arguments: [
      "", ".", "-1", "+1", "1,99", "$1.99", "1.99 ", " 1.99", "1e3", "1.2.3", "free", "١",
      "1000000000000.001", "99999999999999999999999",
    ])
  func noPrice(text: String) {
    #expect(DisplayPrice(text) == nil)
  }

  @Test("every price of two decimals up to 100 is what decimal arithmetic says")
  func everyCent() throws {
    for cents in 0...10_000 {
      let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      #expect(DisplayPrice(text)?.milliunits == Int64(cents * 10))
    }
  }
}
