import Subscriptions

/// A life as a shell script that `renewctl run` lives again on a real daemon.
public enum LifeScript {
  /// What the shop sells on each of its days.
  static let files = ["lives.storekit", "later.storekit"]

  /// With what is refused, each refusal is asked for by its name: a daemon that does it all the
  /// same, or refuses it otherwise, ends the script.
  public static func text(
    of life: Life, plant: LifePlant? = nil, withRefusals: Bool = false
  ) -> String {
    let deeds = LifeRun.run(life, plant: plant).deeds
    let start = life.start.rfc3339
    var lines: [String] = []
    let told = deeds.filter { $0.hasChanged || $0.isSuspect || withRefusals }
    let texts = [Shop.lives, .livesLater].map { $0.needed(for: told.map(\.words)) }
    for (name, shop) in zip(files, texts) {
      lines += ["cat > \(name) <<'END'", String(decoding: shop.storekitText, as: UTF8.self), "END"]
    }
    lines.append("renewctl run --catalog \(files[0]) --clock \(start) \\")
    lines += policies(of: life.policies).map { "  --policy \($0) \\" }
    lines.append("  -- sh -ec '")
    if withRefusals { lines.append(refusal) }
    lines.append("renewctl clock create \(Life.clockNames[1]) \(start)")
    for deed in told {
      if let rejection = deed.rejection, withRefusals {
        lines.append("refused \(rejection.name) renewctl \(deed.words)")
      } else {
        lines.append("renewctl \(deed.words)")
      }
    }
    lines.append("'")
    return lines.joined(separator: "\n")
  }

  /// Runs a command that must be refused by a name.
  private static let refusal = """
    refused() {
      name=$1; shift
      if told=$("$@" --json 2>&1); then echo "done, and not refused: $*" >&2; exit 1; fi
      case "$told" in *".$name\\""*) ;; *) echo "not $name: $* : $told" >&2; exit 1;; esac
    }
    """

  /// The policies of a life as the daemon's options have them, but for those at their defaults.
  static func policies(of policies: Policies) -> [String] {
    Policy.all.compactMap { policy in
      let value = policy.value(in: policies)
      return value == policy.value(in: Policies()) ? nil : value.map(policy.setting)
    }
  }
}

extension Shop {
  /// What of it some commands name; all of it where a catalogue is brought in.
  fileprivate func needed(for commands: [String]) -> Shop {
    let words = Set(commands.flatMap { $0.split(separator: " ").map(String.init) })
    guard !words.contains("import") else { return self }
    return Shop(wares.filter { words.contains($0.id) })
  }
}

extension Rejection {
  /// The error's name on the wire.
  var name: String {
    switch self {
    case .invalidParameter: "InvalidParameter"
    case .productNotFound: "ProductNotFound"
    case .transactionNotFound: "TransactionNotFound"
    case .subscriptionNotFound: "SubscriptionNotFound"
    case .clockNotFound: "ClockNotFound"
    case .alreadySubscribed: "AlreadySubscribed"
    case .ineligibleForOffer: "IneligibleForOffer"
    case .invalidQuantity: "InvalidQuantity"
    case .invalidTime: "InvalidTime"
    case .notPossible: "NotPossible"
    case .ambiguous: "Ambiguous"
    case .clockBusy: "ClockBusy"
    case .clockBehind: "ClockBehind"
    case .clockMismatch: "ClockMismatch"
    case .forecastTooFar: "ForecastTooFar"
    case .notInThisRole: "NotInThisRole"
    case .catalogueInvalid: "CatalogueInvalid"
    }
  }
}
