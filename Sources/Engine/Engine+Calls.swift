import JSON
import Subscriptions
import Varlink

/// What became of a call.
enum Outcome {
  /// A reply is written.
  case answered
  /// The connection's mode says what the call waits for.
  case waiting
}

/// Taking calls from connections and finding who answers them.
extension Engine {
  /// Answers the calls that have wholly come in, in their order, as far as this turn goes.
  func serve(_ session: Session) {
    var served = 0
    while session.isServing, !session.isClosing, !isFailed {
      guard session.unsentBytes <= Limits.outputBytesMax else { return }
      guard served < Limits.callsPerTurn else {
        addBacklog(session)
        return
      }
      do throws(VarlinkError) {
        guard let range = try session.framer.next() else { return }
        session.framer.buffer.withUnsafeBufferPointer { buffer in
          let message = Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer[range]))
          handle(message, from: session, gathered: Gathered())
        }
      } catch {
        refuse(session, .malformed("\(error)"))
      }
      served += 1
    }
    refuseWhileBusy(session)
  }

  /// A watch owns its connection: a call behind it is refused, not kept.
  func refuseWhileBusy(_ session: Session) {
    guard case .watching = session.mode, !session.isClosing else { return }
    do throws(VarlinkError) {
      while try session.framer.next() != nil { refuse(session, .connectionBusy) }
    } catch {
      refuse(session, .malformed("\(error)"))
    }
  }

  func serveBacklog() {
    let taken = backlog
    backlog.removeAll(keepingCapacity: true)
    for id in taken {
      guard let session = sessions[id] else { continue }
      session.isInBacklog = false
      if session.isServing { serve(session) }
    }
  }

  /// Carries out one call, for the first time or again with what was gathered for it.
  func handle(_ message: Span<UInt8>, from session: Session, gathered: Gathered) {
    session.isMute = false
    do throws(Refusal) {
      let call = try parse(message)
      session.isMute = call.oneway
      guard !call.upgrade else { throw .malformed("no method here upgrades the connection") }
      guard case .answered = try route(call, message, session, gathered) else { return }
    } catch {
      refuse(session, error)
    }
    session.isMute = false
  }

  private func parse(_ message: Span<UInt8>) throws(Refusal) -> VarlinkCall {
    do throws(VarlinkError) {
      return try VarlinkCall.parse(message, depthMax: VarlinkLimits.depthMax)
    } catch {
      throw .malformed("\(error)")
    }
  }

  private func route(
    _ call: VarlinkCall, _ message: Span<UInt8>, _ session: Session, _ gathered: Gathered
  ) throws(Refusal) -> Outcome {
    if message.count <= VarlinkLimits.requestBytesMax,
      call.isMethod("org.renewd.Membership.Check", in: message),
      session.roles.contains(.read), try answerCheck(call, message, session)
    {
      return .answered
    }
    var answer = JSONWriter()
    let route = service.route(call, in: message, into: &answer)
    guard case .method(let interface, let member) = route else {
      reply(to: session, after: 0) { $0.bytes.append(contentsOf: answer.bytes) }
      return .answered
    }
    let description = service.interfaces[interface].description
    let name = "\(description.name).\(member)"
    guard let method = Interfaces.methods[name] else {
      preconditionFailure("\(name) is registered and not answered")
    }
    guard session.roles.contains(method.role) else { throw .permission(method.role) }
    guard message.count <= VarlinkLimits.requestBytesMax || method.takesLongCalls else {
      throw .malformed("a request is at most \(VarlinkLimits.requestBytesMax) bytes")
    }
    let parameters = try parameters(of: call, message, description, member)
    let context = CallContext(
      session: session, message: message.withUnsafeBufferPointer { Array($0) }, method: name,
      more: call.more, parameters: parameters, gathered: gathered)
    return try method.answer(self, context)
  }

  private func parameters(
    of call: VarlinkCall, _ message: Span<UInt8>, _ description: InterfaceDescription,
    _ member: String
  ) throws(Refusal) -> CallParameters {
    let value: JSONValue
    do throws(VarlinkError) {
      value = try call.parametersValue(in: message, depthMax: VarlinkLimits.depthMax)
    } catch {
      throw .malformed("\(error)")
    }
    if let fault = description.validate(parameters: value, against: member) {
      throw .parameter(fault.parameter)
    }
    return CallParameters(object: value.objectValue ?? JSONObject())
  }
}

/// One call while it is carried out.
struct CallContext {
  let session: Session
  let message: [UInt8]
  /// The method's qualified name.
  let method: String
  let more: Bool
  let parameters: CallParameters
  let gathered: Gathered
}
