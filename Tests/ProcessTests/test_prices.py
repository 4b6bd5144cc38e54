"""Price increases, products removed from sale and extensions, by the real programs
(Domain.md 1.3 E22 to E24, 8.80 to 8.83; Domain.md B14).

All dates stand here by hand.
"""

import pytest

from moments import moment
from test_life import drawn_of, notifications, to


@pytest.fixture
def daemon_of_two(make_daemon):
  daemon = make_daemon(clock="2025-01-10T12:00:00Z").start()
  for account in ["u1", "u2"]:
    daemon.do("buy", account, "pro.monthly")
  return daemon


def test_cases_80_and_81_a_price_rises(daemon_of_two):
  daemon = daemon_of_two
  said = daemon.do("price", "announce", "pro.monthly", "12.99", "--consent").out
  assert "2 subscriptions asked" in said
  assert "will end unless the price is agreed to" in drawn_of(daemon)
  daemon.do("price", "consent", "u2")
  twice = daemon.ctl("price", "consent", "u2")
  assert twice.status == 4 and "no price increase waits for an answer" in twice.err
  told = daemon.do("explain", "u1").out
  assert "rises from 9.99 USD to 12.99 USD" in told
  assert daemon.ctl("status", "u1", "--at", "2025-02-10T12:00:00Z").status == 1
  to(daemon, "2025-02-11T00:00:00Z")
  assert notifications(daemon)[1:] == [
    ("2025-01-10T12:00:00Z", "PRICE_INCREASE/PENDING", 1),
    ("2025-02-10T12:00:00Z", "EXPIRED/PRICE_INCREASE", 2)]
  assert [row["price"] for row in daemon.json("history", "u2")["transactions"]] == [9990, 12990]
  daemon.do("price", "announce", "pro.monthly", "13.99")
  assert notifications(daemon, "u2")[-1][1] == "PRICE_INCREASE/ACCEPTED"
  to(daemon, "2025-03-11T00:00:00Z")
  assert daemon.json("history", "u2")["transactions"][-1]["price"] == 13990
  lower = daemon.ctl("price", "announce", "pro.monthly", "1")
  assert lower.status == 2 and "an increase is not below that" in lower.err


def test_e24_a_product_is_removed_from_sale(daemon_of_two, tmp_path):
  daemon = daemon_of_two
  daemon.do("remove-from-sale", "pro.monthly")
  assert daemon.ctl("buy", "u3", "pro.monthly").status == 3
  to(daemon, "2025-02-11T00:00:00Z")
  assert notifications(daemon)[-1] == (
    "2025-02-10T12:00:00Z", "EXPIRED/PRODUCT_NOT_FOR_SALE", 2)
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["renewalInfo"]["expirationIntent"] == 4


def test_case_82_b14_an_extension_moves_the_renewal(daemon_of_two):
  daemon = daemon_of_two
  said = daemon.do("extend", "u1", "10d").out
  assert "until 2025-02-20T12:00:00Z" in said
  to(daemon, "2025-02-19T00:00:00Z")
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["status"] == 1
  assert line["renewalInfo"]["renewalDate"] == moment("2025-02-20T12:00:00Z")
  assert line["transaction"]["expiresDate"] == moment("2025-02-20T12:00:00Z")
  daemon.do("extend", "u1", "1")
  third = daemon.ctl("extend", "u1", "1d")
  assert third.status == 4 and "twice in the last 365 days" in third.err
  to(daemon, "2025-02-21T12:00:00Z")
  last = daemon.json("history", "u1")["transactions"][-1]
  assert last["purchaseDate"] == moment("2025-02-21T12:00:00Z")
  assert last["expiresDate"] == moment("2025-03-21T12:00:00Z")
  assert [row[1] for row in notifications(daemon)] == [
    "SUBSCRIBED/INITIAL_BUY", "RENEWAL_EXTENDED", "RENEWAL_EXTENDED", "DID_RENEW"]
  for days in ["0", "91"]:
    wrong = daemon.ctl("extend", "u1", days)
    assert wrong.status == 2 and "say 1 to 90" in wrong.err


def test_case_83_all_are_extended_once(daemon_of_two):
  daemon = daemon_of_two
  daemon.do("cancel", "u2")
  daemon.do("expire", "u2")
  said = daemon.do("extend", "--all", "pro.monthly", "5d").out
  assert said.startswith("pro.monthly+5d: 1 of pro.monthly extended, 0 could not be")
  assert daemon.do("extend", "--all", "pro.monthly", "5d").out == said
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["transaction"]["expiresDate"] == moment("2025-02-15T12:00:00Z")
  last = daemon.json("log", "describe")["sequence"]
  event = daemon.json("log", "read", "--from", str(last), "--count", "1")["events"][0]
  assert (event["notificationType"], event["subtype"]) == ("RENEWAL_EXTENSION", "SUMMARY")
  assert (event["succeeded"], event["failed"]) == (1, 0)
