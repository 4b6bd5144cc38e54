extension Trust {
  /// The roots in DER.
  public func roots() throws(TransportError) -> [[UInt8]] {
    var roots: [[UInt8]] = []
    for text in rootCertificates {
      guard let bytes = Base64.decode(text) else {
        throw .unexpectedAnswer(path: "rootCertificates", expected: "base64")
      }
      roots.append(bytes)
    }
    return roots
  }
}
