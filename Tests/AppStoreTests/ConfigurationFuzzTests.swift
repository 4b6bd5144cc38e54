import AppStore
import Foundation
import TestSizes
import Testing

@Suite("files that are damaged or large")
struct ConfigurationFuzzTests {
  @Test(
    "10,000 seeded mutations of every format (quick: 2,000) are read or refused, and none traps")
  func mutations() throws {
    let fixtures = try (1...5).map { try ConfigurationFiles.fixture($0) }
    var chance = SeededGenerator(seed: 91)
    var outcomes: [String: Int] = [:]
    let count = TestSize.times(10_000, quick: 2000)
    for round in 0..<count {
      var bytes = fixtures[round % fixtures.count]
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        Self.mutate(&bytes, using: &chance)
      }
      do {
        let read = try StoreKitConfiguration.read(bytes)
        outcomes["read", default: 0] += 1
        #expect(read.catalogue.products.allSatisfy { $0.price >= 0 && !$0.id.isEmpty })
      } catch {
        #expect(error.description.hasPrefix("$"))
        if case .notJSON = error {
          outcomes["not JSON", default: 0] += 1
        } else {
          outcomes["refused", default: 0] += 1
        }
      }
    }
    // Each way out was taken often, or the mutations are no good.
    for outcome in ["read", "not JSON", "refused"] {
      #expect(outcomes[outcome, default: 0] > count / 50, "\(outcomes)")
    }
  }

  /// Values that stand where others are expected.
  private static let values = [
    "null", "true", "0", "-1", "1e999", "99999999999999999999", "\"\"", "\"P999Y\"",
    "\"P0D\"", "[]", "{}", "[null]", "\"\\u0000\"", "9223372036854775807",
  ].map { Array($0.utf8) }

  /// Damages single bytes, or puts another value after a colon.
  private static func mutate(_ bytes: inout [UInt8], using chance: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let at = Int.random(in: 0..<bytes.count, using: &chance)
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: bytes[at] = UInt8.random(in: 0...255, using: &chance)
    case 1: bytes.remove(at: at)
    case 2: bytes.removeSubrange(at..<min(bytes.count, at + 40))
    case 3: bytes.removeLast(min(bytes.count, 3))
    default:
      guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")),
        let end = bytes[colon...].firstIndex(where: { $0 == 0x0a || $0 == UInt8(ascii: ",") })
      else { return }
      let value = values[Int.random(in: 0..<values.count, using: &chance)]
      bytes.replaceSubrange((colon + 1)..<end, with: value)
    }
  }

  @Test("500 products with offers and forty languages are read in well under a second")
  func fiveHundredProducts() throws {
    let bytes = Array(Self.large(products: 500).utf8)
    let clock = ContinuousClock()
    var count = 0
    let duration = try clock.measure {
      count = try StoreKitConfiguration.read(bytes).catalogue.products.count
    }
    #expect(count == 500)
    #if DEBUG
      print("500 products, \(bytes.count) bytes, in a debug build: \(duration)")
    #else
      #expect(duration < .seconds(1))
      print("500 products, \(bytes.count) bytes: \(duration)")
    #endif
  }

  private static func large(products: Int) -> String {
    let languages = (0..<40).map {
      """
      {"description" : "What it is, in language \($0)", "displayName" : "Name \($0)",
       "locale" : "l\($0)"}
      """
    }.joined(separator: ",\n")
    let subscriptions = (0..<products).map {
      """
      {"productID" : "p\($0)", "type" : "RecurringSubscription", "displayPrice" : "9.99",
       "groupNumber" : \($0 + 1), "recurringSubscriptionPeriod" : "P1M",
       "familyShareable" : false, "internalID" : "\($0)", "referenceName" : "P \($0)",
       "introductoryOffer" : {"internalID" : "i\($0)", "paymentMode" : "free",
         "subscriptionPeriod" : "P1W"},
       "adHocOffers" : [{"internalID" : "a\($0)", "offerID" : "o\($0)",
         "paymentMode" : "payUpFront", "displayPrice" : "1.99", "subscriptionPeriod" : "P1M"}],
       "localizations" : [\(languages)]}
      """
    }.joined(separator: ",\n")
    return """
      {"version" : {"major" : 4, "minor" : 0}, "products" : [],
       "subscriptionGroups" : [{"id" : "G", "name" : "G", "subscriptions" : [
      \(subscriptions)
      ]}]}
      """
  }
}
