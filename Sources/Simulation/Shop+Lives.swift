/// What is sold in lives over the rules alone.
extension Shop {
  /// Plans of every length and level, every kind of offer, what a family shares, and what is no
  /// subscription.
  static let lives = Shop(
    [
      Ware("weekly", .subscription, price: 1_990, group: "GW", period: "P1W"),
      Ware(
        "weekly.less", .subscription, price: 990, group: "GW", level: 2, period: "P1W",
        intro: Intro("free", "P1W")),
      Ware("quarterly", .subscription, price: 24_990, group: "GT", level: 1, period: "P3M"),
      Ware("two.months", .subscription, price: 17_990, group: "GT", level: 2, period: "P2M"),
      Ware(
        "upfront", .subscription, price: 9_990, group: "GU", period: "P1M",
        intro: Intro("payUpFront", "P2M", price: 4_990)),
      Ware("lifetime", .nonConsumable, price: 149_990),
      Ware("heirloom", .nonConsumable, price: 29_990, isShareable: true),
      Ware("coins", .consumable, price: 990),
      Ware("season", .nonRenewing, price: 19_990),
    ] + plans + offers + family)

  /// The same shop on another day: some prices differ, some products are gone, one is new.
  static let livesLater = Shop(
    lives.wares.compactMap { ware in
      var ware = ware
      switch ware.id {
      case "two.months", "gold.other", "duo", "lifetime": return nil
      case "weekly", "silver", "family", "coins": ware.price += 1_000
      case "plus": ware.price -= 1_000
      default: break
      }
      return ware
    } + [Ware("platinum", .subscription, price: 29_990, group: "GX", level: 1, period: "P3M")])

  private static let plans = [
    Ware(
      "gold", .subscription, price: 19_990, group: "GX", level: 1, period: "P1M",
      intro: Intro("free", "P2W")),
    Ware("gold.other", .subscription, price: 18_990, group: "GX", level: 1, period: "P1M"),
    Ware("gold.year", .subscription, price: 199_990, group: "GX", level: 1, period: "P1Y"),
    Ware(
      "silver", .subscription, price: 12_990, group: "GX", level: 2, period: "P1M",
      intro: Intro("payAsYouGo", "P1M", count: 3, price: 2_990)),
    Ware("silver.half", .subscription, price: 59_990, group: "GX", level: 2, period: "P6M"),
    Ware("bronze.week", .subscription, price: 2_990, group: "GX", level: 3, period: "P1W"),
  ]

  private static let offers = [
    Ware(
      "plus", .subscription, price: 9_990, group: "GO", period: "P1M",
      intro: Intro("free", "P1W"),
      deals: [
        Deal("promotional", "half", Intro("payAsYouGo", "P1M", count: 3, price: 4_990)),
        Deal("promotional", "gift", Intro("free", "P1M")),
        Deal("promotional", "front", Intro("payUpFront", "P3M", price: 9_990)),
        Deal(
          "code", "SPRING", Intro("payAsYouGo", "P1M", count: 2, price: 2_990),
          isStackable: true),
        Deal("code", "NEW", Intro("free", "P1M"), for: ["new"]),
        Deal("code", "STAY", Intro("payUpFront", "P2M", price: 7_990), for: ["existing"]),
        Deal("code", "BACK", Intro("payAsYouGo", "P1M", price: 990), for: ["expired"]),
        Deal("winBack", "return", Intro("payAsYouGo", "P1M", count: 2, price: 1_990)),
        Deal("winBack", "closed", Intro("free", "P1W"), isEligible: false),
      ]),
    Ware(
      "plus.year", .subscription, price: 99_990, group: "GO", period: "P1Y",
      deals: [
        Deal("promotional", "half.year", Intro("payUpFront", "P1Y", price: 49_990)),
        Deal("code", "YEAR", Intro("payUpFront", "P1Y", price: 59_990)),
        Deal("winBack", "return.year", Intro("payUpFront", "P1Y", price: 39_990)),
      ]),
    Ware(
      "base", .subscription, price: 4_990, group: "GO", level: 2, period: "P1M",
      intro: Intro("payAsYouGo", "P1M", count: 3, price: 990),
      deals: [
        Deal("promotional", "half", Intro("payAsYouGo", "P1M", count: 3, price: 2_490)),
        Deal(
          "code", "BASE", Intro("payAsYouGo", "P1M", count: 2, price: 1_490),
          isStackable: true),
        Deal("code", "INSTEAD", Intro("payAsYouGo", "P1M", count: 2, price: 1_990)),
      ]),
  ]

  private static let family = [
    Ware(
      "family", .subscription, price: 14_990, group: "GF", level: 1, period: "P1M",
      isShareable: true),
    Ware(
      "family.year", .subscription, price: 149_990, group: "GF", level: 1, period: "P1Y",
      isShareable: true),
    Ware(
      "duo", .subscription, price: 11_990, group: "GF", level: 2, period: "P1M",
      intro: Intro("free", "P1W"), isShareable: true),
    Ware("solo", .subscription, price: 7_990, group: "GF", level: 3, period: "P1M"),
  ]
}
