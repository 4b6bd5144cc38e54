import JSON
import Subscriptions

/// What a signed text says, field by field. One list of the fields serves reading and writing, so
/// that the two never differ.
///
/// Every field may be missing, as Apple's own models have it; unknown fields are passed over; a
/// value of a wrong JSON type is an error that names the field (Domain.md 3).
public protocol PayloadModel: Equatable, Sendable {
  init()
  /// Shows each field to `coder`, in the order in which they are written.
  mutating func code<Coder: PayloadCoder>(with coder: inout Coder) throws(Coder.Failure)
}

/// Reads or writes the fields of a model.
public protocol PayloadCoder {
  associatedtype Failure: Error

  mutating func text(_ name: StaticString, _ value: inout String?) throws(Failure)
  mutating func texts(_ name: StaticString, _ value: inout [String]?) throws(Failure)
  mutating func integer(_ name: StaticString, _ value: inout Int64?) throws(Failure)
  mutating func flag(_ name: StaticString, _ value: inout Bool?) throws(Failure)
  /// Milliseconds since 1970 UTC. Fractions, as Xcode writes them, are cut towards zero; dates
  /// before 1970 are negative (Domain.md 0.2).
  mutating func date(_ name: StaticString, _ value: inout Instant?) throws(Failure)
  /// Any JSON object, kept as it is.
  mutating func raw(_ name: StaticString, _ value: inout JSONValue?) throws(Failure)
  mutating func model<Model: PayloadModel>(
    _ name: StaticString, _ value: inout Model?) throws(Failure)
}

extension PayloadCoder {
  mutating func open<Known>(
    _ name: StaticString, _ value: inout Open<Known>?
  ) throws(Failure) where Known.RawValue == String {
    var raw = value?.raw
    try text(name, &raw)
    value = raw.map { Open(raw: $0) }
  }

  mutating func open<Known>(
    _ name: StaticString, _ value: inout Open<Known>?
  ) throws(Failure) where Known.RawValue == Int64 {
    var raw = value?.raw
    try integer(name, &raw)
    value = raw.map { Open(raw: $0) }
  }
}

extension PayloadModel {
  /// Reads a payload: one JSON object.
  public init(json: [UInt8]) throws(VerificationFailure) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(json, depthMax: AppStoreLimits.payloadDepthMax)
    } catch {
      throw .malformed(.notJSON(.payload))
    }
    guard let object = value.objectValue else { throw .malformed(.notJSON(.payload)) }
    try self.init(object)
  }

  /// Reads a payload's object.
  init(_ object: JSONObject) throws(VerificationFailure) {
    self.init()
    var reader = PayloadReader(object)
    try code(with: &reader)
  }

  /// The payload as JSON without white space; fields that are nil are left out.
  public var json: [UInt8] {
    var writer = PayloadWriter()
    writer.write(self)
    return writer.json.bytes
  }
}

extension PayloadModel {
  /// Throws where a time is none that milliseconds make sense of, by its field's name: in another
  /// unit it would be one of 1970, or of the year 55634.
  func checkTimes() throws(VerificationFailure) {
    var model = self
    var checker = TimeChecker()
    try model.code(with: &checker)
  }
}

/// Looks at the times of a payload, and at nothing else.
private struct TimeChecker: PayloadCoder {
  typealias Failure = VerificationFailure

  mutating func date(_ name: StaticString, _ value: inout Instant?) throws(VerificationFailure) {
    guard let fault = value?.boundsFault else { return }
    throw .malformed(.wrongTime(name.description, fault))
  }

  mutating func model<Model: PayloadModel>(
    _ name: StaticString, _ value: inout Model?
  ) throws(VerificationFailure) {
    try value?.code(with: &self)
  }

  mutating func text(_ name: StaticString, _ value: inout String?) {}
  mutating func texts(_ name: StaticString, _ value: inout [String]?) {}
  mutating func integer(_ name: StaticString, _ value: inout Int64?) {}
  mutating func flag(_ name: StaticString, _ value: inout Bool?) {}
  mutating func raw(_ name: StaticString, _ value: inout JSONValue?) {}
}

/// Takes fields out of a JSON object.
struct PayloadReader: PayloadCoder {
  typealias Failure = VerificationFailure

  private let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  /// The member's value; nil where it is missing or null.
  private func value(_ name: StaticString) -> JSONValue? {
    guard let value = object[name.description], !value.isNull else { return nil }
    return value
  }

  private func read<Value>(
    _ name: StaticString, _ take: (JSONValue) -> Value?
  ) throws(VerificationFailure) -> Value? {
    guard let value = value(name) else { return nil }
    guard let taken = take(value) else { throw .malformed(.wrongField(name.description)) }
    return taken
  }

  mutating func text(
    _ name: StaticString, _ value: inout String?
  ) throws(VerificationFailure) {
    value = try read(name) { $0.stringValue }
  }

  mutating func texts(
    _ name: StaticString, _ value: inout [String]?
  ) throws(VerificationFailure) {
    value = try read(name) { list in
      guard let elements = list.arrayValue else { return nil }
      let texts = elements.compactMap(\.stringValue)
      return texts.count == elements.count ? texts : nil
    }
  }

  mutating func integer(
    _ name: StaticString, _ value: inout Int64?
  ) throws(VerificationFailure) {
    value = try read(name) { $0.int64Value }
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool?) throws(VerificationFailure) {
    value = try read(name) { $0.boolValue }
  }

  mutating func date(_ name: StaticString, _ value: inout Instant?) throws(VerificationFailure) {
    value = try read(name) { found in
      guard case .number(let number) = found else { return nil }
      if let whole = number.int64 { return Instant(milliseconds: whole) }
      guard let fraction = number.double else { return nil }
      return Int64(exactly: fraction.rounded(.towardZero)).map { Instant(milliseconds: $0) }
    }
  }

  mutating func raw(
    _ name: StaticString, _ value: inout JSONValue?
  ) throws(VerificationFailure) {
    value = try read(name) { $0.objectValue == nil ? nil : $0 }
  }

  mutating func model<Model: PayloadModel>(
    _ name: StaticString, _ value: inout Model?
  ) throws(VerificationFailure) {
    guard let found = self.value(name) else {
      value = nil
      return
    }
    guard let object = found.objectValue else {
      throw .malformed(.wrongField(name.description))
    }
    var model = Model()
    var reader = PayloadReader(object)
    try model.code(with: &reader)
    value = model
  }
}

/// Writes fields as members of a JSON object.
struct PayloadWriter: PayloadCoder {
  typealias Failure = Never

  var json = JSONWriter()

  mutating func write(_ model: some PayloadModel) {
    var model = model
    json.beginObject()
    model.code(with: &self)
    json.endObject()
  }

  mutating func text(_ name: StaticString, _ value: inout String?) {
    guard let value else { return }
    json.key(name)
    json.string(value)
  }

  mutating func texts(_ name: StaticString, _ value: inout [String]?) {
    guard let value else { return }
    json.key(name)
    json.beginArray()
    for text in value { json.string(text) }
    json.endArray()
  }

  mutating func integer(_ name: StaticString, _ value: inout Int64?) {
    guard let value else { return }
    json.key(name)
    json.int(value)
  }

  mutating func flag(_ name: StaticString, _ value: inout Bool?) {
    guard let value else { return }
    json.key(name)
    json.bool(value)
  }

  mutating func date(_ name: StaticString, _ value: inout Instant?) {
    guard let value else { return }
    json.key(name)
    json.int(value.milliseconds)
  }

  mutating func raw(_ name: StaticString, _ value: inout JSONValue?) {
    guard let value else { return }
    json.key(name)
    json.value(value)
  }

  mutating func model<Model: PayloadModel>(_ name: StaticString, _ value: inout Model?) {
    guard let value else { return }
    json.key(name)
    write(value)
  }
}
