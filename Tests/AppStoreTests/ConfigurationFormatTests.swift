import AppStore
import Foundation
import Subscriptions
import Testing

@Suite("a file of each format")
struct ConfigurationFormatTests {
  static func read(_ format: Int) throws -> StoreKitConfiguration {
    let read = try StoreKitConfiguration.read(ConfigurationFiles.fixture(format))
    #expect(read.formatVersion == Int64(format))
    #expect(read.notices == [])
    return read
  }

  @Test("format 1: no settings, no identifier, offers without a number of periods")
  func format1() throws {
    let read = try Self.read(1)
    #expect(read.identifier == nil)
    #expect(read.settings == StoreKitSettings())
    #expect(
      read.catalogue
        == Catalogue(
          groups: [CatalogueGroup(id: "1A2B3C10", name: "Almanac")],
          products: [
            CatalogueProduct(
              id: "garden.seeds", type: .consumable, displayName: "Seeds",
              description: "One seed packet", price: 990),
            CatalogueProduct(
              id: "garden.greenhouse", type: .nonConsumable, displayName: "Greenhouse",
              price: 10_000, isFamilyShareable: true),
            CatalogueProduct(
              id: "almanac.weekly", type: .autoRenewable, displayName: "Almanac",
              description: "A page a week", price: 1490, groupID: "1A2B3C10", level: 1,
              period: Period(unit: .week, count: 1),
              offers: [
                CatalogueOffer(
                  kind: .introductory, paymentMode: .freeTrial,
                  period: Period(unit: .week, count: 1)),
                CatalogueOffer(
                  kind: .promotional, id: "spring", paymentMode: .payUpFront,
                  period: Period(unit: .month, count: 2), price: 1990),
              ]),
          ]))
  }

  @Test("format 2: non-renewing subscriptions, codes, and the file's own language")
  func format2() throws {
    let read = try Self.read(2)
    #expect(read.identifier == "2B3C4D00")
    #expect(read.settings.failsTransactions)
    #expect(read.settings.storeKitErrorIndex == 3)
    #expect(read.catalogue.storefront == "GBR")
    let tides = read.catalogue.products[0]
    #expect(tides.type == .nonRenewing)
    #expect(tides.price == 4500)
    #expect(tides.displayName == "Tides")
    let berth = read.catalogue.products[1]
    #expect(berth.displayName == "Mooring")
    #expect(berth.description == "A berth, old chap")
    #expect(berth.price == 29_999)
    #expect(berth.level == 2)
    #expect(
      berth.offers == [
        CatalogueOffer(
          kind: .code, id: "regatta", paymentMode: .payAsYouGo,
          period: Period(unit: .month, count: 3), periodCount: 2, price: 2000,
          audience: [.new, .expired], isStackable: true)
      ])
  }

  @Test("format 3: synchronised settings, simulated errors, a group without subscriptions")
  func format3() throws {
    let read = try Self.read(3)
    let settings = read.settings
    #expect(settings.timeRate == .oneRenewalEveryMinute)
    #expect(settings.compatibilityTimeRate == .oneSecondIsOneDay)
    #expect(settings.applicationID == "1234567890")
    #expect(settings.developerTeamID == "ABCDE12345")
    #expect(settings.lastSynchronized?.rfc3339 == "2023-02-13T04:37:52.643Z")
    #expect(settings.simulatedErrors.map(\.api) == ["Load Products", "Purchase", "Verification"])
    #expect(settings.simulatedErrors.map(\.isEnabled) == [false, true, false])
    #expect(settings.simulatedErrors.map(\.errorType) == [nil, "purchase", nil])
    #expect(settings.simulatedErrors.map(\.errorIndex) == [nil, 1, nil])
    #expect(read.catalogue.groups.map(\.name) == ["Radio", "Empty so far"])
    let products = read.catalogue.products
    #expect(products.map(\.price) == [0, 2500])
    #expect(products.map(\.level) == [7, 7])
    #expect(products.map(\.displayName) == ["", "Radio two months"])
    #expect(products[0].introductoryOffer?.price == 3330)
    #expect(products[1].introductoryOffer == nil)
  }

  @Test("format 4: win-back offers, policies, every switch of the settings")
  func format4() throws {
    let read = try Self.read(4)
    var settings = StoreKitSettings()
    settings.timeRate = .monthlyRenewalEveryFiveMinutes
    settings.storefront = "JPN"
    settings.locale = "ja"
    settings.asksToBuy = true
    settings.hasBillingGracePeriod = true
    settings.interruptsPurchases = true
    settings.failsRenewals = true
    settings.disablesDialogs = true
    #expect(read.settings == settings)
    let product = read.catalogue.products[0]
    #expect(product.displayName == "新聞")
    #expect(product.price == 1_200_000)
    #expect(product.introductoryOffer?.period == Period(unit: .day, count: 3))
    #expect(
      product.offers.last
        == CatalogueOffer(
          kind: .winBack, id: "return", paymentMode: .payAsYouGo,
          period: Period(unit: .month, count: 1), periodCount: 3, price: 600_000,
          isEligible: false))
  }

  @Test("format 5: billing plans, introductory offers once")
  func format5() throws {
    let read = try Self.read(5)
    let product = read.catalogue.products[0]
    #expect(product.period == Period(unit: .year, count: 1))
    #expect(product.price == 96_000)
    #expect(product.isFamilyShareable)
    #expect(product.offers.map(\.kind) == [.introductory, .promotional])
    #expect(product.offers.map(\.price) == [0, 60_000])
  }

  @Test("every public file that is there is read, whole")
  func shared() throws {
    let files = ConfigurationFiles.shared()
    if files.isEmpty {
      print("No files at \(ConfigurationFiles.sharedFolder.path); nothing was read.")
    }
    for file in files {
      let data = try Data(contentsOf: file)
      let read = try StoreKitConfiguration.read([UInt8](data))
      let object = try #require(
        try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let groups = object["subscriptionGroups"] as? [[String: Any]] ?? []
      let subscriptions = groups.flatMap { $0["subscriptions"] as? [[String: Any]] ?? [] }
      let products = ["products", "nonRenewingSubscriptions"].flatMap {
        object[$0] as? [[String: Any]] ?? []
      }
      let ids = (products + subscriptions).map { $0["productID"] as? String }
      #expect(read.catalogue.products.map(\.id) == ids, "\(file.lastPathComponent)")
      #expect(read.catalogue.groups.count == groups.count)
      let prices = (products + subscriptions).map {
        NSDecimalNumber(string: $0["displayPrice"] as? String)
          .multiplying(byPowerOf10: 3).int64Value
      }
      #expect(read.catalogue.products.map(\.price) == prices, "\(file.lastPathComponent)")
      let lists = ["adHocOffers", "codeOffers", "winbackOffers"]
      let offers = subscriptions.map { subscription in
        lists.reduce(subscription["introductoryOffer"] is [String: Any] ? 1 : 0) {
          $0 + (subscription[$1] as? [Any] ?? []).count
        }
      }
      #expect(
        read.catalogue.products.filter { $0.type == .autoRenewable }.map(\.offers.count)
          == offers, "\(file.lastPathComponent)")
    }
  }

  @Test("the built-in store reads without a notice and has what its description says")
  func builtIn() throws {
    let read = try StoreKitConfiguration.read(Array(BuiltInCatalogue.storekitText.utf8))
    #expect(read.notices == [])
    #expect(read.catalogue.groups.map(\.name) == ["Pro"])
    let products = Dictionary(
      uniqueKeysWithValues: read.catalogue.products.map { ($0.id, $0) })
    #expect(
      products.mapValues(\.price) == [
        "pro.monthly": 9990, "pro.yearly": 99_990, "basic.monthly": 4990, "coins.100": 990,
        "lifetime": 149_990, "season.pass": 19_990,
      ])
    #expect(products["pro.monthly"]?.period == Period(unit: .month, count: 1))
    #expect(products["pro.yearly"]?.period == Period(unit: .year, count: 1))
    #expect(products["pro.yearly"]?.level == 1)
    #expect(products["basic.monthly"]?.level == 2)
    #expect(products["basic.monthly"]?.displayName == "Basic Monthly")
    #expect(products["lifetime"]?.isFamilyShareable == true)
    #expect(products["season.pass"]?.type == .nonRenewing)
  }
}
