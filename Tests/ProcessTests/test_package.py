"""The library products as another package uses them: by path, in Swift 5 and in Swift 6 mode."""

import json

from conftest import REPOSITORY
from process import run

# Building the libraries anew on a slow machine; only a hang is wrong.
BUILD_SECONDS = 900

MANIFEST = """
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "app",
  dependencies: [.package(path: %(path)s)],
  targets: [
    .executableTarget(
      name: "five", dependencies: [
        .product(name: "StoreKit", package: %(name)s),
        .product(name: "RenewdClient", package: %(name)s),
      ], swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "six", dependencies: [
        .product(name: "StoreKit", package: %(name)s),
        .product(name: "RenewdClient", package: %(name)s),
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
"""

# An app's main file, and one beside it that asks the server's questions.
MAIN = """
import StoreKit

let products = try await Product.products(for: ["pro.monthly", "nothing"])
print(products.map { "\\($0.id) \\($0.displayPrice)" })
if case .success(.verified(let transaction)) = try await products[0].purchase() {
  await transaction.finish()
  let url = URL(string: "https://example.com/\\(transaction.productID)")
  print(url!.lastPathComponent, try await isMember())
}
"""

SERVER = """
import Client

func isMember() async throws -> Bool {
  let client = RenewdClient(address: try SocketAddress(SOCKET))
  return try await client.call(.check(account: "ACCOUNT")).isEntitled
}
"""


def test_a_package_that_depends_by_path_builds_and_buys_in_swift_5_and_6(daemon, folder):
  package = folder / "app"
  values = {"path": json.dumps(str(REPOSITORY)), "name": json.dumps(REPOSITORY.name)}
  (package / "Sources").mkdir(parents=True)
  (package / "Package.swift").write_text((MANIFEST % values).lstrip())
  for target in ["five", "six"]:
    (package / "Sources" / target).mkdir()
    (package / "Sources" / target / "main.swift").write_text(MAIN)
    server = SERVER.replace("SOCKET", json.dumps(str(daemon.socket))).replace("ACCOUNT", target)
    (package / "Sources" / target / "Server.swift").write_text(server)
  # Kept between runs, so that only the first one builds the libraries.
  scratch = REPOSITORY / ".build" / "consumer"
  built = run(
    ["swift", "build", "--package-path", package, "--scratch-path", scratch],
    seconds=BUILD_SECONDS)
  assert built.status == 0, built
  for target in ["five", "six"]:
    environment = {"RENEWD_SOCKET": str(daemon.socket), "RENEWD_ACCOUNT": target}
    app = run([scratch / "debug" / target], environment)
    assert app.status == 0, app
    assert app.out.splitlines() == ['["pro.monthly $9.99"]', "pro.monthly true"]
