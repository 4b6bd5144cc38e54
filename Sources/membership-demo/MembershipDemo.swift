import Foundation
import StoreKit

/// An app without a screen: it reads what its user taps from standard input, and prints each
/// callback of the store. `RENEWD_SOCKET` and `RENEWD_ACCOUNT` say whose it is.
@MainActor
enum MembershipDemo {
  /// What is sold; the products a command names are added.
  static let productIDs: Set = ["pro.monthly", "pro.yearly", "basic.monthly", "coins.100"]

  static func run() async {
    let controller = MembershipController()
    await controller.start(productIDs: productIDs)
    for await line in Console.lines() {
      guard await controller.perform(line) else { break }
    }
    Console.say("app", "goodbye")
  }
}
