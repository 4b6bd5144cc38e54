import Engine
import JSON
import Simulation
import Testing
import Varlink

@Suite("No one does what their role forbids")
struct RoleTests {
  /// Who may call an interface's methods, by the uid in the world's configuration.
  private static func isAllowed(_ interface: String, uid: UInt32) -> Bool {
    switch interface {
    case "org.renewd.Membership": [0, 990, 1000, 1001, 1003].contains(uid)
    case "org.renewd.Store": [0, 990, 1000, 1003].contains(uid)
    default: [0, 990, 1003].contains(uid)
    }
  }

  @Test(
    "Each method is refused to who may not call it, and to nobody else",
    arguments: [0, 990, 1000, 1001, 1002, 1003] as [UInt32])
  func matrix(uid: UInt32) throws {
    for description in InterfaceTests.descriptions {
      for member in description.methodNames where member != "Watch" {
        let daemon = try TestDaemon()
        let client = daemon.world.connect(uid: uid)
        let method = "\(description.name).\(member)"
        let reply = try daemon.reply(method, "{}", by: client)
        let isRefused = reply.error == "org.renewd.PermissionDenied"
        #expect(
          isRefused != Self.isAllowed(description.name, uid: uid),
          "\(method) by \(uid) came to \(reply.error ?? "success")")
        if isRefused {
          let wanted =
            description.name == "org.renewd.Membership"
            ? "read" : description.name == "org.renewd.Store" ? "write" : "admin"
          #expect(reply.text("role") == wanted)
        }
      }
    }
  }

  @Test("A role comes from the user, the group or any of the other groups")
  func groups() throws {
    let daemon = try TestDaemon { $0.configuration.read.groups = [500] }
    func check(gid: UInt32) throws -> String? {
      let client = daemon.world.connect(uid: 4_000, gid: gid)
      return try daemon.reply("Membership.Check", #"{"account":"u"}"#, by: client).error
    }
    #expect(try check(gid: 500) == nil)
    #expect(try check(gid: 501) == "org.renewd.PermissionDenied")
    var configuration = World.configuration
    let peer = Peer(uid: 4_000, gid: 1, groups: [7, 500])
    configuration.read.groups = [500]
    #expect(configuration.read.groups.contains { peer.groups.contains($0) })
  }

  @Test("Anyone may ask what the service is")
  func serviceIsOpen() throws {
    let daemon = try TestDaemon()
    let nobody = daemon.world.connect(uid: 1_002)
    try daemon.call("org.varlink.service.GetInfo", by: nobody)
    #expect(
      try daemon.error("Membership.Watch", by: nobody) == "PermissionDenied")
  }

  @Test("A reload changes the roles of those who are connected, and a wrong one changes nothing")
  func reload() throws {
    let daemon = try TestDaemon()
    let guest = daemon.world.connect(uid: 1_002)
    #expect(
      try daemon.error("Membership.Check", #"{"account":"u"}"#, by: guest) == "PermissionDenied")
    var new = World.configuration
    new.read.users = [1_002]
    new.entitlements = [Entitlement(name: "pro", productIDs: ["monthly", "yearly"])]
    new.options = [OptionValue(name: "read", value: "1002", origin: "a.conf:3")]
    daemon.world.configuration = .success(new)
    let reply = try daemon.call("Daemon.Reload")
    #expect(reply.list("options").first?["origin"]?.stringValue == "a.conf:3")
    try daemon.buy("u", "monthly")
    let check = try daemon.call(
      "Membership.Check", #"{"account":"u","entitlement":"pro"}"#, by: guest)
    #expect(check.flag("entitled") == true)
    daemon.world.configuration = .failure(ReloadFailure(message: "a.conf:4: no such key"))
    let refused = try daemon.reply("Daemon.Reload")
    #expect(refused.error == "org.renewd.InvalidParameter")
    #expect(refused.text("reason") == "a.conf:4: no such key")
    try daemon.call("Membership.Check", #"{"account":"u","entitlement":"pro"}"#, by: guest)
  }

  @Test("An entitlement is granted by any of its products, and by nothing else")
  func entitlements() throws {
    let daemon = try TestDaemon {
      $0.configuration.entitlements = [
        Entitlement(name: "pro", productIDs: ["monthly", "lifetime"])
      ]
    }
    try daemon.buy("a", "lifetime")
    try daemon.buy("b", "weekly")
    func isPro(_ account: String) throws -> Bool? {
      let text = #"{"account":"\#(account)","entitlement":"pro"}"#
      let status = try daemon.call("Membership.Status", text)
      #expect(try daemon.call("Membership.Check", text).flag("entitled") == status.flag("entitled"))
      return status.flag("entitled")
    }
    #expect(try isPro("a") == true)
    #expect(try isPro("b") == false)
    #expect(try daemon.isEntitled("b") == true)
    #expect(
      try daemon.call("Membership.Check", #"{"account":"b","entitlement":"weekly"}"#)
        .flag("entitled") == true, "a product is an entitlement of its own name")
  }
}
