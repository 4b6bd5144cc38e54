import Foundation

/// How much the tests do that may do any amount: in the check all they are meant to, with
/// `RENEWD_QUICK=1` what is done in a moment.
public enum TestSize {
  public static let isQuick = ProcessInfo.processInfo.environment["RENEWD_QUICK"] == "1"

  public static func times(_ whole: Int, quick: Int) -> Int {
    isQuick ? quick : whole
  }
}
