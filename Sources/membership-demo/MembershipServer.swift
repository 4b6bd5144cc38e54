import Client

/// The app's own server, as far as memberships go: both questions are asked of the daemon.
struct MembershipServer: Sendable {
  private let client: RenewdClient
  private let account: String

  /// Asks about an account at the daemon's socket.
  init(socket: String?, account: String) throws {
    client = RenewdClient(address: try socket.map { try SocketAddress($0) } ?? .standard)
    self.account = account
  }

  /// "Is this transaction valid?" Nil if it is, else why not.
  func objection(transactionID: String, productID: String) async throws -> String? {
    let answer = try await client.call(
      .verify(account: account, transactionID: transactionID, productID: productID))
    return answer.isValid ? nil : answer.reason ?? "no reason given"
  }

  /// "Is this user a member?"
  func isMember() async throws -> Bool {
    try await client.call(.check(account: account)).isEntitled
  }
}
