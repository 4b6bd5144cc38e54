"""The settings of a .storekit file as a store's start (Domain.md 5.5)."""

import json
import os

import pytest

import shop
from moments import moment


def daemon_with(make_daemon, settings, *options):
  content = shop.standard()
  content["settings"].update(settings)
  return make_daemon("--catalog-settings", *options, catalogue=content)


def test_the_files_settings_set_the_start_values(make_daemon):
  daemon = daemon_with(make_daemon, {
    "_timeRate": 13, "_billingGracePeriodEnabled": True,
    "_renewalBillingIssuesEnabled": True}).start()
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
  assert daemon.do("fault").out == "nothing fails by itself\n"


FAULTS = {
  "_askToBuyEnabled": True, "_billingIssuesEnabled": True,
  "_storeKitErrors": [
    {"current": None, "enabled": False, "name": "Load Products"},
    {"current": {"index": 2, "type": "generic"}, "enabled": True, "name": "App Store Sync"},
    {"current": {"index": 0, "type": "verification"}, "enabled": True, "name": "Verification"},
    {"current": {"index": 99, "type": "purchase"}, "enabled": True, "name": "Purchase"},
  ]}


def test_switches_of_the_file_are_a_stores_start(make_daemon):
  daemon = daemon_with(make_daemon, FAULTS).start()
  assert daemon.do("fault").out.splitlines() == [
    "purchases of all accounts must be approved", "purchases of all accounts are interrupted",
    "verification fails with revokedCertificate", "appStoreSync fails with networkError"]
  told = daemon.do("doctor").out
  for switch in ["askToBuy=on", "interrupted=on", "verification=revokedCertificate",
                 "appStoreSync=networkError"]:
    assert f"{switch} (settings of " in told
  assert "has no error 99 of the type 'purchase'" in daemon.log()
  assert "was not made" in daemon.do("buy", "u1", "coins").out
  daemon.do("interrupt", "off")
  assert "bought coins" in daemon.do("resolve", "u1").out
  assert "is pending" in daemon.do("buy", "u1", "pro.monthly").out
  assert "bought pro.monthly" in daemon.do("approve", "u1").out


def test_what_a_tester_switched_stays_across_restarts(make_daemon):
  daemon = daemon_with(make_daemon, FAULTS).start()
  daemon.do("asktobuy", "off")
  daemon.do("interrupt", "off", "u1")
  daemon.do("fault", "appStoreSync", "off")
  events = daemon.do("log", "read").out
  stands = daemon.do("fault").out
  assert "askToBuy=on has no effect" not in daemon.log()
  daemon.stop()
  daemon.start()
  assert daemon.do("fault").out == stands
  assert daemon.do("log", "read").out == events
  assert "its askToBuy=on, appStoreSync=networkError has no effect" in daemon.log()
  daemon.do("buy", "u1", "coins")
  assert "was not made" in daemon.do("buy", "u2", "coins").out


def test_a_log_that_has_the_catalogue_keeps_its_switches(make_daemon):
  content = shop.standard()
  content["settings"].update({"_askToBuyEnabled": True})
  daemon = make_daemon(catalogue=content).start()
  daemon.stop()
  daemon = make_daemon("--catalog-settings", catalogue=content).start()
  assert daemon.do("fault").out == "nothing fails by itself\n"
  assert "its askToBuy=on has no effect" in daemon.log()


def test_failing_transactions_are_an_error_of_purchases(make_daemon):
  daemon = daemon_with(
    make_daemon, {"_failTransactionsEnabled": True, "_storeKitError": 4}).start()
  refused = daemon.ctl("buy", "u1", "coins")
  assert refused.status == 4 and "invalidOfferPrice" in refused.err
  assert "purchase=invalidOfferPrice (settings of " in daemon.do("doctor").out
  daemon.do("fault", "purchase", "off")
  daemon.do("buy", "u1", "coins")


def test_a_record_has_no_switches(make_daemon):
  daemon = daemon_with(make_daemon, {"_askToBuyEnabled": True}, "--role", "record").start()
  assert "its askToBuy=on has no effect: a record sells nothing" in daemon.log()


ODD = {
  "_compatibilityTimeRate": 5, "_lastSynchronizedDate": "2024-06-01T12:00:00Z",
  "_timeRate": "fast", "_failTransactionsEnabled": 0, "_storeKitErrors": {"Purchase": True},
  "_askToBuyEnabled": "YES", "_billingGracePeriodEnabled": [], "_storefront": 840}


def told_of(daemon, path):
  """How often the journal names a path of the file."""
  return daemon.log().count(f"{path}: ")


@pytest.mark.parametrize("options", [[], ["--catalog-settings"]])
def test_a_setting_of_another_type_is_a_notice_and_the_default(make_daemon, options):
  content = shop.standard()
  content["settings"].update(ODD)
  daemon = make_daemon(*options, catalogue=content).start()
  assert {path: told_of(daemon, f"$.settings.{path}") for path in ODD} == dict.fromkeys(ODD, 1)
  assert daemon.json("rate")["rate"] == "realTime"
  assert daemon.do("fault").out == "nothing fails by itself\n"
  assert len(daemon.json("products")["products"]) == 9
  daemon.do("buy", "u1", "pro.monthly")


def test_a_rate_that_is_none_is_said_once(make_daemon):
  daemon = daemon_with(make_daemon, {"_timeRate": 99}).start()
  assert told_of(daemon, "$.settings._timeRate") == 1
  assert daemon.log().count("_timeRate") == 1


def test_of_two_offers_with_one_id_the_first_of_the_file_is_redeemed(make_daemon):
  content = shop.standard()
  plan = content["subscriptionGroups"][0]["subscriptions"][0]
  plan["codeOffers"] = [
    {"internalID": str(number), "referenceName": "twin", "paymentMode": "payUpFront",
     "subscriptionPeriod": "P1M", "displayPrice": price}
    for number, price in enumerate(["1.11", "2.22"])]
  daemon = make_daemon(catalogue=content).start()
  assert "a purchase by this identifier takes that one, the first of the file" in daemon.log()
  daemon.do("buy", "u1", "pro.monthly", "--offer", "twin")
  daemon.do("buy", "u2", "pro.monthly", "--offer", "code:twin")
  for account in ["u1", "u2"]:
    assert daemon.json("history", account)["transactions"][0]["price"] == 1110


def test_a_subscription_outside_the_groups_is_told_where_it_belongs(make_daemon):
  content = shop.standard()
  content["products"].append(shop.subscription("stray", "P1M"))
  content["products"][-1]["subscriptionGroupID"] = "AA000001"
  daemon = make_daemon(catalogue=content)
  os.close(daemon.launch())
  assert daemon.process.wait(60) == 78
  assert "move it to $.subscriptionGroups[1].subscriptions" in daemon.log()
