"""Restores by the real programs: Domain.md 8, cases 35 and 36.

All dates stand here by hand.
"""

import pytest

from moments import moment
from test_life import drawn_of, to

RESTORED = "2025-02-20T00:00:00Z"


@pytest.fixture
def paid(make_daemon):
  """Two months of a subscription, both paid, and a lasting purchase."""
  daemon = make_daemon(clock="2025-01-10T12:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("buy", "u1", "lifetime")
  daemon.do("buy", "u1", "coins")
  to(daemon, RESTORED)
  return daemon


def rows_of(daemon):
  return daemon.json("history", "u1")["transactions"]


def ids(rows):
  return [row["transactionId"] for row in rows]


def test_case_35_new_ids_and_nothing_else_new(paid):
  before = {row["originalTransactionId"]: row for row in rows_of(paid)}
  ledger = paid.json("ledger", "u1")["entries"]
  restored = paid.json("restore", "u1")["transactions"]
  assert [row["productId"] for row in restored] == ["pro.monthly", "lifetime"]
  for row in restored:
    old = before[row["originalTransactionId"]]
    assert int(row["transactionId"]) > max(int(known) for known in ids(before.values()))
    assert row["signedDate"] == moment(RESTORED)
    changed = {name for name in row if row[name] != old.get(name)}
    assert changed <= {"transactionId", "signedDate", "finished", "restored"}
  assert paid.json("ledger", "u1")["entries"] == ledger
  assert len(rows_of(paid)) == 4
  drawn = drawn_of(paid)
  assert "restored pro.monthly" in drawn and "restored lifetime" in drawn
  told = paid.do("explain", "u1").out
  assert f"On {RESTORED} the account restored pro.monthly: it is transaction" in told
  # No server is told, and the next renewal is as it would have been.
  assert not any(event["kind"] == "restored" and "notificationType" in event
                 for event in paid.json("log", "read")["events"])
  to(paid, "2025-03-10T12:00:00Z")
  newest = paid.json("status", "u1")["subscriptions"][0]["transaction"]
  assert newest["purchaseDate"] == moment("2025-03-10T12:00:00Z")
  assert newest["expiresDate"] == moment("2025-04-10T12:00:00Z")


def test_case_36_an_old_id_names_the_same_purchase_in_every_verb(paid):
  old = rows_of(paid)[-1]["transactionId"]
  first = paid.json("restore", "u1")["transactions"][0]["transactionId"]
  newest = paid.json("restore", "u1")["transactions"][0]["transactionId"]
  assert len({old, first, newest}) == 3
  for name in (old, first, newest):
    assert paid.do("verify", "u1", name, "pro.monthly").out.startswith("valid")
  paid.do("finish", old)
  assert {row["transactionId"]: row["finished"] for row in rows_of(paid)}[newest] is True
  refunded = paid.json("refund", first)["transaction"]
  assert refunded["transactionId"] == newest
  assert refunded["revocationDate"] == moment(RESTORED)
  assert paid.ctl("refund", old).status == 4
  paid.do("unrefund", old)
  paid.do("renew", first)
  assert ids(rows_of(paid)).count(newest) == 1


def test_case_35_the_same_request_gives_the_same_ids_after_a_kill(paid):
  answer = paid.json("restore", "u1", "--request-id", "r1")
  paid.do("restore", "u1", "--request-id", "r2")
  for _ in range(2):
    assert paid.json("restore", "u1", "--request-id", "r1") == answer
    paid.restart_killed()
  kinds = [event["kind"] for event in paid.json("log", "read")["events"]]
  assert kinds.count("restored") == 4
  other = paid.ctl("restore", "u2", "--request-id", "r1")
  assert other.status == 4


def test_the_verb_prints_a_table_or_that_there_is_nothing(paid):
  table = paid.do("restore", "u1").out.splitlines()
  assert table[0].split()[0] == "PURCHASED" and table[0].split()[-1] == "TRANSACTION"
  assert "pro.monthly" in table[1] and "lifetime" in table[2]
  assert table[3].startswith("restored 2 transactions of u1, #")
  signed = paid.do("restore", "u1", "--signed").out.splitlines()
  assert len(signed) == 2 and all(line.count(".") == 2 for line in signed)
  assert paid.do("restore", "nobody").out == "nobody has nothing to restore\n"
  paid.do("fault", "appStoreSync", "networkError")
  assert paid.ctl("restore", "u1").status != 0


def test_a_record_restores_nothing(make_daemon):
  daemon = make_daemon("--role", "record", catalogue=False, clock=None).start()
  refused = daemon.ctl("restore", "u1")
  assert refused.status == 4 and "a log of this role" in refused.err, refused
