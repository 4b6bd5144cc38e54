import AppStore
import Foundation
import Subscriptions
import Testing

@Suite("what only the editor of a file uses keeps nothing from being sold")
struct ConfigurationEditorTests {
  typealias Files = ConfigurationFiles

  /// One value of every JSON type and of every shape in which files have them.
  static let values = [
    "null", "true", "false", "0", "1", "-1", "1.5", "1e999", "99999999999999999999", "\"\"",
    "\"text\"", "\"2024-06-01T12:00:00Z\"", "[]", "[1]", "[[]]", "{}", "{\"3\": \"x\"}",
  ]

  static let flags = ["null", "true", "false"]
  static let wholeNumbers = ["null", "0", "1", "-1"]
  static let texts = ["null", "\"\"", "\"text\"", "\"2024-06-01T12:00:00Z\""]

  /// Each setting, and the values that say something there without a notice.
  static let settings: [(key: String, good: [String])] = [
    ("_timeRate", ["null", "0", "1"]),
    ("_compatibilityTimeRate", ["null", "{}"]),
    ("_failTransactionsEnabled", flags), ("_askToBuyEnabled", flags),
    ("_billingGracePeriodEnabled", flags), ("_billingIssuesEnabled", flags),
    ("_renewalBillingIssuesEnabled", flags), ("_disableDialogs", flags),
    ("_storeKitError", wholeNumbers),
    ("_storeKitErrors", ["null", "[]"]),
    ("_storefront", ["null", "\"\""]),
    ("_locale", texts), ("_applicationInternalID", texts), ("_developerTeamID", texts),
    ("_lastSynchronizedDate", wholeNumbers + ["1.5"]),
  ]

  @Test(
    "every setting with every JSON type: all products, and one notice with the path (B95)",
    arguments: settings)
  func setting(key: String, good: [String]) throws {
    let sold = try Self.shop("\"settings\": {}").catalogue
    for value in Self.values {
      let read = try Self.shop("\"settings\": {\"\(key)\": \(value)}")
      #expect(read.catalogue == sold, "\(value)")
      if good.contains(value) {
        #expect(read.notices == [], "\(value)")
      } else {
        #expect(read.notices.count == 1, "\(value): \(read.notices)")
        #expect(read.notices.first?.hasPrefix("$.settings.\(key)") == true, "\(read.notices)")
      }
    }
  }

  /// Settings of a wrong type and the whole notice: what was found and what is taken.
  static let notices: [(String, String)] = [
    (
      "\"_compatibilityTimeRate\": 5",
      "._compatibilityTimeRate: expected an object, found a number; it is ignored"
    ),
    (
      "\"_compatibilityTimeRate\": {\"3\": \"5\"}",
      "._compatibilityTimeRate.3: expected a number, found a string; it is ignored"
    ),
    (
      "\"_timeRate\": \"fast\"",
      "._timeRate: expected a number, found a string; real time is taken"
    ),
    (
      "\"_timeRate\": 1.5",
      "._timeRate: 1.5 cannot stand here; write a whole number; real time is taken"
    ),
    ("\"_timeRate\": 99", "._timeRate: 99 is no rate that is known; it has no effect"),
    (
      "\"_failTransactionsEnabled\": 1",
      "._failTransactionsEnabled: expected true or false, found a number; false is taken"
    ),
    (
      "\"_lastSynchronizedDate\": \"yesterday\"",
      "._lastSynchronizedDate: expected a number, found a string; none is taken"
    ),
    (
      "\"_lastSynchronizedDate\": 1e300",
      "._lastSynchronizedDate: \"1e300\" cannot stand here; write seconds since 2001-01-01; "
        + "none is taken"
    ),
    (
      "\"_storefront\": [\"DEU\"]",
      "._storefront: expected a string, found an array; USA is taken"
    ),
    ("\"_locale\": 7", "._locale: expected a string, found a number; en_US is taken"),
    (
      "\"_storeKitErrors\": {\"Purchase\": true}",
      "._storeKitErrors: expected an array, found an object; no error is simulated"
    ),
    (
      "\"_storeKitErrors\": [7]",
      "._storeKitErrors[0]: expected an object, found a number; it is left out"
    ),
    (
      "\"_storeKitErrors\": [{\"name\": 7, \"enabled\": true}]",
      "._storeKitErrors[0].name: no name of a part of StoreKit; the error is left out"
    ),
    (
      "\"_storeKitErrors\": [{\"name\": \"Purchase\", \"enabled\": 1}]",
      "._storeKitErrors[0].enabled: expected true or false, found a number; false is taken"
    ),
    (
      "\"_storeKitErrors\": [{\"name\": \"Purchase\", \"enabled\": true, \"current\": 1}]",
      "._storeKitErrors[0].current: expected an object, found a number; "
        + "the first there is is taken"
    ),
    (
      "\"_applicationInternalID\": 12",
      "._applicationInternalID: a number; Xcode writes it as a string"
    ),
  ]

  @Test("a setting's notice says what was found and what is taken", arguments: notices)
  func notice(setting: String, notice: String) throws {
    let read = try Self.shop("\"settings\": {\(setting)}")
    #expect(read.notices == ["$.settings" + notice])
  }

  @Test("settings that are no object at all are the defaults")
  func noSettings() throws {
    for value in ["7", "\"none\"", "[]", "true"] {
      let read = try Self.shop("\"settings\": \(value)")
      #expect(read.settings == StoreKitSettings())
      #expect(read.notices.count == 1)
      #expect(read.notices[0].hasPrefix("$.settings: expected an object, found "))
      #expect(read.notices[0].hasSuffix("; the defaults are taken"))
    }
  }

  /// What stands around the products and sells nothing, with a value of every JSON type.
  static let aroundProducts = [
    "identifier", "appPolicies", "subscriptionOffersKeyPair", "settings", "oddKey",
  ]

  @Test("what stands beside the products, with every JSON type", arguments: aroundProducts)
  func besideTheProducts(key: String) throws {
    let sold = try Self.shop("\"settings\": {}").catalogue
    for value in Self.values {
      let read = try Self.shop("\"\(key)\": \(value)")
      #expect(read.catalogue == sold)
      #expect(read.notices.count <= 1, "\(read.notices)")
      #expect(read.notices.allSatisfy { $0.hasPrefix("$.\(key)") }, "\(read.notices)")
    }
  }

  @Test("a version of any shape: the file is read, as format 1 where it does not say")
  func versions() throws {
    for value in Self.values + Self.values.map({ "{\"major\": \($0)}" })
      + Self.values.map({ "{\"major\": 3, \"minor\": \($0)}" })
    {
      let read = try Files.read("{\"products\": [\(Self.product)], \"version\": \(value)}")
      #expect(read.catalogue.products.map(\.id) == ["p"])
      // A version without a number and with a key that is not known has both said of it.
      #expect(read.notices.count <= (value == "{\"3\": \"x\"}" ? 2 : 1), "\(read.notices)")
      #expect(read.formatVersion == (value.contains("\"major\": 3") ? 3 : 1))
    }
    #expect(
      try Files.read("{\"products\": [], \"version\": 3}").notices == [
        "$.version: expected an object, found a number; the file is read as format 1"
      ])
  }

  /// Members of a subscription that sell nothing.
  static let besideTheSubscription = [
    "internalID", "referenceName", "localizations", "billingPlans", "subscriptionGroupID",
    "oddKey",
  ]

  @Test(
    "a subscription's names, texts and plans, with every JSON type",
    arguments: besideTheSubscription)
  func subscription(key: String) throws {
    for value in Self.values {
      let read = try Files.read(
        Files.text(subscription: Files.subscription("\"\(key)\": \(value)")))
      #expect(read.catalogue.products.map(\.price) == [1000])
      #expect(read.notices.count <= 1, "\(value): \(read.notices)")
      let path = "$.subscriptionGroups[0].subscriptions[0].\(key)"
      #expect(read.notices.allSatisfy { $0.hasPrefix(path) }, "\(read.notices)")
    }
  }

  static let subscriptionPath = "$.subscriptionGroups[0].subscriptions[0]"

  /// Files with room for one member more, the path of the object that gets it, and members of
  /// that object that sell nothing.
  static let rooms: [(path: String, before: String, after: String, keys: [String])] = [
    (
      "\(subscriptionPath).localizations[0]",
      "{\(versionAndGroup), \"subscriptions\": [{"
        + "\"productID\": \"p\", \(Files.subscription("")), \"localizations\": [{", "}]}]}]}",
      ["locale", "displayName", "description", "oddKey"]
    ),
    (
      "\(subscriptionPath).adHocOffers[0]",
      "{\(versionAndGroup), \"subscriptions\": [{"
        + "\"productID\": \"p\", \(Files.subscription("")), \"adHocOffers\": [{"
        + "\"offerID\": \"o\", \"paymentMode\": \"free\", \"subscriptionPeriod\": \"P1W\", ",
      "}]}]}]}", ["internalID", "referenceName", "oddKey"]
    ),
    (
      "$.subscriptionGroups[0]", "{\(versionAndGroup), ", "}]}",
      ["name", "localizations", "oddKey"]
    ),
  ]

  static let versionAndGroup =
    "\"version\": {\"major\": 4}, \"subscriptionGroups\": [{\"id\": \"G\""

  @Test("a localization's, an offer's and a group's names, with every JSON type")
  func names() throws {
    for (path, before, after, keys) in Self.rooms {
      for key in keys {
        let sold = try Files.read("\(before)\"\(key)\": null\(after)").catalogue
        for value in Self.values {
          let read = try Files.read("\(before)\"\(key)\": \(value)\(after)")
          #expect(read.catalogue.products.map(\.id) == sold.products.map(\.id))
          #expect(read.catalogue.products.map(\.offers) == sold.products.map(\.offers))
          #expect(read.catalogue.groups.map(\.id) == ["G"])
          #expect(read.notices.count <= 1, "\(key) \(value): \(read.notices)")
          #expect(read.notices.allSatisfy { $0.hasPrefix("\(path).\(key)") }, "\(read.notices)")
        }
      }
    }
  }

  @Test("two offers with one identifier on one product are sold, and a notice says which is meant")
  func twinOffers() throws {
    for list in ["adHocOffers", "codeOffers", "winbackOffers"] {
      let read = try Files.read(
        Files.text(
          subscription: Files.subscription(
            """
            "\(list)": [
              {"internalID": "1", "offerID": "x", "paymentMode": "free",
               "subscriptionPeriod": "P1W"},
              {"internalID": "2", "offerID": "x", "paymentMode": "free",
               "subscriptionPeriod": "P1M"}]
            """)))
      let path = "$.subscriptionGroups[0].subscriptions[0].\(list)"
      #expect(
        read.notices == [
          "\(path)[1].offerID: \"x\" stands at \(path)[0].offerID already, on the same product; "
            + "a purchase by this identifier takes that one, the first of the file"
        ])
      let offers = read.catalogue.products[0].offers
      #expect(offers.map(\.id) == ["x", "x"])
      #expect(offers.map(\.period.iso8601) == ["P1W", "P1M"])
    }
  }

  @Test("a file with all of it in other shapes sells all of its products")
  func otherShapes() throws {
    let bytes = try Data(
      contentsOf: Files.folder.appendingPathComponent("Fixtures/other-shapes.storekit"))
    let read = try StoreKitConfiguration.read([UInt8](bytes))
    #expect(read.catalogue.products.map(\.id) == ["lantern", "keeper.monthly"])
    #expect(read.catalogue.products.map(\.price) == [2500, 4990])
    #expect(read.catalogue.products.map(\.displayName) == ["Lantern", ""])
    #expect(read.catalogue.products[1].offers.map(\.id) == ["dusk", "dusk"])
    #expect(read.catalogue.storefront == "USA")
    var settings = StoreKitSettings()
    settings.applicationID = "1234567890"
    #expect(read.settings == settings)
    let paths = read.notices.map { $0.prefix { $0 != ":" } }
    let subscription = "$.subscriptionGroups[0].subscriptions[0]"
    #expect(
      Set(paths) == [
        "$.version", "$.settings._timeRate", "$.settings._compatibilityTimeRate",
        "$.settings._storeKitErrors", "$.settings._storefront", "$.settings._locale",
        "$.settings._failTransactionsEnabled", "$.settings._askToBuyEnabled",
        "$.settings._applicationInternalID", "$.settings._lastSynchronizedDate",
        "$.appPolicies", "$.products[0].internalID", "$.products[0].localizations",
        "$.subscriptionGroups[0].name", "$.subscriptionGroups[0].localizations",
        "\(subscription).subscriptionGroupID", "\(subscription).referenceName",
        "\(subscription).localizations[0]", "\(subscription).localizations[1].locale",
        "\(subscription).localizations[1].displayName",
        "\(subscription).adHocOffers[1].offerID", "\(subscription).billingPlans",
        "$.subscriptionOffersKeyPair", "$.identifier",
      ])
    #expect(paths.count == Set(paths).count)
  }

  // MARK: Support

  static let product = "{\"productID\": \"p\", \"type\": \"Consumable\", \"displayPrice\": \"1\"}"

  /// A file of format 4 with a product and a subscription, and one member more.
  static func shop(_ member: String) throws -> StoreKitConfiguration {
    try Files.read(
      """
      {\(member), "version": {"major": 4, "minor": 0}, "products": [\(product)],
       "subscriptionGroups": [{"id": "G", "subscriptions": [
         {"productID": "s", \(Files.subscription(""))}]}]}
      """)
  }
}
