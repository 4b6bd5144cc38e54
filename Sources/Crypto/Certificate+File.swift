import AppStore

extension Certificate {
  /// The certificates of a file: one in DER, or any number in PEM, whatever stands between them.
  public static func certificates(file: [UInt8]) throws(CryptoError) -> [Certificate] {
    let lines = file.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line, as: UTF8.self).filter { $0 != "\r" && $0 != " " && $0 != "\t" }
    }
    guard lines.contains("-----BEGINCERTIFICATE-----") else {
      return [try Certificate(der: file)]
    }
    var found: [Certificate] = []
    var digits: [UInt8]?
    for line in lines {
      if line == "-----BEGINCERTIFICATE-----" {
        digits = []
      } else if line == "-----ENDCERTIFICATE-----" {
        guard let text = digits, let der = Base64.standard.decode(text[...]) else {
          throw .malformed("certificates in PEM")
        }
        found.append(try Certificate(der: der))
        digits = nil
      } else {
        digits?.append(contentsOf: line.utf8)
      }
    }
    guard digits == nil, !found.isEmpty else { throw .malformed("certificates in PEM") }
    return found
  }
}
