internal import Client
import Foundation

/// Which daemon this process buys from, and for whom. This is the one thing that code written for
/// Apple's platforms does not have: there the device knows.
///
/// Without a call, the environment says it: `RENEWD_SOCKET` is the daemon's socket
/// (`/run/renewd/renewd.sock` if unset) and `RENEWD_ACCOUNT` the account.
public enum RenewdConnection {
  /// Buys from the daemon at `socket` for `account` from now on. Nil takes the environment's.
  ///
  /// What was heard so far is forgotten, as if the app were launched anew: sequences that are
  /// being read go on with the new account, and its unfinished transactions are delivered.
  /// Throws `RenewdConnectionError` for a socket's path that the system cannot take.
  public static func use(socket: String? = nil, account: String? = nil) throws {
    let environment = ConnectionSettings.fromEnvironment
    let settings = ConnectionSettings(
      socket: socket ?? environment.socket, account: account ?? environment.account)
    _ = try settings.address()
    StoreSession.shared.use(settings)
  }

  /// Why nothing is heard from the daemon at present, if that is so: it cannot be reached, or it
  /// refuses this process. `Transaction.updates` cannot tell.
  public static var failure: (any Error)? { StoreSession.shared.failure }
}

/// Why the daemon cannot be asked at all.
public enum RenewdConnectionError: Error, Equatable, Sendable, LocalizedError {
  /// Neither `RENEWD_ACCOUNT` nor `RenewdConnection.use` says whose purchases these are.
  case noAccount
  /// The socket's path is empty or too long.
  case invalidSocket(String)

  /// One sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .noAccount: "No account is configured: set RENEWD_ACCOUNT."
    case .invalidSocket(let reason): "The daemon's socket cannot be used: \(reason)."
    }
  }
}

/// A socket and an account, as they were given.
struct ConnectionSettings: Equatable, Sendable {
  var socket: String?
  var account: String?

  static var fromEnvironment: ConnectionSettings {
    let environment = ProcessInfo.processInfo.environment
    return ConnectionSettings(
      socket: environment["RENEWD_SOCKET"], account: environment["RENEWD_ACCOUNT"])
  }

  func address() throws(RenewdConnectionError) -> SocketAddress {
    guard let socket else { return .standard }
    do throws(TransportError) {
      return try SocketAddress(socket)
    } catch {
      throw .invalidSocket("\(error)")
    }
  }
}
