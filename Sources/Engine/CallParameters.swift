import JSON

/// A call's parameters as they came: what is asked of every call alike, whatever its method.
struct CallParameters {
  let object: JSONObject

  var asksForSignedForms: Bool { object["signed"]?.boolValue == true }

  var account: String? { object["account"]?.stringValue }

  func requestID() throws(Refusal) -> String? {
    guard let text = object["requestId"]?.stringValue else { return nil }
    guard text.utf8.count >= 1, text.utf8.count <= Limits.requestIDBytesMax else {
      throw .value("requestId", "a request id is 1 to \(Limits.requestIDBytesMax) bytes")
    }
    return text
  }

  /// The same parameters give the same number, in whatever order they were written.
  func fingerprint(method: String) -> UInt64 {
    var hash = FNV1a()
    hash.add(method.utf8)
    for key in object.keys.sorted() where key != "requestId" {
      guard let value = object[key], !value.isNull else { continue }
      hash.add(key.utf8)
      hash.add(canonical(value).utf8)
    }
    return hash.value
  }

  private func canonical(_ value: JSONValue) -> String {
    guard let object = value.objectValue else { return value.compactText }
    return object.keys.sorted().map { "\($0)=\(canonical(object[$0] ?? .null))" }
      .joined(separator: ";")
  }
}
