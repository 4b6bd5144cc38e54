import Varlink

/// One reply as it came.
public struct Reply: Sendable {
  private let message: [UInt8]
  private let head: VarlinkReplyMessage

  /// Takes a message without its NUL.
  init(message: [UInt8]) throws(TransportError) {
    self.message = message
    do throws(VarlinkError) {
      head = try VarlinkReplyMessage.parse(
        message.span, depthMax: ClientLimits.replyDepthMax)
    } catch {
      throw .malformedReply(error)
    }
  }

  /// More replies to the same call follow.
  public var continues: Bool { head.continues }

  /// The qualified name of the error, if it is one.
  var errorName: String? { head.error }

  /// The text of the parameters, exactly as the daemon wrote it.
  public var parametersText: String {
    guard let range = head.parameters else { return "{}" }
    return String(decoding: message[range], as: UTF8.self)
  }

  /// The parameters as a tree.
  public func parameters() throws(TransportError) -> JSONObject {
    do throws(VarlinkError) {
      let value = try head.parametersValue(in: message.span)
      return value.objectValue ?? JSONObject()
    } catch {
      throw .malformedReply(error)
    }
  }

  /// The parameters as what the method answers. Fields that this client does not know are ignored.
  public func answer<A: Parameters>(as type: A.Type = A.self) throws(TransportError) -> A {
    let parameters = try parameters()
    do throws(FieldFault) {
      return try A(parameters)
    } catch {
      throw .unexpectedAnswer(path: error.path, expected: error.expected)
    }
  }
}
