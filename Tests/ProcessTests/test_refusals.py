"""Every verb of a store, used wrongly as by a newcomer: a refusal says the rule and what to do.

What is typed wrongly exits 2, what is not there 3, what a rule forbids 4.
"""

import json

import pytest

import shop

FIRST = "2000000000000001"


@pytest.fixture(scope="module")
def store(binaries):
  """One shop for all rows, whose refusals change nothing: u1 has silver until 10 February 2025 and
  something for ever, u2 is a member of its family, u3 left, u4 owes its payment, u5 waits."""
  from process import Daemon, Folder
  folder = Folder()
  [offers] = shop.with_offers()["subscriptionGroups"]
  content = shop.catalogue(
    {
      "levels": [shop.subscription("gold", "P1M", "19.99"),
                 shop.subscription("silver", "P1M", "9.99", level=2)],
      "plus": offers["subscriptions"],
    },
    products=[shop.item("coins", "Consumable"),
              shop.item("lifetime", "NonConsumable", "49.99", shareable=True)])
  daemon = Daemon(binaries, folder, catalogue=content, clock="2024-12-10T12:00:00Z").start()
  for words in [
    "buy u3 silver", "cancel u3", "buy u4 silver", "billing fail u4", "advance 31d",
    "buy u1 silver", "buy u1 lifetime", "share u1 u2", "buy u6 silver", "refund u6",
    "asktobuy on u5", "buy u5 silver", "remove-from-sale gold", "buy u7 plus",
    "buy u8 silver", "advance 1month", "extend u8 5d", "extend u8 5d",
  ]:
    daemon.do(*words.split())
  yield daemon
  assert daemon.stop() == 0
  folder.remove()


EXPLAIN = "renewctl explain {} tells how the account came to that."

ROWS = [
  # What is sold, and to whom.
  ("buy u1 silver", 4, "the account is subscribed to this product already", EXPLAIN.format("u1")),
  ("buy u1 sliver", 3, "there is no product sliver; did you mean silver?",
   "renewctl products shows what is sold."),
  ("buy u9 gold", 3, "gold is not on sale any more", "renewctl products shows what is sold."),
  ("buy u1 silver --quantity 2", 2, "this quantity cannot be bought", "all else one by one"),
  ("buy u1 coins --quantity 11", 2, "this quantity cannot be bought", "1 to 10 at once"),
  ("buy u1 coins --clock system", 4, "the account lives on another clock", "clock attach moves"),
  ("buy u1 coins --clock none", 3, "there is no such clock", "renewctl clock list shows"),
  ("buy u1 coins --date 2030-01-01", 2, "cannot be dated later than its clock's time", ""),
  ("buy u1 coins --token abc", 2, "an appAccountToken is a UUID", ""),
  ("buy u1 coins --storefront XYZ", 2, "no storefront is called XYZ", "three letters"),
  ("buy u9 plus --offer half", 4, "never had one", EXPLAIN.format("u9")),
  ("buy u9 plus --offer none", 4, "plus has no offer called none", "--offer code:SPRING"),
  ("buy u9 coins --offer intro", 4, "only those have offers", EXPLAIN.format("u9")),
  ("buy u4 silver", 4, "waits for its payment; settle what it owes (billing resolve)",
   EXPLAIN.format("u4")),
  # Renewal.
  ("cancel u3", 3, "u3 has no running subscription", "renewctl status u3 shows what there is."),
  ("resume u1 --product plus", 3, "u1 has no running subscription to plus", "renewctl status u1"),
  ("cancel 9", 3, "there is no such subscription", "renewctl status ACCOUNT shows"),
  ("expire u3", 4, "the subscription is expired; it has ended already", EXPLAIN.format("u3")),
  ("renew u3", 4, "buying it again starts it anew", EXPLAIN.format("u3")),
  ("expire nobody", 3, "there is no such subscription", "renewctl status nobody shows"),
  # Money.
  (f"refund {FIRST}9", 3, "there is no such transaction", "renewctl status ACCOUNT shows"),
  ("refund u6", 4, "the transaction was refunded already, on 2025-01-10T12:00:00Z",
   EXPLAIN.format("u6")),
  ("refund u3 --percentage 101", 2, "say 1 to 100", ""),
  ("refund u3 --reason 7", 2, "say 0 (other) or 1 (an issue with the app)", ""),
  ("refund u1", 4, "candidates; name one with --transaction", "silver"),
  ("request-refund u6", 4, "the transaction was refunded already", EXPLAIN.format("u6")),
  ("decline-refund u3", 4, "no refund of the transaction is asked for", EXPLAIN.format("u3")),
  ("unrefund u3", 4, "the transaction is not refunded", EXPLAIN.format("u3")),
  ("refund u2", 4, "is a member's of Family Sharing; change the purchaser's",
   EXPLAIN.format("u2")),
  ("billing resolve u7", 4, "the subscription has no billing trouble", EXPLAIN.format("u7")),
  ("billing resolve", 2, "name one of an account, --transaction ID and --subscription ID", ""),
  ("billing pay u1", 2, "billing takes fail, ok or resolve, not pay", "example: renewctl billing"),
  ("billing fail nobody", 3, "there is no such subscription", "renewctl status nobody shows"),
  # Prices and ends.
  ("price announce silver 0.99", 2, "an increase is not below that", ""),
  ("price announce coins 5.99", 2, "only a subscription's price does", ""),
  ("price announce silver x", 2, "is no price", "such as 12.99"),
  ("price consent u7", 4, "no price increase waits for an answer", EXPLAIN.format("u7")),
  ("price raise silver 12", 2, "price takes announce, consent or decline", "example:"),
  ("extend u8 5d", 4, "extended twice in the last 365 days", EXPLAIN.format("u8")),
  ("extend u3 5d", 4, "expired", EXPLAIN.format("u3")),
  ("extend u8 91d", 2, "say 1 to 90", ""),
  ("extend u8 5d --reason 9", 2, "say 0 (undeclared)", ""),
  # Families.
  ("share u1 u1", 2, "an account does not share with itself", ""),
  ("share u1 u2", 4, "the account shares with that one already", EXPLAIN.format("u1")),
  ("share u2 u8", 4, "only a purchaser shares", EXPLAIN.format("u2")),
  ("share nobody u8", 3, "there is no such subscription", "renewctl status nobody shows"),
  ("unshare u1 u8", 4, "the account does not share with that one", EXPLAIN.format("u1")),
  ("unshare u1 u2 --cause bored", 2, "--cause takes turnedOff, memberLeft, purchaserLeft", ""),
  # What waits, and what fails at will.
  ("approve u1", 3, "nothing that u1 wants to buy waits for this", "renewctl pending lists"),
  ("resolve u5", 3, "nothing that u5 wants to buy waits for this", "renewctl pending lists"),
  ("asktobuy maybe", 2, "asktobuy takes on or off, not maybe", "example:"),
  ("fault purchase nothing", 2, "purchase fails with one of unknown, userCancelled", ""),
  # Time.
  ("rate monthly 4min", 2, "there is no rate monthly 4min", "1h, 30min, 15min, 5min, 3min, 30s"),
  ("rate slowly", 2, "there is no rate slowly", "renewctl rate --help says which there are."),
  ("advance 1d --clock system", 4, "the system's clock cannot be moved", "make a test clock"),
  ("clock attach u1 none", 3, "there is no such clock", "renewctl clock list"),
  ("clock accept default", 4, "the clock is not held", ""),
  ("status u1 --at someday", 2, '"someday" is no time', "write 2025-01-31T10:00:00Z"),
  # What only a record log does, and questions about nothing.
  (f"link u1 {FIRST}", 4, "the store sold this line itself", EXPLAIN.format("u1")),
  ("finish 9", 3, "there is no such transaction", "renewctl status ACCOUNT shows"),
  ("watch u1 --since 99999", 4, "the cursor is ahead of the log", "renewctl log describe says"),
  ("statsu u1", 2, "unknown verb statsu; did you mean status?", "renewctl help lists"),
]


@pytest.mark.parametrize("words, status, rule, advice", ROWS,
                         ids=[row[0].replace(" ", "-") for row in ROWS])
def test_a_refusal_says_the_rule_and_what_to_do(store, words, status, rule, advice):
  before = store.json("log", "describe")["sequence"]
  refused = store.ctl(*words.split())
  assert refused.status == status and refused.out == "", refused
  first, *rest = refused.err.splitlines()
  assert first.startswith("renewctl: ") and rule in refused.err, refused
  assert advice in refused.err, refused
  # A sentence for a person: no name of a type, no number of an error, nothing of JSON.
  assert "org." not in refused.err and "{" not in refused.err
  assert store.json("log", "describe")["sequence"] == before, "refused, and nothing happened"


def test_a_refusal_can_be_explained(store):
  """What the refusal names leads to the story that gave rise to it."""
  refused = store.ctl("refund", "u6")
  assert "renewctl explain u6" in refused.err
  story = store.do("explain", "u6").out
  assert "was refunded in full (9.99 USD)" in story and "2025-01-10T12:00:00Z" in story
  refused = store.ctl("buy", "u4", "silver")
  assert "renewctl explain u4" in refused.err
  assert "could not be paid" in store.do("explain", "u4").out


def test_programs_get_the_rule_as_data(store):
  refused = store.ctl("extend", "u8", "5d", "--json")
  assert refused.status == 4
  answer = json.loads(refused.err)
  assert answer["error"] == "org.renewd.NotPossible"
  assert answer["parameters"]["status"] == 1
  assert "365 days" in answer["parameters"]["reason"]
