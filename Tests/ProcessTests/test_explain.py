"""Who reads nothing but `renewctl explain` can name the status, its cause and the next date.

Lives of many kinds, each on a shop of its own whose clock begins on 10 January 2025 at noon. What
stands beside a life was written by hand from Domain.md 1; the reader knows five plain phrases and
nothing else of renewd.
"""

import re

import pytest

import shop
from told import NEVER, Told

GRACE = ["--policy", "billingGracePeriod=16d"]
# The sandbox's own rate.
FAST = ["--policy", "renewalRate=monthlyRenewalEveryFiveMinutes"]
CAP = ["--policy", "renewalCap=1"]


# The name of a life; the daemon's options; what is done; for each subscription its status, whether
# it entitles, words of the cause, the next date, words of what comes then.
LIVES = [
  ("active", [], "buy u1 silver; advance 20d",
   {"silver": ("active", True, "from 2025-01-10T12:00:00Z to 2025-02-10T12:00:00Z, bought for "
               "9.99 USD, is not over", "2025-02-10T12:00:00Z", "will renew then for 9.99 USD")}),
  ("cancelled", [], "buy u1 silver; advance 2d; cancel u1",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "its renewal is turned off, so it will expire then")}),
  ("expired", [], "buy u1 silver; cancel u1; advance 2month",
   {"silver": ("expired", False,
               "expired on 2025-02-10T12:00:00Z because its renewal had been turned off", NEVER,
               "buying in its group again continues")}),
  ("in grace", GRACE, "buy u1 silver; billing fail u1; advance 1month; advance 5d",
   {"silver": ("billing grace period", True, "the renewal could not be paid",
               "2025-02-26T12:00:00Z", "its grace period will end then")}),
  ("in retry after grace", GRACE, "buy u1 silver; billing fail u1; advance 2month",
   {"silver": ("billing retry", False, "was over on 2025-02-10T12:00:00Z and the renewal could "
               "not be paid", "2025-04-11T12:00:00Z", "it will expire, unless the payment")}),
  ("payments that fail", [], "buy u1 silver; billing fail u1",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "that payment will fail unless")}),
  ("recovered in grace", GRACE,
   "buy u1 silver; billing fail u1; advance 1month; advance 5d; billing resolve u1",
   {"silver": ("active", True, "from 2025-02-10T12:00:00Z to 2025-03-10T12:00:00Z",
               "2025-03-10T12:00:00Z", "will renew then for 9.99 USD")}),
  ("recovered in retry", [],
   "buy u1 silver; billing fail u1; advance 1month; advance 5d; billing resolve u1",
   {"silver": ("active", True, "from 2025-02-15T12:00:00Z to 2025-03-15T12:00:00Z",
               "2025-03-15T12:00:00Z", "will renew then for 9.99 USD")}),
  ("retry exhausted", GRACE, "buy u1 silver; billing fail u1; advance 6month",
   {"silver": ("expired", False, "over on 2025-02-10T12:00:00Z, and it expired on "
               "2025-04-11T12:00:00Z because its renewal could not be paid", NEVER, "")}),
  ("cancelled in retry", [],
   "buy u1 silver; billing fail u1; advance 1month; advance 5d; cancel u1",
   {"silver": ("expired", False, "it expired on 2025-02-15T12:00:00Z because its renewal could "
               "not be paid and was then turned off", NEVER, "")}),
  ("a price to agree to", [], "buy u1 silver; price announce silver 12.99 --consent",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "will expire then, unless the account agrees to the new price of 12.99 USD")}),
  ("a price declined", [], "buy u1 silver; price announce silver 12.99 --consent; price decline u1",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "its renewal is turned off, so it will expire then")}),
  ("a price unanswered", [],
   "buy u1 silver; price announce silver 12.99 --consent; advance 2month",
   {"silver": ("expired", False, "expired on 2025-02-10T12:00:00Z because a price increase was "
               "not agreed to", NEVER, "")}),
  ("a price told", [], "buy u1 silver; price announce silver 12.99",
   {"silver": ("active", True, "bought for 9.99 USD", "2025-02-10T12:00:00Z",
               "will renew then for 12.99 USD")}),
  ("to be removed from sale", [], "buy u1 silver; remove-from-sale silver",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "will expire then, since silver is not on sale any more")}),
  ("removed from sale", [], "buy u1 silver; remove-from-sale silver; advance 2month",
   {"silver": ("expired", False, "expired on 2025-02-10T12:00:00Z because its product was no "
               "longer on sale", NEVER, "")}),
  ("refunded", [], "buy u1 silver; advance 5d; refund u1 --reason 1",
   {"silver": ("revoked", False, "refunded in full (9.99 USD) for an issue with the app on "
               "2025-01-15T12:00:00Z", NEVER, "buying in its group again")}),
  ("refund reversed", [], "buy u1 silver; advance 5d; refund u1; advance 5d; unrefund u1",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z", "will renew then")}),
  ("refund reversed too late", [],
   "buy u1 silver; advance 5d; refund u1; advance 2month; unrefund u1",
   {"silver": ("expired", False, "over on 2025-02-10T12:00:00Z, and it expired on "
               "2025-03-15T12:00:00Z because its refund was taken back only when", NEVER, "")}),
  ("upgraded", [], "buy u1 silver; advance 10d; buy u1 gold",
   {"gold": ("active", True, "from 2025-01-20T12:00:00Z to 2025-02-20T12:00:00Z, bought for "
             "19.99 USD", "2025-02-20T12:00:00Z", "will renew then for 19.99 USD")}),
  ("a downgrade to come", [], "buy u1 gold; advance 10d; buy u1 silver",
   {"gold": ("active", True, "to 2025-02-10T12:00:00Z, bought for 19.99 USD",
             "2025-02-10T12:00:00Z", "will renew then as silver for 9.99 USD")}),
  ("a free trial", [], "buy u1 plus",
   {"plus": ("active", True, "bought as a free trial of 1 week", "2025-01-17T12:00:00Z",
             "will renew then for 9.99 USD, for 1 month more")}),
  ("a promotional offer to come", [], "buy u1 plus; buy u1 plus --offer half",
   {"plus": ("active", True, "is not over", "2025-01-17T12:00:00Z",
             "will renew then for 4.99 USD (promotional offer half)")}),
  ("a promotional offer running", [], "buy u1 plus; buy u1 plus --offer half; advance 1w",
   {"plus": ("active", True, "bought at the promotional price of 4.99 USD a period, for 2 months "
             "in all (promotional offer half)", "2025-02-17T12:00:00Z",
             "for 4.99 USD (still the promotional price)")}),
  ("a code running", [], "buy u1 plus --offer code:SPRING; advance 10d",
   {"plus": ("active", True, "bought at the offer code price of 7.99 USD, paid up front for 2 "
             "months (offer code SPRING)", "2025-03-17T12:00:00Z", "renew then for 9.99 USD")}),
  ("won back", [], "buy u1 plus; cancel u1; advance 3month; buy u1 plus --offer win-back:return",
   {"plus": ("active", True, "bought at the win-back price of 1.99 USD a period, for 1 month in "
             "all (win-back offer return)", "2025-05-10T12:00:00Z", "renew then for 9.99 USD")}),
  ("a family's member", [], "buy u2 family; share u2 u1",
   {"family": ("active", True, "had by Family Sharing, is not over", "2025-02-10T12:00:00Z",
               "will renew then with the purchaser's")}),
  ("a member who left", [], "buy u2 family; share u2 u1; advance 5d; unshare u2 u1",
   {"family": ("revoked", False, "taken away on 2025-01-15T12:00:00Z because Family Sharing ended",
               NEVER, "a purchaser of it shares again")}),
  ("a member whose purchaser was refunded", [],
   "buy u2 family; share u2 u1; advance 5d; refund u2",
   {"family": ("revoked", False, "taken away on 2025-01-15T12:00:00Z because u2 had it no longer "
               "to share", NEVER, "u2 subscribes to it again")}),
  ("a member with a plan of its own", [],
   "buy u2 family; buy u1 silver; share u2 u1; cancel u1 --product silver",
   {"silver": ("active", True, "bought for 9.99 USD", "2025-02-10T12:00:00Z", "will expire then"),
    "family": ("active", True, "had by Family Sharing", "2025-02-10T12:00:00Z",
               "will renew then with the purchaser's")}),
  ("a member whose purchaser is asked for more", [],
   "buy u2 family; share u2 u1; price announce family 17.99 --consent",
   {"family": ("active", True, "had by Family Sharing", "2025-02-10T12:00:00Z",
               "will expire then, unless u2 agrees to the new price of 17.99 USD before")}),
  ("a member whose purchaser's payments fail", [],
   "buy u2 family; share u2 u1; billing fail u2",
   {"family": ("active", True, "had by Family Sharing", "2025-02-10T12:00:00Z",
               "u2's payment will fail then unless u2's payments are made to succeed")}),
  ("a member whose purchaser cancelled", [], "buy u2 family; share u2 u1; cancel u2",
   {"family": ("active", True, "had by Family Sharing", "2025-02-10T12:00:00Z",
               "u2's renewal of it is turned off, so it will expire then")}),
  ("a member whose product is off sale", [],
   "buy u2 family; share u2 u1; remove-from-sale family",
   {"family": ("active", True, "had by Family Sharing", "2025-02-10T12:00:00Z",
               "will expire then, since family is not on sale any more")}),
  ("a member under a cap", CAP,
   "buy u2 family; advance 1month; share u2 u1",
   {"family": ("active", True, "had by Family Sharing", "2025-03-10T12:00:00Z",
               "u2's has renewed as often as this store lets it (1 time), so it will expire")}),
  ("a member after a cap", CAP,
   "buy u2 family; share u2 u1; advance 1month; renew u2; advance 2month",
   {"family": ("expired", False, "expired on 2025-03-10T12:00:00Z because u2's had renewed as "
               "often as this store lets it", NEVER, "u2 subscribes to it again")}),
  ("renewed oftener than a cap", CAP, "buy u1 silver; advance 1month; renew u1; advance 2month",
   {"silver": ("expired", False, "expired on 2025-03-10T12:00:00Z because it had renewed 2 times, "
               "and this store's limit is 1", NEVER, "")}),
  ("extended", [], "buy u1 silver; advance 1month; extend u1 10d",
   {"silver": ("active", True, "from 2025-02-10T12:00:00Z to 2025-03-20T12:00:00Z",
               "2025-03-20T12:00:00Z", "will renew then")}),
  ("approved", [], "asktobuy on u1; buy u1 silver; advance 3d; approve u1",
   {"silver": ("active", True, "from 2025-01-13T12:00:00Z to 2025-02-13T12:00:00Z",
               "2025-02-13T12:00:00Z", "will renew then")}),
  ("at a sandbox's rate", FAST, "buy u1 silver; advance 12min",
   {"silver": ("active", True, "from 2025-01-10T12:10:00Z to 2025-01-10T12:15:00Z",
               "2025-01-10T12:15:00Z", "for 1 month more at that rate")}),
  ("renewed as often as a sandbox does", ["--profile", "sandbox"], "buy u1 silver; advance 2h",
   {"silver": ("expired", False, "expired on 2025-01-10T13:05:00Z because it had renewed as often "
               "as this store lets it (12 times)", NEVER, "")}),
  ("two lines after retry", [], "buy u1 silver; billing fail u1; advance 1month; advance 5d; "
   "billing ok u1; buy u1 gold",
   {"silver": ("billing retry", False, "the renewal could not be paid", "2025-02-16T12:00:00Z",
               "it is to be charged again then for 9.99 USD, and will renew, unless"),
    "gold": ("active", True, "from 2025-02-15T12:00:00Z to 2025-03-15T12:00:00Z",
             "2025-03-15T12:00:00Z", "will renew then for 19.99 USD")}),
  ("dealt with late", ["--policy", "renewalLag=2h"], "buy u1 silver; advance 1month",
   {"silver": ("expired", False, "its renewal is still to be dealt with", "2025-02-10T14:00:00Z",
               "will renew then for 9.99 USD")}),
  ("restored", [], "buy u1 silver; advance 20d; restore u1",
   {"silver": ("active", True, "from 2025-01-10T12:00:00Z to 2025-02-10T12:00:00Z",
               "2025-02-10T12:00:00Z", "will renew then for 9.99 USD")}),
  ("a refund asked for", [], "buy u1 silver; request-refund u1",
   {"silver": ("active", True, "is not over", "2025-02-10T12:00:00Z",
               "its renewal is turned off, so it will expire then")}),
  ("made to expire", [], "buy u1 silver; advance 5d; expire u1",
   {"silver": ("expired", False, "expired on 2025-01-15T12:00:00Z because a tester made it expire",
               NEVER, "")}),
]


def live(make_daemon, options, words):
  daemon = make_daemon(*options, catalogue=shop.with_plans(), clock="2025-01-10T12:00:00Z").start()
  for command in words.split("; "):
    daemon.do(*command.split())
  return Told(daemon.do("explain", "u1").out)


@pytest.mark.parametrize("options, words, expected", [life[1:] for life in LIVES],
                         ids=[life[0].replace(" ", "-") for life in LIVES])
def test_a_reader_names_status_cause_and_next_date(make_daemon, options, words, expected):
  told = live(make_daemon, options, words)
  assert set(told.things) == set(expected), told.lines
  for product, (status, entitles, cause, next_date, comes) in expected.items():
    found = told.things[product]
    assert found[:2] == [status, entitles], told.lines
    assert cause in found[2], told.lines
    assert found[3] == next_date, told.lines
    assert comes in found[4], told.lines
  assert told.entitled == any(row[1] for row in expected.values())
  # Each sentence of what happened says when, and which event of the log it is; the numbers rise.
  story = told.lines[:told.lines.index(told.now)]
  assert story == told.events
  assert all(re.match(r"(On|From) 2025-\d\d-\d\dT", line) for line in story)
  numbers = [int(re.search(r"#(\d+)", line)[1]) for line in story]
  assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("words, phrases", [
  ("buy u1 gold; buy u1 silver; advance 6month",
   ["On 2025-02-10T12:00:00Z gold changed to silver for 9.99 USD, until 2025-03-10T12:00:00Z",
    "From 2025-03-10T12:00:00Z to 2025-07-10T12:00:00Z silver renewed 5 times, each time"]),
  ("buy u1 gold; cancel u1; buy u1 silver",
   ["chose silver instead of gold, from the next renewal on 2025-02-10T12:00:00Z; its renewal, "
    "which was turned off, is on again."]),
  ("buy u1 plus; buy u1 plus --offer half; buy u1 base; buy u1 plus",
   ["chose base instead of plus, from the next renewal on 2025-01-17T12:00:00Z; the promotional "
    "offer half that waited for the next renewal is given up.",
    "chose to stay with plus after all: it renews for 9.99 USD on 2025-01-17T12:00:00Z."]),
  ("buy u1 plus; buy u1 plus --offer half; buy u1 plus --offer gift",
   ["as a free trial of 1 month (promotional offer gift); the promotional offer half that waited "
    "for the next renewal is given up. Until then nothing changes."]),
  ("buy u1 gold; buy u1 silver; billing fail u1; advance 1month; billing resolve u1",
   ["the payment for the change from gold to silver succeeded for 9.99 USD"]),
  ("buy u1 silver; buy u1 lifetime" + "; restore u1" * 5,
   ["From 2025-01-10T12:00:00Z on, the account restored silver 5 times, last on "
    "2025-01-10T12:00:00Z; it is transaction 2000000000000011 since then",
    "the account restored lifetime 5 times, last on 2025-01-10T12:00:00Z; it is transaction "
    "2000000000000012 since then"]),
  ("asktobuy on u1; asktobuy off u1",
   ["On 2025-01-10T12:00:00Z the account's purchases need no approval any more"]),
], ids=["plan-begun", "turned-on-by-a-plan", "offer-given-up", "offer-replaced",
        "change-paid-late", "restores", "no-approval"])
def test_an_event_is_told_with_what_it_changed(make_daemon, words, phrases):
  told = live(make_daemon, [], words)
  for phrase in phrases:
    assert sum(phrase in line for line in told.events) == 1, told.lines


@pytest.mark.parametrize("words, entitled, phrases", [
  ("buy u1 lifetime", True,
   ["lifetime (transaction 2000000000000001), a non-consumable bought on 2025-01-10T12:00:00Z for "
    "49.99 USD, entitles for ever: it is not refunded, and there is no next date for it."]),
  ("buy u1 lifetime; refund u1", False,
   ["does not entitle: it was refunded in full (49.99 USD) on 2025-01-10T12:00:00Z. There is no "
    "next date for it."]),
  ("buy u1 season", False, ["is listed for ever and does not by itself entitle"]),
  ("buy u1 coins --quantity 3", False,
   ["3 of coins, a consumable, for 2.97 USD", "it waits to be finished", "never entitle"]),
  ("asktobuy on u1; buy u1 silver", False,
   ["A purchase of silver waits for approval since 2025-01-10T12:00:00Z",
    "there is no next date for it: it waits until it is approved or declined."]),
  ("asktobuy on u1; buy u1 silver; decline u1", False,
   ["the purchase of silver that waited (pending 2000000000000001) was declined"]),
  ("interrupt on u1; buy u1 silver", False,
   ["A purchase of silver was interrupted and waits since 2025-01-10T12:00:00Z",
    "it waits until it is resolved."]),
], ids=["lasting", "lasting-refunded", "season", "coins", "waiting", "declined", "interrupted"])
def test_what_is_no_subscription_is_told_too(make_daemon, words, entitled, phrases):
  told = live(make_daemon, [], words)
  assert told.entitled == entitled and not told.things
  for phrase in phrases:
    assert any(phrase in line for line in told.lines), told.lines


def test_an_account_never_seen_is_told_so(daemon):
  assert daemon.do("explain", "nobody").out.splitlines() == [
    "This account has never bought anything here, so it is not entitled."]


def test_what_led_there_is_told_with_its_cause(make_daemon):
  """The sentences of events whose cause the state alone does not hold."""
  told = live(make_daemon, [], "buy u1 silver; price announce silver 12.99 --consent; "
                               "price decline u1")
  assert "was turned off, its higher price not agreed to; its period lasts until" in told.events[-1]


def test_a_refund_that_is_asked_for_is_told_until_it_is_decided(make_daemon):
  daemon = make_daemon(clock="2025-01-10T12:00:00Z", catalogue=shop.with_plans()).start()
  open_question = ("A refund of transaction 2000000000000001 is asked for since "
                   "2025-01-10T12:00:00Z: it is to be granted or declined.")
  daemon.do("buy", "u1", "silver")
  daemon.do("request-refund", "u1")
  assert open_question in daemon.do("explain", "u1").out
  daemon.do("decline-refund", "u1")
  assert "is asked for since" not in daemon.do("explain", "u1").out


def test_an_upgrades_money_is_told(make_daemon):
  daemon = make_daemon(catalogue=shop.with_plans(), clock="2025-01-10T12:00:00Z").start()
  for words in ["buy u1 silver", "advance 10d", "buy u1 gold"]:
    daemon.do(*words.split())
  daemon.do("refund", "--transaction", "2000000000000001")
  told = Told(daemon.do("explain", "u1").out)
  # 21 of 31 days of 9.99 were not used.
  assert "6.767 USD of it, the unused part, is given back" in told.events[-2]
  assert "in full (3.223 USD, what an upgrade had left of its price)" in told.events[-1]
  drawn = daemon.do("timeline", "u1").out
  assert "upgraded to gold, 6.767 USD of silver given back" in drawn
  assert "-3.223 USD" in drawn and "-9.99 USD" not in drawn
