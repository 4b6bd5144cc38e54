import Contract
import Subscriptions
import Testing
import Varlink

/// The rules and the wire each have their words: what the rules can say the wire knows, and nothing
/// else.
@Suite("The wire's words are the rules' words")
struct WireWordsTests {
  private static func known<W: Word>(_ word: W.Type) -> Set<String> {
    Set(word.known.map(\.rawValue))
  }

  @Test("Each kind of event has its word, and each word its kind")
  func kinds() {
    #expect(
      Self.known(Contract.EventKind.self) == Set(EventTable.all.map { "\($0.kind)" }))
  }

  @Test("So have rates, what can be made to fail, ends of sharing and kinds of offer")
  func others() {
    #expect(
      Self.known(Contract.RenewalRate.self) == Set(Subscriptions.RenewalRate.allCases.map(\.name)))
    #expect(
      Self.known(Contract.SimulatedAPI.self)
        == Set(Subscriptions.SimulatedAPI.allCases.map(\.name)))
    #expect(
      Self.known(Contract.SharingEnd.self)
        == Set(Subscriptions.SharingEnd.allCases.map { "\($0)" }))
    #expect(
      Self.known(OfferType.self) == Set(OfferKind.allCases.map { "\($0)" }))
  }
}
