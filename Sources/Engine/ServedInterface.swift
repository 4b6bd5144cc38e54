import Contract
import Subscriptions
import Varlink

/// An interface with the methods that the daemon answers of it.
struct ServedInterface: Sendable {
  /// What stands in its description.
  enum Member: Sendable {
    case type(any (NamedType & Sendable).Type)
    case method(ServedMethod)

    static func method<M: Method>(_ answer: @escaping ServedMethod.Answer<M>) -> Member {
      .method(ServedMethod(answer))
    }
  }

  let description: InterfaceDescription
  let role: PeerRole
  let methods: [ServedMethod]

  init<I: Interface>(_ interface: I.Type, _ members: [Member]) {
    description = InterfaceDescription(
      name: I.name, documentation: I.about.lines, members: members.map(\.description))
    role = I.role
    methods = members.compactMap { if case .method(let method) = $0 { method } else { nil } }
  }
}

/// A method, and who answers it.
struct ServedMethod: Sendable {
  /// Carries out a call of a method.
  typealias Answer<M> =
    @Sendable (Engine) -> (M, CallContext) throws(Refusal) -> Outcome

  let method: any Method.Type
  /// The name that calls have.
  let qualifiedName: String
  let role: PeerRole
  /// A longer call than others is taken.
  let takesLongCalls: Bool
  fileprivate let description: InterfaceDescription.Member
  let answer: @Sendable (Engine, CallContext) throws(Refusal) -> Outcome

  init<M: Method>(_ answer: @escaping Answer<M>) {
    method = M.self
    qualifiedName = M.qualifiedName
    role = M.Home.role
    takesLongCalls = M.takesLongCalls
    description = InterfaceDescription.Member(
      name: M.name, documentation: M.about.lines,
      definition: .method(input: M().fields, output: M.Answer().fields))
    self.answer = { (engine, call) throws(Refusal) in
      let asked = try Self.read(call, as: M.self)
      try engine.refuse(simulated: asked.standsFor)
      if M.alwaysSigns || call.parameters.asksForSignedForms {
        try engine.refuseToSignWithoutTime(call)
      }
      if M.isForStoresAlone, engine.state.role != .store { throw .rule(.notInThisRole) }
      return try answer(engine)(asked, call)
    }
  }

  private static func read<M: Method>(
    _ call: CallContext, as method: M.Type
  ) throws(Refusal) -> M {
    do throws(FieldFault) {
      return try M(call.parameters.object)
    } catch {
      throw .parameter(error.path)
    }
  }
}

extension ServedInterface.Member {
  fileprivate var description: InterfaceDescription.Member {
    switch self {
    case .type(let type):
      InterfaceDescription.Member(
        name: type.typeName, documentation: type.about.lines, definition: .type(type.definition))
    case .method(let method):
      method.description
    }
  }
}

extension String {
  /// The lines of a description's comment; none of an empty one.
  var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
