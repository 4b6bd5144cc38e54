import Foundation

/// The tree under test: its files as the rules see them.
enum Repository {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below a folder of the root, in the order of their paths.
  static func swiftFiles(below folder: String) throws -> [SourceFile] {
    try writtenFiles().filter { $0.path.hasPrefix("\(folder)/") && $0.path.hasSuffix(".swift") }
  }

  /// Every text file that is written by hand: code, tests, scripts, units.
  static func writtenFiles() throws -> [SourceFile] {
    try written.get()
  }

  /// Read once for all rules.
  private static let written = Result { try readWrittenFiles() }

  private static func readWrittenFiles() throws -> [SourceFile] {
    let endings = [".swift", ".py", ".sh", ".c", ".h", ".service", ".socket", ".conf", ".catalog"]
    var found = [try file(at: "Package.swift")]
    for folder in ["Sources", "Tests", "Scripts", "systemd", ".ci"] {
      for path in try paths(below: folder) {
        let name = URL(filePath: path).lastPathComponent
        let isScript = !name.contains(".") && (folder == "Scripts" || folder == ".ci")
        if isScript || endings.contains(where: name.hasSuffix) {
          found.append(try file(at: path))
        }
      }
    }
    return found
  }

  static func file(at path: String) throws -> SourceFile {
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    return SourceFile(path: path, text: text)
  }

  /// Paths below a folder, relative to the root. Links are followed: a target may be one.
  static func paths(below folder: String) throws -> [String] {
    var found: [String] = []
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    for name in names.sorted() where name != "__pycache__" && name != ".build" {
      let path = "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: root.appending(path: path).path, isDirectory: &isFolder)
      if exists && isFolder.boolValue {
        found += try paths(below: path)
      } else {
        found.append(path)
      }
    }
    return found
  }

  /// The names at the top of the tree.
  static func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }
}
