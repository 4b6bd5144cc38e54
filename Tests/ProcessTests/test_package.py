"""The library products as another package uses them: by path, in Swift 5 and in Swift 6 mode."""

import json
import shutil

import pytest

from conftest import REPOSITORY
from process import Folder, run

# Building the libraries anew on a slow machine; only a hang is wrong.
BUILD_SECONDS = 900

MANIFEST = """
// swift-tools-version: 6.0
import PackageDescription

let products: [Target.Dependency] = [
  "StoreKit", "RenewdClient",
].map { .product(name: $0, package: %(name)s) }
// What a published sample needs beside StoreKit, and the modules that it imports unchanged.
let support: [Target.Dependency] = [
  "StoreKit", "StoreKitSupport", "OSLog",
].map { .product(name: $0, package: %(name)s) }

let package = Package(
  name: "app",
  dependencies: [.package(path: %(path)s)],
  targets: [
    .executableTarget(
      name: "five", dependencies: products, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "six", dependencies: products, swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "samples5", dependencies: support, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "samples6", dependencies: support, swiftSettings: [.swiftLanguageMode(.v6)]),
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
import Foundation

func isMember() async throws -> Bool {
  let variables = ProcessInfo.processInfo.environment
  let client = RenewdClient(address: try SocketAddress(variables["RENEWD_SOCKET"]!))
  return try await client.call(.check(account: variables["RENEWD_ACCOUNT"]!)).isEntitled
}
"""

SAMPLES = REPOSITORY / "Tests" / "StoreKitSupportTests" / "Samples"

# Does with the samples what their views would.
VIEWS = """
import StoreKit
import StoreKitSupport

var kept = Set<AnyCancellable>()
var changes = 0

let store = SubscriptionStore()
store.objectWillChange.sink { changes += 1 }.store(in: &kept)
store.$purchasedSubscriptions.sink { print("owned", $0.map(\\.id)) }.store(in: &kept)
await store.requestProducts(["pro.monthly", "basic.monthly"])
let bought = try await store.purchase(store.subscriptions[1])!
print(bought.productID, store.subscriptionGroupStatus == .subscribed, changes, store.opened)
// What is heard of later purchases comes when it comes.
kept.removeAll()

let model = PassModel()
try await model.refresh(bought.subscriptionGroupID!)
await model.process(await Transaction.latest(for: bought.productID)!)
print("pass", model.status)

let loader = ProductLoader()
loader.fetch(["lifetime", "nothing"])
for await products in loader.$products.values where !products.isEmpty {
  print("loaded", products.map(\\.productIdentifier), loader.invalid.count)
  break
}
let observer = StoreObserver()
SKPaymentQueue.default().add(observer)
observer.buy(loader.products[0])
for await purchased in observer.$purchased.values where !purchased.isEmpty {
  print("queue", purchased)
  break
}
"""

# The first shape of such samples, which only Swift 5 mode takes.
GARAGE = """
let garage = Garage()
garage.objectWillChange.sink { changes += 1 }.store(in: &kept)
await garage.load(["pro.monthly", "lifetime"])
await garage.refreshOwned()
print("garage", garage.owned.map(\\.id).sorted(), changes > 3)
"""


@pytest.fixture(scope="module")
def apps():
  """The folder with a foreign package's programs, built on the libraries."""
  folder = Folder()
  package = folder / "app"
  sources = package / "Sources"
  values = {"path": json.dumps(str(REPOSITORY)), "name": json.dumps(REPOSITORY.name)}
  for target in ["five", "six"]:
    (sources / target).mkdir(parents=True)
    (sources / target / "main.swift").write_text(MAIN)
    (sources / target / "Server.swift").write_text(SERVER)
  for target in ["samples5", "samples6"]:
    shutil.copytree(SAMPLES, sources / target)
  (sources / "samples5" / "main.swift").write_text(VIEWS + GARAGE)
  (sources / "samples6" / "main.swift").write_text(VIEWS)
  (sources / "samples6" / "Garage.swift").unlink()
  (package / "Package.swift").write_text((MANIFEST % values).lstrip())
  # Kept between runs, so that only the first one builds the libraries.
  scratch = REPOSITORY / ".build" / "consumer"
  built = run(
    ["swift", "build", "--package-path", package, "--scratch-path", scratch],
    seconds=BUILD_SECONDS)
  assert built.status == 0, built
  yield scratch / "debug"
  folder.remove()


@pytest.mark.parametrize("target", ["five", "six"])
def test_a_package_that_depends_by_path_builds_and_buys_in_swift_5_and_6(apps, daemon, target):
  app = run([apps / target], {"RENEWD_SOCKET": str(daemon.socket), "RENEWD_ACCOUNT": target})
  assert app.status == 0, app
  assert app.out.splitlines() == ['["pro.monthly $9.99"]', "pro.monthly true"]


@pytest.mark.parametrize("target", ["samples5", "samples6"])
def test_samples_in_the_published_shape_compile_with_one_import_more_and_buy(
    apps, daemon, folder, target):
  environment = {
    "RENEWD_SOCKET": str(daemon.socket), "RENEWD_ACCOUNT": target,
    # Where the user's defaults are kept.
    "XDG_CONFIG_HOME": str(folder / "settings"),
  }
  app = run([apps / target], environment)
  assert app.status == 0, app
  garage = ['garage ["lifetime", "pro.monthly"] true'] if target == "samples5" else []
  assert app.out.splitlines() == [
    "owned []", 'owned ["pro.monthly"]', "pro.monthly true 3 1", "pass pro",
    'loaded ["lifetime"] 1', 'queue ["lifetime"]', *garage,
  ]
  assert "[com.example.app:Store] default: 2 for sale" in app.err
  assert "[com.example.app:Queue]" not in app.err


def test_what_samples_keep_and_log_is_there_at_the_next_launch(apps, daemon, folder):
  environment = {
    "RENEWD_SOCKET": str(daemon.socket), "RENEWD_ACCOUNT": "u1", "RENEWD_LOG_LEVEL": "debug",
    "XDG_CONFIG_HOME": str(folder / "settings"),
  }
  assert "pro.monthly true 3 1" in run([apps / "samples6"], environment).out
  environment["RENEWD_ACCOUNT"] = "u2"
  app = run([apps / "samples6"], environment)
  assert app.status == 0, app
  assert "pro.monthly true 3 2" in app.out.splitlines()
  assert "[com.example.app:Pass] debug: <private>" in app.err
  assert "[com.example.app:Queue] info: lifetime is 1" in app.err
  environment["RENEWD_ACCOUNT"] = "u3"
  environment["RENEWD_LOG_PRIVATE"] = "show"
  app = run([apps / "samples6"], environment)
  assert "[com.example.app:Pass] debug: pro.monthly         " in app.err
