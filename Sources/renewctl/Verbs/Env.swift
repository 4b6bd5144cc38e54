import Client

/// `env`: what a program needs to know of the daemon, for a shell.
enum Env: Verb {
  static let description = VerbDescription(
    name: "env", summary: "Print the daemon's address and identity as shell lines",
    example: "eval \"$(renewctl env)\"",
    notes: [
      "RENEWD_ROOT_CA is a file with the certificate, in DER, that the daemon's signed forms lead "
        + "to: what Apple's server libraries take as a root. It is written to the user's cache."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let folder = try RootFile.folder(invocation.environment)
    let variables = try variables(invocation.session, rootFolder: folder)
    if invocation.isForPeople {
      for (name, value) in variables {
        invocation.console.line("export \(name)=\(ShellWord.quoted(value))")
      }
    } else {
      let members = variables.map { ($0.name, JSONValue.string($0.value)) }
      invocation.console.line(JSONValue.members(members).compactText)
    }
    return .done
  }

  /// The variables by name, in order; the root's file is written to a folder.
  static func variables(
    _ session: Session, rootFolder: String
  ) throws(Failure) -> [(name: String, value: String)] {
    let trust = try session.answer(.trust())
    var variables = [("RENEWD_SOCKET", session.address.text)]
    let roots = try Failure.wrapping { () throws(TransportError) in try trust.roots() }
    if let root = roots.first {
      variables.append(("RENEWD_ROOT_CA", try RootFile.write(root, in: rootFolder)))
    }
    return variables + [("RENEWD_BUNDLE_ID", trust.bundleID)]
  }
}

/// Words as a shell reads them back.
enum ShellWord {
  static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy {
      $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
        || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || "@%+=:,./_-".utf8.contains($0)
    }
    if plain, !text.isEmpty { return text }
    let quotes = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + quotes.joined(separator: "'\\''") + "'"
  }
}
