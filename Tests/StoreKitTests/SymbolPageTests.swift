import Foundation
import Testing

/// The page of all of Apple's symbols, held to what the compiled library declares.
@Suite("The page of every symbol")
struct SymbolPageTests {
  /// What the page says that a symbol is.
  private enum Word: String, CaseIterable {
    case same = "as Apple's"
    case differs = "differs: "
    case unavailable = "unavailable: "
    case missing = "not here: "
    case ours = "ours: "
  }

  private struct Row {
    let symbols: [String]
    let word: Word
  }

  /// What a type has by a conformance, and so is on no line.
  private static let conformances: Set = [
    "==(_:_:)", "~=(_:_:)", "<(_:_:)", "hash(into:)", "hashValue", "encode(to:)", "init(from:)",
    "init(rawValue:)", "rawValue", "RawValue", "ID", "debugDescription", "errorDescription",
    "failureReason", "recoverySuggestion", "errorCode", "errorDomain", "errorUserInfo", "Element",
    "Failure", "AsyncIterator", "next()", "makeAsyncIterator()", "copy(with:)",
    "mutableCopy(with:)", "init()",
  ]

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/StoreKit/StoreKit.docc/Symbols.md")

  private static let rows = Result { try readRows() }

  private static let declared = Result { try readDeclared() }

  /// The lines of the tables: the type, the symbols, the word. Each must be of that form.
  private static func readRows() throws -> [Row] {
    let text = try String(contentsOf: page, encoding: .utf8)
    var rows: [Row] = []
    var isTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "| in | symbols | here |" { isTable = true }
      if line.isEmpty { isTable = false }
      guard isTable, !line.hasPrefix("| in "), !line.hasPrefix("|---") else { continue }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3,
        let word = Word.allCases.first(where: { cells[2].hasPrefix($0.rawValue) })
      else { throw SymbolGraph.Failure(description: "this line says nothing known: \(line)") }
      let type = cells[0].matches(of: /`([^`]+)`/).map { "\($0.1)." }.joined()
      rows.append(
        Row(symbols: cells[1].matches(of: /`([^`]+)`/).map { type + $0.1 }, word: word))
    }
    return rows
  }

  /// The symbols of the library that may be used, by their paths.
  private static func readDeclared() throws -> Set<String> {
    Set(
      try SymbolGraph.storeKit().map(\.pathComponents)
        .filter { !$0.contains(where: conformances.contains) }.map { $0.joined(separator: ".") })
  }

  private func check(_ names: some Sequence<String>, _ trouble: String) {
    let list = names.sorted()
    #expect(list.isEmpty, "\(trouble):\n\(list.joined(separator: "\n"))")
  }

  @Test("each public symbol of the library is on the page, once")
  func everySymbolIsOnThePage() throws {
    let listed = try Self.rows.get().flatMap(\.symbols)
    let declared = try Self.declared.get()
    #expect(declared.count > 400)
    check(declared.subtracting(listed), "add these to Symbols.md")
    let twice = Dictionary(grouping: listed) { $0 }.filter { $0.value.count > 1 }
    check(twice.keys, "these are on two lines of Symbols.md")
  }

  @Test("what the page says is here is declared, and what it says is not here is not")
  func whatIsHereIsDeclared() throws {
    let declared = try Self.declared.get()
    for row in try Self.rows.get() {
      switch row.word {
      case .same, .differs, .ours:
        check(
          row.symbols.filter { !declared.contains($0) },
          "Symbols.md says that these are here, and they are not declared")
      case .unavailable, .missing:
        check(
          row.symbols.filter(declared.contains),
          "Symbols.md says that these cannot be used, and they are declared")
      }
    }
  }

  @Test("what the compiler refuses is on the page as unavailable, and says what to do instead")
  func refusals() throws {
    let refusals = try SymbolGraph.refusals()
    let listed = Set(try Self.rows.get().filter { $0.word == .unavailable }.flatMap(\.symbols))
    let refused = Set(refusals.map(\.path))
    #expect(refused.count > 10)
    check(refused.subtracting(listed), "Symbols.md does not say that these are unavailable")
    check(listed.subtracting(refused), "Symbols.md says unavailable, and no source does")
    check(
      refusals.filter { !$0.message.hasPrefix("there is no ") || !$0.message.contains(": ") }
        .map(\.path),
      "these have no message of the form “there is no …: do …”")
  }

  @Test("the page covers Apple's frameworks of the name: both interfaces, views and the rest")
  func covers() throws {
    let listed = Set(try Self.rows.get().flatMap(\.symbols))
    let named = [
      "Product", "Transaction.updates", "SKPaymentQueue.add(_:)", "SubscriptionStoreView",
      "SKAdNetwork", "SKCloudServiceController", "SKOverlay", "SKStoreProductViewController",
      "AdvancedCommerceProduct", "ExternalPurchase", "Message.messages", "PaymentMethodBinding",
      "VerificationResult.signature", "View.storeButton(_:for:)",
    ]
    check(Set(named).subtracting(listed), "Symbols.md does not name these")
    #expect(listed.count > 700)
  }
}
