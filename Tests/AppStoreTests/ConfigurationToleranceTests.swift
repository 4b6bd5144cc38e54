import AppStore
import Subscriptions
import Testing

@Suite("what the reader passes over")
struct ConfigurationToleranceTests {
  typealias Files = ConfigurationFiles

  @Test("two groups, a free introductory offer, forty languages, one unknown key: one notice (B91)")
  func oneUnknownKey() throws {
    let languages = (0..<40).map {
      "{\"locale\": \"x\($0)\", \"displayName\": \"N\($0)\", \"description\": \"\"}"
    }
    func group(_ id: String, _ extra: String) -> String {
      """
      {"id": "\(id)", "name": "\(id)", "localizations": [], "subscriptions": [{
        "productID": "\(id).p", "type": "RecurringSubscription", "subscriptionGroupID": "\(id)",
        "localizations": [\(languages.joined(separator: ","))],
        "introductoryOffer": {"internalID": "1", "paymentMode": "free",
          "subscriptionPeriod": "P3D", "numberOfPeriods": 1},
        \(Files.subscription(extra))}]}
      """
    }
    let read = try Files.read(
      """
      {"identifier": "A", "settings": {"_locale": "x7"}, "products": [], "appPolicies": {},
       "subscriptionGroups": [\(group("one", "")), \(group("two", "\"newThing\": {\"a\": 1}"))],
       "version": {"major": 4, "minor": 0}}
      """)
    #expect(
      read.notices == [
        "$.subscriptionGroups[1].subscriptions[0].newThing: a key that is not known; it is ignored"
      ])
    #expect(read.catalogue.groups.map(\.id) == ["one", "two"])
    for product in read.catalogue.products {
      #expect(product.displayName == "N7")
      #expect(product.introductoryOffer?.period == Period(unit: .day, count: 3))
      #expect(product.introductoryOffer?.paymentMode == .freeTrial)
    }
  }

  @Test("the same unknown key in many places is one notice that counts them")
  func manyTheSame() throws {
    let products = (0..<30).map {
      "{\"productID\": \"p\($0)\", \"type\": \"Consumable\", \"displayPrice\": \"1\", \"odd\": 1}"
    }
    let read = try Files.read(
      "{\"version\": {\"major\": 3}, \"products\": [\(products.joined(separator: ","))]}")
    #expect(
      read.notices == [
        "$.products[0].odd: a key that is not known; it is ignored (and in 29 other places)"
      ])
  }

  @Test("more oddities than anybody reads are counted")
  func tooManyNotices() throws {
    let keys = (0..<60).map { "\"odd\($0)\": null" }
    let read = try Files.read("{\"version\": {\"major\": 3}, \(keys.joined(separator: ","))}")
    #expect(read.notices.count == 51)
    #expect(read.notices.last == "$: 10 more notices are not shown")
  }

  @Test("null stands for nothing, everywhere it may")
  func nulls() throws {
    let read = try Files.read(
      """
      {"identifier": null, "products": null, "nonRenewingSubscriptions": [null],
       "settings": null, "appPolicies": null, "subscriptionOffersKeyPair": null,
       "subscriptionGroups": [null, {"id": "G", "name": null, "localizations": null,
         "subscriptions": [null, {"productID": "p", "type": null, "referenceName": null,
           "subscriptionGroupID": null, "displayPrice": "1", "groupNumber": 1,
           "familyShareable": null, "internalID": null, "localizations": null,
           "recurringSubscriptionPeriod": "P1W", "introductoryOffer": null,
           "introductoryOffers": null, "adHocOffers": null, "codeOffers": null,
           "winbackOffers": null, "billingPlans": null}]}],
       "version": {"major": 5, "minor": null}}
      """)
    #expect(read.notices == [])
    #expect(read.catalogue.products.map(\.id) == ["p"])
    #expect(read.settings == StoreKitSettings())
  }

  @Test("files with nothing on sale are files")
  func empty() throws {
    #expect(try Files.read("{}").catalogue == Catalogue())
    #expect(try Files.read("{}").notices == ["$.version: missing; the file is read as format 1"])
    let group = try Files.read(
      "{\"version\": {\"major\": 4}, \"subscriptionGroups\": [{\"id\": \"G\", \"name\": \"N\"}]}")
    #expect(group.notices == [])
    #expect(group.catalogue == Catalogue(groups: [CatalogueGroup(id: "G", name: "N")]))
    #expect(
      try StoreKitConfiguration.read([0xef, 0xbb, 0xbf] + Array("{}".utf8)).notices.count == 1)
  }

  @Test("a later format is tried, with a notice")
  func laterFormat() throws {
    let read = try Files.read("{\"version\": {\"major\": 9, \"minor\": 2}, \"products\": []}")
    #expect(read.formatVersion == 9)
    #expect(read.notices.count == 1)
    #expect(read.notices[0].hasPrefix("$.version.major: format 9 is newer"))
  }

  /// Members of the one subscription, what the notice is about, and how it begins.
  static let oddities: [(String, String)] = [
    (
      "\"displayPrice\": null, \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".displayPrice: missing; the price is 0"
    ),
    (
      "\"displayPrice\": 4.99, \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".displayPrice: a number; Xcode writes prices as strings"
    ),
    (
      "\"displayPrice\": \"0.9995\", \"groupNumber\": 1, \"recurringSubscriptionPeriod\": \"P1M\"",
      ".displayPrice: \"0.9995\" has more than three decimals"
    ),
    (
      "\"displayPrice\": \"1\", \"recurringSubscriptionPeriod\": \"P1M\"",
      ".groupNumber: missing; the level is 1"
    ),
    (
      Files.subscription("\"subscriptionGroupID\": \"H\""),
      ".subscriptionGroupID: \"H\" is another group"
    ),
    (
      Files.subscription(
        "\"billingPlans\": [{\"billingPlanType\": \"MONTHLY\", \"isEnabled\": true}]"),
      ".billingPlans[0].billingPlanType: monthly instalments are not simulated"
    ),
    (
      Files.subscription(
        """
        "introductoryOffer": {"paymentMode": "payAsYouGo", "subscriptionPeriod": "P1W",
          "displayPrice": "1"}
        """), ".introductoryOffer.subscriptionPeriod: a pay-as-you-go offer's period"
    ),
    (
      Files.subscription(
        "\"introductoryOffer\": {\"paymentMode\": \"free\", \"subscriptionPeriod\": \"P30D\"}"),
      ".introductoryOffer.subscriptionPeriod: P30D is none of the lengths"
    ),
    (
      Files.subscription(
        """
        "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W",
          "displayPrice": "1.00"}
        """), ".introductoryOffer.displayPrice: a free offer has no price"
    ),
    (
      Files.subscription(
        "\"adHocOffers\": [{\"paymentMode\": \"free\", \"subscriptionPeriod\": \"P1W\"}]"),
      ".adHocOffers[0].offerID: missing"
    ),
    (
      Files.subscription(
        """
        "codeOffers": [{"referenceName": "c", "paymentMode": "free", "subscriptionPeriod": "P1W",
          "eligibility": ["new", "old"]}]
        """), ".codeOffers[0].eligibility: \"old\" is none of"
    ),
    (
      Files.subscription(
        """
        "codeOffers": [{"referenceName": "c", "paymentMode": "free", "subscriptionPeriod": "P1W",
          "eligibility": []}]
        """), ".codeOffers[0].eligibility: nobody may redeem this code"
    ),
    (
      Files.subscription(
        """
        "adHocOffers": [{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W"}],
        "winbackOffers": [{"offerID": "x", "paymentMode": "free", "subscriptionPeriod": "P1W"}]
        """), ".winbackOffers[0].offerID: \"x\" stands at"
    ),
    (Files.subscription("\"very odd\": 1"), "[\"very odd\"]: a key that is not known"),
  ]

  @Test("each oddity is one notice with its path", arguments: oddities)
  func oddity(subscription: String, notice: String) throws {
    let read = try Files.read(Files.text(subscription: subscription))
    let path = "$.subscriptionGroups[0].subscriptions[0]"
    #expect(read.notices.count == 1, "\(read.notices)")
    #expect(read.notices.first?.hasPrefix(path + notice) == true, "\(read.notices)")
    #expect(read.catalogue.products.map(\.id) == ["p"])
  }

  @Test("several periods of a free offer are one longer one")
  func freePeriods() throws {
    let read = try Files.read(
      Files.text(
        subscription: Files.subscription(
          """
          "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1M",
            "numberOfPeriods": 3}
          """)))
    #expect(read.notices.count == 1)
    let offer = try #require(read.catalogue.products[0].introductoryOffer)
    #expect(offer.period == Period(unit: .month, count: 3))
    #expect(offer.periodCount == 1)
  }

  @Test("seven days are a week, as a product's period and as an offer's")
  func sevenDays() throws {
    let read = try Files.read(
      Files.text(
        subscription: """
          "displayPrice": "1", "groupNumber": 1, "recurringSubscriptionPeriod": "P7D",
          "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P7D"}
          """))
    #expect(read.notices == [])
    #expect(read.catalogue.products[0].period == Period(unit: .week, count: 1))
    #expect(read.catalogue.products[0].introductoryOffer?.period == Period(unit: .week, count: 1))
  }

  @Test("an offer on monthly instalments is left out, and the one for the full price is taken")
  func instalmentOffers() throws {
    func offer(_ plan: String, _ period: String) -> String {
      """
      {"billingPlanType": "\(plan)", "paymentMode": "free", "subscriptionPeriod": "\(period)"}
      """
    }
    let read = try Files.read(
      Files.text(
        subscription: Files.subscription(
          """
          "introductoryOffers": [\(offer("MONTHLY", "P1W")), \(offer("BILLED_UPFRONT", "P2W"))],
          "introductoryOffer": \(offer("MONTHLY", "P1W"))
          """)))
    #expect(read.notices.count == 1)
    #expect(read.catalogue.products[0].offers.map(\.period) == [Period(unit: .week, count: 2)])
  }

  @Test("the language of the settings, else American English, else the first")
  func languages() throws {
    func name(_ locales: [String], _ setting: String) throws -> String {
      let texts = locales.map { "{\"locale\": \"\($0)\", \"displayName\": \"\($0)\"}" }
      return try Files.read(
        Files.text(
          subscription: Files.subscription("\"localizations\": [\(texts.joined(separator: ","))]"),
          file: "\"settings\": {\"_locale\": \"\(setting)\"}, ")
      ).catalogue.products[0].displayName
    }
    #expect(try name(["de", "en_US", "fr_FR"], "fr_FR") == "fr_FR")
    #expect(try name(["de", "en_US", "fr_FR"], "fr-FR") == "fr_FR")
    #expect(try name(["de", "en_US", "fr_FR"], "it") == "en_US")
    #expect(try name(["de", "fr_FR"], "it") == "de")
  }

  @Test("an unknown storefront or rate is a notice; the catalogue's storefront is a known one")
  func unknownSettings() throws {
    let read = try Files.read(
      """
      {"version": {"major": 3}, "settings": {"_storefront": "XYZ", "_timeRate": 99}}
      """)
    #expect(read.notices.count == 2)
    #expect(read.settings.storefront == "XYZ")
    #expect(read.settings.timeRate.rawValue == 99)
    #expect(read.catalogue.storefront == "USA")
  }
}
