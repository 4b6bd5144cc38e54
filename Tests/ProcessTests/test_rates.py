"""Rates, on the real daemon and the real command line (Domain.md 2.5)."""

from moments import moment


def test_a_month_of_five_minutes(make_daemon):
  daemon = make_daemon("--policy", "renewalRate=monthlyRenewalEveryFiveMinutes").start()
  daemon.do("buy", "u1", "pro.monthly")
  assert daemon.json("rate")["rate"] == "monthlyRenewalEveryFiveMinutes"
  daemon.do("advance", "1h")
  status = daemon.json("status", "u1")
  start = moment("2025-01-31T10:00:00Z")
  assert status["subscriptions"][0]["transaction"]["expiresDate"] == start + 65 * 60_000
  # Another rate counts from the next renewal on; real time is whole months again.
  daemon.do("rate", "every", "10s")
  daemon.do("advance", "5min 30s")
  dates = [part["expiresDate"] - start for part in daemon.json("history", "u1")["transactions"]]
  assert dates[-5:] == [65 * 60_000 + seconds * 1000 for seconds in [0, 10, 20, 30, 40]]
  daemon.do("rate", "real")
  daemon.do("advance", "10s")
  last = daemon.json("status", "u1")["subscriptions"][0]["transaction"]
  assert last["expiresDate"] - last["purchaseDate"] == 28 * 86_400_000
  shown = daemon.ctl("rate")
  assert shown.out.startswith("realTime (set by a test; configured is monthlyRenewalEveryFive")


def test_wrong_rates_are_named(make_daemon):
  daemon = make_daemon().start()
  refused = daemon.ctl("rate", "monthly", "7min")
  assert refused.status == 2 and "1h, 30min, 15min, 5min, 3min, 30s" in refused.err
  refused = daemon.ctl("rate", "quick")
  assert refused.status == 2 and "rate" in refused.err
