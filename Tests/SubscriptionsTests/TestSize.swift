import Foundation

/// How much the tests do that may do any amount: in the check all they are meant to, with
/// `RENEWD_QUICK=1` what is done in a moment.
enum TestSize {
  static let isQuick = ProcessInfo.processInfo.environment["RENEWD_QUICK"] == "1"

  static func times(_ whole: Int, quick: Int) -> Int {
    isQuick ? quick : whole
  }
}
