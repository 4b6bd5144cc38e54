import JSON

/// The interfaces a service offers, and the answers of `org.varlink.service` about them.
///
/// It holds no connection: a call comes in, an answer is written or the call is said to be for one
/// of the registered interfaces. For a `oneway` call nothing is written.
public struct VarlinkService: Sendable {
  /// Who made the service, what it is, and where to read about it.
  public struct Identity: Equatable, Sendable {
    public var vendor: String
    public var product: String
    public var version: String
    public var url: String

    public init(vendor: String, product: String, version: String, url: String) {
      self.vendor = vendor
      self.product = product
      self.version = version
      self.url = url
    }
  }

  /// An interface with the text it is described by.
  public struct Interface: Equatable, Sendable {
    public let description: InterfaceDescription
    public let text: String
  }

  /// What became of a call.
  public enum Route: Equatable, Sendable {
    /// It was one of `org.varlink.service`, or of no interface or method here: it is answered.
    case answered
    /// It is for `member` of the interface at `interface` in `interfaces`.
    case method(interface: Int, member: String)
  }

  public var identity: Identity
  /// All interfaces by name, `org.varlink.service` among them.
  public private(set) var interfaces: [Interface] = []

  /// A service with only `org.varlink.service`.
  public init(_ identity: Identity) {
    self.identity = identity
    do throws(InterfaceError) {
      try register(Self.serviceText)
    } catch {
      preconditionFailure("the description of org.varlink.service is wrong: \(error)")
    }
  }

  /// Offers an interface by the text that will be shown for it.
  public mutating func register(_ text: String) throws(InterfaceError) {
    try register(try InterfaceDescription.parse(text), text: text)
  }

  /// Offers an interface by its canonical text.
  public mutating func register(_ description: InterfaceDescription) throws(InterfaceError) {
    try description.check()
    try register(description, text: description.text)
  }

  private mutating func register(
    _ description: InterfaceDescription, text: String
  ) throws(InterfaceError) {
    guard index(of: description.name) == nil else {
      throw InterfaceError(.repeatedInterface(description.name))
    }
    let place =
      interfaces.firstIndex { $0.description.name > description.name } ?? interfaces.count
    interfaces.insert(Interface(description: description, text: text), at: place)
  }

  /// The place of an interface in `interfaces`; it holds until the next `register`.
  public func index(of name: String) -> Int? {
    interfaces.firstIndex { $0.description.name == name }
  }

  // MARK: Answers

  /// Answers a call that this type can answer, else says whose it is.
  public func route(
    _ call: VarlinkCall, in message: Span<UInt8>, into writer: inout JSONWriter
  ) -> Route {
    let start = writer.bytes.count
    let name = call.interfaceName(in: message)
    let member = call.memberName(in: message)
    if let index = index(of: name) {
      if interfaces[index].description.method(named: member) == nil {
        VarlinkReply.methodNotFound(&writer, method: "\(name).\(member)")
      } else if name != Self.serviceName {
        return .method(interface: index, member: member)
      } else if member == "GetInfo" {
        answerGetInfo(call, in: message, into: &writer)
      } else {
        answerGetInterfaceDescription(call, in: message, into: &writer)
      }
    } else {
      VarlinkReply.interfaceNotFound(&writer, interface: name)
    }
    if call.oneway { writer.truncate(to: start) }
    return .answered
  }

  /// Writes the whole reply of `GetInfo`, the interfaces in the order of their names.
  public func writeInfo(into writer: inout JSONWriter) {
    VarlinkReply.begin(&writer)
    writer.key("vendor")
    writer.string(identity.vendor)
    writer.key("product")
    writer.string(identity.product)
    writer.key("version")
    writer.string(identity.version)
    writer.key("url")
    writer.string(identity.url)
    writer.key("interfaces")
    writer.beginArray()
    for interface in interfaces { writer.string(interface.description.name) }
    writer.endArray()
    VarlinkReply.end(&writer)
  }

  /// Writes the whole reply of `GetInterfaceDescription`.
  public func writeDescription(of name: String, into writer: inout JSONWriter) {
    guard let index = index(of: name) else {
      VarlinkReply.interfaceNotFound(&writer, interface: name)
      return
    }
    VarlinkReply.begin(&writer)
    writer.key("description")
    writer.string(interfaces[index].text)
    VarlinkReply.end(&writer)
  }

  private func answerGetInfo(
    _ call: VarlinkCall, in message: Span<UInt8>, into writer: inout JSONWriter
  ) {
    guard parameters(of: call, "GetInfo", in: message, into: &writer) != nil else { return }
    writeInfo(into: &writer)
  }

  private func answerGetInterfaceDescription(
    _ call: VarlinkCall, in message: Span<UInt8>, into writer: inout JSONWriter
  ) {
    let member = "GetInterfaceDescription"
    guard let parameters = parameters(of: call, member, in: message, into: &writer) else { return }
    writeDescription(of: parameters["interface"]?.stringValue ?? "", into: &writer)
  }

  /// The parameters of a call of `org.varlink.service` if they are right; else that is answered.
  private func parameters(
    of call: VarlinkCall, _ member: String, in message: Span<UInt8>,
    into writer: inout JSONWriter
  ) -> JSONValue? {
    do throws(VarlinkError) {
      let parameters = try call.parametersValue(in: message)
      let own = interfaces[index(of: Self.serviceName)!].description
      guard let fault = own.validate(parameters: parameters, against: member) else {
        return parameters
      }
      VarlinkReply.invalidParameter(&writer, parameter: fault.parameter)
    } catch {
      // The syntax was checked with the call: what is left is a key that stands twice.
      VarlinkReply.invalidParameter(&writer, parameter: "parameters")
    }
    return nil
  }
}

// MARK: org.varlink.service

extension VarlinkService {
  /// The interface every service has.
  public static let serviceName = "org.varlink.service"

  /// Its description; names and types are the standard's.
  public static let serviceText = """
    # What a service is and what it offers.
    interface org.varlink.service

    # Who made the service, and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of one interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, but this service does not offer it.
    error MethodNotImplemented (method: string)

    # A parameter is unknown, missing or wrong.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method must be called with more.
    error ExpectedMore ()

    """
}
