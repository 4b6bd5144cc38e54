"""Cases from real reports about clocks and entitlement, on the real daemon (Domain.md 8)."""

import json
import time

import pytest

import shop
from moments import DAY, add, day, moment, text
from tries import quickest
from wire import Refused


def status(wire, account="u1", **named):
  return wire.call("Membership.Status", account=account, **named)


def buy(wire, account="u1", product="pro.monthly", **named):
  return wire.call("Store.Purchase", account=account, productId=product, **named)["transaction"]


def advance(wire, **named):
  return wire.call("Clocks.Advance", **named)


def history(wire, account="u1"):
  """All transactions, over all pages."""
  found, parameters = [], {"account": account}
  while True:
    page = wire.call("Membership.History", parameters)
    found += page["transactions"]
    if page.get("next") is None:
      return found
    parameters["from"] = page["next"]


def test_b10_access_ends_at_the_very_millisecond(make_daemon):
  daemon = make_daemon(clock="2025-06-23T05:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("cancel", "u1")
  before = daemon.ctl("status", "u1", "--at", "2025-07-23T04:59:59.999Z", "--json")
  after = daemon.ctl("status", "u1", "--at", "2025-07-23T05:00:00.000Z", "--json")
  assert (before.status, before.json()["entitled"]) == (0, True)
  assert (after.status, after.json()["entitled"]) == (1, False)
  assert after.json()["basis"] == "forecast" and after.json()["asOf"] == 1753246800000
  # The same when that time has come: still a member at the millisecond before, then no more.
  with daemon.connect() as wire:
    advance(wire, to=moment("2025-07-23T04:59:59.999Z"))
    assert status(wire)["entitled"] is True
    advance(wire, to=moment("2025-07-23T05:00:00Z"))
    assert status(wire)["entitled"] is False


def test_b18_the_daemons_clock_decides(make_daemon):
  """A client two hours ahead asks: the answer is the daemon's, and says as of when."""
  daemon = make_daemon(clock=None).start()
  with daemon.connect() as wire:
    before = int(time.time() * 1000)
    bought = buy(wire)
    answer = status(wire)
    after = int(time.time() * 1000)
    assert answer["entitled"] is True and answer["basis"] == "present"
    assert answer["clock"] == "system"
    assert before <= bought["purchaseDate"] <= answer["asOf"] <= after
    # What a client says the time is serves as a question only, and the answer says so.
    ahead = status(wire, at=after + 2 * 3_600_000)
    assert (ahead["entitled"], ahead["basis"]) == (True, "forecast")
    assert ahead["asOf"] == after + 2 * 3_600_000
    far = status(wire, at=add(bought["expiresDate"], "P1D"))
    assert far["entitled"] is True and far["subscriptions"][0]["transaction"]["forecast"] is True
    past = status(wire, at=bought["purchaseDate"] - 1)
    assert (past["entitled"], past["basis"], past["subscriptions"]) == (False, "past", [])
    assert status(wire)["sequence"] == answer["sequence"]


def test_b21_clocks_do_not_move_one_another(daemon, wire):
  start = moment("2025-01-31T10:00:00Z")
  for name in ["A", "B"]:
    wire.call("Clocks.Create", name=name, at=start)
  buy(wire, "u1", clock="A")
  buy(wire, "u2", clock="B")
  buy(wire, "u3", clock="system")
  report = advance(wire, clock="A", by="P1Y")
  assert len(history(wire, "u1")) == 1 + 12
  assert len(history(wire, "u2")) == len(history(wire, "u3")) == 1
  now = {clock["name"]: clock["now"] for clock in wire.call("Clocks.List")["clocks"]}
  assert now["A"] == report["clock"]["now"] == moment("2026-01-31T10:00:00Z")
  assert now["B"] == now["default"] == start
  assert abs(now["system"] - time.time() * 1000) < 60_000


def test_b22_a_clock_can_be_attached_to_an_account_that_is_there(make_daemon):
  """Bought on the machine's clock, moved to a test clock: one renewal, and the log shows when."""
  daemon = make_daemon(clock=None).start()
  with daemon.connect() as wire:
    bought = buy(wire)
    # The clock stands where the account is: at its last event, or a little later.
    wire.call("Clocks.Create", name="A", at=bought["purchaseDate"])
    attached = wire.call("Clocks.Attach", account="u1", clock="A")["sequence"]
    advance(wire, clock="A", to=bought["expiresDate"])
    renewals = history(wire)[1:]
    assert [part["purchaseDate"] for part in renewals] == [bought["expiresDate"]]
    event = wire.call("Log.Read", {"from": attached, "count": 1})["events"][0]
    assert (event["account"], event["clock"]) == ("u1", "A")
    assert status(wire)["clock"] == "A"


def test_b22_a_clock_behind_the_accounts_last_event_is_refused(daemon, wire):
  buy(wire)
  wire.call("Clocks.Create", name="old", at=moment("2025-01-31T09:59:59Z"))
  with pytest.raises(Refused) as refused:
    wire.call("Clocks.Attach", account="u1", clock="old")
  assert refused.value.name == "org.renewd.ClockBehind"


def test_b23_ten_years_of_weeks_in_one_call(make_daemon):
  daemon = make_daemon(clock="2025-01-01T00:00:00Z").start()
  target = moment("2035-01-01")
  with daemon.connect() as wire:
    buy(wire, product="pro.weekly")
    report = advance(wire, to=target)
    assert report["clock"]["now"] == target
    assert wire.call("Log.Describe")["durable"] >= report["lastSequence"]
    starts = [part["purchaseDate"] for part in history(wire)]
    # 3652 days are 521 weeks and five days.
    assert starts == [moment("2025-01-01") + week * 7 * DAY for week in range(1 + 521)]
    events = wire.call("Log.Describe")["sequence"]
    again = advance(wire, to=target)
    assert again["events"] == 0 and again["clock"]["now"] == target
    assert wire.call("Log.Describe")["sequence"] == events
    assert [part["purchaseDate"] for part in history(wire)] == starts


def test_b23_each_event_of_an_advance_comes_in_a_reply_of_its_own(daemon, wire):
  buy(wire, product="pro.weekly")
  replies = list(wire.stream("Clocks.Advance", by="P5W"))
  events = [reply["event"] for reply in replies if reply.get("event")]
  renewals = [event for event in events if event["kind"] == "renewed"]
  assert [text(event["at"]) for event in renewals] == [
    "2025-02-07T10:00:00Z", "2025-02-14T10:00:00Z", "2025-02-21T10:00:00Z",
    "2025-02-28T10:00:00Z", "2025-03-07T10:00:00Z"]
  sequences = [event["sequence"] for event in events]
  assert sequences == sorted(set(sequences))
  assert "event" not in replies[-1] or replies[-1]["event"] is None
  last = replies[-1]
  assert last["firstSequence"] <= renewals[0]["sequence"]
  assert last["lastSequence"] >= renewals[-1]["sequence"]
  assert last["clock"]["now"] == moment("2025-03-07T10:00:00Z")


def test_an_advance_in_two_steps_is_an_advance_in_one(make_daemon, folder):
  """The same facts, clock events and numbers aside."""
  stories = []
  for number, steps in enumerate([["P1Y"], ["P5M", "P3W", "P1D"]]):
    daemon = make_daemon(state=f"state{number}").start()
    with daemon.connect() as wire:
      for account, product in [("u1", "pro.monthly"), ("u2", "pro.weekly"), ("u3", "trial30d")]:
        buy(wire, account, product)
      for step in steps:
        advance(wire, by=step)
      advance(wire, to=moment("2026-01-31T10:00:00Z"))
      stories.append([[part for part in history(wire, account)] for account in ("u1", "u2", "u3")])
    daemon.stop()
  assert stories[0] == stories[1]


def test_b25_a_thousand_forced_renewals(daemon, wire, quick):
  """One command, one event: all of them, in order."""
  count = 100 if quick else 1000
  buy(wire)
  sequences, starts = [], []
  for _ in range(count):
    wire.send("Testing.ForceRenewal", {"account": "u1"})
  for _ in range(count):
    reply = wire.reply()[0]
    sequences.append(reply["sequence"])
    starts.append(int(reply["transaction"]["transactionId"]))
    assert reply["transaction"]["transactionReason"] == "renewal"
  assert sequences == list(range(sequences[0], sequences[0] + count))
  assert starts == sorted(set(starts)) and len(starts) == count
  kinds = []
  following = sequences[0]
  while following is not None:
    page = wire.call("Log.Read", {"from": following})
    kinds += [(event["kind"], event["notificationType"]) for event in page["events"]]
    following = page.get("next")
  assert kinds == [("renewed", "DID_RENEW")] * count
  assert len(history(wire)) == 1 + count


def test_b26_a_cancelled_subscription_ends_when_it_says(daemon):
  """EXPIRED/VOLUNTARY at exactly its end, in less than 100 ms of real time."""
  with daemon.connect() as wire:
    def end(number):
      bought = buy(wire, f"u{number}")
      wire.call("Store.SetAutoRenew", originalTransactionId=bought["transactionId"],
                enabled=False)
      began = time.monotonic()
      report = advance(wire, to=bought["expiresDate"])
      took = time.monotonic() - began
      events = wire.call("Log.Read", {"from": report["firstSequence"]})["events"]
      expired = [event for event in events if event["kind"] == "expired"]
      assert [(event["at"], event["notificationType"], event["subtype"], event["statusAfter"])
              for event in expired] == [(bought["expiresDate"], "EXPIRED", "VOLUNTARY", 2)]
      return took

    quickest(end, 0.1)


def test_b42_the_end_of_one_plan_is_not_hidden_by_another_that_was_taken_back(daemon, wire):
  """A year, refunded, then a month, cancelled: nothing entitles when the month is over."""
  year = buy(wire, product="pro.yearly")
  wire.call("Testing.Refund", transactionId=year["transactionId"])
  assert status(wire)["entitled"] is False
  month = buy(wire)
  assert month["originalTransactionId"] == year["transactionId"]
  assert status(wire)["entitled"] is True
  wire.call("Store.SetAutoRenew", originalTransactionId=year["transactionId"], enabled=False)
  advance(wire, to=moment("2025-03-01"))
  answer = status(wire)
  assert answer["entitled"] is False
  assert [line["status"] for line in answer["subscriptions"]] == [2]


def test_b55_buying_again_after_a_gap_reopens_the_line(daemon, wire):
  bought = buy(wire)
  line = bought["originalTransactionId"]
  wire.call("Store.SetAutoRenew", originalTransactionId=line, enabled=False)
  advance(wire, to=bought["expiresDate"] + 90 * DAY)
  assert status(wire)["entitled"] is False
  again = wire.call("Store.Purchase", account="u1", productId="pro.monthly")
  transaction = again["transaction"]
  assert transaction["originalTransactionId"] == line != transaction["transactionId"]
  assert transaction["originalPurchaseDate"] == bought["purchaseDate"]
  assert transaction["transactionReason"] == "purchase"
  event = wire.call("Log.Read", {"from": again["sequence"], "count": 1})["events"][0]
  assert (event["notificationType"], event["subtype"]) == ("SUBSCRIBED", "RESUBSCRIBE")
  assert status(wire)["entitled"] is True
  spans = [(part["purchaseDate"], part["expiresDate"]) for part in history(wire)]
  assert len(spans) == 2 and spans[1][0] - spans[0][1] == 90 * DAY
  # A gap of more than sixty days begins a new chain (Domain.md 1.6).
  renewal = status(wire)["subscriptions"][0]["renewalInfo"]
  assert renewal["recentSubscriptionStartDate"] == transaction["purchaseDate"]


def test_a_status_of_the_past_is_what_was_known_then(daemon, wire):
  bought = buy(wire)
  advance(wire, by="P3M")
  wire.call("Testing.Refund", account="u1")
  then = status(wire, at=moment("2025-03-15"))
  assert (then["entitled"], then["basis"]) == (True, "past")
  assert day(then["subscriptions"][0]["transaction"]["purchaseDate"]) == "2025-02-28"
  assert status(wire, at=bought["purchaseDate"])["entitled"] is True
  assert status(wire)["entitled"] is False


def test_an_account_never_seen_is_no_member_and_an_unknown_product_is_named(daemon, wire):
  assert status(wire, "nobody") | {"asOf": 0, "sequence": 0} == {
    "account": "nobody", "entitled": False, "subscriptions": [], "purchases": [], "sequence": 0,
    "asOf": 0, "clock": "default", "basis": "present"}
  with pytest.raises(Refused) as refused:
    status(wire, productId="pro.monthlx")
  assert refused.value.name == "org.renewd.ProductNotFound"
  assert refused.value.parameters["nearest"][0] == "pro.monthly"


def test_b91_a_format_4_file_with_groups_an_offer_many_texts_and_an_unknown_key(make_daemon):
  """Both groups and the offer are there; the key nobody knows is told once."""
  texts = [{"description": f"d{number}", "displayName": f"n{number}", "locale": f"x{number:02}"}
           for number in range(40)]
  first = shop.subscription("one", "P1M", intro=shop.introduction("free", "P3D"))
  first["localizations"] = texts
  content = shop.catalogue(
    {"first": [first], "second": [shop.subscription("two", "P1Y")]}, hyperspace=True)
  daemon = make_daemon(catalogue=False).start()
  with daemon.connect() as wire:
    imported = wire.call("Catalog.Import", text=json.dumps(content), source="case")
    assert imported["products"] == 2 and imported["unchanged"] is False
    assert len(imported["notices"]) == 1 and "hyperspace" in imported["notices"][0]
    described = wire.call("Catalog.Describe")
    groups = {group["name"]: group["products"] for group in described["groups"]
              if group["products"] in (["one"], ["two"])}
    assert groups == {"first": ["one"], "second": ["two"]}
    offers = {product["productId"]: product["offers"] for product in described["products"]}
    assert [(offer["type"], offer["paymentMode"], offer["period"], offer["price"])
            for offer in offers["one"]] == [("introductory", "freeTrial", "P3D", 0)]
    assert wire.call("Catalog.Import", text=json.dumps(content), source="case")["unchanged"]


def test_b91_five_hundred_products_in_under_a_second(daemon, wire):
  def sell(try_number):
    """At another price each time, since what is known already is quickly read."""
    content = shop.catalogue(
      {f"g{number}": [shop.subscription(f"p{number}", "P1M", f"{try_number + 1}.99")]
       for number in range(500)})
    began = time.monotonic()
    imported = wire.call("Catalog.Import", text=json.dumps(content))
    took = time.monotonic() - began
    assert imported["products"] == 500 and not imported["unchanged"]
    return took

  quickest(sell, 1)
  assert wire.call("Store.Products", productIds=["p0", "p499"])["unknown"] == []


def test_b91_a_wrong_file_is_refused_with_its_place(daemon, wire):
  content = shop.standard()
  content["subscriptionGroups"][0]["subscriptions"][1]["recurringSubscriptionPeriod"] = "P5M"
  head = wire.call("Log.Describe")["sequence"]
  with pytest.raises(Refused) as refused:
    wire.call("Catalog.Import", text=json.dumps(content))
  assert refused.value.name == "org.renewd.CatalogueInvalid"
  assert refused.value.parameters["path"] == (
    "$.subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod")
  assert wire.call("Log.Describe")["sequence"] == head
