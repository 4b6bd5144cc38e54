"""An app written for Apple's StoreKit, both generations of it, against the real daemon."""

import base64

import pytest

import shop
from app import CALLBACK_SECONDS, App
from process import CLOCK, until
from proxy import Proxy
from wire import Wire


@pytest.fixture
def launch(binaries, daemon):
  """Launches the app for an account, its shop loaded."""
  launched = []

  def launch(account, socket=None):
    app = App(binaries, socket or daemon.socket, account)
    launched.append(app)
    app.hears("StoreKit 2", "isPurchased")
    return app

  yield launch
  for app in launched:
    app.kill()


def test_both_generations_load_what_is_sold_and_name_what_is_not(launch):
  app = launch("u1")
  app.rewind()
  products = app.hears("StoreKit 2", "products:")
  assert "pro.monthly $9.99" in products and "coins.100" not in products
  app.hears("StoreKit 1", "products:", "pro.monthly $9.99")
  app.hears("StoreKit 1", "invalid: coins.100")
  assert app.quit() == 0


def test_a_purchase_is_verified_delivered_once_and_known_to_the_server(launch):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("purchase: .success(.verified pro.monthly purchase until 2025-02-28T10:00:00Z)")
  app.hears("isPurchased: true")
  app.hears("server", "member: yes")
  app.hears("server", "transaction of pro.monthly: valid")
  assert app.quit() == 0
  assert app.count("Transaction.updates") == 0


def test_a_renewal_comes_through_updates_with_a_new_period(launch, daemon):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("server", "valid")
  daemon.do("advance", "P1M")
  app.hears("Transaction.updates: .verified pro.monthly renewal until 2025-03-31T10:00:00Z")
  app.hears("isPurchased: true")


def test_a_refund_ends_the_membership_without_a_restart_and_a_purchase_begins_it_again(
    launch, daemon):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("isPurchased: true")
  app.hears("server", "valid")
  daemon.do("refund", "u1")
  app.hears("Transaction.updates: .verified pro.monthly purchase", "revoked 2025-01-31T10:00:00Z")
  app.hears("isPurchased: false")
  app.hears("server", "member: no")
  app.tap("buy pro.monthly")
  app.hears(".success(.verified pro.monthly purchase")
  app.hears("isPurchased: true")
  app.hears("server", "member: yes")


def test_an_upgrade_leaves_the_old_transaction_marked(launch):
  app = launch("u1")
  app.tap("buy basic.monthly")
  app.hears("server", "valid")
  app.tap("buy pro.monthly")
  app.hears(".success(.verified pro.monthly purchase")
  app.hears("server", "valid")
  app.tap("history")
  app.hears("Transaction.all: .verified pro.monthly purchase")
  app.hears("Transaction.all: .verified basic.monthly purchase", "isUpgraded")


def test_an_upgrade_elsewhere_comes_through_updates_with_what_it_ended(launch, daemon):
  app = launch("u1")
  app.tap("buy basic.monthly")
  app.hears("server", "valid")
  daemon.do("buy", "u1", "pro.monthly")
  app.hears("Transaction.updates: .verified basic.monthly", "isUpgraded")
  app.hears("Transaction.updates: .verified pro.monthly purchase")
  app.hears("isPurchased: true", "pro.monthly")


def test_cancelling_renewal_is_a_status_and_no_transaction(launch, daemon):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("server", "valid")
  before = app.count("Transaction.updates")
  daemon.do("cancel", "u1")
  app.hears("Status.updates: pro.monthly is subscribed, does not renew")
  assert app.count("Transaction.updates") == before


def test_who_is_subscribed_already_cancels(launch):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("server", "valid")
  app.tap("buy pro.monthly")
  app.hears("purchase: .userCancelled")


def test_the_payment_queue_purchases_and_fails(launch):
  app = launch("u1")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".purchasing pro.monthly")
  app.hears("StoreKit 1", ".purchased pro.monthly")
  app.hears("server", "transaction of pro.monthly: valid")
  app.hears("StoreKit 1", "finished pro.monthly")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".purchasing pro.monthly")
  app.hears("StoreKit 1", ".failed pro.monthly: cancelled")


def test_the_payment_queue_restores(launch):
  app = launch("u1")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", "finished pro.monthly")
  app.tap("restore1")
  app.hears("StoreKit 1", ".restored pro.monthly from pro.monthly")
  app.hears("StoreKit 1", "restore finished")


def test_a_restored_transaction_has_an_id_of_its_own_and_is_to_be_finished(launch, daemon):
  app = launch("u1")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", "finished pro.monthly")
  daemon.do("buy", "u1", "lifetime")
  app.hears("StoreKit 1", "finished lifetime")
  before = {row["productId"]: row for row in daemon.json("history", "u1")["transactions"]}
  app.tap("restore1")
  for _ in before:
    app.hears("StoreKit 1", ".restored")
  app.hears("StoreKit 1", "restore finished")
  for _ in before:
    app.hears("StoreKit 1", "finished")
  until(lambda: all(row["finished"] for row in daemon.json("history", "u1")["transactions"]),
        CALLBACK_SECONDS, "both are finished")
  after = {row["productId"]: row for row in daemon.json("history", "u1")["transactions"]}
  for product, row in after.items():
    assert row["transactionId"] != before[product]["transactionId"]
    assert row["originalTransactionId"] == before[product]["transactionId"]
    assert row["restored"] is True and row["finished"] is True
  assert len(daemon.json("ledger", "u1")["entries"]) == 2
  # Neither generation hears of a restore as of something new.
  assert app.count("Transaction.updates") == 2
  daemon.do("refund", after["pro.monthly"]["originalTransactionId"])
  app.hears("Transaction.updates: .verified pro.monthly", "revoked")


def test_what_was_not_finished_comes_once_at_launch_to_both_generations(launch, daemon):
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("buy", "u1", "lifetime")
  app = launch("u1")
  app.rewind()
  app.hears("Transaction.updates: .verified pro.monthly")
  app.hears("Transaction.updates: .verified lifetime")
  app.rewind()
  app.hears("StoreKit 1", ".purchased pro.monthly")
  app.hears("StoreKit 1", ".purchased lifetime")
  # It finishes them of its own accord; what it has not finished when it quits would come again.
  until(lambda: all(row["finished"] for row in daemon.json("history", "u1")["transactions"]),
        CALLBACK_SECONDS, "both are finished")
  assert app.quit() == 0
  assert app.count("Transaction.updates: .verified pro.monthly") == 1
  again = launch("u1")
  assert again.quit() == 0
  assert again.count("Transaction.updates") == 0


def test_an_app_without_an_account_says_so(binaries, daemon):
  app = App(binaries, daemon.socket, "")
  app.hears("StoreKit 2", "isPurchased: false")
  app.tap("buy pro.monthly")
  app.hears("StoreKit 2", "purchase failed", "No account is configured")
  assert app.quit() == 0


def test_an_app_without_a_daemon_says_so(binaries, folder):
  app = App(binaries, folder / "nothing", "u1")
  app.hears("StoreKit 2", "products failed: The store cannot be reached")
  app.kill()


def test_the_watch_comes_through_a_restart_of_the_daemon(launch, daemon):
  app = launch("u1")
  app.tap("buy pro.monthly")
  app.hears("server", "valid")
  daemon.restart_killed()
  daemon.do("advance", "P1M")
  app.hears("Transaction.updates: .verified pro.monthly renewal")
  daemon.do("refund", "u1")
  app.hears("isPurchased: false")


def altered(signed):
  """A signed form with another product's id in its payload, and the old signature."""
  header, payload, signature = signed.split(".")
  text = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode()
  changed = text.replace('"pro.monthly"', '"pro.forever"')
  assert changed != text
  payload = base64.urlsafe_b64encode(changed.encode()).decode().rstrip("=")
  return ".".join([header, payload, signature])


@pytest.fixture
def proxy(daemon, folder):
  """Puts a proxy before the daemon, which changes replies; the proxy's socket."""
  made = []

  def proxy(change=lambda parameters: None):
    made.append(Proxy(folder / f"p{len(made)}", daemon.socket, change))
    return made[-1]

  yield proxy
  for one in made:
    one.close()


def test_a_transaction_altered_on_its_way_is_unverified_and_not_delivered(launch, proxy):
  def alter(parameters):
    if parameters.get("signedTransactionInfo"):
      parameters["signedTransactionInfo"] = altered(parameters["signedTransactionInfo"])

  app = launch("u1", proxy(alter).path)
  app.tap("buy pro.monthly")
  app.hears("purchase: .success(.unverified(invalidSignature) pro.forever purchase")
  app.hears("purchase failed: The signature does not fit.")
  assert app.quit() == 0
  assert app.count("isPurchased: true") == 0


def test_a_chain_that_leads_to_another_root_is_unverified(launch, proxy, make_daemon, folder):
  (folder / "other").mkdir()
  foreign = make_daemon("--socket", folder / "o", state="other/state").start()
  with Wire(folder / "o") as wire:
    root = wire.call("org.renewd.Membership.Trust")["rootCertificates"]
  assert foreign.stop() == 0

  def replace(parameters):
    if "rootCertificates" in parameters:
      parameters["rootCertificates"] = root

  app = launch("u1", proxy(replace).path)
  app.tap("buy pro.monthly")
  app.hears("purchase: .success(.unverified(invalidCertificateChain) pro.monthly purchase")
  assert app.quit() == 0
  assert app.count("isPurchased: true") == 0


def test_ask_to_buy_is_pending_then_approved_through_updates(launch, daemon):
  app = launch("u1")
  daemon.do("asktobuy", "on", "u1")
  app.tap("buy pro.monthly")
  app.hears("StoreKit 2", "purchase: .pending")
  assert daemon.json("status", "u1")["entitled"] is False
  daemon.do("advance", "P3D")
  daemon.do("approve", "u1")
  # Three days on: the period begins with the approval.
  app.hears("Transaction.updates: .verified pro.monthly purchase until 2025-03-03T10:00:00Z")
  app.hears("isPurchased: true")
  app.hears("server", "member: yes")


def test_ask_to_buy_is_deferred_then_failed_or_purchased(launch, daemon):
  app = launch("u1")
  daemon.do("asktobuy", "on", "u1")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".purchasing pro.monthly")
  app.hears("StoreKit 1", ".deferred pro.monthly")
  daemon.do("decline", "u1")
  app.hears("StoreKit 1", ".failed pro.monthly: cancelled")
  assert app.count("Transaction.updates") == 0
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".deferred pro.monthly")
  daemon.do("approve", "u1")
  app.hears("StoreKit 1", ".purchased pro.monthly")
  app.hears("server", "transaction of pro.monthly: valid")
  assert app.quit() == 0
  assert app.count("StoreKit 1", ".purchased") == app.count("StoreKit 1", ".failed") == 1


def test_of_two_payments_that_wait_for_one_product_each_ends_by_itself(launch, daemon):
  app = launch("u1")
  daemon.do("asktobuy", "on", "u1")
  for _ in range(2):
    app.tap("buy1 pro.monthly")
    app.hears("StoreKit 1", ".deferred pro.monthly")
  first, second = [
    entry["pendingId"] for entry in daemon.json("pending", "u1")["purchases"]]
  daemon.do("approve", second)
  app.hears("StoreKit 1", ".purchased pro.monthly")
  app.hears("server", "transaction of pro.monthly: valid")
  assert app.count("StoreKit 1", ".failed") == 0
  daemon.do("decline", first)
  app.hears("StoreKit 1", ".failed pro.monthly: cancelled")
  assert app.quit() == 0
  assert app.count("StoreKit 1", ".purchased") == app.count("StoreKit 1", ".failed") == 1


def test_an_interrupted_purchase_fails_and_comes_as_a_new_one(launch, daemon):
  app = launch("u1")
  daemon.do("interrupt", "on", "u1")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".failed pro.monthly: cancelled")
  app.tap("buy basic.monthly")
  app.hears("StoreKit 2", "purchase: .userCancelled")
  pending = daemon.json("pending", "u1")["purchases"]
  assert [entry["productId"] for entry in pending] == ["pro.monthly", "basic.monthly"]
  daemon.do("interrupt", "off", "u1")
  daemon.do("resolve", pending[0]["pendingId"])
  app.hears("Transaction.updates: .verified pro.monthly purchase")
  app.hears("isPurchased: true")
  app.rewind()
  app.hears("StoreKit 1", ".purchased pro.monthly")


def test_a_purchase_is_one_call_and_nothing_is_probed(launch, daemon, proxy):
  before = proxy()
  app = launch("u1", before.path)
  app.tap("buy pro.monthly")
  app.hears("purchase: .success(.verified pro.monthly purchase")
  app.tap("restore")
  app.hears("isPurchased: true")
  assert app.quit() == 0
  calls = [call for connection in before.calls for call in connection]
  methods = [call["method"].removeprefix("org.renewd.") for call in calls]
  assert methods.count("Store.Purchase") == 1
  for call, method in zip(calls, methods, strict=True):
    parameters = call.get("parameters", {})
    assert not (method == "Membership.Verify" and parameters["transactionId"] == "0")
    assert not (method == "Store.Restore" and parameters["account"] == "")
  buying = next(c for c in before.calls if any("Purchase" in call["method"] for call in c))
  assert not any("Verify" in call["method"] for call in buying)


def test_simulated_errors_reach_the_app_by_their_names(launch, daemon):
  app = launch("u1")
  daemon.do("fault", "purchase", "purchaseNotAllowed")
  app.tap("buy pro.monthly")
  app.hears("StoreKit 2", "purchase failed: The purchase is not allowed.")
  app.tap("buy1 pro.monthly")
  app.hears("StoreKit 1", ".failed pro.monthly: The purchase is not allowed.")
  daemon.do("fault", "purchase", "off")
  daemon.do("fault", "verification", "revokedCertificate")
  app.tap("buy pro.monthly")
  app.hears("purchase: .success(.unverified(revokedCertificate) pro.monthly purchase")
  app.hears("purchase failed: A certificate was revoked.")
  daemon.do("fault", "verification", "off")
  app.tap("restore")
  app.hears("isPurchased: true")


# MARK: The store's clock and the app's

FAR = "StoreKit: the store's clock default is at 2025-01-31T10:00:00Z, and Date() says"


def test_an_app_that_comes_to_a_clock_far_from_now_is_told_so_once(launch):
  app = launch("u1")
  app.rewind()
  assert "renewctl run --time" in app.hears(FAR)
  app.tap("buy pro.monthly")
  app.hears("server", "valid")
  assert app.quit() == 0
  assert app.count("the store's clock") == 1


def test_an_app_whose_now_is_the_stores_is_told_nothing(binaries, folder, make_daemon):
  """On the machine's clock, and on a test clock under `renewctl run --time`."""
  path = shop.write(folder / "shop.storekit", shop.standard())
  present = make_daemon(clock=None).start()
  moved = [str(binaries / "renewctl"), "run", "--catalog", str(path), "--clock", CLOCK, "--time",
           "--"]
  for prefix in [(), moved]:
    app = App(binaries, present.socket, "u1", prefix)
    app.hears("StoreKit 2", "isPurchased")
    app.tap("buy pro.monthly")
    app.hears("purchase: .success(.verified pro.monthly")
    app.hears("server", "valid")
    assert app.quit() == 0
    assert app.count("the store's clock") == 0
