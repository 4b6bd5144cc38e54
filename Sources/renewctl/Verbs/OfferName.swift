import Client

/// An offer as a person names it: by its id alone, or with its kind before it.
enum OfferName {
  /// `intro`, `promotional:ID`, `code:ID`, `win-back:ID`, or an id that one offer of the product
  /// has.
  static func resolve(
    _ name: String, of product: String, _ session: Session
  ) throws(Failure) -> Offer {
    if name == "intro" || name == "introductory" { return Offer(type: .introductory) }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, let type = type(parts[0]) {
      guard !parts[1].isEmpty else { throw .usage("--offer \(name) lacks the offer's id") }
      return Offer(type: type, id: String(parts[1]))
    }
    let list = try session.answer(.products(ids: [product]))
    guard let sold = list.products.first else {
      // The purchase is refused for its product, which says what may have been meant.
      return Offer(type: .promotional, id: name)
    }
    let found = sold.offers.filter { $0.id == name }
    guard let offer = found.first else { throw unknown(name, of: sold) }
    // Two of one kind are told apart by nothing: the store takes the first.
    guard found.allSatisfy({ $0.type == offer.type }) else {
      throw .own(
        "Ambiguous", .refused, "\(product) has several offers called \(name); say which",
        found.map { "--offer \($0.name)" })
    }
    return Offer(type: offer.type, id: name)
  }

  /// The offer with a signature: a compact JWS, or the four fields of the older form.
  static func signed(_ offer: Offer?, _ text: String) throws(Failure) -> Offer? {
    var offer = offer
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count > 1 else {
      offer?.compactJWS = text
      return offer
    }
    guard fields.count == 4, let timestamp = Int64(fields[2]) else {
      throw .usage(
        "--signature takes a JWS, or KEY,NONCE,TIMESTAMP,SIGNATURE with milliseconds since 1970")
    }
    offer?.keyID = fields[0]
    offer?.nonce = fields[1]
    offer?.timestamp = timestamp
    offer?.signature = fields[3]
    return offer
  }

  private static func type(_ word: Substring) -> OfferType? {
    switch word {
    case "promotional", "promo": .promotional
    case "code": .code
    case "win-back", "winback", "winBack": .winBack
    default: nil
    }
  }

  private static func unknown(_ name: String, of product: Product) -> Failure {
    let known = product.offers.map { $0.id ?? "intro" }
    let nearest = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
    return .own(
      "IneligibleForOffer", .refused, "\(product.id) has no offer called \(name)\(nearest)",
      product.offers.isEmpty
        ? ["It has no offers at all."] : product.offers.map { "--offer \($0.name)" })
  }
}

extension OfferType {
  /// The kind as a person writes it.
  var words: String {
    switch self {
    case .introductory: "intro"
    case .winBack: "win-back"
    default: rawValue
    }
  }
}
