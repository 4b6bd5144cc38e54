internal import Client
import Foundation

extension StoreSession {
  /// Tells once, on standard error, if the store that this process has come to lives at another
  /// time: code that compares `Date()` with a transaction's dates is wrong by as much.
  func lookAtClock(_ connected: Connected) async {
    guard let account = try? connected.account, Self.isFirstLook(self) else { return }
    // What keeps this from being answered keeps the app's own question from it, and is told there.
    guard let status = try? await connected.client.call(.status(account: account)),
      let notice = Self.notice(of: status.asOf, clock: status.clock, beside: Date())
    else { return }
    FileHandle.standardError.write(Data("\(notice)\n".utf8))
  }

  private static func isFirstLook(_ session: StoreSession) -> Bool {
    session.state.withLock { state in
      defer { state.hasLookedAtClock = true }
      return !state.hasLookedAtClock
    }
  }

  /// What there is to say of a clock; nil where it is near the time of this process.
  static func notice(of time: Timestamp, clock: String, beside now: Date) -> String? {
    let seconds = Double(time.milliseconds) / 1000 - now.timeIntervalSince1970
    guard abs(seconds) > StoreKitLimits.clockDifferenceMax else { return nil }
    return "StoreKit: the store's clock \(clock) is at \(time), and Date() says "
      + "\(now.formatted(.iso8601)) here. Transactions are dated by the store. "
      + "`renewctl run --time -- COMMAND` starts a program whose Date() follows the store's clock."
  }
}
