import AppStore
import JSON

/// What the simulated store sells: one table, from which both the `.storekit` text for the daemon
/// and the reference model's price list are made.
public struct Shop: Sendable {
  /// One product. Prices are milliunits of USD, periods ISO 8601.
  public struct Ware: Sendable, Equatable {
    public enum Kind: String, Sendable {
      case subscription = "RecurringSubscription"
      case consumable = "Consumable"
      case nonConsumable = "NonConsumable"
      case nonRenewing = "NonRenewingSubscription"
    }

    public var id: String
    public var kind: Kind
    public var price: Int64
    public var group: String?
    public var level: Int64
    public var period: String?
    public var intro: Intro?
    public var deals: [Deal]
    public var isShareable: Bool

    public init(
      _ id: String, _ kind: Kind, price: Int64, group: String? = nil, level: Int64 = 1,
      period: String? = nil, intro: Intro? = nil, deals: [Deal] = [], isShareable: Bool = false
    ) {
      self.id = id
      self.kind = kind
      self.price = price
      self.group = group
      self.level = level
      self.period = period
      self.intro = intro
      self.deals = deals
      self.isShareable = isShareable
    }
  }

  /// An introductory offer: `mode` as the file has it (free, payAsYouGo, payUpFront).
  public struct Intro: Sendable, Equatable {
    public var mode: String
    public var period: String
    public var count: Int64
    public var price: Int64

    public init(_ mode: String, _ period: String, count: Int64 = 1, price: Int64 = 0) {
      self.mode = mode
      self.period = period
      self.count = count
      self.price = price
    }
  }

  /// An offer with an id: `kind` as a purchase names it, `terms` as those of an introductory one.
  public struct Deal: Sendable, Equatable {
    public var kind: String
    public var id: String
    public var terms: Intro
    /// Who may redeem a code: new, existing, expired.
    public var audience: [String]
    /// Whether a code follows the introductory offer, where it would else replace it.
    public var isStackable: Bool
    /// The switch of a win-back offer.
    public var isEligible: Bool

    public init(
      _ kind: String, _ id: String, _ terms: Intro,
      for audience: [String] = ["new", "existing", "expired"], isStackable: Bool = false,
      isEligible: Bool = true
    ) {
      self.kind = kind
      self.id = id
      self.terms = terms
      self.audience = audience
      self.isStackable = isStackable
      self.isEligible = isEligible
    }
  }

  public var wares: [Ware]
  /// The key that signs promotional offers, with its id.
  public var offersKey: (id: String, privateKey: [UInt8])?

  public init(_ wares: [Ware], offersKey: (id: String, privateKey: [UInt8])? = nil) {
    self.wares = wares
    self.offersKey = offersKey
  }

  /// The store that tests and simulations use unless they bring their own.
  public static let standard = Shop([
    Ware("monthly", .subscription, price: 9_990, group: "GM", period: "P1M"),
    Ware("weekly", .subscription, price: 1_990, group: "GW", period: "P1W"),
    Ware("two.months", .subscription, price: 17_990, group: "GT", level: 2, period: "P2M"),
    Ware("quarterly", .subscription, price: 24_990, group: "GT", level: 1, period: "P3M"),
    Ware("half.year", .subscription, price: 44_990, group: "GH", period: "P6M"),
    Ware("yearly", .subscription, price: 79_990, group: "GY", period: "P1Y"),
    Ware(
      "trial", .subscription, price: 9_990, group: "GF", period: "P1M",
      intro: Intro("free", "P1W")),
    Ware(
      "instalments", .subscription, price: 9_990, group: "GP", period: "P1M",
      intro: Intro("payAsYouGo", "P1M", count: 3, price: 1_990)),
    Ware(
      "upfront", .subscription, price: 9_990, group: "GU", period: "P1M",
      intro: Intro("payUpFront", "P2M", price: 4_990)),
    Ware("lifetime", .nonConsumable, price: 149_990),
    Ware("coins", .consumable, price: 990),
    Ware("season", .nonRenewing, price: 19_990),
  ])

  /// What random runs sell: also a group of many plans, with two of the same level and length,
  /// one of the same level and another length, lower levels and one of another unit of time.
  static let workload = Shop(
    standard.wares + [
      Ware(
        "gold", .subscription, price: 19_990, group: "GX", level: 1, period: "P1M",
        intro: Intro("free", "P2W")),
      Ware("gold.other", .subscription, price: 18_990, group: "GX", level: 1, period: "P1M"),
      Ware("gold.year", .subscription, price: 199_990, group: "GX", level: 1, period: "P1Y"),
      Ware(
        "silver", .subscription, price: 12_990, group: "GX", level: 2, period: "P1M",
        intro: Intro("payAsYouGo", "P1M", count: 3, price: 2_990)),
      Ware("silver.half", .subscription, price: 59_990, group: "GX", level: 2, period: "P6M"),
      Ware("bronze", .subscription, price: 8_990, group: "GX", level: 3, period: "P1M"),
      Ware("bronze.week", .subscription, price: 2_990, group: "GX", level: 3, period: "P1W"),
    ])

  /// The products of a group.
  func wares(of group: String) -> [Ware] { wares.filter { $0.group == group } }

  public subscript(id: String) -> Ware? { wares.first { $0.id == id } }

  // MARK: As a file

  /// The text of a `.storekit` file of format 3.
  public var storekitText: [UInt8] {
    var groups: [(String, [JSONValue])] = []
    for ware in wares {
      guard let group = ware.group else { continue }
      if let known = groups.firstIndex(where: { $0.0 == group }) {
        groups[known].1.append(Self.file(ware))
      } else {
        groups.append((group, [Self.file(ware)]))
      }
    }
    func list(_ kinds: [Ware.Kind]) -> JSONValue {
      .array(wares.filter { kinds.contains($0.kind) }.map(Self.file))
    }
    let keyPair = offersKey.map { key in
      JSONValue.members([
        ("id", .string(key.id)),
        (
          "privateKey",
          .string(String(decoding: Base64.standard.encode(key.privateKey), as: UTF8.self))
        ),
      ])
    }
    let text = JSONValue.members([
      ("subscriptionOffersKeyPair", keyPair ?? .null),
      ("identifier", .string("51A00001")),
      ("nonRenewingSubscriptions", list([.nonRenewing])),
      ("products", list([.consumable, .nonConsumable])),
      (
        "settings",
        .members([("_locale", .string("en_US")), ("_storefront", .string("USA"))])
      ),
      (
        "subscriptionGroups",
        .array(
          groups.map { group in
            .members([
              ("id", .string(group.0)), ("localizations", .array([])),
              ("name", .string(group.0)), ("subscriptions", .array(group.1)),
            ])
          })
      ),
      ("version", .members([("major", .int(3)), ("minor", .int(0))])),
    ])
    return Array(text.compactText.utf8)
  }

  private static func file(_ ware: Ware) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("displayPrice", .string(money(ware.price))),
      ("familyShareable", .bool(ware.isShareable)),
      ("internalID", .string("I.\(ware.id)")),
      ("localizations", .array([])),
      ("productID", .string(ware.id)),
      ("referenceName", .string(ware.id)),
      ("type", .string(ware.kind.rawValue)),
    ]
    if let group = ware.group, let period = ware.period {
      members += [
        ("adHocOffers", .array(ware.deals.filter { $0.kind == "promotional" }.map(file))),
        ("codeOffers", .array(ware.deals.filter { $0.kind == "code" }.map(file))),
        ("winbackOffers", .array(ware.deals.filter { $0.kind == "winBack" }.map(file))),
        ("groupNumber", .int(ware.level)),
        ("introductoryOffer", ware.intro.map(file) ?? .null),
        ("recurringSubscriptionPeriod", .string(period)),
        ("subscriptionGroupID", .string(group)),
      ]
    }
    return .members(members)
  }

  private static func file(_ deal: Deal) -> JSONValue {
    let key = deal.kind == "code" ? "referenceName" : "offerID"
    var members =
      terms(deal.terms) + [
        ("internalID", .string("O.\(deal.id)")), (key, .string(deal.id)),
      ]
    if deal.kind == "code" {
      members.append(("eligibility", .array(deal.audience.map { .string($0) })))
      members.append(("isStackable", .bool(deal.isStackable)))
    } else if deal.kind == "winBack" {
      members.append(("isEligible", .bool(deal.isEligible)))
    }
    return .members(members)
  }

  private static func file(_ intro: Intro) -> JSONValue {
    .members(terms(intro) + [("internalID", .string("INTRO"))])
  }

  private static func terms(_ intro: Intro) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("paymentMode", .string(intro.mode)),
      ("subscriptionPeriod", .string(intro.period)),
    ]
    if intro.count > 1 { members.append(("numberOfPeriods", .int(intro.count))) }
    if intro.price > 0 { members.append(("displayPrice", .string(money(intro.price)))) }
    return members
  }

  private static func money(_ milliunits: Int64) -> String {
    let cents = String(milliunits % 1_000 / 10 + 100).dropFirst()
    return "\(milliunits / 1_000).\(cents)"
  }
}
