/// Where a fact of the App Store comes from (Domain.md 3.1, environment). Facts of one never
/// touch a line of another, and a question about one never sees the others (Domain.md 9.1).
public enum StoreEnvironment: UInt8, Sendable, CaseIterable {
  case sandbox = 0
  case production = 1
  case xcode = 2
  case localTesting = 3

  public var wireName: String {
    switch self {
    case .sandbox: "Sandbox"
    case .production: "Production"
    case .xcode: "Xcode"
    case .localTesting: "LocalTesting"
    }
  }

  public init?(wireName: String) {
    guard let found = Self.allCases.first(where: { $0.wireName == wireName }) else { return nil }
    self = found
  }
}
