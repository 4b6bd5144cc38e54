import JSON

/// One call as ranges of its message: nothing is copied.
///
/// Parsing checks the whole message, `parameters` included, against RFC 8259, UTF-8 and the depth
/// limit. Fields that Varlink does not name are ignored; a named one twice is an error. `null`
/// stands for an absent field.
public struct VarlinkCall: Equatable, Sendable {
  /// The qualified method, `org.renewd.Membership.Check`.
  public let method: Range<Int>
  /// Where the last dot of `method` is.
  let lastDot: Int
  /// The text of the `parameters` object, braces included; nil when absent.
  public let parameters: Range<Int>?
  /// The caller takes any number of replies.
  public let more: Bool
  /// The caller takes no reply.
  public let oneway: Bool
  /// The caller wants to leave the protocol after the reply.
  public let upgrade: Bool

  /// The interface part of the method.
  public var interface: Range<Int> { method.lowerBound..<lastDot }
  /// The member part of the method.
  public var member: Range<Int> { lastDot + 1..<method.upperBound }

  /// Reads a message. `depthMax` counts the message's own object.
  public static func parse(
    _ message: Span<UInt8>, depthMax: Int = VarlinkLimits.depthMax
  ) throws(VarlinkError) -> VarlinkCall {
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
    guard let method = parts.method else { throw .methodMissing }
    guard let lastDot = lastDot(of: method, in: message) else {
      throw .methodMalformed(at: method.lowerBound)
    }
    return VarlinkCall(
      method: method, lastDot: lastDot, parameters: parts.parameters,
      more: parts.more, oneway: parts.oneway, upgrade: parts.upgrade)
  }

  /// Whether the call's method is `name`, in the message it was parsed from.
  public func isMethod(_ name: StaticString, in message: Span<UInt8>) -> Bool {
    guard method.count == name.utf8CodeUnitCount else { return false }
    return message.extracting(method).withUnsafeBufferPointer {
      $0.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: $0.count))
    }
  }

  /// The qualified method as text.
  public func methodName(in message: Span<UInt8>) -> String { message.text(method) }

  /// The interface as text.
  public func interfaceName(in message: Span<UInt8>) -> String { message.text(interface) }

  /// The method's own name as text.
  public func memberName(in message: Span<UInt8>) -> String { message.text(member) }

  /// The parameters as a tree, for methods that are not called often; an empty object when
  /// absent. `depthMax` counts the parameters' own object.
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

  /// The last dot of a name with something on both sides of it. Which names exist is the
  /// service's to say, so nothing else is asked of it here.
  private static func lastDot(of method: Range<Int>, in message: Span<UInt8>) -> Int? {
    var index = method.upperBound - 1
    while index > method.lowerBound {
      if message[index] == UInt8(ascii: ".") {
        return index + 1 < method.upperBound ? index : nil
      }
      index -= 1
    }
    return nil
  }
}

extension VarlinkCall {
  /// What was read so far.
  private struct Parts {
    var method: Range<Int>?
    var parameters: Range<Int>?
    var more = false
    var oneway = false
    var upgrade = false
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
      if seen & bit != 0 { note(.fieldRepeated(field, at: key.lowerBound)) }
      seen |= bit
      let at = scanner.position
      if try scanner.isNull() { return }
      switch (field, try scanner.kind()) {
      case (.method, .string):
        method = try scanner.stringRange()
        // A qualified name has nothing to escape; who escapes it anyway is refused, not decoded.
        if method == nil { note(.methodMalformed(at: at)) }
        if method == nil { try scanner.skipValue() }
      case (.parameters, .object): parameters = try scanner.skipValue()
      case (.more, .bool): more = try scanner.bool()
      case (.oneway, .bool): oneway = try scanner.bool()
      case (.upgrade, .bool): upgrade = try scanner.bool()
      default:
        try scanner.skipValue()
        note(.fieldMalformed(field, at: at))
      }
    }

    private mutating func note(_ fault: VarlinkError) {
      if self.fault == nil { self.fault = fault }
    }

    private static func field(_ scanner: borrowing JSONScanner) -> VarlinkField? {
      if scanner.keyEquals("method") { return .method }
      if scanner.keyEquals("parameters") { return .parameters }
      if scanner.keyEquals("more") { return .more }
      if scanner.keyEquals("oneway") { return .oneway }
      if scanner.keyEquals("upgrade") { return .upgrade }
      return nil
    }
  }
}

extension Span<UInt8> {
  /// The bytes of a range that is known to be UTF-8, as text.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
