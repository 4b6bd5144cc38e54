import StoreKit

extension TestShop {
  /// The configuration call, in a file that does not import the client's types of the same names.
  static func use(_ socket: String, _ account: String?) throws {
    try RenewdConnection.use(socket: socket, account: account)
  }
}
