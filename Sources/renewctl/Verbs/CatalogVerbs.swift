import Client
import Glibc

/// `catalog import`: what is sold, from an Xcode file.
enum CatalogImport: Verb {
  static let description = VerbDescription(
    name: "catalog import", summary: "Sell what an Xcode .storekit file lists",
    operands: "FILE", operandCount: 1...1,
    options: [Option("source", "NAME", "the name it is kept under (its path)")],
    example: "renewctl catalog import Shop.storekit",
    notes: ["A newer text under the same name takes the older one's place. - is standard input."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let path = invocation.operand(0)
    let text = try TextFile.read(path, bytesMax: ControlLimits.catalogueBytesMax)
    let source = invocation.arguments.value("source") ?? TextFile.absolute(path)
    let answer = try invocation.fetch(
      .importCatalogue(text: text, source: source, requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    for notice in answer.notices { invocation.console.line("notice: \(notice)") }
    let products = Words.count(answer.products, "product")
    invocation.console.line(
      answer.isUnchanged
        ? "\(products), unchanged" : "\(products) on sale, #\(answer.sequence)")
    return .done
  }
}

/// `catalog show`: what is sold, whole.
enum CatalogShow: Verb {
  static let description = VerbDescription(
    name: "catalog show", summary: "List what is sold, by subscription group",
    example: "renewctl catalog show")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let catalogue = try invocation.fetch(.describeCatalogue())
    guard invocation.isForPeople else { return .done }
    if catalogue.products.isEmpty {
      invocation.console.line("nothing is sold; renewctl catalog import FILE changes that")
    }
    invocation.console.table(ProductTable.of(catalogue.products, groups: catalogue.groups))
    return .done
  }
}

/// Reads files that a person named.
enum TextFile {
  /// The whole text of a file, or of standard input for `-`.
  static func read(_ path: String, bytesMax: Int) throws(Failure) -> String {
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { if file != STDIN_FILENO { close(file) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: ControlLimits.outputBufferBytesMax)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure(path)
      }
      bytes += chunk[..<count]
      guard bytes.count <= bytesMax else {
        throw .own("FileTooLong", .configuration, "\(path) has more than \(bytesMax) bytes")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .own("FileMalformed", .configuration, "\(path) is not UTF-8")
    }
    return text
  }

  /// The path from the root, so that a source has one name wherever it is named from.
  static func absolute(_ path: String) -> String {
    guard path != "-", let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  private static func failure(_ path: String) -> Failure {
    let code = errno
    return .own(
      "FileUnreadable", code == EACCES ? .permission : .notFound,
      "\(path): \(String(cString: strerror(code)))")
  }
}
