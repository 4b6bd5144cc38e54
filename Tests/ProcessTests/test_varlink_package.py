"""The `varlink` package from PyPI, a client nobody here wrote, against the daemon."""

import json
import threading

import pytest
import varlink
from varlink.scanner import _Method

from moments import moment
from process import CLOCK

INTERFACES = [
  "org.renewd", "org.renewd.Catalog", "org.renewd.Clocks", "org.renewd.Daemon", "org.renewd.Log",
  "org.renewd.Membership", "org.renewd.Store", "org.renewd.Testing", "org.varlink.service",
]


class Package:
  """The package's client of one daemon, with a connection for each interface."""

  def __init__(self, daemon):
    self.client = varlink.Client.new_with_address(f"unix:{daemon.socket}")
    self.open = {}

  def __getattr__(self, interface):
    if interface not in self.open:
      self.open[interface] = self.client.open(f"org.renewd.{interface}")
    return self.open[interface]

  def close(self):
    for connection in self.open.values():
      connection.close()


@pytest.fixture
def package(daemon):
  package = Package(daemon)
  yield package
  package.close()


def test_get_info_names_the_program_and_each_interface(package):
  names = package.client.get_interfaces()
  assert sorted(names) == INTERFACES
  info = package.client.info
  assert info["product"] == "renewd"
  for member in ["vendor", "version", "url"]:
    assert isinstance(info[member], str)


def test_each_description_is_fetched_and_parsed(package):
  for name in package.client.get_interfaces():
    interface = package.client.get_interface(name)
    assert interface.name == name
    methods = [member for member in interface.members.values() if isinstance(member, _Method)]
    # All errors live in the interface without a last name, which has nothing else.
    assert bool(methods) == (name != "org.renewd")


def buy(package):
  """A subscription of u1 and something lasting of u2; their transactions."""
  line = package.Store.Purchase(account="u1", productId="pro.monthly")["transaction"]
  lasting = package.Store.Purchase(account="u2", productId="lifetime")["transaction"]
  return line, lasting


def call_what_testers_do(call, package):
  """What happens to a subscription less often, to accounts of its own."""
  sold = call("Store", "Purchase", account="t1", productId="extra.monthly", signed=True)
  end = sold["transaction"]["expiresDate"]
  assert len(call("Membership", "Trust")["rootCertificates"]) == 1
  signed = call("Store", "AppTransaction", account="t1")["signedAppTransactionInfo"]
  assert signed.count(".") == 2
  assert call("Store", "Submit", signed=sold["signedTransactionInfo"])["duplicate"] is True
  # What a store sold itself stays with the account that bought it.
  called = call("Membership", "Ledger", account="t1")["entries"]
  assert [entry["amount"] for entry in called] == [1000]
  assert refusal(call, "Store", "Link", account="t2", originalTransactionId=sold[
    "transaction"]["originalTransactionId"])[0].startswith("org.renewd.")
  call("Testing", "RequestRefund", account="t1")
  call("Testing", "DeclineRefund", account="t1")
  package.Store.SetAutoRenew(
    originalTransactionId=sold["transaction"]["originalTransactionId"], enabled=True)
  for answer in ["ConsentToPriceIncrease", "DeclinePriceIncrease"]:
    price = 2000 if answer.startswith("Consent") else 3000
    call("Testing", "AnnouncePriceIncrease", productId="extra.monthly", price=price, consent=True)
    call("Testing", answer, account="t1")
  moved = call("Testing", "Extend", account="t1", days=3, reason=1)["transaction"]
  assert moved["expiresDate"] == end + 3 * 86_400_000
  assert call("Testing", "ExtendAll", productId="extra.monthly", days=2, reason=0,
              requestIdentifier="e1")["succeeded"] == 1
  call("Testing", "Share", account="t1", to="t2")
  assert package.Membership.Check(account="t2")["entitled"] is True
  call("Testing", "Unshare", account="t1", to="t2")
  assert package.Membership.Check(account="t2")["entitled"] is False
  call("Testing", "SetAskToBuy", account="t3", enabled=True)
  for answer in ["ApproveAskToBuy", "DeclineAskToBuy"]:
    assert package.Store.Purchase(account="t3", productId="coins")["result"] == "pending"
    assert len(call("Testing", "Pending", account="t3")["purchases"]) == 1
    call("Testing", answer, account="t3")
  package.Testing.SetAskToBuy(account="t3", enabled=False)
  call("Testing", "SetInterrupted", account="t3", enabled=True)
  assert package.Store.Purchase(account="t3", productId="coins")["result"] == "userCancelled"
  package.Testing.SetInterrupted(account="t3", enabled=False)
  call("Testing", "ResolveInterrupted", account="t3")
  call("Testing", "SetSimulatedError", api="loadProducts", error="networkError")
  assert [fault["api"] for fault in call("Testing", "Faults")["errors"]] == ["loadProducts"]
  package.Testing.SetSimulatedError(api="loadProducts")
  call("Testing", "SetRate", rate="oneRenewalEveryMinute")
  assert call("Testing", "GetRate")["rate"] == "oneRenewalEveryMinute"
  package.Testing.SetRate()
  call("Testing", "RemoveFromSale", productId="extra.monthly")


def call_each_method(package):
  """Calls every method of every interface of our own, and gives the names of what it called."""
  called = []

  def call(interface, method, *args, **named):
    called.append(f"{interface}.{method}")
    return getattr(getattr(package, interface), method)(*args, **named)

  call("Catalog", "Import", text=json.dumps(EXTRA), source="extra")
  assert "extra.monthly" in [
    product["productId"] for product in call("Catalog", "Describe")["products"]]
  assert call("Store", "Products", productIds=["pro.monthly", "none"])["unknown"] == ["none"]
  bought = call("Store", "Purchase", account="u1", productId="pro.monthly")["transaction"]
  assert bought["expiresDate"] == moment("2025-02-28T10:00:00Z")
  line = bought["originalTransactionId"]
  assert len(call("Store", "Unfinished", account="u1")["transactions"]) == 1
  call("Store", "Finish", transactionId=bought["transactionId"])
  # What it has comes again under an id of its own.
  [restored] = call("Store", "Restore", account="u1")["transactions"]
  assert restored["originalTransactionId"] == line and restored["transactionId"] != line
  call("Store", "SetAutoRenew", originalTransactionId=line, enabled=False)
  assert call("Clocks", "Create", name="other", at=moment(CLOCK))["clock"]["kind"] == "test"
  call("Clocks", "Attach", account="u1", clock="other")
  assert {clock["name"] for clock in call("Clocks", "List")["clocks"]} == {
    "system", "default", "other"}
  assert call("Clocks", "Advance", clock="other", by="P1D")["clock"]["now"] == moment(
    "2025-02-01T10:00:00Z")
  # Only a clock that jumped can be told to go on, and no test moves the machine's.
  called.append("Clocks.Accept")
  assert refusal(package.Clocks.Accept, clock="system")[0] == "org.renewd.NotPossible"
  assert call("Membership", "Status", account="u1")["entitled"] is True
  assert call("Membership", "Check", account="u1")["status"] == 1
  assert call("Membership", "Verify", account="u1", transactionId=line,
              productId="pro.monthly")["valid"] is True
  assert len(call("Membership", "History", account="u1")["transactions"]) == 1
  assert call("Membership", "Explain", account="u1")["lines"]
  called.append("Membership.Watch")
  assert next(package.client.open("org.renewd.Membership").Watch(_more=True))["subscription"]
  renewed = call("Testing", "ForceRenewal", account="u1")["transaction"]
  assert renewed["transactionReason"] == "renewal"
  refunded = call("Testing", "Refund", transactionId=renewed["transactionId"])["transaction"]
  assert refunded["revocationDate"] == moment("2025-02-01T10:00:00Z")
  reversed_ = call("Testing", "ReverseRefund", transactionId=renewed["transactionId"])
  assert reversed_["transaction"].get("revocationDate") is None
  ended = call("Testing", "Expire", originalTransactionId=line)["transaction"]
  assert ended["expiresDate"] == moment("2025-02-01T10:00:00Z")
  call("Store", "Purchase", account="u4", productId="pro.monthly", clock="other")
  call("Testing", "SetBilling", account="u4", outcome="fail")
  call("Clocks", "Advance", clock="other", by="P2M")
  paid = call("Testing", "ResolveBilling", account="u4")["transaction"]
  assert paid["purchaseDate"] == moment("2025-04-01T10:00:00Z")
  call_what_testers_do(call, package)
  described = call("Log", "Describe")
  assert described["role"] == "store" and described["durable"] == described["sequence"]
  assert [event["sequence"] for event in call(
    "Log", "Read", **{"from": 1, "count": 3})["events"]] == [1, 2, 3]
  assert call("Log", "Verify").get("damage") is None
  assert call("Log", "Snapshot")["sequence"] <= described["sequence"]
  assert call("Testing", "Reset")["sequence"] > described["sequence"]
  assert call("Daemon", "Reload")["options"]
  assert call("Daemon", "Describe")["environment"] == "Sandbox"
  return called


EXTRA = {
  "identifier": "EF000000", "products": [], "nonRenewingSubscriptions": [], "settings": {},
  "subscriptionGroups": [{"id": "EF000001", "name": "extra", "localizations": [], "subscriptions": [
    {"productID": "extra.monthly", "recurringSubscriptionPeriod": "P1M", "displayPrice": "1.00",
     "groupNumber": 1, "internalID": "EF000002", "localizations": [], "referenceName": "extra",
     "subscriptionGroupID": "EF000001", "type": "RecurringSubscription",
     "familyShareable": True, "adHocOffers": [], "codeOffers": [], "introductoryOffer": None}]}],
  "version": {"major": 4, "minor": 0},
}


def test_each_method_of_each_interface_answers(package):
  called = call_each_method(package)
  offered = []
  for name in package.client.get_interfaces():
    if name.startswith("org.renewd"):
      members = package.client.get_interface(name).members.values()
      offered += [f"{name}.{member.name}"[len("org.renewd."):]
                  for member in members if isinstance(member, _Method)]
  assert sorted(set(called)) == sorted(offered)


def send_raw(connection, method, parameters):
  """A call past the package's own check of parameters."""
  call = {"method": method, "parameters": parameters}
  connection._send_message(json.dumps(call).encode())
  return connection._next_varlink_message()


@pytest.mark.parametrize("method, parameters", [
  ("org.renewd.Membership.Check", {"account": "u1"}),
  ("org.renewd.Store.Purchase", {"account": "u1", "productId": "pro.monthly"}),
  ("org.renewd.Clocks.List", {}),
])
def test_a_field_nobody_knows_is_refused_by_its_name(package, daemon, method, parameters):
  before = daemon.json("log", "describe")["sequence"]
  connection = package.client.open("org.renewd.Membership")
  with pytest.raises(varlink.VarlinkError) as refused:
    send_raw(connection, method, {**parameters, "colour": "red"})
  assert refused.value.error() == "org.varlink.service.InvalidParameter"
  assert refused.value.parameters() == {"parameter": "colour"}
  connection.close()
  assert daemon.json("log", "describe")["sequence"] == before


def refusal(call, *args, **named):
  with pytest.raises(varlink.VarlinkError) as refused:
    call(*args, **named)
  return refused.value.error(), refused.value.parameters()


def test_errors_carry_their_parameters(package):
  line, _ = buy(package)
  name, parameters = refusal(package.Store.Purchase, account="u3", productId="pro.monthli")
  assert name == "org.renewd.ProductNotFound"
  assert parameters["productId"] == "pro.monthli" and parameters["nearest"][0] == "pro.monthly"
  assert refusal(package.Store.Purchase, account="u1", productId="pro.monthly")[0] == (
    "org.renewd.AlreadySubscribed")
  assert refusal(package.Store.Finish, transactionId="17")[0] == "org.renewd.TransactionNotFound"
  assert refusal(package.Clocks.Advance, clock="none", by="P1M")[0] == "org.renewd.ClockNotFound"
  assert refusal(package.Store.SetAutoRenew, originalTransactionId="17", enabled=True)[0] == (
    "org.renewd.SubscriptionNotFound")
  assert refusal(package.Store.Purchase, account="u3", productId="coins", quantity=11)[0] == (
    "org.renewd.InvalidQuantity")
  assert refusal(package.Testing.ReverseRefund, account="u1")[0] in (
    "org.renewd.NotPossible", "org.renewd.TransactionNotFound")
  head = package.Log.Describe()["sequence"]
  name, parameters = refusal(
    lambda: next(package.client.open("org.renewd.Membership").Watch(since=head + 1, _more=True)))
  assert (name, parameters) == ("org.renewd.CursorAhead", {"head": head})
  assert line["transactionId"] == line["originalTransactionId"]


def test_a_request_id_used_for_another_call_is_refused(package):
  first = package.Store.Purchase(account="u1", productId="pro.monthly", requestId="r")
  assert package.Store.Purchase(account="u1", productId="pro.monthly", requestId="r") == first
  assert refusal(package.Store.Purchase, account="u2", productId="pro.monthly", requestId="r")[0] \
    == "org.renewd.RequestIdReused"


def test_methods_that_are_not_there_are_named(package):
  connection = package.client.open("org.renewd.Membership")
  assert refusal(send_raw, connection, "org.renewd.Membership.None", {}) == (
    "org.varlink.service.MethodNotFound", {"method": "org.renewd.Membership.None"})
  assert refusal(send_raw, connection, "org.none.None", {})[0] == (
    "org.varlink.service.InterfaceNotFound")
  assert refusal(send_raw, connection, "org.renewd.Membership.Watch", {})[0] == (
    "org.varlink.service.ExpectedMore")
  connection.close()


def test_a_watch_is_followed_through_the_package(package):
  """First the present state, then the seam, then each event as it happens."""
  line, _ = buy(package)
  watch = package.client.open("org.renewd.Membership").Watch(_more=True)
  first, seam = next(watch), next(watch)
  assert first["subscription"]["originalTransactionId"] == line["transactionId"]
  assert set(seam) == {"sequence"} and seam["sequence"] == package.Log.Describe()["sequence"]
  package.Store.SetAutoRenew(originalTransactionId=line["transactionId"], enabled=False)
  package.Clocks.Advance(to=line["expiresDate"])
  kinds, sequences = [], []
  while "expired" not in kinds:
    reply = next(watch)
    sequences.append(reply["sequence"])
    if "event" in reply:
      assert reply["event"]["sequence"] == reply["sequence"]
      kinds.append(reply["event"]["kind"])
  assert [kind for kind in kinds if not kind.startswith("advance")] == [
    "autoRenewChanged", "expired"]
  assert sequences == list(range(seam["sequence"] + 1, seam["sequence"] + 1 + len(sequences)))


def test_a_watch_owns_its_connection(daemon):
  """Another call is refused, and the watch goes on."""
  with daemon.connect() as wire, daemon.connect() as other:
    wire.send("Membership.Watch", {}, more=True)
    seam, _ = wire.reply()
    wire.send("Membership.Check", {"account": "u1"})
    assert wire.receive()["error"] == "org.renewd.ConnectionBusy"
    other.call("Store.Purchase", account="u1", productId="coins")
    assert wire.reply()[0]["event"]["sequence"] == seam["sequence"] + 1


def test_the_package_sees_the_same_from_two_threads(package, daemon):
  """Calls of many connections at once are each answered with their own answer."""
  wrong = []

  def poll(number):
    connection = package.client.open("org.renewd.Membership")
    for _ in range(50):
      account = connection.Status(account=f"u{number}")["account"]
      if account != f"u{number}":
        wrong.append((number, account))
    connection.close()

  threads = [threading.Thread(target=poll, args=(number,)) for number in range(4)]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert wrong == []
