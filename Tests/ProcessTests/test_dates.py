"""The dates of a subscription, from purchase to the end of a year, through the command line.

Expected dates come from moments.py, which counts on its own calendar, or stand here by hand.
"""

import json
import pathlib
import shlex

import pytest

import shop
from moments import add, moment, text
from process import CLOCK, run

STOREKIT = pathlib.Path(__file__).resolve().parents[3] / "shared" / "storekit"


def run_shop(binaries, folder, content, script, clock=CLOCK, environment=None):
  """`renewctl run` with a catalogue, a clock and a shell script; how it ended."""
  path = content
  if isinstance(content, dict):
    path = shop.write(folder / "shop.storekit", content)
  return run([binaries / "renewctl", "run", "--catalog", path, "--clock", clock, "--", "sh", "-c",
              script], environment)


def year_of(entries, folder):
  """A script that buys each subscription for an account of its own, lets a year go by, and
  writes each account's history."""
  lines = ["set -e"]
  for number, entry in enumerate(entries):
    lines.append(f"renewctl buy u{number} {shlex.quote(entry['productID'])} > /dev/null")
  lines.append("renewctl advance 1y > /dev/null")
  for number, _ in enumerate(entries):
    lines.append(f"renewctl history u{number} --json")
  return "\n".join(lines)


def check_year(outcome, entries, start):
  assert outcome.status == 0, outcome
  histories = [json.loads(line)["transactions"] for line in outcome.out.splitlines()]
  assert len(histories) == len(entries)
  for entry, history in zip(entries, histories):
    ends = shop.expected_ends(entry, start, add(start, "P1Y"))
    name = entry["productID"]
    assert [text(part["expiresDate"]) for part in history] == [text(end) for end in ends], name
    # Periods tile: each begins where the one before it ended.
    assert [part["purchaseDate"] for part in history] == [start, *ends[:-1]], name
    assert [part["transactionReason"] for part in history] == (
      ["purchase"] + ["renewal"] * (len(ends) - 1)), name
    assert {part["originalPurchaseDate"] for part in history} == {start}
    assert len({part["transactionId"] for part in history}) == len(history)
    assert {part["originalTransactionId"] for part in history} == {history[0]["transactionId"]}


def every_kind():
  """A subscription of each period, without an offer and with one of each payment mode."""
  offers = {
    "plain": lambda period: None,
    "free3d": lambda period: shop.introduction("free", "P3D"),
    "free1w": lambda period: shop.introduction("free", "P1W"),
    "free1m": lambda period: shop.introduction("free", "P1M"),
    "free1y": lambda period: shop.introduction("free", "P1Y"),
    "go3": lambda period: shop.introduction("payAsYouGo", period, 3),
    "front2m": lambda period: shop.introduction("payUpFront", "P2M"),
    "front2w": lambda period: shop.introduction("payUpFront", "P2W"),
  }
  groups = {}
  for name, offer in offers.items():
    for period in shop.PERIODS:
      product = f"{name}.{period.lower()}"
      groups[product] = [shop.subscription(product, period, intro=offer(period))]
  return shop.catalogue(groups)


@pytest.mark.parametrize("clock", ["2025-01-31T10:00:00Z", "2023-12-31T23:59:59Z"])
def test_a_year_of_every_period_and_every_introductory_offer(binaries, folder, clock):
  content = every_kind()
  entries = list(shop.subscriptions(content))
  assert len(entries) == 48
  outcome = run_shop(binaries, folder, content, year_of(entries, folder), clock)
  check_year(outcome, entries, moment(clock))


def test_a_year_of_every_subscription_of_every_real_file(binaries, folder):
  """Public Xcode files, where there are any beside the repository."""
  files = sorted(STOREKIT.glob("*.storekit"))
  if not files:
    print(f"there are no files in {STOREKIT}: nothing to try")
    return
  tried = 0
  for path in files:
    entries = list(shop.subscriptions(json.loads(path.read_text())))
    if entries:
      outcome = run_shop(binaries, folder, path, year_of(entries, folder))
      try:
        check_year(outcome, entries, moment(CLOCK))
      except AssertionError as failure:
        raise AssertionError(f"{path.name}: {failure}") from failure
      tried += 1
  assert tried > 0


# Domain.md 2.3, the rows of the calendar in UTC: period, start, ends of the first periods.
VECTORS = [
  ("P1M", "2025-01-31T18:00:00Z", ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31",
                                   "2025-06-30"]),
  ("P1M", "2024-01-30T18:00:00Z", ["2024-02-29", "2024-03-30", "2024-04-30"]),
  ("P2M", "2024-12-31T18:00:00Z", ["2025-02-28", "2025-04-30", "2025-06-30", "2025-08-31"]),
  ("P3M", "2024-11-30T18:00:00Z", ["2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30"]),
  ("P6M", "2024-08-31T18:00:00Z", ["2025-02-28", "2025-08-31", "2026-02-28"]),
  ("P1Y", "2024-02-29T18:00:00Z", ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
  ("P1W", "2024-02-26T18:00:00Z", ["2024-03-04", "2024-03-11", "2024-03-18"]),
]


@pytest.mark.parametrize("period, start, days", VECTORS)
def test_the_table_of_dates(binaries, folder, period, start, days):
  content = shop.catalogue({"group": [shop.subscription("product", period)]})
  last = add(moment(start), period, len(days) - 1)
  script = f"renewctl buy u1 product && renewctl advance --to {text(last)}"
  outcome = run_shop(binaries, folder, content, f"({script}) > /dev/null && "
                     "renewctl history u1 --json", start)
  assert outcome.status == 0, outcome
  ends = [text(part["expiresDate"]) for part in outcome.json()["transactions"]]
  assert ends == [f"{day}T18:00:00Z" for day in days]


# The rows in the calendar of the US west coast, and under the other policy.
POLICIES = [
  ("calendarTimeZone=America/Los_Angeles", "P1M", "2025-01-31T18:00:00Z",
   ["2025-02-28T18:00:00Z", "2025-03-31T17:00:00Z", "2025-04-30T17:00:00Z",
    "2025-05-31T17:00:00Z"]),
  ("calendarTimeZone=America/Los_Angeles", "P1M", "2025-01-31T02:00:00Z",
   ["2025-03-01T02:00:00Z", "2025-03-31T01:00:00Z", "2025-05-01T01:00:00Z"]),
  ("calendarTimeZone=America/Los_Angeles", "P1M", "2025-10-20T16:00:00Z",
   ["2025-11-20T17:00:00Z", "2025-12-20T17:00:00Z"]),
  ("monthEnd=chained", "P1M", "2025-01-31T18:00:00Z",
   ["2025-02-28T18:00:00Z", "2025-03-28T18:00:00Z", "2025-04-28T18:00:00Z"]),
  ("monthEnd=chained", "P1Y", "2024-02-29T18:00:00Z",
   ["2025-02-28T18:00:00Z", "2026-02-28T18:00:00Z", "2027-02-28T18:00:00Z",
    "2028-02-28T18:00:00Z"]),
]


@pytest.mark.parametrize("policy, period, start, ends", POLICIES)
def test_policies_choose_calendar_and_month_end(make_daemon, policy, period, start, ends):
  content = shop.catalogue({"group": [shop.subscription("product", period)]})
  daemon = make_daemon("--policy", policy, catalogue=content, clock=start).start()
  daemon.do("buy", "u1", "product")
  daemon.do("advance", "--to", ends[-2])
  history = daemon.json("history", "u1")["transactions"]
  assert [text(part["expiresDate"]) for part in history] == ends


def history_of(make_daemon, clock, product, target):
  daemon = make_daemon(clock=clock).start()
  daemon.do("buy", "u1", product)
  daemon.do("advance", "--to", target)
  return daemon, daemon.json("history", "u1")["transactions"]


def test_b01_a_month_that_is_too_short_does_not_become_the_anchor(make_daemon):
  daemon, history = history_of(
    make_daemon, "2017-01-31T10:00:00Z", "pro.monthly", "2017-05-01T00:00:00Z")
  assert [text(part["purchaseDate"]) for part in history] == [
    "2017-01-31T10:00:00Z", "2017-02-28T10:00:00Z", "2017-03-31T10:00:00Z", "2017-04-30T10:00:00Z"]
  current = daemon.json("status", "u1")["subscriptions"][0]["transaction"]
  assert text(current["purchaseDate"]) == "2017-04-30T10:00:00Z"
  assert text(current["expiresDate"]) == "2017-05-31T10:00:00Z"


def test_b02_consecutive_periods_tile(make_daemon):
  _, history = history_of(make_daemon, "2023-01-31T00:00:00Z", "pro.monthly", "2023-03-01")
  periods = [(text(part["purchaseDate"])[:10], text(part["expiresDate"])[:10]) for part in history]
  assert periods == [("2023-01-31", "2023-02-28"), ("2023-02-28", "2023-03-31")]


def test_b05_the_last_day_is_clamped_and_never_rolls_over(make_daemon):
  daemon, _ = history_of(make_daemon, "2025-01-31T00:00:00Z", "pro.monthly", "2025-03-15")
  current = daemon.json("status", "u1")["subscriptions"][0]["transaction"]
  assert text(current["purchaseDate"]) == "2025-02-28T00:00:00Z"


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Asia/Kolkata"])
def test_b06_the_zone_of_the_process_does_not_matter(binaries, folder, zone):
  outcome = run_shop(
    binaries, folder, shop.standard(), "renewctl buy u1 trial30d --json", "2017-03-02T07:30:00Z",
    {"TZ": zone})
  assert outcome.status == 0, outcome
  trial = outcome.json()["transaction"]
  assert text(trial["expiresDate"]) == "2017-04-01T07:30:00Z"
  assert trial["offerDiscountType"] == "FREE_TRIAL" and trial["price"] == 0


def test_b06_a_trial_in_the_calendar_of_los_angeles_keeps_its_local_hour(make_daemon):
  daemon = make_daemon("--policy", "calendarTimeZone=America/Los_Angeles",
                       clock="2017-03-02T07:30:00Z").start()
  bought = daemon.json("buy", "u1", "trial30d")["transaction"]
  assert text(bought["expiresDate"]) == "2017-04-01T06:30:00Z"


def test_b08_an_offer_ends_where_a_period_ends(make_daemon):
  content = shop.catalogue({"group": [
    shop.subscription("product", "P1M", intro=shop.introduction("payAsYouGo", "P1M", 3))]})
  daemon = make_daemon(catalogue=content, clock="2023-03-01T03:47:56Z").start()
  daemon.do("buy", "u1", "product")
  daemon.do("advance", "--to", "2023-07-02T00:00:00Z")
  history = daemon.json("history", "u1")["transactions"]
  assert [text(part["purchaseDate"]) for part in history] == [
    f"2023-0{month}-01T03:47:56Z" for month in range(3, 8)]
  assert [part["price"] for part in history] == [990, 990, 990, 9990, 9990]
  assert [part.get("offerDiscountType") for part in history] == ["PAY_AS_YOU_GO"] * 3 + [None] * 2
  assert [part.get("offerPeriod") for part in history] == ["P3M"] * 3 + [None] * 2
  for part in history:
    assert text(part["expiresDate"]).endswith("-01T03:47:56Z")
    assert part["expiresDate"] - part["purchaseDate"] >= 28 * 86_400_000


def test_b11_times_are_whole_milliseconds_wherever_the_host_is(make_daemon):
  daemon = make_daemon(clock="2021-04-09T12:00:00Z", environment={"TZ": "Europe/Oslo"}).start()
  bought = daemon.json("buy", "u1", "pro.monthly")["transaction"]
  assert bought["purchaseDate"] == 1617969600000
  # A month on the calendar: 9 May. (The report's 1620561600000.)
  assert bought["expiresDate"] == 1620561600000
