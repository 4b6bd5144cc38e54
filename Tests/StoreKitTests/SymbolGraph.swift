import Foundation

/// What the compiled library declares, as the toolchain reads it from the module that these tests
/// are linked with.
struct SymbolGraph: Decodable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Symbol: Decodable {
    let pathComponents: [String]
  }

  let symbols: [Symbol]

  /// Something that the compiler refuses, which no symbol graph has: its path and the message.
  struct Refusal {
    let path: String
    let message: String
  }

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// All that the library's sources declare as unavailable.
  static func refusals() throws -> [Refusal] {
    let folder = sources.appending(path: "StoreKit")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
      .flatMap { refusals(in: try String(contentsOf: $0, encoding: .utf8)) }
  }

  private static func refusals(in text: String) -> [Refusal] {
    let declaration =
      #/
      @available\(\s*\*,\s*unavailable,\s*message:\s*"(?<message>[^"]+)"\s*\)
      (?:\s|@MainActor|public|open|static|final)*
      (?<kind>func|struct|class|enum)\s+(?<name>\w+)(?<list>\([^)]*\))?
      /#
    return text.matches(of: declaration).map { match in
      let before = text[..<match.range.lowerBound]
      // What is not indented stands outside of any type.
      let isMember = before.last == " "
      let type = before.matches(of: /\nextension ([\w.]+)/).last.map { "\($0.1)." } ?? ""
      let labels = (match.output.list ?? "").matches(of: /[(,]\s*(\w+)[^:,]*:/)
        .map { "\($0.1):" }.joined()
      let call = match.output.kind == "func" ? "(\(labels))" : ""
      return Refusal(
        path: (isMember ? type : "") + match.output.name + call,
        message: String(match.output.message))
    }
  }

  /// All public symbols of StoreKit, also those that it adds to other modules' types.
  static func storeKit() throws -> [Symbol] {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let build = URL(filePath: tests).deletingLastPathComponent()
    let output = FileManager.default.temporaryDirectory
      .appending(path: "renewd-symbols-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    try extract(
      [
        "-module-name", "StoreKit", "-I", build.appending(path: "Modules").path,
        "-Xcc", "-fmodule-map-file=\(build.path)/CLinux.build/module.modulemap",
        "-Xcc", "-fmodule-map-file=\(sources.path)/CCrypto/module.modulemap",
        "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
        "-output-dir", output.path,
      ])
    let files = try FileManager.default.contentsOfDirectory(
      at: output, includingPropertiesForKeys: nil)
    return try files.sorted { $0.path < $1.path }.flatMap {
      try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)).symbols
    }
  }

  private static func extract(_ options: [String]) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "symbolgraph-extract", "-target", target] + options
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: said, as: UTF8.self))
    }
  }

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }
}
