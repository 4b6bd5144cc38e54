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
    return .done
  }
}

/// The table of products that several verbs print.
enum ProductTable {
  static func of(_ products: [Product], groups: [SubscriptionGroup] = []) -> Table {
    var table = Table(
      ["PRODUCT", "TYPE", "PERIOD", "PRICE", "GROUP", "LEVEL", "OFFERS", "NAME"],
      right: ["PRICE", "LEVEL"])
    for product in products {
      let group = groups.first { $0.id == product.subscriptionGroupID }
      table.add([
        product.id, product.type.words, product.subscriptionPeriod, product.money.description,
        group.map { $0.name.isEmpty ? $0.id : $0.name } ?? product.subscriptionGroupID,
        product.groupLevel.map { String($0) },
        product.offers.map { offer in
          offer.id.map { "\(offer.type) \($0)" } ?? offer.type.rawValue
        }.joined(separator: ", "),
        product.displayName,
      ])
    }
    return table
  }
}
