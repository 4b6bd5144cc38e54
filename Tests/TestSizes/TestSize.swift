import Foundation

/// How much the tests do that may do any amount: in the check all they are meant to, with
/// `RENEWD_QUICK=1` what is done in a moment, with `RENEWD_SOAK=N` as much as N says.
public enum TestSize {
  public static let isQuick = ProcessInfo.processInfo.environment["RENEWD_QUICK"] == "1"

  /// How many times over tests with chance in them run: 1, or what `RENEWD_SOAK` says. Another
  /// factor means other seeds, too.
  public static let soakFactor = max(
    1, Int(ProcessInfo.processInfo.environment["RENEWD_SOAK"] ?? "") ?? 1)

  public static func times(_ whole: Int, quick: Int) -> Int {
    isQuick ? quick : whole
  }
}
