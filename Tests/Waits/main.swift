import Dispatch
import Foundation

// Waits in each way that Swift has, for the time given in seconds, and prints what this process
// takes for the present and how long each way took by the clock that cannot be moved.

let seconds = Double(CommandLine.arguments[1]) ?? 0.1

func elapsed() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// At once, since the process may be ended before it has come to its end.
func say(_ words: String...) {
  FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
}

func report(_ name: String, since start: Double) {
  say(name, String(format: "%.6f", elapsed() - start))
}

func measure(_ name: String, _ wait: () -> Void) {
  let start = elapsed()
  wait()
  report(name, since: start)
}

say("now", String(format: "%.3f", Date().timeIntervalSince1970))
// Some of these ways are measured from the start of a process where they go wrong.
Thread.sleep(forTimeInterval: 2 * seconds)

measure("Thread.sleep") { Thread.sleep(forTimeInterval: seconds) }
measure("DispatchSemaphore") {
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
}
measure("DispatchSemaphore.wall") {
  _ = DispatchSemaphore(value: 0).wait(wallTimeout: .now() + seconds)
}
measure("NSCondition") {
  let condition = NSCondition()
  condition.lock()
  _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
  condition.unlock()
}
measure("RunLoop") {
  _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: seconds))
}
let asked = elapsed()
DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
  report("asyncAfter", since: asked)
  Task {
    var start = elapsed()
    try await Task.sleep(for: .seconds(seconds))
    report("Task.sleep", since: start)
    start = elapsed()
    try await SuspendingClock().sleep(for: .seconds(seconds))
    report("SuspendingClock", since: start)
    exit(0)
  }
}
RunLoop.main.run()
