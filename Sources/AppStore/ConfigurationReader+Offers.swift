import JSON
import Subscriptions

/// Where offer identifiers stand, within one group.
struct ConfigurationOfferPaths {
  /// By identifier.
  var inGroup: [String: String] = [:]
  /// By kind and identifier, of the product being read.
  var inProduct: [OfferKind: [String: String]] = [:]
}

/// Offers of all four kinds (Domain.md 5.4).
extension ConfigurationReader {
  /// The lists of offers with an identifier, in the order in which they go into the catalogue.
  private static let lists: [(key: String, kind: OfferKind)] = [
    ("adHocOffers", .promotional), ("codeOffers", .code), ("winbackOffers", .winBack),
  ]

  mutating func offers(
    of node: ConfigurationNode, basePeriod: Period, paths: inout ConfigurationOfferPaths
  ) throws(StoreKitConfigurationError) -> [CatalogueOffer] {
    var offers: [CatalogueOffer] = []
    if let introductory = try introductoryNode(of: node) {
      noteEditorNames(of: introductory, ["referenceName", "internalID"])
      offers.append(try offer(introductory, kind: .introductory, basePeriod: basePeriod))
    }
    paths.inProduct = [:]
    for list in Self.lists {
      for entry in try node.elements(list.key) where try !isInstalmentOffer(entry) {
        var offer = try offer(entry, kind: list.kind, basePeriod: basePeriod)
        guard let (key, id) = try offerIdentifier(of: entry, kind: list.kind) else {
          note(entry.path, key: "offerID", "missing; an offer without it cannot be redeemed")
          continue
        }
        record(id, of: entry, key: key, list.kind, in: &paths)
        offer.id = id
        offers.append(offer)
      }
    }
    return offers
  }

  /// Format 5 lists introductory offers, one for each billing plan, and repeats the first in the
  /// older key.
  private mutating func introductoryNode(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> ConfigurationNode? {
    var chosen: ConfigurationNode?
    for entry in try node.elements("introductoryOffers") where try !isInstalmentOffer(entry) {
      if chosen == nil {
        chosen = entry
      } else {
        note(
          node.path, key: "introductoryOffers",
          "more than one offer for a purchase in full; the first is used")
      }
    }
    if let chosen { return chosen }
    guard let single = node.member("introductoryOffer"), try !isInstalmentOffer(single) else {
      return nil
    }
    return single
  }

  /// True, with a notice, for an offer on a plan of instalments.
  private mutating func isInstalmentOffer(
    _ node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> Bool {
    _ = try node.checkedObject()
    guard try node.string("billingPlanType") == Self.instalmentPlan else { return false }
    note(
      node.path, key: "billingPlanType",
      "monthly instalments are not simulated; the offer is left out")
    return true
  }

  /// The identifier by which a purchase names the offer, and the key it comes from. A name of the
  /// editor's stands for one that is missing.
  private mutating func offerIdentifier(
    of node: ConfigurationNode, kind: OfferKind
  ) throws(StoreKitConfigurationError) -> (key: String, id: String)? {
    let keys = kind == .code ? ["referenceName", "offerID"] : ["offerID"]
    let names = kind == .code ? ["internalID"] : ["referenceName", "internalID"]
    for key in keys {
      guard let id = try node.identifier(key) else { continue }
      noteEditorNames(of: node, names)
      return (key, id)
    }
    for key in names {
      if let id = tolerate(key, of: node, else: "it is ignored", node.identifier) {
        return (key, id)
      }
    }
    return nil
  }

  /// Files exist in which an identifier is not unique, among the offers of one kind of a product
  /// or among a group's products: the offers differ by an internal id that no purchase knows.
  private mutating func record(
    _ id: String, of node: ConfigurationNode, key: String, _ kind: OfferKind,
    in paths: inout ConfigurationOfferPaths
  ) {
    let path = node.path(of: key)
    if let first = paths.inProduct[kind]?[id] {
      note(
        node.path, key: key,
        "\(quoted(id)) stands at \(first) already, on the same product; "
          + "a purchase by this identifier takes that one, the first of the file")
      return
    }
    paths.inProduct[kind, default: [:]][id] = path
    if let first = paths.inGroup[id] {
      note(
        node.path, key: key,
        "\(quoted(id)) stands at \(first) already, in the same group; "
          + "a purchase tells them apart by product and kind of offer"
      )
    } else {
      paths.inGroup[id] = path
    }
  }

  private mutating func offer(
    _ node: ConfigurationNode, kind: OfferKind, basePeriod: Period
  ) throws(StoreKitConfigurationError) -> CatalogueOffer {
    noteUnknownKeys(of: node, known: ConfigurationKeys.offer)
    let mode = try paymentMode(of: node)
    var period = try offerPeriod(of: node)
    var count = Int32(
      try node.integer("numberOfPeriods", in: 1...AppStoreLimits.offerPeriodsMax) ?? 1)
    if mode == .payAsYouGo {
      if period != basePeriod {
        note(
          node.path, key: "subscriptionPeriod",
          "a pay-as-you-go offer's period ought to be the product's, \(basePeriod.iso8601)")
      }
    } else if count > 1 {
      note(
        node.path, key: "numberOfPeriods",
        "only pay-as-you-go offers have several periods; this is one of \(count) × as long")
      period = period.multiplied(by: count)
      count = 1
    }
    var offer = CatalogueOffer(kind: kind, paymentMode: mode, period: period, periodCount: count)
    offer.price = try offerPrice(of: node, mode: mode)
    if kind == .code {
      offer.audience = try audience(of: node)
      offer.isStackable = try node.bool("isStackable") ?? false
    }
    offer.isEligible = try node.bool("isEligible") ?? true
    return offer
  }

  private func paymentMode(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> PaymentMode {
    let remedy = "write free, payAsYouGo or payUpFront"
    guard let text = try node.filledString("paymentMode") else {
      throw .missing(path: node.path(of: "paymentMode"), remedy: remedy)
    }
    switch text {
    case "free": return .freeTrial
    case "payAsYouGo": return .payAsYouGo
    case "payUpFront": return .payUpFront
    default:
      throw .invalid(path: node.path(of: "paymentMode"), value: quoted(text), remedy: remedy)
    }
  }

  private mutating func offerPeriod(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> Period {
    let key = "subscriptionPeriod"
    let remedy = "write P3D, P1W, P2W, P1M, P2M, P3M, P6M or P1Y"
    guard let text = try node.filledString(key) else {
      throw .missing(path: node.path(of: key), remedy: remedy)
    }
    guard let period = Period(iso8601: text) else {
      throw .invalid(path: node.path(of: key), value: quoted(text), remedy: remedy)
    }
    if period == Period(unit: .day, count: 7) { return Period(unit: .week, count: 1) }
    if !Self.offerPeriods.contains(period) {
      note(
        node.path, key: key,
        "\(text) is none of the lengths that App Store Connect has; it is simulated as written")
    }
    return period
  }

  private static let offerPeriods: Set<Period> = [
    Period(unit: .day, count: 3), Period(unit: .week, count: 1), Period(unit: .week, count: 2),
    Period(unit: .month, count: 1), Period(unit: .month, count: 2),
    Period(unit: .month, count: 3), Period(unit: .month, count: 6),
    Period(unit: .year, count: 1),
  ]

  /// A free offer has no price, and one that is written there counts for nothing.
  private mutating func offerPrice(
    of node: ConfigurationNode, mode: PaymentMode
  ) throws(StoreKitConfigurationError) -> Int64 {
    guard mode == .freeTrial else { return try price(of: node) }
    guard let written = try node.idText("displayPrice"), !written.isEmpty else { return 0 }
    if DisplayPrice(written)?.milliunits != 0 {
      note(node.path, key: "displayPrice", "a free offer has no price; it is ignored")
    }
    return 0
  }

  /// Who may redeem a code: everybody, where the file does not say.
  private mutating func audience(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> OfferAudience {
    guard node.member("eligibility") != nil else { return [.new, .existing, .expired] }
    var audience: OfferAudience = []
    for entry in try node.elements("eligibility") {
      guard case .string(let text) = entry.value else { throw entry.wrongKind(.string) }
      switch text {
      case "new": audience.insert(.new)
      case "existing": audience.insert(.existing)
      case "expired": audience.insert(.expired)
      default:
        note(
          node.path, key: "eligibility",
          "\(quoted(text)) is none of new, existing and expired; it is ignored")
      }
    }
    if audience.isEmpty { note(node.path, key: "eligibility", "nobody may redeem this code") }
    return audience
  }
}
