import Foundation

/// Runs tasks on a queue of its own, for one who waits for them on a thread that tasks share.
private final class QueueExecutor: TaskExecutor {
  static let shared = QueueExecutor()

  private let queue = DispatchQueue(label: "StoreKit.QueueExecutor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// That the daemon was asked for the storefront of a launch.
final class StorefrontQuestion: Sendable {
  let launch: Int
  private let answered = DispatchGroup()

  init(launch: Int) {
    self.launch = launch
    answered.enter()
  }

  var isAnswered: Bool { answered.wait(timeout: .now()) == .success }

  func end() { answered.leave() }

  func wait() { _ = answered.wait(timeout: .now() + StoreKitLimits.storefrontWaitSeconds) }
}

extension SKPaymentQueue {
  /// The storefront; who asks first in a launch waits for it.
  func storefrontAskedFor() -> SKStorefront? {
    let launch = StoreSession.shared.generation
    if let known = knownStorefront(launch) { return known }
    let (question, isFirst) = ask(launch)
    guard isFirst else { return nil }
    question.wait()
    return knownStorefront(launch)
  }

  private func knownStorefront(_ launch: Int) -> SKStorefront? {
    lock.withLock { state.storefront.flatMap { $0.launch == launch ? $0.value : nil } }
  }

  /// Asks the daemon in the background unless it is asked already. Only the first question of a
  /// launch is waited for: a daemon that does not answer holds nobody up twice.
  private func ask(_ launch: Int) -> (StorefrontQuestion, isFirst: Bool) {
    let (question, isFirst, isNew) = lock.withLock {
      let before = state.storefrontQuestion.flatMap { $0.launch == launch ? $0 : nil }
      if let before, !before.isAnswered { return (before, false, false) }
      let question = StorefrontQuestion(launch: launch)
      state.storefrontQuestion = question
      return (question, before == nil, true)
    }
    if isNew {
      Task.detached(executorPreference: QueueExecutor.shared) {
        await self.askForStorefront()
        question.end()
      }
    }
    return (question, isFirst)
  }

  /// Asks the daemon, unless the storefront is heard of meanwhile: that is newer.
  func askForStorefront() async {
    let launch = StoreSession.shared.generation
    guard let storefront = await StoreSession.shared.storefront() else { return }
    lock.withLock {
      guard state.storefront?.launch != launch else { return }
      state.storefront = (launch, SKStorefront(storefront))
    }
  }

  /// Takes a storefront that was heard of, and tells the observers where it is another one in the
  /// same launch.
  func note(_ storefront: Storefront) {
    let launch = StoreSession.shared.generation
    let isChange = lock.withLock {
      let before = state.storefront.flatMap { $0.launch == launch ? $0.value.countryCode : nil }
      state.storefront = (launch, SKStorefront(storefront))
      return before != storefront.countryCode
    }
    if isChange { tell { $0.paymentQueueDidChangeStorefront(self) } }
  }
}
