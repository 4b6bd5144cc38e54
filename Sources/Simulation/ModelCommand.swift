import JSON

/// A command of the workload, in the words of the reference model. Everything that the daemon is
/// asked comes from these, and so does everything that the model knows.
public enum ModelCommand: Sendable, Equatable {
  case buy(
    account: String, product: String, quantity: Int64, clock: String?, date: Int64?,
    cancelled: Bool)
  case setAutoRenew(account: String, line: Int, originalID: String, enabled: Bool)
  /// `line` counts the account's subscriptions in the order in which they were begun, nil is for
  /// what was bought outside one; `index` counts the periods or purchases.
  case refund(account: String, id: String, line: Int?, index: Int, percentage: Int64?)
  case reverseRefund(account: String, id: String, line: Int?, index: Int)
  case requestRefund(account: String, id: String, line: Int?, index: Int)
  case declineRefund(account: String, id: String, line: Int?, index: Int)
  case finish(account: String, id: String, line: Int?, index: Int)
  case expire(account: String, line: Int, originalID: String)
  case forceRenewal(account: String, line: Int, originalID: String)
  case extend(account: String, line: Int, originalID: String, days: Int64)
  case setBilling(account: String, fails: Bool)
  case resolveBilling(account: String, line: Int, originalID: String)
  case attach(account: String, clock: String)
  case createClock(name: String, time: Int64)
  case advance(clock: String, to: Int64)
  case reset
  case share(account: String, to: String)
  case unshare(account: String, to: String?, cause: String?)
  /// The rest is about everybody who has a product, but for the answer.
  case raisePrice(product: String, price: Int64, consent: Bool)
  case answerIncrease(account: String, line: Int, originalID: String, agrees: Bool)
  case remove(product: String)
  /// The catalogue as it was: everything is sold again, at its first price.
  case restock
  case extendAll(product: String, days: Int64, identifier: String)
  /// A switch of an account, or of all that have none of their own.
  case setSwitch(ModelSwitch, account: String?, isOn: Bool)
  /// `number` counts the purchases that ever waited of the account.
  case makeWaiting(ModelSwitch, account: String, id: String, number: Int)
  case declineWaiting(account: String, id: String, number: Int)
  case setError(api: String, error: String?)

  /// The account it is about; nil where it is about none.
  var account: String? {
    switch self {
    case .buy(let account, _, _, _, _, _), .setAutoRenew(let account, _, _, _),
      .refund(let account, _, _, _, _), .reverseRefund(let account, _, _, _),
      .requestRefund(let account, _, _, _), .declineRefund(let account, _, _, _),
      .finish(let account, _, _, _), .expire(let account, _, _),
      .forceRenewal(let account, _, _), .extend(let account, _, _, _), .setBilling(let account, _),
      .resolveBilling(let account, _, _), .attach(let account, _), .share(let account, _),
      .unshare(let account, _, _), .answerIncrease(let account, _, _, _),
      .makeWaiting(_, let account, _, _), .declineWaiting(let account, _, _):
      account
    case .setSwitch(_, let account, _): account
    case .createClock, .advance, .reset, .raisePrice, .remove, .restock, .extendAll, .setError:
      nil
    }
  }

  /// Whether it is about everybody who has a product.
  var isForAll: Bool {
    switch self {
    case .raisePrice, .remove, .restock, .extendAll, .setError: true
    case .setSwitch(_, let account, _): account == nil
    case .createClock, .advance, .reset, .buy, .setAutoRenew, .refund, .reverseRefund,
      .requestRefund, .declineRefund, .finish, .expire, .forceRenewal, .extend, .setBilling,
      .resolveBilling, .attach, .share, .unshare, .answerIncrease, .makeWaiting, .declineWaiting:
      false
    }
  }

  /// Every method that the workload calls.
  public static let methods = [
    "Store.Purchase", "Store.SetAutoRenew", "Store.Finish", "Testing.Refund",
    "Testing.ReverseRefund", "Testing.RequestRefund", "Testing.DeclineRefund", "Testing.Expire",
    "Testing.ForceRenewal", "Testing.Extend", "Testing.SetBilling", "Testing.ResolveBilling",
    "Testing.Reset", "Testing.Share", "Testing.Unshare", "Testing.AnnouncePriceIncrease",
    "Testing.ConsentToPriceIncrease", "Testing.DeclinePriceIncrease", "Testing.RemoveFromSale",
    "Testing.ExtendAll", "Testing.SetAskToBuy", "Testing.SetInterrupted",
    "Testing.ApproveAskToBuy", "Testing.ResolveInterrupted", "Testing.DeclineAskToBuy",
    "Testing.SetSimulatedError", "Clocks.Attach", "Clocks.Create", "Clocks.Advance",
    "Catalog.Import",
  ].map { "org.renewd.\($0)" }

  public var method: String {
    switch self {
    case .buy: "org.renewd.Store.Purchase"
    case .setAutoRenew: "org.renewd.Store.SetAutoRenew"
    case .finish: "org.renewd.Store.Finish"
    case .refund: "org.renewd.Testing.Refund"
    case .reverseRefund: "org.renewd.Testing.ReverseRefund"
    case .requestRefund: "org.renewd.Testing.RequestRefund"
    case .declineRefund: "org.renewd.Testing.DeclineRefund"
    case .expire: "org.renewd.Testing.Expire"
    case .forceRenewal: "org.renewd.Testing.ForceRenewal"
    case .extend: "org.renewd.Testing.Extend"
    case .setBilling: "org.renewd.Testing.SetBilling"
    case .resolveBilling: "org.renewd.Testing.ResolveBilling"
    case .reset: "org.renewd.Testing.Reset"
    case .attach: "org.renewd.Clocks.Attach"
    case .createClock: "org.renewd.Clocks.Create"
    case .advance: "org.renewd.Clocks.Advance"
    case .share: "org.renewd.Testing.Share"
    case .unshare: "org.renewd.Testing.Unshare"
    case .raisePrice: "org.renewd.Testing.AnnouncePriceIncrease"
    case .answerIncrease(_, _, _, true): "org.renewd.Testing.ConsentToPriceIncrease"
    case .answerIncrease: "org.renewd.Testing.DeclinePriceIncrease"
    case .remove: "org.renewd.Testing.RemoveFromSale"
    case .restock: "org.renewd.Catalog.Import"
    case .extendAll: "org.renewd.Testing.ExtendAll"
    case .setSwitch(.askToBuy, _, _): "org.renewd.Testing.SetAskToBuy"
    case .setSwitch(.interrupted, _, _): "org.renewd.Testing.SetInterrupted"
    case .makeWaiting(.askToBuy, _, _, _): "org.renewd.Testing.ApproveAskToBuy"
    case .makeWaiting(.interrupted, _, _, _): "org.renewd.Testing.ResolveInterrupted"
    case .declineWaiting: "org.renewd.Testing.DeclineAskToBuy"
    case .setError: "org.renewd.Testing.SetSimulatedError"
    }
  }

  /// The call's parameters without a request id.
  public var parameters: [(String, JSONValue)] {
    switch self {
    case .buy(let account, let product, let quantity, let clock, let date, let cancelled):
      var members: [(String, JSONValue)] = [
        ("account", .string(account)), ("productId", .string(product)),
        ("quantity", .int(quantity)),
      ]
      if let clock { members.append(("clock", .string(clock))) }
      if let date { members.append(("purchaseDate", .int(date))) }
      if cancelled { members.append(("renewalBehavior", .string("cancelImmediately"))) }
      return members
    case .setAutoRenew(_, _, let id, let enabled):
      return [("originalTransactionId", .string(id)), ("enabled", .bool(enabled))]
    case .refund(_, let id, _, _, let percentage):
      let members = [("transactionId", JSONValue.string(id))]
      return percentage.map { members + [("percentage", .int($0))] } ?? members
    case .reverseRefund(_, let id, _, _), .finish(_, let id, _, _),
      .requestRefund(_, let id, _, _), .declineRefund(_, let id, _, _):
      return [("transactionId", .string(id))]
    case .extend(_, _, let id, let days):
      return [
        ("originalTransactionId", .string(id)), ("days", .int(days)), ("reason", .int(0)),
      ]
    case .setBilling(let account, let fails):
      return [("account", .string(account)), ("outcome", .string(fails ? "fail" : "succeed"))]
    case .expire(_, _, let id), .forceRenewal(_, _, let id), .resolveBilling(_, _, let id),
      .answerIncrease(_, _, let id, _):
      return [("originalTransactionId", .string(id))]
    case .attach(let account, let clock):
      return [("account", .string(account)), ("clock", .string(clock))]
    case .createClock(let name, let time): return [("name", .string(name)), ("at", .int(time))]
    case .advance(let clock, let time): return [("clock", .string(clock)), ("to", .int(time))]
    case .reset: return []
    case .share(let account, let to):
      return [("account", .string(account)), ("to", .string(to))]
    case .unshare(let account, let to, let cause):
      var members: [(String, JSONValue)] = [("account", .string(account))]
      if let to { members.append(("to", .string(to))) }
      if let cause { members.append(("cause", .string(cause))) }
      return members
    case .raisePrice(let product, let price, let consent):
      return [
        ("productId", .string(product)), ("price", .int(price)), ("consent", .bool(consent)),
      ]
    case .remove(let product): return [("productId", .string(product))]
    case .restock:
      return [
        ("text", .string(String(decoding: Shop.simulation.storekitText, as: UTF8.self))),
        ("source", .string(World.shopName)),
      ]
    case .extendAll(let product, let days, let identifier):
      return [
        ("productId", .string(product)), ("days", .int(days)), ("reason", .int(0)),
        ("requestIdentifier", .string(identifier)),
      ]
    case .setSwitch(_, let account, let isOn):
      let members: [(String, JSONValue)] = account.map { [("account", .string($0))] } ?? []
      return members + [("enabled", .bool(isOn))]
    case .makeWaiting(_, _, let id, _), .declineWaiting(_, let id, _):
      return [("pendingId", .string(id))]
    case .setError(let api, let error):
      let members: [(String, JSONValue)] = [("api", .string(api))]
      return error.map { members + [("error", .string($0))] } ?? members
    }
  }

  /// One line of a script: the method and its parameters.
  public var text: String {
    if case .restock = self { return method }
    return "\(method) \(JSONValue.members(parameters).compactText)"
  }
}
