import Engine
import EventLog
import JSON
import Simulation
import Testing
import Varlink

/// 2025-01-31T10:00:00Z, where most stories begin.
let january: Int64 = 1_738_317_600_000
let hour: Int64 = 3_600_000
let day: Int64 = 24 * hour

/// Reads a JSON text of a test.
func json(_ text: String) -> JSONValue {
  try! JSONValue.parse(Array(text.utf8), depthMax: 64)
}

/// Milliseconds of `2025-02-28` or `2025-02-28T10:00`, UTC.
func time(_ text: String) -> Int64 {
  let parts = text.split { "-T:".contains($0) }.map { Int64($0)! }
  var days: Int64 = 0
  for year in 1970..<parts[0] { days += isLeap(year) ? 366 : 365 }
  let lengths: [Int64] = [31, isLeap(parts[0]) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  for month in 0..<Int(parts[1] - 1) { days += lengths[month] }
  days += parts[2] - 1
  let clock = parts.count > 3 ? parts[3] * hour + parts[4] * 60_000 : 0
  return days * day + clock
}

private func isLeap(_ year: Int64) -> Bool {
  year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
}

/// A daemon and its admin, in a world in which everything comes at the next turn. Every reply is
/// held against the description of its method.
struct TestDaemon {
  let world: World
  let root: SimulatedClient

  static let descriptions = try! Dictionary(
    uniqueKeysWithValues: InterfaceTexts.all.map {
      let description = try InterfaceDescription.parse($0)
      return (description.name, description)
    })

  /// - Parameter clock: where the test clock `default` stands; nil for none.
  init(clock: Int64? = january, _ change: (inout World.Options) -> Void = { _ in }) throws {
    var options = World.Options()
    options.clock = clock
    change(&options)
    world = World(options)
    try world.start()
    root = world.connect()
  }

  /// Calls a method of renewd's, named without `org.renewd.`, and wants an answer of any kind.
  @discardableResult
  func reply(
    _ method: String, _ parameters: String = "{}", by client: SimulatedClient? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    let name = method.hasPrefix("org.") ? method : "org.renewd.\(method)"
    let reply = try #require(
      world.call(client ?? root, name, json(parameters)), "no answer", sourceLocation: location)
    Self.validate(reply, of: name, location)
    return reply
  }

  /// Calls a method that must succeed.
  @discardableResult
  func call(
    _ method: String, _ parameters: String = "{}", by client: SimulatedClient? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    let reply = try reply(method, parameters, by: client, location)
    try #require(
      reply.error == nil, "\(reply.error ?? "") \(reply.parameters.compactText)",
      sourceLocation: location)
    return reply
  }

  /// Calls a method that must fail, and gives the error's name without `org.renewd.`.
  func error(
    _ method: String, _ parameters: String = "{}", by client: SimulatedClient? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let reply = try reply(method, parameters, by: client, location)
    let error = try #require(
      reply.error, "it succeeded: \(reply.parameters.compactText)", sourceLocation: location)
    return error.hasPrefix("org.renewd.") ? String(error.dropFirst(11)) : error
  }

  /// Each description is what the code does.
  static func validate(
    _ reply: Reply, of method: String, _ location: SourceLocation = #_sourceLocation
  ) {
    guard let dot = method.lastIndex(of: ".") else { return }
    if let error = reply.error {
      guard error.hasPrefix("org.renewd."), let errors = descriptions["org.renewd"] else { return }
      let name = String(error.dropFirst(11))
      #expect(errors.error(named: name) != nil, "\(error)", sourceLocation: location)
      let fault = errors.validate(parameters: reply.parameters, ofError: name)
      #expect(fault == nil, "\(error)", sourceLocation: location)
      return
    }
    guard let description = descriptions[String(method[..<dot])] else { return }
    let fault = description.validate(
      reply: reply.parameters, of: String(method[method.index(after: dot)...]))
    #expect(
      fault == nil, "\(method): \(reply.parameters.compactText)", sourceLocation: location)
    let isAsItsType = RoundTrip.holds(reply.parameters, of: method)
    #expect(
      isAsItsType, "\(method), not as its type writes it: \(reply.parameters.compactText)",
      sourceLocation: location)
  }

  // MARK: Short forms

  /// Buys and gives the transaction's id.
  @discardableResult
  func buy(
    _ account: String, _ product: String, _ more: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let reply = try call(
      "Store.Purchase", #"{"account":"\#(account)","productId":"\#(product)"\#(more)}"#,
      location)
    return try #require(
      reply["transaction"]?["transactionId"]?.stringValue, sourceLocation: location)
  }

  @discardableResult
  func advance(
    to time: Int64, clock: String = "default", _ location: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    try call("Clocks.Advance", #"{"clock":"\#(clock)","to":\#(time)}"#, location)
  }

  func status(
    _ account: String, at time: Int64? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    let at = time.map { #","at":\#($0)"# } ?? ""
    return try call("Membership.Status", #"{"account":"\#(account)"\#(at)}"#, location)
  }

  func isEntitled(
    _ account: String, at time: Int64? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws -> Bool? {
    try status(account, at: time, location).flag("entitled")
  }

  /// An account's transactions, all pages.
  func history(
    _ account: String, until: Int64? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws -> [JSONValue] {
    var found: [JSONValue] = []
    var from: String?
    repeat {
      var members: [String] = [#""account":"\#(account)""#]
      if let from { members.append(#""from":"\#(from)""#) }
      if let until { members.append(#""until":\#(until)"#) }
      let page = try call(
        "Membership.History", "{\(members.joined(separator: ","))}", location)
      found += page.list("transactions")
      from = page.text("next")
    } while from != nil
    return found
  }

  /// The whole log, as `Log.Read` has it.
  func log(_ location: SourceLocation = #_sourceLocation) throws -> [JSONValue] {
    var events: [JSONValue] = []
    var next: Int64? = 1
    while let from = next {
      let page = try call("Log.Read", #"{"from":\#(from)}"#, location)
      events += page.list("events")
      next = page.int("next")
    }
    return events
  }

  /// Kills the daemon, starts it again, and brings the admin back.
  func restart() throws {
    try world.restart()
    world.reconnect(root)
  }

  /// A client that watches, with what came at once.
  func watch(
    _ parameters: String = "{}", uid: UInt32 = 1001
  ) -> (client: SimulatedClient, replies: [Reply]) {
    let client = world.connect(uid: uid)
    world.send("org.renewd.Membership.Watch", json(parameters), more: true, from: client)
    world.settleNew()
    return (client, client.takeReplies())
  }
}

extension World {
  /// Turns until nothing is under way, connections that are new included.
  func settleNew() {
    turn()
    settle()
  }
}

extension Reply {
  var kinds: String? { parameters["event"]?["kind"]?.stringValue }
}

extension [Reply] {
  /// The sequences of the events among them.
  var eventSequences: [Int64] {
    compactMap { $0["event"]?["sequence"]?.int64Value }
  }

  var kinds: [String] { compactMap(\.kinds) }
}

extension [JSONValue] {
  /// The purchase dates of transactions.
  var purchaseDates: [Int64] { compactMap { $0["purchaseDate"]?.int64Value } }

  var kinds: [String] { compactMap { $0["kind"]?.stringValue } }
}
