internal import Client
import Foundation

extension StoreSession {
  /// Watches the account, unless that is done already. Without an account it waits for one.
  func beginWatching() {
    state.withLock { state in
      guard state.watch == nil else { return }
      let generation = state.generation
      state.watch = Task.detached { await self.follow(generation) }
    }
  }

  private func isCurrent(_ generation: Int) -> Bool {
    state.withLock { $0.generation == generation }
  }

  /// Follows the daemon until the settings change. The watch itself comes through restarts of the
  /// daemon; here are refusals, after which it is asked again, from where it stood if it can be.
  private func follow(_ generation: Int) async {
    var cursor: Int64?
    while !Task.isCancelled, isCurrent(generation) {
      do {
        let connected = try connected()
        try await follow(connected, cursor: &cursor)
        return
      } catch RenewdConnectionError.noAccount {
        note(RenewdConnectionError.noAccount)
        return
      } catch {
        note(error)
        if case .refused(let refusal) = error as? ClientError, case .cursorAhead = refusal.reason {
          // Another log, and so another authority.
          cursor = nil
          state.withLock { $0.trust = nil }
        }
      }
      // Cancelled meanwhile: the loop's condition says so.
      try? await Task.sleep(for: StoreKitLimits.watchPause)
    }
  }

  private func follow(_ connected: Connected, cursor: inout Int64?) async throws {
    let account = try connected.account
    for try await item in connected.client.watch(account: account, since: cursor, signed: true) {
      guard isCurrent(connected.generation) else { return }
      switch item {
      case .subscription(let subscription):
        let told = subscription.transaction
        let delivery = Delivery(told: told, result: try await trust(connected).result(of: told))
        state.withLock { if $0.generation == connected.generation { $0.feed.know(delivery) } }
      case .seam(let sequence):
        try await launch(connected)
        cursor = sequence
      case .event(let event):
        try await take(event, connected)
        cursor = event.sequence
      case .heartbeat(let sequence):
        cursor = sequence
      }
      state.withLock { $0.failure = nil }
    }
  }

  /// Tells what the app has not finished, once.
  private func launch(_ connected: Connected) async throws {
    guard !state.withLock({ $0.feed.hasLaunched }) else { return }
    let list = try await connected.client.call(
      .unfinished(account: try connected.account, signed: true))
    let trust = try await trust(connected)
    let deliveries = list.transactions.map {
      Delivery(told: $0.transaction, result: trust.result(of: $0))
    }
    let storefront = try await storefront(connected, trust)
    state.withLock { state in
      guard state.generation == connected.generation else { return }
      if let storefront { state.feed.know(storefront) }
      state.feed.launch(deliveries)
    }
  }

  private func take(_ event: Event, _ connected: Connected) async throws {
    var told: Delivery?
    var renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>?
    if event.transaction != nil || event.renewalInfo != nil {
      let trust = try await trust(connected)
      told = event.transaction.map { Delivery(told: $0, result: trust.result(of: $0)) }
      renewalInfo = event.renewalInfo.map(trust.result)
      if let told { try await takeUpgraded(by: told, in: event, connected, trust) }
    }
    let isOtherStorefront = state.withLock { [told, renewalInfo] state in
      guard state.generation == connected.generation else { return false }
      let before = state.feed.country
      state.feed.take(event, told)
      if let renewalInfo { state.feed.take(event, renewalInfo) }
      return before != nil && before != state.feed.country
    }
    if isOtherStorefront { Notification.postStorefrontChange() }
    if state.withLock({ $0.feed.mayFinishWaiting(event) }) { try await finishElsewhere(connected) }
  }

  /// Forgets what waited for a first listener and was finished elsewhere.
  private func finishElsewhere(_ connected: Connected) async throws {
    let list = try await connected.client.call(.unfinished(account: try connected.account))
    let unfinished = Set(list.transactions.map(\.transaction.id))
    state.withLock { state in
      if state.generation == connected.generation { state.feed.keepWaiting(unfinished) }
    }
  }

  /// An upgrade changes the transaction it ends, too, which its event does not carry.
  private func takeUpgraded(
    by told: Delivery, in event: Event, _ connected: Connected, _ trust: StoreTrust
  ) async throws {
    guard event.kind == .upgraded, let originalID = event.originalID else { return }
    let (before, isOwn) = state.withLock {
      ($0.feed.newestTransaction(originalID: originalID), $0.feed.isOwn(event))
    }
    guard let before, !isOwn, before.told.id != told.told.id else { return }
    let all = try await history(connected, trust: trust)
    guard let changed = all.first(where: { $0.told.id == before.told.id }) else { return }
    state.withLock { state in
      if state.generation == connected.generation { state.feed.take(changed: changed) }
    }
  }
}
