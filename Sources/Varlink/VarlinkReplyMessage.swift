import JSON

/// One reply as the client reads it. The whole message is checked; fields that Varlink does not
/// name are ignored.
public struct VarlinkReplyMessage: Equatable, Sendable {
  /// The qualified name of the error; nil for a success.
  public let error: String?
  /// The text of the `parameters` object, braces included; nil when absent.
  public let parameters: Range<Int>?
  /// More replies to the same call follow.
  public let continues: Bool

  /// Reads a message. `depthMax` counts the message's own object.
  public static func parse(
    _ message: Span<UInt8>, depthMax: Int = VarlinkLimits.depthMax
  ) throws(VarlinkError) -> VarlinkReplyMessage {
    var scanner = JSONScanner(message, depthMax: depthMax)
    var parts = Parts()
    do throws(JSONError) {
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        try parts.read(key, from: &scanner)
      }
      try scanner.finish()
    } catch {
      throw parts.fault ?? .json(error)
    }
    if let fault = parts.fault { throw fault }
    return VarlinkReplyMessage(
      error: parts.error, parameters: parts.parameters, continues: parts.continues)
  }

  /// The parameters as a tree; an empty object when absent. `depthMax` counts the parameters' own
  /// object.
  public func parametersValue(
    in message: Span<UInt8>, depthMax: Int = VarlinkLimits.depthMax - 1
  ) throws(VarlinkError) -> JSONValue {
    guard let parameters else { return .object(JSONObject()) }
    do throws(JSONError) {
      return try JSONValue.parse(message.extracting(parameters), depthMax: depthMax)
    } catch {
      throw .json(error)
    }
  }

  /// What was read so far.
  private struct Parts {
    var error: String?
    var parameters: Range<Int>?
    var continues = false
    /// One bit a field, by its raw value.
    var seen: UInt8 = 0
    /// The first fault of meaning; a fault of syntax comes as a throw.
    var fault: VarlinkError?

    mutating func read(
      _ key: Range<Int>, from scanner: inout JSONScanner
    ) throws(JSONError) {
      guard let field = Self.field(scanner) else {
        try scanner.skipValue()
        return
      }
      let bit: UInt8 = 1 << field.rawValue
      if seen & bit != 0, fault == nil { fault = .fieldRepeated(field, at: key.lowerBound) }
      seen |= bit
      let at = scanner.position
      if try scanner.isNull() { return }
      switch (field, try scanner.kind()) {
      case (.parameters, .object): parameters = try scanner.skipValue()
      case (.error, .string): error = try scanner.string()
      case (.continues, .bool): continues = try scanner.bool()
      default:
        try scanner.skipValue()
        if fault == nil { fault = .fieldMalformed(field, at: at) }
      }
    }

    private static func field(_ scanner: borrowing JSONScanner) -> VarlinkField? {
      if scanner.keyEquals("parameters") { return .parameters }
      if scanner.keyEquals("error") { return .error }
      if scanner.keyEquals("continues") { return .continues }
      return nil
    }
  }
}
