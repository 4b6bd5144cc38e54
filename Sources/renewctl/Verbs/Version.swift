import Client

/// `version`: of this program and of the daemon.
enum Version: Verb {
  static let description = VerbDescription(
    name: "version", summary: "Print the versions of renewctl and of the daemon",
    example: "renewctl version")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    // Who asks for a version should not wait for a daemon that is not there.
    let session = Session(
      address: invocation.session.address, wait: .zero, format: invocation.format)
    var daemon: ServiceInfo?
    do throws(Failure) {
      daemon = try session.answer(.serviceInfo())
    } catch {
      guard error.code == .unavailable || error.code == .permission else { throw error }
    }
    guard invocation.isForPeople else {
      var object = JSONObject([("renewctl", .string(Program.version))])
      object["renewd"] = daemon.map { .string($0.version) }
      invocation.console.line(JSONValue.object(object).compactText)
      return .done
    }
    invocation.console.line("renewctl \(Program.version)")
    let place = "at \(session.address)"
    invocation.console.line(
      daemon.map { "renewd \($0.version) \(place)" } ?? "no daemon answers \(place)")
    return .done
  }
}
