import Contract
import Varlink

/// The Varlink descriptions of everything the daemon answers: the contract with its clients.
public enum InterfaceTexts {
  /// All of them, in the order of their names.
  public static let all = descriptions.map(\.text)

  static let descriptions = [errors] + Interfaces.all.map(\.description)

  private static let errors = InterfaceDescription(
    name: "org.renewd", documentation: ["The errors of all renewd's interfaces."],
    members: CallError.all.map {
      InterfaceDescription.Member(
        name: $0.name, documentation: $0.about.lines, definition: .error($0.fields))
    })
}
