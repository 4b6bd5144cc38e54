"""The future as `status --at`, `history --until` and `timeline --until` tell it.

It is marked as forecast, changes nothing, and then comes (Domain.md 1).

Each life is asked about while it lies ahead, against what was written by hand, and then lived.
"""

import pytest

import shop
from moments import text

START = "2025-01-10T12:00:00Z"
GRACE = ["--policy", "billingGracePeriod=16d"]

# The name of a life; the daemon's options; what is done; until when it is asked about; the
# transactions to come as product, beginning and price; the status then and whether it entitles;
# lines of the timeline.
LIVES = [
  ("renewals", [], "buy u1 silver", "2025-03-11",
   [("silver", "2025-02-10T12:00:00Z", 9990), ("silver", "2025-03-10T12:00:00Z", 9990)], 1, True,
   ["2025-03-10T12:00:00Z  will renew silver"]),
  ("cancelled", [], "buy u1 silver; cancel u1", "2025-03-11", [], 2, False,
   ["2025-02-10T12:00:00Z  will end: silver"]),
  ("a price told", [], "buy u1 silver; price announce silver 12.99", "2025-02-11",
   [("silver", "2025-02-10T12:00:00Z", 12990)], 1, True, ["will renew silver   12.99 USD"]),
  ("a price asked about", [], "buy u1 silver; price announce silver 12.99 --consent", "2025-02-11",
   [], 2, False, ["2025-02-10T12:00:00Z  will end unless the price is agreed to: silver"]),
  ("a price agreed to", [],
   "buy u1 silver; price announce silver 12.99 --consent; price consent u1", "2025-02-11",
   [("silver", "2025-02-10T12:00:00Z", 12990)], 1, True, ["12.99 USD"]),
  ("removed from sale", [], "buy u1 silver; remove-from-sale silver", "2025-03-11", [], 2, False,
   ["2025-02-10T12:00:00Z  will end: silver, product no longer sold"]),
  ("a trial", [], "buy u1 plus", "2025-02-18",
   [("plus", "2025-01-17T12:00:00Z", 9990), ("plus", "2025-02-17T12:00:00Z", 9990)], 1, True, []),
  ("an offer to come", [], "buy u1 plus; buy u1 plus --offer half", "2025-04-01",
   [("plus", "2025-01-17T12:00:00Z", 4990), ("plus", "2025-02-17T12:00:00Z", 4990),
    ("plus", "2025-03-17T12:00:00Z", 9990)], 1, True, []),
  ("a code behind a trial", [], "buy u1 plus --offer code:SPRING", "2025-04-01",
   [("plus", "2025-01-17T12:00:00Z", 7990), ("plus", "2025-03-17T12:00:00Z", 9990)], 1, True, []),
  ("a downgrade to come", [], "buy u1 gold; advance 10d; buy u1 silver", "2025-02-11",
   [("silver", "2025-02-10T12:00:00Z", 9990)], 1, True,
   ["2025-02-10T12:00:00Z  will change to silver"]),
  ("payments that fail", GRACE, "buy u1 silver; billing fail u1", "2025-02-20", [], 4, True,
   ["2025-02-10T12:00:00Z  payment will fail: silver, in grace until 2025-02-26T12:00:00Z"]),
  ("payments that fail for good", GRACE, "buy u1 silver; billing fail u1", "2025-06-01", [], 2,
   False, ["2025-02-10T12:00:00Z  payment will fail: silver"]),
  ("grace that ends", GRACE, "buy u1 silver; billing fail u1; advance 1month", "2025-03-01", [], 3,
   False, ["2025-02-26T12:00:00Z  grace will end unless paid: silver"]),
  ("renewed ahead", ["--policy", "renewalLead=10h"], "buy u1 silver", "2025-02-10T03:00:00Z",
   [("silver", "2025-02-10T12:00:00Z", 9990)], 1, True, []),
  ("renewed late", ["--policy", "renewalLag=2h"], "buy u1 silver", "2025-02-10T15:00:00Z",
   [("silver", "2025-02-10T14:00:00Z", 9990)], 1, True, []),
  ("a family's member", [], "buy u2 family; share u2 u1", "2025-02-11",
   [("family", "2025-02-10T12:00:00Z", 0)], 1, True, ["will renew family"]),
  ("a member whose purchaser cancelled", [], "buy u2 family; share u2 u1; cancel u2", "2025-02-11",
   [], 2, False, ["2025-02-10T12:00:00Z  will end: family"]),
  ("extended", [], "buy u1 silver; advance 1month; extend u1 10d", "2025-03-21",
   [("silver", "2025-03-20T12:00:00Z", 9990)], 1, True, []),
  ("at a sandbox's rate, to the last renewal", ["--profile", "sandbox"],
   "buy u1 silver; advance 52min", "2025-01-10T13:10:00Z",
   [("silver", "2025-01-10T12:55:00Z", 9990), ("silver", "2025-01-10T13:00:00Z", 9990)], 2, False,
   ["2025-01-10T13:05:00Z  will end: silver"]),
]


def facts(transactions):
  """What a transaction is, whether it has come yet or not."""
  return [(part["productId"], part["purchaseDate"], part["expiresDate"], part.get("price"),
           part["originalTransactionId"], part.get("offerIdentifier")) for part in transactions]


@pytest.mark.parametrize("options, words, until, coming, status, entitled, drawn",
                         [life[1:] for life in LIVES],
                         ids=[life[0].replace(" ", "-") for life in LIVES])
def test_what_is_forecast_is_told_so_and_comes(
    make_daemon, options, words, until, coming, status, entitled, drawn):
  daemon = make_daemon(*options, catalogue=shop.with_plans(), clock=START).start()
  for command in words.split("; "):
    daemon.do(*command.split())
  sequence = daemon.json("log", "describe")["sequence"]
  ahead = daemon.json("status", "u1", "--at", until)
  [line] = ahead["subscriptions"]
  assert (ahead["basis"], line["status"], ahead["entitled"]) == ("forecast", status, entitled)
  told = daemon.json("history", "u1", "--until", until)["transactions"]
  future = [part for part in told if part["forecast"]]
  assert told[len(told) - len(future):] == future
  assert [(part["productId"], text(part["purchaseDate"]), part["price"])
          for part in future] == coming
  screen = daemon.do("timeline", "u1", "--until", until).out
  squeezed = " ".join(screen.split())
  for row in drawn:
    assert " ".join(row.split()) in squeezed, screen
  # What has happened has its number; what has not has none.
  rows = [row for row in screen.splitlines()[2:] if row.startswith("20")]
  assert all((" will " in row) != ("#" in row) for row in rows), screen
  assert daemon.json("log", "describe")["sequence"] == sequence, "a forecast changes nothing"
  daemon.do("advance", until)
  assert facts(daemon.json("history", "u1")["transactions"]) == facts(told)
  [now] = daemon.json("status", "u1")["subscriptions"]
  assert (now["status"], now["entitled"]) == (line["status"], line["entitled"])
  assert now["renewalInfo"] == {**line["renewalInfo"],
                                "signedDate": now["renewalInfo"]["signedDate"]}


@pytest.mark.parametrize("options, words, sentence", [
  ([], "buy u1 silver", "until 2025-02-10T12:00:00Z, then it renews"),
  ([], "buy u1 gold; buy u1 silver", "then it becomes silver"),
  ([], "buy u1 silver; remove-from-sale silver", "then it ends (product no longer sold)"),
  ([], "buy u1 silver; billing fail u1", "then its payment will fail"),
  (["--profile", "sandbox"], "buy u1 silver; advance 61min",
   "then it ends (renewed as often as the store lets it)"),
  (["--policy", "renewalLag=2h"], "buy u1 silver; billing fail u1", "then its payment will fail"),
  (["--policy", "renewalLag=2h"], "buy u1 silver", "then it renews"),
  ([], "buy u1 silver; price announce silver 12 --consent",
   "then it ends unless its higher price is agreed to"),
  ([], "buy u1 silver; price announce silver 12 --consent; remove-from-sale silver",
   "then it ends (product no longer sold)"),
  (["--policy", "renewalCap=1"], "buy u1 silver; advance 3month",
   "expired on 2025-03-10T12:00:00Z (renewed as often as the store lets it)"),
  (["--policy", "renewalCap=1"], "buy u1 silver; cancel u1; advance 3month",
   "expired on 2025-02-10T12:00:00Z (cancelled)"),
  ([], "buy u1 silver; advance 1d; expire u1",
   "expired on 2025-01-11T12:00:00Z (made to expire before its end)"),
  ([], "buy u1 silver; expire u1",
   "expired on 2025-01-10T12:00:00Z (made to expire before its end)"),
  # Another subscription of the account renews more often than a forecast follows.
  (["--policy", "renewalRate=oneRenewalEveryTwoSeconds"],
   "buy u1 family; rate realTime; buy u1 silver; rate oneRenewalEveryTwoSeconds",
   "then it renews"),
])
def test_a_status_says_how_it_will_go_on(make_daemon, options, words, sentence):
  daemon = make_daemon(*options, catalogue=shop.with_plans(), clock=START).start()
  for command in words.split("; "):
    daemon.do(*command.split())
  sequence = daemon.json("log", "describe")["sequence"]
  for verb in "status", "timeline":
    outcome = daemon.ctl(verb, "u1")
    # 1 is of a status that does not entitle.
    assert outcome.status in ((0, 1) if verb == "status" else (0,)), outcome
    assert outcome.out.splitlines()[0].endswith(sentence)
  assert daemon.json("log", "describe")["sequence"] == sequence


# What is done, and the timeline's lines then, of what has happened or is to come.
TIMELINES = [
  (["--policy", "renewalLag=2h"], "buy u1 silver; billing fail u1",
   ["2025-02-10T14:00:00Z  payment will fail: silver"]),
  (["--policy", "renewalLag=2h"], "buy u1 silver; advance 2025-02-10T12:00:00Z",
   ["2025-02-10T14:00:00Z  will renew silver"]),
  (["--policy", "renewalLag=2h"],
   "buy u1 silver; billing fail u1; advance 2025-02-10T12:00:00Z",
   ["2025-02-10T14:00:00Z  payment will fail: silver"]),
  (["--policy", "renewalLead=1d"], "buy u1 silver; billing fail u1",
   ["payments of renewals fail from now on", "2025-02-10T12:00:00Z  payment will fail: silver"]),
  (["--policy", "renewalLead=1d"], "buy u1 silver", ["2025-02-10T12:00:00Z  will renew silver"]),
  (["--policy", "renewalCap=1"], "buy u1 silver; advance 2month",
   ["2025-03-10T12:00:00Z  expired silver: renewed as often as the store lets it"]),
  (["--policy", "renewalCap=1"], "buy u1 silver; advance 40d; cancel u1; advance 1month",
   ["2025-03-10T12:00:00Z  expired silver: cancelled"]),
  ([], "buy u2 family; share u2 u1; cancel u2; advance 2month",
   ["2025-02-10T12:00:00Z  expired family: cancelled"]),
  ([], "buy u1 silver; advance 1d; expire u1",
   ["2025-01-11T12:00:00Z  expired silver: made to expire before its end"]),
  ([], "buy u1 silver; price announce silver 12 --consent; remove-from-sale silver",
   ["2025-02-10T12:00:00Z  will end: silver, product no longer sold"]),
  ([], "buy u1 gold; buy u1 silver; advance 2month",
   ["2025-02-10T12:00:00Z  changed to silver", "2025-03-10T12:00:00Z  renewed silver"]),
  ([], "interrupt on u1; buy u1 silver", ["2025-01-10T12:00:00Z  the purchase of silver waits"]),
]


@pytest.mark.parametrize("options, words, drawn", TIMELINES)
def test_a_timeline_says_what_was_and_what_comes(make_daemon, options, words, drawn):
  daemon = make_daemon(*options, catalogue=shop.with_plans(), clock=START).start()
  for command in words.split("; "):
    daemon.do(*command.split())
  squeezed = " ".join(daemon.do("timeline", "u1").out.split())
  for row in drawn:
    assert " ".join(row.split()) in squeezed, squeezed
