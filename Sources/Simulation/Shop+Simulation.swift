extension Shop {
  /// What runs of the whole daemon sell: also a group of shared plans with one that is not shared,
  /// and a lasting purchase that is.
  static let simulation = Shop(
    workload.wares + [
      Ware(
        "family", .subscription, price: 14_990, group: "GS", level: 1, period: "P1M",
        isShareable: true),
      Ware(
        "family.year", .subscription, price: 149_990, group: "GS", level: 1, period: "P1Y",
        isShareable: true),
      Ware(
        "family.trial", .subscription, price: 12_990, group: "GS", level: 2, period: "P1M",
        intro: Intro("free", "P1W"), isShareable: true),
      Ware("single", .subscription, price: 9_990, group: "GS", level: 2, period: "P1M"),
      Ware("album", .nonConsumable, price: 29_990, isShareable: true),
    ])
}
