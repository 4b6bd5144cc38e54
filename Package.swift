// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "renewd",
  products: [
    .library(name: "RenewdClient", targets: ["Client"]),
    .library(name: "StoreKit", targets: ["StoreKit"]),
    .library(name: "StoreKitSupport", targets: ["StoreKitSupport"]),
    // Apart, since `#if canImport(os)` is true in all packages of a build that has the module.
    .library(name: "OSLog", targets: ["OSLog", "os"]),
    .executable(name: "renewd", targets: ["renewd"]),
    .executable(name: "renewctl", targets: ["renewctl"]),
    .executable(name: "membership-demo", targets: ["membership-demo"]),
    .library(name: "renewd-standstill", type: .dynamic, targets: ["CStandstill"]),
  ],
  targets: [
    // The functional core: no input, no output.
    .target(name: "Time"),
    .target(
      name: "Subscriptions", dependencies: ["Time"],
      exclude: [
        "Cases.md", "Differences.md", "Domain.md", "EventFormat.md", "Rules.md", "States.md",
      ]),
    .target(name: "JSON", swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "EventLog", exclude: ["LogFormat.md"]),
    .target(name: "Varlink", dependencies: ["JSON"]),
    // Every method, value and word of the wire, once for the daemon and its clients.
    .target(name: "Contract", dependencies: ["Varlink", "JSON", "Time"]),
    .target(name: "AppStore", dependencies: ["Subscriptions", "JSON"]),
    .target(
      name: "Engine",
      dependencies: [
        "Subscriptions", "JSON", "EventLog", "AppStore", "Varlink", "Contract", "Time",
      ]),

    // Signatures and certificates, over OpenSSL.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Crypto", dependencies: ["AppStore", "CCrypto"]),

    // The shells around it.
    .target(name: "CLinux"),
    // Loaded into programs that are no part of this package, so it must not bring Swift's library
    // or its start files along.
    .target(
      name: "CStandstill",
      linkerSettings: [.unsafeFlags(["-static-stdlib", "-nostartfiles"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "Platform", dependencies: ["Engine", "EventLog", "CLinux", "CSystemd"]),
    .target(name: "Client", dependencies: ["Contract", "Varlink", "JSON", "Time", "CLinux"]),

    .target(name: "StoreKit", dependencies: ["Client", "AppStore", "Crypto"]),
    // What code around StoreKit takes from other modules of Apple's.
    .target(name: "StoreKitSupport"),
    .target(name: "OSLog", dependencies: ["StoreKitSupport"]),
    .target(name: "os", dependencies: ["StoreKitSupport"]),

    .executableTarget(name: "renewd", dependencies: ["Platform", "Crypto"]),
    .executableTarget(
      name: "renewctl", dependencies: ["Client", "CLinux"], exclude: ["SKTestSession.md"]),
    .executableTarget(name: "membership-demo", dependencies: ["StoreKit", "Client"]),
    .executableTarget(name: "bench", dependencies: ["Crypto", "AppStore"]),

    // A simulated world around the core, for tests.
    .target(
      name: "Simulation",
      dependencies: ["Engine", "EventLog", "AppStore", "Subscriptions", "Varlink", "JSON"]),
    .executableTarget(name: "simulate", dependencies: ["Simulation"]),

    .target(name: "TestSizes", path: "Tests/TestSizes"),
    .testTarget(
      name: "SubscriptionsTests", dependencies: ["Subscriptions", "EventLog", "TestSizes"],
      exclude: ["Golden"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSizes"]),
    .testTarget(name: "EventLogTests", dependencies: ["EventLog", "TestSizes"]),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink", "JSON"]),
    .testTarget(
      name: "AppStoreTests", dependencies: ["AppStore", "JSON", "Subscriptions", "TestSizes"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        "Engine", "Simulation", "EventLog", "AppStore", "JSON", "Subscriptions", "Varlink",
        "Contract", "TestSizes",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "JSON", "Subscriptions", "TestSizes"],
      exclude: ["Golden"]),
    .testTarget(
      name: "PlatformTests", dependencies: ["Platform", "Engine", "EventLog", "TestSizes"]),
    .testTarget(name: "ClientTests", dependencies: ["Client", "Contract", "Varlink"]),
    .testTarget(name: "RenewctlTests", dependencies: ["renewctl", "Client", "Varlink"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto", "AppStore", "JSON", "TestSizes"]),
    .testTarget(name: "StoreKitTests", dependencies: ["StoreKit", "Client", "Crypto"]),
    .testTarget(
      name: "StoreKitSupportTests", dependencies: ["StoreKitSupport", "StoreKit", "OSLog", "os"],
      exclude: ["Samples/Garage.swift"]),
    .testTarget(
      name: "StoreKitLanguage5Tests", dependencies: ["StoreKit", "StoreKitSupport", "OSLog", "os"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "TidyTests"),
    .executableTarget(
      name: "varlink-certification", dependencies: ["JSON", "Varlink"],
      path: "Tests/VarlinkCertification"),
    .executableTarget(name: "waits", path: "Tests/Waits"),
    .executableTarget(
      name: "signed-data", dependencies: ["Crypto", "AppStore", "Subscriptions"],
      path: "Tests/SignedData"),
  ]
)
