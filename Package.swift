// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "renewd",
  products: [
    .library(name: "RenewdClient", targets: ["Client"]),
    .executable(name: "renewd", targets: ["renewd"]),
    .executable(name: "renewctl", targets: ["renewctl"]),
    .executable(name: "simulate", targets: ["simulate"]),
    .executable(name: "bench", targets: ["bench"]),
  ],
  targets: [
    .target(name: "Subscriptions", exclude: ["EventFormat.md", "Rules.md"]),
    .target(name: "JSON", swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "EventLog", exclude: ["LogFormat.md"]),
    .target(name: "Varlink", dependencies: ["JSON"]),
    .target(name: "AppStore", dependencies: ["Subscriptions", "JSON"]),
    .target(
      name: "Engine", dependencies: ["Subscriptions", "JSON", "EventLog", "AppStore", "Varlink"]),
  ]
)
