"""The settings of a .storekit file as a store's start (domain.md 5.5)."""

import json

import shop
from moments import moment


def daemon_with(make_daemon, settings, *options):
  content = shop.standard()
  content["settings"].update(settings)
  return make_daemon("--catalog-settings", *options, catalogue=content)


def test_the_files_settings_set_the_start_values(make_daemon):
  daemon = daemon_with(make_daemon, {
    "_timeRate": 13, "_billingGracePeriodEnabled": True, "_renewalBillingIssuesEnabled": True,
    "_askToBuyEnabled": True}).start()
  assert daemon.json("rate")["configured"] == "monthlyRenewalEveryFiveMinutes"
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "5min")
  line = daemon.json("status", "u1")["subscriptions"][0]
  start = moment("2025-01-31T10:00:00Z")
  assert line["status"] == 4
  assert line["renewalInfo"]["gracePeriodExpiresDate"] == start + 300_000 + 150_000
  # A tester can let an account pay again.
  daemon.do("billing", "resolve", "u1")
  daemon.do("advance", "10min")
  assert daemon.json("status", "u1")["subscriptions"][0]["status"] == 1
  told = daemon.do("doctor").out
  for policy in ["renewalRate=monthlyRenewalEveryFiveMinutes", "billingGracePeriod=16d",
                 "renewalsFail=yes"]:
    assert f"{policy} (settings of " in told
  assert "_askToBuyEnabled" in daemon.log()


def test_what_is_set_by_name_beats_the_file(make_daemon):
  daemon = daemon_with(
    make_daemon, {"_timeRate": 1003}, "--profile", "sandbox", "--policy", "renewalCap=2").start()
  assert daemon.json("rate")["configured"] == "oneRenewalEveryThirtySeconds"
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "1h")
  assert len(daemon.json("history", "u1")["transactions"]) == 3
  with daemon.connect() as wire:
    options = wire.call("Daemon.Describe")["options"]
  origins = {part["value"]: part["origin"] for part in options if part["name"] == "policy"}
  assert origins["renewalCap=2"] == "command line"
  assert origins["recentStartGap=10min"] == "profile sandbox, command line"
  assert origins["renewalRate=oneRenewalEveryThirtySeconds"].startswith("settings of ")
  assert json.dumps(origins).count("renewalRate") == 1


def test_without_the_option_the_files_settings_have_no_effect(make_daemon):
  content = shop.standard()
  content["settings"]["_timeRate"] = 13
  daemon = make_daemon(catalogue=content).start()
  assert daemon.json("rate")["rate"] == "realTime"
