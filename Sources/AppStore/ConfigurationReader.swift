import JSON
import Subscriptions

/// Turns a file's values into a catalogue, and collects the notices.
struct ConfigurationReader {
  var notices = ConfigurationNotices()
  /// Where each product identifier stands.
  private var productPaths: [String: String] = [:]
  private var locale = StoreKitSettings.localeDefault

  mutating func configuration(
    _ file: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> StoreKitConfiguration {
    let object = try file.checkedObject()
    guard object.isEmpty || object.keys.contains(where: Self.marks.contains) else {
      throw .notAConfiguration
    }
    noteUnknownKeys(of: file, known: ConfigurationKeys.file)
    let version = version(of: file)
    let settings = settings(of: file)
    _ = tolerate("appPolicies", of: file, else: "it is ignored", file.object)
    locale = settings.locale
    var catalogue = Catalogue(storefront: storefront(of: settings, in: file))
    for product in try file.elements("products") {
      catalogue.products.append(try self.product(product, in: file, typeDefault: nil))
    }
    for product in try file.elements("nonRenewingSubscriptions") {
      catalogue.products.append(try self.product(product, in: file, typeDefault: .nonRenewing))
    }
    var groupPaths: [String: String] = [:]
    for group in try file.elements("subscriptionGroups") {
      try read(group, into: &catalogue, groupPaths: &groupPaths)
    }
    let keyPair = offersKeyPair(of: file)
    let identifier = tolerate("identifier", of: file, else: "none is taken", file.idText)
    return StoreKitConfiguration(
      formatVersion: version, identifier: identifier, catalogue: catalogue,
      settings: settings, offersKeyPair: keyPair, notices: notices.texts)
  }

  /// The key pair for promotional offers; one that cannot be used is passed over with a notice.
  private mutating func offersKeyPair(of file: ConfigurationNode) -> StoreKitOffersKeyPair? {
    let unsigned = "no promotional offer can be signed by it"
    guard
      let node = tolerate("subscriptionOffersKeyPair", of: file, else: unsigned, file.object),
      // A file that was shared has an empty key.
      let id = tolerate("id", of: node, else: unsigned, node.filledString),
      let text = tolerate("privateKey", of: node, else: unsigned, node.filledString)
    else { return nil }
    guard let key = Base64.standard.decode(Array(text.utf8)[...]) else {
      note(node.path, key: "privateKey", "it is no Base64; \(unsigned)")
      return nil
    }
    return StoreKitOffersKeyPair(id: id, privateKey: key)
  }

  /// The keys of which every file has one.
  private static let marks: Set<String> = [
    "version", "products", "nonRenewingSubscriptions", "subscriptionGroups",
  ]

  /// The format of the file, which decides nothing but a notice: what is sold is read alike in
  /// all of them.
  private mutating func version(of file: ConfigurationNode) -> Int64 {
    let oldest = "the file is read as format 1"
    guard file.member("version") != nil else {
      note(file.path, key: "version", "missing; \(oldest)")
      return 1
    }
    let node = tolerateObject(
      "version", of: file, known: ConfigurationKeys.version, else: oldest)
    guard let node else { return 1 }
    _ = tolerate("minor", of: node, else: "it is ignored", node.integer)
    guard node.member("major") != nil else {
      note(node.path, key: "major", "missing; Xcode writes 1 to 5; \(oldest)")
      return 1
    }
    let major = tolerate("major", of: node, else: oldest) {
      key throws(StoreKitConfigurationError) in
      try node.integer(key, in: 1...Int64.max)
    }
    guard let major else { return 1 }
    if major > AppStoreLimits.configurationVersionMax {
      note(
        node.path, key: "major",
        "format \(major) is newer than the newest known, "
          + "\(AppStoreLimits.configurationVersionMax); what it adds is not read")
    }
    return major
  }

  /// The storefront of the catalogue; the file's, if it is known.
  private mutating func storefront(
    of settings: StoreKitSettings, in file: ConfigurationNode
  ) -> String {
    if Storefront.number(country: settings.storefront) != nil { return settings.storefront }
    let path = file.member("settings")?.path ?? file.path
    note(
      path, key: "_storefront",
      "\(quoted(settings.storefront)) is no storefront that is known; "
        + "\(StoreKitSettings.storefrontDefault) is used")
    return StoreKitSettings.storefrontDefault
  }

  // MARK: Products

  /// A product outside a group. Without a `type` it is of `typeDefault`.
  private mutating func product(
    _ node: ConfigurationNode, in file: ConfigurationNode, typeDefault: ProductType?
  ) throws(StoreKitConfigurationError) -> CatalogueProduct {
    _ = try node.checkedObject()
    let type = try productType(of: node, in: file, typeDefault: typeDefault)
    noteUnknownKeys(of: node, known: ConfigurationKeys.product)
    return try entry(node, type: type)
  }

  private func productType(
    of node: ConfigurationNode, in file: ConfigurationNode, typeDefault: ProductType?
  ) throws(StoreKitConfigurationError) -> ProductType {
    let path = node.path(of: "type")
    let text = try node.filledString("type")
    let known = text.flatMap { Self.productTypes[$0] }
    if known == nil, isSubscription(node, type: text) {
      let remedy = groupRemedy(for: node, in: file)
      guard let text else { throw .missing(path: path, remedy: remedy) }
      throw .invalid(path: path, value: quoted(text), remedy: remedy)
    }
    let remedy = "write Consumable, NonConsumable or NonRenewingSubscription"
    guard let text else {
      guard let typeDefault else { throw .missing(path: path, remedy: remedy) }
      return typeDefault
    }
    guard let known else { throw .invalid(path: path, value: quoted(text), remedy: remedy) }
    return known
  }

  private static let productTypes: [String: ProductType] = [
    "Consumable": .consumable, "NonConsumable": .nonConsumable,
    "NonRenewingSubscription": .nonRenewing,
  ]

  static let recurringType = "RecurringSubscription"

  /// What every product has.
  private mutating func entry(
    _ node: ConfigurationNode, type: ProductType
  ) throws(StoreKitConfigurationError) -> CatalogueProduct {
    guard let id = try node.identifier("productID") else {
      throw .missing(
        path: node.path(of: "productID"), remedy: "write the identifier that the app sells")
    }
    let path = node.path(of: "productID")
    if let first = productPaths[id] {
      throw .duplicate(path: path, value: quoted(id), first: first)
    }
    guard productPaths.count < AppStoreLimits.configurationProductsMax else {
      throw .tooManyProducts(path: node.path.text)
    }
    productPaths[id] = path
    noteEditorNames(of: node, ["internalID"])
    let name = tolerate("referenceName", of: node, else: "it is ignored", node.idText)
    let shareable = try node.bool("familyShareable") ?? false
    let texts = localizedTexts(of: node, referenceName: name ?? "")
    return CatalogueProduct(
      id: id, type: type, displayName: texts.name, description: texts.description,
      price: try price(of: node),
      isFamilyShareable: shareable && (type == .nonConsumable || type == .autoRenewable))
  }

  /// The price; 0 with a notice where there is none.
  mutating func price(of node: ConfigurationNode) throws(StoreKitConfigurationError) -> Int64 {
    guard let text = try node.idText("displayPrice"), !text.isEmpty else {
      note(node.path, key: "displayPrice", "missing; the price is 0")
      return 0
    }
    if node.member("displayPrice")?.value.kind == .number {
      note(node.path, key: "displayPrice", "a number; Xcode writes prices as strings")
    }
    guard let price = DisplayPrice(text) else {
      throw .invalid(
        path: node.path(of: "displayPrice"), value: quoted(text),
        remedy: "write a decimal with a point and without a currency, such as \"9.99\"")
    }
    if !price.isExact {
      note(
        node.path, key: "displayPrice",
        "\(quoted(text)) has more than three decimals; it is rounded to thousandths")
    }
    return price.milliunits
  }

  /// The name and description in the file's language, else in American English, else in the
  /// first language there is; without any, the reference name stands for the name.
  private mutating func localizedTexts(
    of node: ConfigurationNode, referenceName: String
  ) -> (name: String, description: String) {
    var best: (rank: Int, node: ConfigurationNode)?
    let localizations = tolerateElements(
      "localizations", of: node, known: ConfigurationKeys.localization,
      else: "the reference name is taken")
    for localization in localizations {
      let tag =
        tolerate("locale", of: localization, else: "it is of no language", localization.string)
        ?? ""
      let rank = Self.isSameLocale(tag, locale) ? 0 : tag == StoreKitSettings.localeDefault ? 1 : 2
      if rank < best?.rank ?? .max { best = (rank, localization) }
    }
    guard let best = best?.node else { return (referenceName, "") }
    let empty = "an empty one is taken"
    return (
      tolerate("displayName", of: best, else: empty, best.string) ?? "",
      tolerate("description", of: best, else: empty, best.string) ?? ""
    )
  }

  /// Equal but for `-` and `_`, both of which are in use.
  private static func isSameLocale(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { left, right in
      left == right
        || (left == UInt8(ascii: "-") && right == UInt8(ascii: "_"))
        || (left == UInt8(ascii: "_") && right == UInt8(ascii: "-"))
    }
  }

  // MARK: Groups

  private mutating func read(
    _ node: ConfigurationNode, into catalogue: inout Catalogue,
    groupPaths: inout [String: String]
  ) throws(StoreKitConfigurationError) {
    _ = try node.checkedObject()
    noteUnknownKeys(of: node, known: ConfigurationKeys.group)
    let subscriptions = try node.elements("subscriptions")
    var named = try node.identifier("id")
    if named == nil, let first = subscriptions.first {
      named = try first.identifier("subscriptionGroupID")
    }
    guard let id = named else {
      throw .missing(
        path: node.path(of: "id"), remedy: "write an identifier, such as eight hex digits")
    }
    let path = node.path(of: "id")
    if let first = groupPaths[id] {
      throw .duplicate(path: path, value: quoted(id), first: first)
    }
    groupPaths[id] = path
    let name = tolerate("name", of: node, else: "an empty one is taken", node.idText)
    _ = tolerateElements(
      "localizations", of: node, known: ConfigurationKeys.localization, else: "it is ignored")
    catalogue.groups.append(CatalogueGroup(id: id, name: name ?? ""))
    var offerPaths = ConfigurationOfferPaths()
    for subscription in subscriptions {
      catalogue.products.append(
        try self.subscription(subscription, group: id, offerPaths: &offerPaths))
    }
  }

  private mutating func subscription(
    _ node: ConfigurationNode, group: String, offerPaths: inout ConfigurationOfferPaths
  ) throws(StoreKitConfigurationError) -> CatalogueProduct {
    _ = try node.checkedObject()
    noteUnknownKeys(of: node, known: ConfigurationKeys.subscription)
    if let type = try node.filledString("type"), type != Self.recurringType {
      throw .invalid(
        path: node.path(of: "type"), value: quoted(type), remedy: Self.placeRemedy(type))
    }
    let instead = "the group that it stands in counts"
    if let other = tolerate("subscriptionGroupID", of: node, else: instead, node.idText),
      other != group
    {
      note(
        node.path, key: "subscriptionGroupID",
        "\(quoted(other)) is another group than the one it stands in, which counts")
    }
    var product = try entry(node, type: .autoRenewable)
    product.groupID = group
    if let level = try node.integer("groupNumber", in: 1...AppStoreLimits.groupLevelMax) {
      product.level = Int32(level)
    } else {
      note(node.path, key: "groupNumber", "missing; the level is 1, the highest")
      product.level = 1
    }
    let period = try basePeriod(of: node)
    product.period = period
    product.offers = try offers(of: node, basePeriod: period, paths: &offerPaths)
    noteInstalments(of: node)
    return product
  }

  private func basePeriod(
    of node: ConfigurationNode
  ) throws(StoreKitConfigurationError) -> Period {
    let key = "recurringSubscriptionPeriod"
    let remedy = "write P1W, P1M, P2M, P3M, P6M or P1Y"
    guard let text = try node.filledString(key) else {
      throw .missing(path: node.path(of: key), remedy: remedy)
    }
    switch Period(iso8601: text) {
    case let period? where Self.basePeriods.contains(period): return period
    // Clients report a week as seven days now and then (Domain.md 2.1).
    case Period(unit: .day, count: 7)?: return Period(unit: .week, count: 1)
    case _?, nil:
      throw .invalid(path: node.path(of: key), value: quoted(text), remedy: remedy)
    }
  }

  private static let basePeriods: Set<Period> = [
    Period(unit: .week, count: 1), Period(unit: .month, count: 1),
    Period(unit: .month, count: 2), Period(unit: .month, count: 3),
    Period(unit: .month, count: 6), Period(unit: .year, count: 1),
  ]

  /// Instalments of a yearly commitment are not simulated; a product that sells them says so.
  private mutating func noteInstalments(of node: ConfigurationNode) {
    let ignored = "it is ignored"
    let plans = tolerateElements(
      "billingPlans", of: node, known: ConfigurationKeys.billingPlan, else: ignored)
    for plan in plans {
      let type = tolerate("billingPlanType", of: plan, else: ignored, plan.string)
      let isEnabled = tolerate("isEnabled", of: plan, else: ignored, plan.bool) ?? false
      guard type == Self.instalmentPlan, isEnabled else { continue }
      note(
        plan.path, key: "billingPlanType",
        "monthly instalments are not simulated; the product renews at its displayPrice")
    }
  }

  static let instalmentPlan = "MONTHLY"

  // MARK: Notices

  mutating func note(_ path: ConfigurationPath, key: String, _ text: String) {
    notices.add(.member(of: path, key: key), text)
  }

  /// Notes the keys of an object that are not known.
  mutating func noteUnknownKeys(of node: ConfigurationNode, known: Set<String>) {
    guard case .object(let object) = node.value else { return }
    for member in object.members where !known.contains(member.key) {
      note(node.path, key: member.key, "a key that is not known; it is ignored")
    }
  }
}
