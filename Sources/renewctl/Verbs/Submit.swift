import Client

/// `submit`: what the App Store signed, into the record.
enum Submit: Verb {
  static let description = VerbDescription(
    name: "submit", summary: "Take in signed transactions, renewal infos or notifications",
    operands: "FILE|JWS", operandCount: 1...1,
    options: [Option("account", "ACCOUNT", "whose they are; else the line's or the token's")],
    example: "renewctl submit notification.jws --account u1",
    notes: [
      "FILE holds one signed text a line, each a compact JWS or the body of a notification "
        + "({\"signedPayload\": …}); - is standard input. Each is verified before it is kept, and "
        + "one that was there before changes nothing.",
      "With --account, a subscription or purchase that was another account's moves to this one, "
        + "and the answer says from whom.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let texts = try texts(invocation.operand(0))
    let account = invocation.arguments.value("account")
    // A request id stands for one change.
    let requestID = texts.count == 1 ? invocation.requestID : nil
    for text in texts {
      let answer = try invocation.fetch(
        .submit(signed: text, account: account, requestID: requestID))
      guard invocation.isForPeople else { continue }
      invocation.console.line(sentence(answer))
    }
    return .done
  }

  private static func sentence(_ answer: SubmitAnswer) -> String {
    let kind =
      switch answer.kind {
      case .transaction: "signed transaction"
      case .renewalInfo: "signed renewal info"
      default: "\(answer.kind.rawValue)"
      }
    let of = answer.transactionID.map { " (transaction \($0))" } ?? ""
    let moved = answer.movedFrom.map { "; what it is about was \($0)'s and moved" } ?? ""
    // A part of a notification that is no fact by itself is kept in its signed text alone.
    let without =
      answer.missing.isEmpty ? "" : ", without what lacks \(answer.missing.joined(separator: ", "))"
    return answer.isDuplicate
      ? "the \(kind)\(of) was here before, #\(answer.sequence)\(moved)"
      : "took in the \(kind)\(of)\(without), #\(answer.sequence)\(moved)"
  }

  /// The signed texts that an operand means: itself where it is one, else those of a file.
  static func texts(_ operand: String) throws(Failure) -> [String] {
    let isSigned = operand.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
    if isSigned, operand.hasPrefix("ey") { return [operand] }
    let text = try TextFile.read(operand, bytesMax: ControlLimits.signedTextsBytesMax)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let whole = body(text).map { [$0] }
    let texts =
      whole
      ?? lines.compactMap { line in
        line.allSatisfy(\.isWhitespace) ? nil : body(line) ?? line
      }
    guard !texts.isEmpty else {
      throw .own("FileMalformed", .usage, "\(operand) holds no signed text")
    }
    return texts
  }

  /// The signed text in a notification's body.
  private static func body(_ text: String) -> String? {
    guard let first = text.first(where: { !$0.isWhitespace }), first == "{" else { return nil }
    do throws(JSONError) {
      let value = try JSONValue.parse(Array(text.utf8), depthMax: ControlLimits.bodyDepthMax)
      return value.objectValue?["signedPayload"]?.stringValue
    } catch {
      return nil
    }
  }
}
