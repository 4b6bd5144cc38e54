import JSON

/// A signed text taken apart: header, payload and signature, with dots between (RFC 7515, 7.1).
/// Nothing in it is believed yet.
public struct CompactJWS: Equatable, Sendable {
  /// The whole text.
  public let text: [UInt8]
  /// The header as it stands in the text, still in base64url.
  public var headerText: ArraySlice<UInt8> { text[..<headerEnd] }
  /// The payload as it stands in the text, still in base64url.
  public var payloadText: ArraySlice<UInt8> { text[(headerEnd + 1)..<payloadEnd] }
  /// What is signed: header, dot, payload, as they stand in the text.
  public var signedText: ArraySlice<UInt8> { text[..<payloadEnd] }
  /// The payload's bytes; whether they are JSON is seen when they are read.
  public let payload: [UInt8]
  /// The signature's bytes, of any number.
  public let signature: [UInt8]
  private let headerEnd: Int
  private let payloadEnd: Int

  /// Takes a text apart. White space around it, as files end with, is no part of it.
  public init(_ bytes: [UInt8]) throws(VerificationFailure) {
    let text = Self.trimmed(bytes)
    guard text.count <= AppStoreLimits.signedBytesMax else {
      throw .tooLong(bytes: text.count, bytesMax: AppStoreLimits.signedBytesMax)
    }
    if let fault = Self.fault(ofOtherForm: text) { throw .malformed(fault) }
    let dots = text.indices.filter { text[$0] == UInt8(ascii: ".") }
    guard dots.count == 2 else { throw .malformed(.notThreeParts(dots.count + 1)) }
    guard let payload = Base64.url.decode(text[(dots[0] + 1)..<dots[1]]) else {
      throw .malformed(.wrongAlphabet(.payload))
    }
    guard let signature = Base64.url.decode(text[(dots[1] + 1)...]) else {
      throw .malformed(.wrongAlphabet(.signature))
    }
    self.text = text
    self.payload = payload
    self.signature = signature
    headerEnd = dots[0]
    payloadEnd = dots[1]
  }

  /// A text without the white space around it.
  public static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return start == 0 && end == bytes.count ? bytes : Array(bytes[start..<end])
  }

  /// Takes a text apart.
  public init(_ text: String) throws(VerificationFailure) {
    try self.init(Array(text.utf8))
  }

  /// What a text is that people give where a signed text belongs, and that is none.
  private static func fault(ofOtherForm text: [UInt8]) -> VerificationFailure.Fault? {
    if text.first == UInt8(ascii: "{") { return .json }
    // How the Base64 of a DER sequence of some length begins.
    let isReceipt = text.starts(with: Array("MII".utf8)) && !text.contains(UInt8(ascii: "."))
    return isReceipt ? .receipt : nil
  }

  /// The header's fields.
  public func header() throws(VerificationFailure) -> JWSHeader {
    guard let bytes = Base64.url.decode(headerText) else {
      throw .malformed(.wrongAlphabet(.header))
    }
    return try JWSHeader(json: bytes)
  }
}

/// What a header says.
public struct JWSHeader: Equatable, Sendable {
  /// How the text is signed: `ES256`.
  public var algorithm: String?
  /// The certificates in DER, leaf first; nil where the header has none. An entry that is not
  /// base64 is nil.
  public var certificates: [[UInt8]?]?

  /// Reads a header; fields unknown here are passed over.
  init(json: [UInt8]) throws(VerificationFailure) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(json, depthMax: AppStoreLimits.payloadDepthMax)
    } catch {
      throw .malformed(.notJSON(.header))
    }
    guard let fields = value.objectValue else { throw .malformed(.notJSON(.header)) }
    guard fields["crit"] == nil else { throw .malformed(.criticalHeader) }
    algorithm = fields["alg"]?.stringValue
    certificates = fields["x5c"]?.arrayValue?.map { entry in
      entry.stringValue.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
    }
  }

  /// The header of a text that these certificates sign for, in base64url.
  public static func text(certificates: [[UInt8]]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("alg")
    writer.string("ES256")
    writer.key("x5c")
    writer.beginArray()
    for certificate in certificates {
      let text = Base64.standard.encode(certificate)
      writer.string(utf8: text.span)
    }
    writer.endArray()
    writer.endObject()
    return Base64.url.encode(writer.bytes)
  }
}
