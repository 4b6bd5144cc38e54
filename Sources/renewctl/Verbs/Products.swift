import Client

/// `products`: what is on sale.
enum Products: Verb {
  static let description = VerbDescription(
    name: "products", summary: "List what is on sale", operands: "[PRODUCT…]",
    operandCount: 0...100,
    options: [Option("storefront", "COUNTRY", "priced for it, three letters, such as USA")],
    example: "renewctl products --storefront DEU")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let ids = invocation.arguments.operands
    let list = try invocation.fetch(
      .products(
        ids: ids.isEmpty ? nil : ids, storefront: invocation.arguments.value("storefront")))
    guard list.unknown.isEmpty else {
      var failure = Failure.own(
        "ProductNotFound", .notFound,
        "nothing is sold under \(list.unknown.joined(separator: ", "))")
      failure.parameters = JSONObject([
        ("unknown", .array(list.unknown.map { .string($0) }))
      ])
      if invocation.isForPeople { invocation.console.table(ProductTable.of(list.products)) }
      throw failure
    }
    guard invocation.isForPeople else { return .done }
    if list.products.isEmpty { invocation.console.line("nothing is on sale") }
    invocation.console.table(ProductTable.of(list.products))
    let offers = OfferTable.of(list.products)
    if !offers.isEmpty { invocation.console.line() }
    invocation.console.table(offers)
    return .done
  }
}

/// The table of all offers of some products.
enum OfferTable {
  static func of(_ products: [Product]) -> Table {
    var table = Table(["OFFER", "OF", "TERMS", "FOR"])
    for product in products {
      for offer in product.offers {
        table.add([
          offer.name, product.id, offer.terms(of: product), offer.audience,
        ])
      }
    }
    return table
  }
}

extension ProductOffer {
  /// The offer as `buy --offer` takes it.
  var name: String {
    id.map { "\(type.words):\($0)" } ?? type.words
  }

  /// What it sells: `4.99 USD a period, 3 periods of P1M`.
  func terms(of product: Product) -> String {
    let money = Money(milliunits: price, currency: product.currency)
    let length = periodCount == 1 ? period : "\(periodCount) × \(period)"
    switch paymentMode {
    case .freeTrial: return "free for \(length)"
    case .payUpFront: return "\(money) up front for \(length)"
    case .payAsYouGo: return "\(money) a period for \(length)"
    default: return "\(paymentMode) \(money) for \(length)"
    }
  }

  /// Who may redeem it.
  var audience: String {
    switch type {
    case .introductory: return "who had none in the group"
    case .promotional: return "who have or had a subscription"
    case .code:
      let who = (eligibility ?? []).joined(separator: ", ")
      return "\(who) subscribers\(isStackable == true ? ", after the introductory offer" : "")"
    case .winBack:
      return isEligible == false ? "nobody: switched off" : "who left"
    default: return type.rawValue
    }
  }
}

/// The table of products that several verbs print.
enum ProductTable {
  static func of(_ products: [Product], groups: [SubscriptionGroup] = []) -> Table {
    var table = Table(
      ["PRODUCT", "TYPE", "PERIOD", "PRICE", "GROUP", "LEVEL", "NAME"],
      right: ["PRICE", "LEVEL"])
    for product in products {
      let group = groups.first { $0.id == product.subscriptionGroupID }
      table.add([
        product.id, product.type.words, product.subscriptionPeriod, product.money.description,
        group.map { $0.name.isEmpty ? $0.id : $0.name } ?? product.subscriptionGroupID,
        product.groupLevel.map { String($0) },
        product.displayName,
      ])
    }
    return table
  }
}
