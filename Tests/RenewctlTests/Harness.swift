import Client

@testable import renewctl

/// `renewctl` in this process, against a toy daemon.
struct Harness {
  typealias Handler = @Sendable (ToyServer.Call) -> [ToyServer.Answer]

  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  let server: ToyServer

  /// What a daemon answers that was told of no other answer: an account without money.
  private static let usual: [String: Handler] = [
    "Ledger": JSONValue.members([("entries", .array([]))]).always
  ]

  /// A daemon that answers methods by their last name; any other is not found.
  init(_ methods: [String: Handler]) throws {
    server = try ToyServer { call in
      let name = String(call.method.split(separator: ".").last!)
      guard let method = methods[name] ?? Self.usual[name] else {
        return [
          .error(
            "org.varlink.service.MethodNotFound", .members([("method", .string(call.method))]))
        ]
      }
      return method(call)
    }
  }

  /// Runs a command line; the daemon's address comes by the environment.
  func runWords(_ words: [String]) -> Outcome {
    Self.perform(words, Environment(["RENEWD_SOCKET": server.address.text]), 120, false)
  }

  func run(
    _ words: String..., environment: [String: String] = [:], columns: Int = 120,
    isTerminal: Bool = false
  ) -> Outcome {
    var variables = ["RENEWD_SOCKET": server.address.text]
    variables.merge(environment) { $1 }
    return Self.perform(words, Environment(variables), columns, isTerminal)
  }

  /// Runs a command line without a daemon.
  static func alone(_ words: String..., environment: [String: String] = [:]) -> Outcome {
    perform(words, Environment(environment), 120, false)
  }

  static func perform(
    _ words: [String], _ environment: Environment, _ columns: Int, _ isTerminal: Bool
  ) -> Outcome {
    let output = Gathered()
    let errors = Gathered()
    let console = Console(
      output: { output.bytes += $0 }, errors: { errors.bytes += $0 }, environment: environment,
      columns: columns, isTerminal: isTerminal)
    let status = Program(console: console, environment: environment).run(words)
    return Outcome(status: status, output: output.text, errors: errors.text)
  }

  private final class Gathered {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }
}

extension JSONValue {
  /// A handler that always answers this.
  var always: Harness.Handler { { _ in [.reply(self)] } }
}
