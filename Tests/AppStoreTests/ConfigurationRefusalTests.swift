import AppStore
import JSON
import Testing

@Suite("what the reader refuses, and where it says the fault is")
struct ConfigurationRefusalTests {
  typealias Files = ConfigurationFiles

  /// Members of the one subscription of a group, and the whole sentence of the refusal after the
  /// path of that subscription.
  static let subscriptions: [(String, String)] = [
    (
      "\"displayPrice\": \"1\", \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P4M\"",
      ".recurringSubscriptionPeriod: \"P4M\" cannot stand here; "
        + "write P1W, P1M, P2M, P3M, P6M or P1Y"
    ),
    (
      "\"displayPrice\": \"1\", \"groupNumber\": 1",
      ".recurringSubscriptionPeriod: missing; write P1W, P1M, P2M, P3M, P6M or P1Y"
    ),
    (
      "\"displayPrice\": \"1\", \"groupNumber\": 0, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".groupNumber: 0 cannot stand here; write a whole number from 1 to 1000000"
    ),
    (
      "\"displayPrice\": \"1\", \"groupNumber\": \"1\", \"recurringSubscriptionPeriod\": \"P1M\"",
      ".groupNumber: expected a number, found a string"
    ),
    (
      "\"displayPrice\": \"1,99\", \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".displayPrice: \"1,99\" cannot stand here; "
        + "write a decimal with a point and without a currency, such as \"9.99\""
    ),
    (
      "\"displayPrice\": true, \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".displayPrice: expected a string, found true or false"
    ),
    (
      Files.subscription("\"familyShareable\": \"no\""),
      ".familyShareable: expected true or false, found a string"
    ),
    (
      Files.subscription("\"introductoryOffer\": []"),
      ".introductoryOffer: expected an object, found an array"
    ),
    (
      Files.subscription("\"introductoryOffer\": {\"subscriptionPeriod\": \"P1W\"}"),
      ".introductoryOffer.paymentMode: missing; write free, payAsYouGo or payUpFront"
    ),
    (
      Files.subscription(
        "\"introductoryOffer\": {\"paymentMode\": \"gratis\", \"subscriptionPeriod\": \"P1W\"}"),
      ".introductoryOffer.paymentMode: \"gratis\" cannot stand here; "
        + "write free, payAsYouGo or payUpFront"
    ),
    (
      Files.subscription(
        "\"codeOffers\": [{\"paymentMode\": \"free\", \"subscriptionPeriod\": \"a week\"}]"),
      ".codeOffers[0].subscriptionPeriod: \"a week\" cannot stand here; "
        + "write P3D, P1W, P2W, P1M, P2M, P3M, P6M or P1Y"
    ),
    (
      Files.subscription(
        """
        "codeOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1W",
          "numberOfPeriods": 0}]
        """),
      ".codeOffers[0].numberOfPeriods: 0 cannot stand here; "
        + "write a whole number from 1 to 999"
    ),
  ]

  @Test("a wrong subscription", arguments: subscriptions)
  func subscription(subscription: String, sentence: String) throws {
    let path = "$.subscriptionGroups[0].subscriptions[0]"
    let error = try #require(throws: StoreKitConfigurationError.self) {
      try Files.read(Files.text(subscription: subscription))
    }
    #expect(error.description == path + sentence)
  }

  /// Whole files and the whole sentence of the refusal.
  static let files: [(String, String)] = [
    ("[]", "$: expected an object, found an array"),
    ("\"text\"", "$: expected an object, found a string"),
    (
      "{\"name\": \"left-pad\", \"license\": \"MIT\"}",
      "$: not a StoreKit configuration: it has none of version, products, "
        + "nonRenewingSubscriptions and subscriptionGroups"
    ),
    ("{\"products\": {}}", "$.products: expected an array, found an object"),
    ("{\"products\": [1]}", "$.products[0]: expected an object, found a number"),
    (
      "{\"products\": [{\"productID\": \"a\", \"displayPrice\": \"1\"}]}",
      "$.products[0].type: missing; write Consumable, NonConsumable or NonRenewingSubscription"
    ),
    (
      "{\"products\": [{\"type\": \"Consumable\", \"displayPrice\": \"1\"}]}",
      "$.products[0].productID: missing; write the identifier that the app sells"
    ),
    (
      """
      {"products": [{"productID": "a", "type": "Consumable", "displayPrice": "1"}],
       "nonRenewingSubscriptions": [{"productID": "a", "displayPrice": "1"}]}
      """,
      "$.nonRenewingSubscriptions[0].productID: \"a\" stands at $.products[0].productID "
        + "already; give one of the two another identifier"
    ),
    (
      "{\"subscriptionGroups\": [{\"name\": \"N\"}]}",
      "$.subscriptionGroups[0].id: missing; write an identifier, such as eight hex digits"
    ),
    (
      "{\"subscriptionGroups\": [{\"id\": \"G\"}, {\"id\": \"G\"}]}",
      "$.subscriptionGroups[1].id: \"G\" stands at $.subscriptionGroups[0].id already; "
        + "give one of the two another identifier"
    ),
  ]

  @Test("a wrong file", arguments: files)
  func file(text: String, sentence: String) throws {
    let error = try #require(throws: StoreKitConfigurationError.self) { try Files.read(text) }
    #expect(error.description == sentence)
    #expect(sentence.hasPrefix(error.path + ": "))
  }

  static let group = "{\"id\": \"G\"}"

  /// An entry of `products`, the groups beside it, and the refusal: where the entry belongs.
  static let misplaced: [(String, String, String)] = [
    (
      "\"type\": \"RecurringSubscription\"", "",
      ".type: \"RecurringSubscription\" cannot stand here; an auto-renewable subscription belongs "
        + "in $.subscriptionGroups: add a group with it, "
        + "as {\"id\": …, \"name\": …, \"subscriptions\": [it]}"
    ),
    (
      "\"type\": \"RecurringSubscription\"", group,
      ".type: \"RecurringSubscription\" cannot stand here; an auto-renewable subscription belongs "
        + "in a group's list: move it to $.subscriptionGroups[0].subscriptions"
    ),
    (
      "\"type\": \"auto-renewable\", \"subscriptionGroupID\": \"H\"",
      group + ", {\"id\": \"H\"}",
      ".type: \"auto-renewable\" cannot stand here; an auto-renewable subscription belongs "
        + "in the list of its group: move it to $.subscriptionGroups[1].subscriptions"
    ),
    (
      "\"type\": \"Subscription\", \"subscriptionGroupID\": \"I\"", group,
      ".type: \"Subscription\" cannot stand here; an auto-renewable subscription belongs "
        + "in $.subscriptionGroups: move it into its group's list, or add a group, "
        + "as {\"id\": …, \"name\": …, \"subscriptions\": [it]}"
    ),
    (
      "\"recurringSubscriptionPeriod\": \"P1M\"", group,
      ".type: missing; an auto-renewable subscription belongs "
        + "in a group's list: move it to $.subscriptionGroups[0].subscriptions"
    ),
  ]

  @Test(
    "a subscription outside the groups is told which list it belongs in", arguments: misplaced)
  func misplacedSubscription(product: String, groups: String, sentence: String) throws {
    for list in ["products", "nonRenewingSubscriptions"] {
      let error = try #require(throws: StoreKitConfigurationError.self) {
        try Files.read(
          """
          {"\(list)": [{"productID": "a", \(product), "displayPrice": "1"}],
           "subscriptionGroups": [\(groups)]}
          """)
      }
      #expect(error.description == "$.\(list)[0]" + sentence)
    }
  }

  @Test("a product of another type in a group is told which list it belongs in")
  func misplacedProduct() throws {
    for (type, list) in [
      ("Consumable", "products"), ("NonConsumable", "products"),
      ("NonRenewingSubscription", "nonRenewingSubscriptions"),
    ] {
      let error = try #require(throws: StoreKitConfigurationError.self) {
        try Files.read(
          """
          {"subscriptionGroups": [{"id": "G", "subscriptions": [
            {"productID": "a", "type": "\(type)", "displayPrice": "1"}]}]}
          """)
      }
      #expect(
        error.description == "$.subscriptionGroups[0].subscriptions[0].type: \"\(type)\" cannot "
          + "stand here; a group's subscriptions are of type RecurringSubscription; "
          + "move it to $.\(list)")
    }
  }

  @Test("what is not JSON is refused by line and column")
  func notJSON() throws {
    let error = try #require(throws: StoreKitConfigurationError.self) {
      try Files.read("{\n  \"products\" : [\n    oops\n  ]\n}\n")
    }
    #expect(
      error
        == .notJSON(
          line: 3, column: 5, reason: .unexpectedByte(UInt8(ascii: "o"), at: 23)))
    #expect(error.description.hasPrefix("$: not JSON, line 3, column 5: "))
    #expect(throws: StoreKitConfigurationError.self) { try StoreKitConfiguration.read([]) }
  }

  @Test("more products than App Store Connect allows are refused")
  func tooManyProducts() throws {
    let products = (0...AppStoreTestLimits.products).map {
      "{\"productID\":\"p\($0)\",\"type\":\"Consumable\",\"displayPrice\":\"1\"}"
    }
    #expect(throws: StoreKitConfigurationError.tooManyProducts(path: "$.products[10000]")) {
      try Files.read("{\"products\":[\(products.joined(separator: ","))]}")
    }
  }

  private enum AppStoreTestLimits {
    static let products = 10_000
  }

  @Test("an identifier too long is refused, and not repeated whole")
  func longIdentifier() throws {
    let id = String(repeating: "ä", count: 5000)
    let error = try #require(throws: StoreKitConfigurationError.self) {
      try Files.read("{\"products\": [{\"productID\": \"\(id)\", \"type\": \"Consumable\"}]}")
    }
    #expect(error.path == "$.products[0].productID")
    #expect(error.description.utf8.count < 300)
  }
}
