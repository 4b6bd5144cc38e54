import Client

/// Phrases that several verbs use.
enum Words {
  /// `1 event`, `12 events`.
  static func count(_ number: Int64, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `#5`, or `#5 to #16`.
  static func range(_ first: Int64, _ last: Int64) -> String {
    first == last ? "#\(first)" : "#\(first) to #\(last)"
  }

  /// `, until 2025-02-28T10:00:00Z`, behind what was bought; nothing where it has no end.
  static func until(_ transaction: Transaction) -> String {
    transaction.expirationDate.map { ", until \($0)" } ?? ""
  }

  /// Why a subscription ended, by Apple's number of the intent.
  static func expirationReason(_ number: Int64) -> String {
    switch number {
    case 1: "cancelled"
    case 2: "billing failed"
    case 3: "no consent to a higher price"
    case 4: "product no longer sold"
    case 5: "other reason"
    default: "reason \(number)"
    }
  }

  /// What is said of a renewal of which nothing was told.
  static let renewalUnknown = "whether it renews is not known"

  /// Why a subscription ended that nobody cancelled.
  static let renewedToTheLast = "renewed as often as the store lets it"
  static let madeToExpire = "made to expire before its end"

  /// The offer of a transaction: its type and id.
  static func offer(_ transaction: Transaction) -> String? {
    // Of a signed fact any part of it may be all that was told.
    guard let type = transaction.offerType else {
      return transaction.offerID ?? transaction.offerDiscountType
    }
    let name =
      switch type {
      case 1: "introductory"
      case 2: "promotional"
      case 3: "code"
      case 4: "win-back"
      default: "offer \(type)"
      }
    return transaction.offerID.map { "\(name) \($0)" } ?? name
  }

  /// When and how much of a transaction was taken back.
  static func revocation(_ transaction: Transaction) -> String? {
    guard let date = transaction.revocationDate else { return transaction.revocationType }
    return part(transaction).map { "\(date) (\($0))" } ?? date.description
  }

  /// The part of a transaction that was taken back, as `50 %`; nil for the whole.
  static func part(_ transaction: Transaction) -> String? {
    guard let thousandths = transaction.revocationPercentage, thousandths != 100_000 else {
      return nil
    }
    let fraction = thousandths % 1000
    return "\(thousandths / 1000)\(fraction == 0 ? "" : ".\(fraction / 100)") %"
  }

  /// A length in bytes, for people.
  static func bytes(_ count: Int64) -> String {
    var value = Double(count)
    var unit = "bytes"
    for larger in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = larger
    }
    guard unit != "bytes" else { return "\(count) bytes" }
    let tenths = Int64(value * 10)
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}

extension EventKind {
  /// The kind as words: `autoRenewChanged` is `auto renew changed`.
  var words: String {
    rawValue.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
  }
}

extension Event {
  /// What happened, without its time and place.
  var sentence: String {
    var text = phrase
    if let money = transaction?.paid, beginsPeriod { text += " for \(money)" }
    if let end = transaction?.expirationDate, beginsPeriod { text += ", until \(end)" }
    return isLate ? text + " (late)" : text
  }

  /// It brings a transaction: one that was paid, or a family member's.
  var beginsPeriod: Bool {
    kind == .purchased || kind == .renewed || kind == .recovered || kind == .upgraded
      || kind == .shared
  }

  /// What happened, in a few words.
  var phrase: String {
    let product = transaction?.productID ?? renewalInfo?.currentProductID
    let quantity = transaction?.purchasedQuantity ?? 1
    let of = product.map { quantity > 1 ? " \(quantity) × \($0)" : " \($0)" } ?? ""
    switch kind {
    case .purchased: return (subtype == "RESUBSCRIBE" ? "bought again" : "bought") + of
    case .renewed: return "renewed" + of
    case .expired:
      let reason = renewalInfo?.expirationReason.map { ": \(Words.expirationReason($0))" }
      return "expired\(of)\(reason ?? "")"
    case .refunded:
      let part = transaction.flatMap { Words.part($0) }
      return "refunded\(part.map { " \($0) of" } ?? "")\(of)"
    case .priceIncreased: return pricePhrase
    case .priceIncreaseAccepted: return "agreed to the new price\(ofLine)"
    case .renewalExtended: return "extended" + of
    case .extensionFailed: return "could not be extended"
    case .billingChanged, .askToBuyChanged, .interruptedChanged: return switchPhrase
    case .priceIncreaseAnnounced, .priceIncreaseCompleted, .removedFromSale,
      .massExtensionStarted, .massExtensionCompleted:
      return kind.words + (productID.map { " \($0)" } ?? "")
    case .refundRequested: return "refund\(ofLine) asked for"
    case .refundDeclined: return "refund\(ofLine) declined"
    case .refundReversed: return "refund\(ofLine) taken back"
    case .autoRenewChanged:
      return "renewal\(ofLine) turned \(renewalInfo?.willAutoRenew == true ? "on" : "off")"
    case .accountOpened: return "account opened on clock \(clock)"
    case .tokenGiven: return "came with another appAccountToken"
    case .finished: return "finished \(transaction?.id ?? "a transaction")"
    case .renewalFailed:
      return "payment\(ofLine) failed\(statusAfter == .inGracePeriod ? ", in grace" : "")"
    case .chargeFailed: return "payment\(ofLine) ahead of its time failed"
    case .graceEnded: return "grace\(ofLine) ended, payment retried"
    case .recovered: return "paid in the end:" + of
    case .upgraded: return "upgraded to" + of
    case .planChangeScheduled: return planPhrase
    case .ingested: return toldPhrase + of
    case .linked: return "linked to this account: \(originalID ?? "a purchase")"
    case .unlinked: return "linked to another account: \(originalID ?? "a purchase")"
    case .statusPassed: return "no news: \(statusAfter?.words ?? "another status")"
    case .offerRedeemed:
      let id = renewalInfo?.offerID.map { " \($0)" } ?? ""
      return "redeemed the offer\(id)\(ofLine), from the next renewal on"
    case .offerStacked: return "redeemed a code that follows the introductory offer"
    case .purchasePending: return "the purchase of \(productID ?? "a product") waits"
    case .pendingEnded:
      let outcome = isMade.map { $0 ? "made" : "declined" } ?? "answered"
      return "the purchase that waited was \(outcome)"
    case .sharingStarted: return "shares with \(member ?? "a member") from now on"
    case .sharingEnded: return "does not share with \(member ?? "a member") any more"
    case .shared: return "got\(of) by family sharing"
    case .revoked: return "lost\(of) by family sharing"
    default: return kind.words + of
    }
  }

  /// What a tester switched.
  private var switchPhrase: String {
    guard let isOn else { return kind.words }
    switch kind {
    case .billingChanged: return "payments of renewals \(isOn ? "fail" : "succeed") from now on"
    case .askToBuyChanged: return "purchases \(isOn ? "must be approved" : "need no approval")"
    default: return "purchases are \(isOn ? "" : "not ")interrupted"
    }
  }

  /// The product that it is about, in a sentence.
  private var ofLine: String {
    (transaction?.productID ?? renewalInfo?.currentProductID).map { " of \($0)" } ?? ""
  }

  /// What the App Store told.
  private var toldPhrase: String {
    let assumed = assumedGraceEnd.map { " (in grace, assumed until \($0))" } ?? ""
    guard let type = notificationType else { return "told\(assumed)" }
    return "told \(type)\(subtype.map { "/\($0)" } ?? "")\(assumed)"
  }

  /// A higher price, asked about or told.
  private var pricePhrase: String {
    var price = ""
    if let milliunits = renewalInfo?.renewalPrice, let currency = renewalInfo?.currency {
      price = " to \(Money(milliunits: milliunits, currency: currency))"
    }
    guard renewalInfo?.priceIncreaseStatus == 0 else {
      return "told that the price\(ofLine) rises\(price)"
    }
    return "asked to agree that the price\(ofLine) rises\(price)"
  }

  /// What was chosen for the next renewal.
  private var planPhrase: String {
    guard let next = renewalInfo?.autoRenewPreference else { return kind.words }
    guard next != transaction?.productID else { return "stays with \(next)" }
    let offer = renewalInfo?.offerID.map { ", with the offer \($0)" } ?? ""
    return "chose \(next) for the next renewal\(offer)"
  }
}

extension Transaction {
  /// What its account paid for it; nil for what it has by family sharing.
  var paid: Money? {
    ownershipType == .familyShared ? nil : money
  }
}
