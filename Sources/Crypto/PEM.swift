import AppStore

/// Text with binary blocks (RFC 7468): `-----BEGIN LABEL-----`, base64 in lines, the end.
struct PEMBlock: Equatable {
  var label: String
  var bytes: [UInt8]

  /// The block with a line end behind it.
  var text: [UInt8] {
    var out = Array("-----BEGIN \(label)-----\n".utf8)
    let digits = Base64.standard.encode(bytes)
    for start in stride(from: 0, to: digits.count, by: CryptoLimits.pemLineBytes) {
      out += digits[start..<min(start + CryptoLimits.pemLineBytes, digits.count)]
      out.append(UInt8(ascii: "\n"))
    }
    return out + Array("-----END \(label)-----\n".utf8)
  }

  /// The blocks of a text that holds nothing else; nil for any other text.
  static func blocks(of text: [UInt8]) -> [PEMBlock]? {
    guard text.last == UInt8(ascii: "\n") else { return nil }
    var blocks: [PEMBlock] = []
    var label: String?
    var digits: [UInt8] = []
    for bytes in text.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      let line = String(decoding: bytes, as: UTF8.self)
      if let open = label {
        guard line.hasPrefix("-----") else {
          digits += bytes
          continue
        }
        guard line == "-----END \(open)-----", let bytes = Base64.standard.decode(digits[...])
        else { return nil }
        blocks.append(PEMBlock(label: open, bytes: bytes))
        label = nil
        digits = []
      } else {
        guard line.hasPrefix("-----BEGIN "), line.hasSuffix("-----") else { return nil }
        label = String(line.dropFirst(11).dropLast(5))
      }
    }
    return label == nil ? blocks : nil
  }
}
