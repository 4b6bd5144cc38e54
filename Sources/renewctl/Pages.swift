import Client

/// Prints an answer that comes in pages, for programs: with `--json` the only page as it came, or
/// all of them as one reply; with `--jsonl` an element a line.
struct Pages {
  private let member: String
  private let invocation: Invocation
  private var first: Reply?
  private var merged: JSONObject?
  private var elements: [JSONValue] = []

  /// `member` is the list that the pages share out.
  init(member: String, _ invocation: Invocation) {
    self.member = member
    self.invocation = invocation
  }

  mutating func add(_ reply: Reply) throws(Failure) {
    guard !invocation.isForPeople else { return }
    let object = try Failure.wrapping { () throws(TransportError) in try reply.parameters() }
    let list = object[member]?.arrayValue ?? []
    if invocation.format == .jsonLines {
      for element in list { invocation.console.line(element.compactText) }
      return
    }
    if first == nil {
      first = reply
    } else {
      merged = object
    }
    elements += list
  }

  /// Prints what is not printed yet; after the last page.
  func finish() {
    guard invocation.format == .json, let first else { return }
    guard var merged else { return invocation.show(first) }
    merged[member] = .array(elements)
    invocation.console.line(JSONValue.object(merged).compactText)
  }
}
