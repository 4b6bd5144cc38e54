"""Refunds that are asked for, declined and given, by the real programs (Domain.md 1.3, 8).

All dates stand here by hand.
"""

import pytest

from test_life import drawn_of, levels, notifications, to
from moments import moment


@pytest.fixture
def paid(make_daemon):
  """Cases 48 to 53: two months of a subscription, both paid."""
  daemon = make_daemon(clock="2025-01-10T12:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  to(daemon, "2025-02-20T00:00:00Z")
  return daemon


def test_case_50_declined_then_granted(paid):
  said = paid.do("request-refund", "u1").out
  assert "pro.monthly" in said and "is asked for" in said
  again = paid.ctl("request-refund", "u1")
  assert again.status == 4 and "is asked for already" in again.err
  assert paid.ctl("status", "u1").status == 0
  paid.do("decline-refund", "u1")
  nothing = paid.ctl("decline-refund", "u1")
  assert nothing.status == 4 and "no refund of the transaction is asked for" in nothing.err
  assert paid.json("status", "u1")["subscriptions"][0]["renewalInfo"]["autoRenewStatus"] == 0
  to(paid, "2025-02-22T00:00:00Z")
  paid.do("refund", "u1", "--percentage", "50")
  assert paid.ctl("status", "u1").status == 1
  told = notifications(paid)
  assert told[2:] == [
    ("2025-02-20T00:00:00Z", "CONSUMPTION_REQUEST", 1),
    ("2025-02-20T00:00:00Z", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", 1),
    ("2025-02-20T00:00:00Z", "REFUND_DECLINED", 1),
    ("2025-02-22T00:00:00Z", "REFUND", 5),
  ]
  drawn = drawn_of(paid)
  assert "refund of pro.monthly asked for" in drawn
  assert "refund of pro.monthly declined" in drawn


def test_case_50_declined_it_ends_with_its_period(paid):
  paid.do("request-refund", "u1")
  paid.do("decline-refund", "u1")
  forecast = paid.json("status", "u1", "--at", "2025-03-10T12:00:00Z")
  assert forecast["subscriptions"][0]["renewalInfo"]["expirationIntent"] == 1
  to(paid, "2025-04-01T00:00:00Z")
  line = paid.json("status", "u1")["subscriptions"][0]
  assert line["status"] == 2
  assert line["transaction"]["expiresDate"] == moment("2025-03-10T12:00:00Z")


def test_case_48_an_older_period_is_refunded_and_the_line_goes_on(paid):
  first = paid.json("history", "u1")["transactions"][0]["transactionId"]
  paid.do("request-refund", "--transaction", first)
  paid.do("refund", "--transaction", first)
  assert paid.ctl("status", "u1").status == 0
  rows = paid.json("history", "u1")["transactions"]
  assert ["revocationDate" in row for row in rows] == [True, False]


def test_b43_a_refund_is_told_of_a_transaction_that_is_known(paid):
  current = paid.json("status", "u1")["subscriptions"][0]["transaction"]["transactionId"]
  paid.do("finish", current)
  paid.do("refund", current)
  rows = paid.json("history", "u1")["transactions"]
  assert [row["transactionId"] for row in rows].count(current) == 1
  assert rows[-1]["revocationDate"] == moment("2025-02-20T00:00:00Z")


def test_case_38_the_ledger_tells_what_an_upgrade_gave_back(make_daemon):
  daemon = make_daemon(catalogue=levels(), clock="2025-01-10T12:00:00Z").start()
  daemon.do("buy", "u1", "bronze")
  to(daemon, "2025-01-20T12:00:00Z")
  daemon.do("buy", "u1", "silver")
  to(daemon, "2025-02-20T12:00:00Z")
  daemon.do("refund", "u1", "--percentage", "50")
  entries = daemon.json("ledger", "u1")["entries"]
  assert [(row["kind"], row["amount"], row["balance"]) for row in entries] == [
    ("charge", 4990, 4990), ("proration", -3380, 1610), ("charge", 9990, 11600),
    ("charge", 9990, 21590), ("refund", -4995, 16595)]
  table = daemon.do("ledger", "u1").out
  assert table.splitlines()[0].split() == [
    "TIME", "WHAT", "AMOUNT", "BALANCE", "PRODUCT", "TRANSACTION", "EVENT"]
  assert "-3.38 USD" in table and "1.61 USD" in table
  told = daemon.do("explain", "u1").out
  assert "3.38 USD of it, the unused part, is given back" in told
