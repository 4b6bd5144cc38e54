/// A national App Store: its country, identifier and currency (Domain.md 3.1).
public struct Storefront: Equatable, Sendable {
  /// ISO 3166-1 alpha-3.
  public let country: String
  public let id: String
  /// ISO 4217.
  public let currency: String

  init(_ country: String, _ id: String, _ currency: String) {
    self.country = country
    self.id = id
    self.currency = currency
  }

  /// The number of a storefront in `all`, as dense records and the log carry it. The order of
  /// `all` is therefore part of the log's format: new storefronts go to the end.
  public static func number(country: String) -> UInt16? {
    all.firstIndex { $0.country == country }.map { UInt16($0) }
  }

  public static let unitedStates = number(country: "USA")!

  public static let all: [Storefront] = [
    Storefront("ARE", "143481", "AED"),
    Storefront("ARG", "143505", "USD"),
    Storefront("AUS", "143460", "AUD"),
    Storefront("AUT", "143445", "EUR"),
    Storefront("BEL", "143446", "EUR"),
    Storefront("BRA", "143503", "BRL"),
    Storefront("CAN", "143455", "CAD"),
    Storefront("CHE", "143459", "CHF"),
    Storefront("CHL", "143483", "CLP"),
    Storefront("CHN", "143465", "CNY"),
    Storefront("COL", "143501", "COP"),
    Storefront("CRI", "143495", "USD"),
    Storefront("CYP", "143557", "EUR"),
    Storefront("CZE", "143489", "CZK"),
    Storefront("DEU", "143443", "EUR"),
    Storefront("DNK", "143458", "DKK"),
    Storefront("ECU", "143509", "USD"),
    Storefront("EGY", "143516", "EGP"),
    Storefront("ESP", "143454", "EUR"),
    Storefront("EST", "143518", "EUR"),
    Storefront("FIN", "143447", "EUR"),
    Storefront("FRA", "143442", "EUR"),
    Storefront("GBR", "143444", "GBP"),
    Storefront("GRC", "143448", "EUR"),
    Storefront("GTM", "143504", "USD"),
    Storefront("HKG", "143463", "HKD"),
    Storefront("HRV", "143494", "EUR"),
    Storefront("HUN", "143482", "HUF"),
    Storefront("IDN", "143476", "IDR"),
    Storefront("IND", "143467", "INR"),
    Storefront("IRL", "143449", "EUR"),
    Storefront("ISL", "143558", "USD"),
    Storefront("ISR", "143491", "ILS"),
    Storefront("ITA", "143450", "EUR"),
    Storefront("JAM", "143511", "USD"),
    Storefront("JOR", "143528", "USD"),
    Storefront("JPN", "143462", "JPY"),
    Storefront("KEN", "143529", "USD"),
    Storefront("KOR", "143466", "KRW"),
    Storefront("KWT", "143493", "USD"),
    Storefront("LBN", "143497", "USD"),
    Storefront("LKA", "143486", "USD"),
    Storefront("LTU", "143520", "EUR"),
    Storefront("LUX", "143451", "EUR"),
    Storefront("LVA", "143519", "EUR"),
    Storefront("MAC", "143515", "USD"),
    Storefront("MEX", "143468", "MXN"),
    Storefront("MLT", "143521", "EUR"),
    Storefront("MYS", "143473", "MYR"),
    Storefront("NGA", "143561", "NGN"),
    Storefront("NLD", "143452", "EUR"),
    Storefront("NOR", "143457", "NOK"),
    Storefront("NZL", "143461", "NZD"),
    Storefront("OMN", "143562", "USD"),
    Storefront("PAK", "143477", "PKR"),
    Storefront("PAN", "143485", "USD"),
    Storefront("PER", "143507", "PEN"),
    Storefront("PHL", "143474", "PHP"),
    Storefront("POL", "143478", "PLN"),
    Storefront("PRT", "143453", "EUR"),
    Storefront("QAT", "143498", "QAR"),
    Storefront("ROU", "143487", "RON"),
    Storefront("RUS", "143469", "RUB"),
    Storefront("SAU", "143479", "SAR"),
    Storefront("SGP", "143464", "SGD"),
    Storefront("SLV", "143506", "USD"),
    Storefront("SVK", "143496", "EUR"),
    Storefront("SVN", "143499", "EUR"),
    Storefront("SWE", "143456", "SEK"),
    Storefront("THA", "143475", "THB"),
    Storefront("TUR", "143480", "TRY"),
    Storefront("TWN", "143470", "TWD"),
    Storefront("TZA", "143572", "TZS"),
    Storefront("UKR", "143492", "USD"),
    Storefront("URY", "143514", "USD"),
    Storefront("USA", "143441", "USD"),
    Storefront("VNM", "143471", "VND"),
    Storefront("ZAF", "143472", "ZAR"),
  ]
}
