"""What Apple's own samples and bad certificates come to in a record: kept, or refused by a reason.

Nothing that is refused is appended; what has an unknown shape is kept (Domain.md, B40).
"""

import datetime
import json
import pathlib

import pytest

import signing
from process import Daemon
from wire import Refused

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY.parent / "shared" / "apple-library-resources" / "models"
NOW = 1_736_510_400_000

TRANSACTION = {
  "transactionId": "7001", "originalTransactionId": "7001", "webOrderLineItemId": "70019",
  "bundleId": "com.example", "productId": "apple.monthly", "subscriptionGroupIdentifier": "AG",
  "purchaseDate": NOW, "originalPurchaseDate": NOW, "expiresDate": NOW + 31 * 86_400_000,
  "quantity": 1, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
  "signedDate": NOW, "environment": "Sandbox", "transactionReason": "PURCHASE",
}


@pytest.fixture
def apple():
  """A root of the tests' own, in the place of Apple's."""
  return signing.authority()


def record_of(binaries, folder, signer, *options):
  root = folder / "root.der"
  root.write_bytes(signer.chain[2])
  return Daemon(
    binaries, folder, "--role", "record", "--root-certificate", root, "--bundle-id",
    "com.example", *options, catalogue=False, clock="2025-01-10T12:00:00Z")


@pytest.fixture
def record(binaries, folder, apple):
  daemon = record_of(binaries, folder, apple).start()
  yield daemon
  if daemon.process.poll() is None:
    daemon.kill()


def reason(wire, text):
  with pytest.raises(Refused) as refused:
    wire.call("Store.Submit", signed=text)
  assert refused.value.name == "org.renewd.VerificationFailed"
  return refused.value.parameters["reason"]


def test_each_bad_chain_has_its_reason(record, apple):
  other = signing.authority()
  leaf, middle, root = apple.chain
  hash_header = {"alg": "HS256", "x5c": []}
  wrong = [
    (apple.sign(TRANSACTION, alg="none"), "unsupportedAlgorithm"),
    (apple.sign(TRANSACTION, alg="HS256"), "unsupportedAlgorithm"),
    (apple.sign(TRANSACTION, header=hash_header), "unsupportedAlgorithm"),
    (apple.sign(TRANSACTION, header={"alg": "ES256"}), "missingX5C"),
    (apple.sign(TRANSACTION, chain=[]), "wrongChainLength"),
    (apple.sign(TRANSACTION, chain=[leaf]), "wrongChainLength"),
    (apple.sign(TRANSACTION, chain=[leaf, middle]), "wrongChainLength"),
    (apple.sign(TRANSACTION, chain=[leaf, middle, root, root]), "wrongChainLength"),
    (apple.sign(TRANSACTION, chain=[b"x", middle, root]), "badCertificate"),
    # An attacker's chain with the right root behind it: what stands there is not looked at.
    (other.sign(TRANSACTION, chain=[*other.chain[:2], root]), "untrustedChain"),
    (other.sign(TRANSACTION), "untrustedChain"),
    (other.sign(TRANSACTION, chain=apple.chain), "badSignature"),
    (apple.sign({**TRANSACTION, "bundleId": "com.other"}), "wrongBundle"),
    (apple.sign({**TRANSACTION, "environment": "Moon"}), "wrongEnvironment"),
    (apple.sign({**TRANSACTION, "purchaseDate": "today"}), "malformed"),
    (apple.sign({"receiptType": "Sandbox", "bundleId": "com.example"}), "wrongKind"),
    (apple.sign(b"hello"), "malformed"),
  ]
  for field in ["originalTransactionId", "productId", "purchaseDate", "signedDate", "expiresDate"]:
    lacking = {name: value for name, value in TRANSACTION.items() if name != field}
    wrong.append((apple.sign(lacking), "malformed"))
  with record.connect() as wire:
    head = wire.call("Log.Describe")["sequence"]
    for text, code in wrong:
      assert reason(wire, text).startswith(f"{code}: "), (code, reason(wire, text))
    assert wire.call("Log.Describe")["sequence"] == head
    assert not wire.call("Store.Submit", signed=apple.sign(TRANSACTION))["duplicate"]


@pytest.mark.parametrize("code, options", [
  ("missingOID", {"leaf_marker": False}), ("missingOID", {"intermediate_marker": False}),
  ("expiredAt", {"leaf_ends": datetime.datetime(2024, 1, 1)}),
])
def test_a_trusted_root_with_a_wrong_chain(binaries, folder, code, options):
  signer = signing.authority(**options)
  daemon = record_of(binaries, folder, signer).start()
  try:
    with daemon.connect() as wire:
      assert reason(wire, signer.sign(TRANSACTION)).startswith(f"{code}: ")
      # Domain.md 8, case 86: what was signed while the leaf was valid stays right.
      if code == "expiredAt":
        past = {**TRANSACTION, "signedDate": 1_700_000_000_000}
        assert not wire.call("Store.Submit", signed=signer.sign(past))["duplicate"]
  finally:
    daemon.kill()


def test_apples_samples_are_kept(binaries, folder, apple):
  if not MODELS.exists():
    pytest.skip("Apple's samples are not beside this tree")
  daemon = record_of(
    binaries, folder, apple, "--environment", "LocalTesting", "--app-apple-id", "41234").start()

  def model(name, **parts):
    claims = json.loads((MODELS / f"{name}.json").read_text())
    for part in ["data", "appData"]:
      for key, text in parts.items():
        if key in claims.get(part, {}):
          claims[part][key] = text
    # The samples share one UUID, which would make them one notification.
    if "notificationUUID" in claims:
      number = sorted(path.stem for path in MODELS.iterdir()).index(name)
      claims["notificationUUID"] = f"002e14d5-51f5-4503-b5a8-{number:012}"
    return apple.sign(claims)

  app = json.loads((MODELS / "appTransaction.json").read_text())
  parts = {
    "signedTransactionInfo": model("signedTransaction"),
    "signedRenewalInfo": model("signedRenewalInfo"),
    "signedAppTransactionInfo": apple.sign(app),
  }
  names = [
    "signedNotification", "signedSummaryNotification", "signedConsumptionRequestNotification",
    "signedRescindConsentNotification"]
  try:
    with daemon.connect() as wire:
      for count, name in enumerate(names, 1):
        answer = wire.call("Store.Submit", signed=model(name, **parts))
        assert (answer["kind"], answer["duplicate"]) == ("notification", False), name
        assert wire.call("Log.Describe")["facts"] == count
      assert wire.call("Log.Describe")["unknownNotifications"] == 0
      # Parts that came inside a notification are known by themselves.
      for text in [parts["signedTransactionInfo"], parts["signedRenewalInfo"]]:
        assert wire.call("Store.Submit", signed=text)["duplicate"]
      other = model("signedTransactionWithRevocation")
      assert wire.call("Store.Submit", signed=other)["kind"] == "transaction"
      # The token is whose it is, and the sample is revoked and replaced.
      token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
      status = wire.call("Membership.Status", account=token)
      line = status["subscriptions"][0]
      assert (line["status"], line["origin"]) == (5, "apple") and not status["entitled"]
      assert line["transaction"]["uncatalogued"] and line["transaction"]["price"] == 10_990
    daemon.restart_killed()
    assert daemon.json("log", "describe")["facts"] == len(names) + 1
    assert daemon.do("log", "verify")
  finally:
    if daemon.process.poll() is None:
      daemon.kill()


def test_an_environment_of_their_own(record, apple):
  with record.connect() as wire:
    text = apple.sign({**TRANSACTION, "environment": "Production"})
    wire.call("Store.Submit", signed=text, account="u1")
    assert not wire.call("Membership.Status", account="u1")["entitled"]
    production = wire.call("Membership.Status", account="u1", environment="Production")
    assert production["entitled"]
  assert record.ctl("status", "u1", "--environment", "Production").status == 0
  assert "apple.monthly" in record.do("history", "u1", "--environment", "Production").out
  assert "has no transactions" in record.do("history", "u1").out
