"""Billing trouble and changes of plan, through the real programs (Domain.md 1.3 to 1.5).

All dates stand here by hand.
"""

import json

import pytest

import shop
from moments import add, moment, text
from wire import Refused

GRACE = ["--policy", "billingGracePeriod=16d"]


def status(wire, account="u1", **named):
  return wire.call("Membership.Status", account=account, **named)


def line(wire, **named):
  """The account's only subscription."""
  lines = status(wire, **named)["subscriptions"]
  assert len(lines) == 1
  return lines[0]


def to(daemon, time):
  daemon.do("advance", "--to", time)


def events(daemon, account="u1"):
  """The account's events, as a watch of all of the log tells them."""
  last = daemon.json("log", "describe")["sequence"]
  read = daemon.json("log", "read", "--from", "1", "--count", str(last))["events"]
  mine = [event for event in read if event.get("account") == account]
  told = daemon.ctl("watch", account, "--since", "0", "--count", str(len(mine)), "--jsonl")
  assert told.status == 0, told
  watched = [json.loads(row)["event"] for row in told.out.splitlines()]
  assert watched == mine
  return mine


def notifications(daemon, account="u1"):
  """What Apple would have told a server: when, type and subtype, the status after it."""
  return [(text(event["at"]), "/".join(filter(None, [event["notificationType"],
                                                     event.get("subtype")])),
           event["statusAfter"])
          for event in events(daemon, account) if event.get("notificationType")]


def drawn_of(daemon, account="u1"):
  """The account's timeline, with block characters."""
  outcome = daemon.ctl("timeline", account, environment={"LC_ALL": "C.UTF-8"})
  assert outcome.status == 0, outcome
  return outcome.out


def levels():
  """A group of three levels, whose middle one also comes by the year, and one that is cheap."""
  return shop.catalogue({
    "plans": [
      shop.subscription("gold", "P1M", "19.99", level=1),
      shop.subscription("gold.yearly", "P1Y", "199.99", level=1),
      shop.subscription("silver", "P1M", "9.99", level=2),
      shop.subscription("silver.plus", "P1M", "11.99", level=2),
      shop.subscription("silver.yearly", "P1Y", "99.99", level=2),
      shop.subscription("bronze", "P1M", "4.99", level=3),
    ]})


@pytest.fixture
def failing(make_daemon):
  """The example of Domain.md 1.5: a monthly plan whose period ends 2025-06-21, with 16 days of
  grace, and payments that fail."""
  daemon = make_daemon(*GRACE, clock="2025-05-21T10:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("billing", "fail", "u1")
  return daemon


BOUGHT = ("2025-05-21T10:00:00Z", "SUBSCRIBED/INITIAL_BUY", 1)
FAILED = ("2025-06-21T10:00:00Z", "DID_FAIL_TO_RENEW/GRACE_PERIOD", 4)
GRACE_ENDED = ("2025-07-07T10:00:00Z", "GRACE_PERIOD_EXPIRED", 3)


def test_unpaid_it_ends_sixty_days_after_the_period(failing):
  """B46 too: in grace a member, in retry not, then expired; told in that order."""
  to(failing, "2025-06-22T10:00:00Z")
  with failing.connect() as wire:
    grace = line(wire)
    assert (grace["status"], grace["entitled"]) == (4, True)
    info = grace["renewalInfo"]
    assert text(info["gracePeriodExpiresDate"]) == "2025-07-07T10:00:00Z"
    assert (info["isInBillingRetryPeriod"], info["expirationIntent"]) == (True, 2)
    assert info["autoRenewStatus"] == 1
    assert failing.ctl("check", "u1").status == 0
    to(failing, "2025-07-08T10:00:00Z")
    retry = line(wire)
    assert (retry["status"], retry["entitled"]) == (3, False)
    assert text(retry["nextDue"]) == "2025-08-20T10:00:00Z"
    assert failing.ctl("check", "u1").status == 1
    to(failing, "2025-08-20T09:59:59.999Z")
    assert line(wire)["status"] == 3
    to(failing, "2025-08-21T10:00:00Z")
    over = line(wire)
    info = over["renewalInfo"]
    assert (over["status"], over["entitled"], over.get("nextDue")) == (2, False, None)
    assert (info["isInBillingRetryPeriod"], info["expirationIntent"]) == (False, 2)
    assert info["autoRenewStatus"] == 0
    assert info.get("gracePeriodExpiresDate") is None
  assert notifications(failing) == [
    BOUGHT, FAILED, GRACE_ENDED, ("2025-08-20T10:00:00Z", "EXPIRED/BILLING_RETRY", 2)]
  assert len(failing.json("history", "u1")["transactions"]) == 1


def test_paid_in_grace_the_cycle_stays(failing):
  """B47 too: the grace that was and the grace that is are two fields."""
  to(failing, "2025-06-30T12:00:00Z")
  paid = failing.json("billing", "resolve", "u1")["transaction"]
  assert text(paid["purchaseDate"]) == "2025-06-21T10:00:00Z"
  assert text(paid["expiresDate"]) == "2025-07-21T10:00:00Z"
  assert paid["transactionReason"] == "renewal"
  with failing.connect() as wire:
    now = line(wire)
    assert (now["status"], now["entitled"]) == (1, True)
    info = now["renewalInfo"]
    assert info.get("gracePeriodExpiresDate") is None and info.get("expirationIntent") is None
    assert info["isInBillingRetryPeriod"] is False
    assert text(now["lastGraceStart"]) == "2025-06-21T10:00:00Z"
    assert text(now["lastGraceEnd"]) == "2025-06-30T12:00:00Z"
  assert notifications(failing) == [
    BOUGHT, FAILED, ("2025-06-30T12:00:00Z", "DID_RENEW/BILLING_RECOVERY", 1)]
  to(failing, "2025-08-22")
  ends = [text(part["expiresDate"]) for part in failing.json("history", "u1")["transactions"]]
  assert ends == ["2025-06-21T10:00:00Z", "2025-07-21T10:00:00Z", "2025-08-21T10:00:00Z",
                  "2025-09-21T10:00:00Z"]


def test_paid_in_retry_a_new_cycle_begins(failing):
  to(failing, "2025-07-29T09:00:00Z")
  paid = failing.json("billing", "resolve", "u1")["transaction"]
  assert text(paid["purchaseDate"]) == "2025-07-29T09:00:00Z"
  assert text(paid["expiresDate"]) == "2025-08-29T09:00:00Z"
  assert notifications(failing) == [
    BOUGHT, FAILED, GRACE_ENDED, ("2025-07-29T09:00:00Z", "DID_RENEW/BILLING_RECOVERY", 1)]
  to(failing, "2025-09-30")
  ends = [text(part["expiresDate"]) for part in failing.json("history", "u1")["transactions"]]
  assert ends == ["2025-06-21T10:00:00Z", "2025-08-29T09:00:00Z", "2025-09-29T09:00:00Z",
                  "2025-10-29T09:00:00Z"]


def test_without_grace_access_ends_with_the_period(make_daemon):
  daemon = make_daemon(clock="2025-05-21T10:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("billing", "fail", "u1")
  to(daemon, "2025-06-21T10:00:00Z")
  assert daemon.ctl("status", "u1").status == 1
  to(daemon, "2025-09-01")
  assert notifications(daemon) == [
    BOUGHT, ("2025-06-21T10:00:00Z", "DID_FAIL_TO_RENEW", 3),
    ("2025-08-20T10:00:00Z", "EXPIRED/BILLING_RETRY", 2)]


@pytest.mark.parametrize("policy, days", [("off", 0), ("3d", 3), ("16d", 6), ("28d", 6)])
def test_a_weekly_plan_has_six_days_of_grace_at_most(make_daemon, policy, days):
  daemon = make_daemon("--policy", f"billingGracePeriod={policy}").start()
  daemon.do("buy", "u1", "pro.weekly")
  daemon.do("billing", "fail", "u1")
  daemon.do("advance", "1w")
  with daemon.connect() as wire:
    info = line(wire)["renewalInfo"]
    end = info.get("gracePeriodExpiresDate")
    assert end == (add(info["renewalDate"], "P1D", days) if days else None)


def test_where_only_paid_periods_have_grace_a_trial_has_none(make_daemon):
  daemon = make_daemon(*GRACE, "billingGracePeriodScope=paidToPaid").start()
  for account, product, period in [("u1", "trial30d", "30d"), ("u2", "pro.monthly", "1month")]:
    daemon.do("buy", account, product)
    daemon.do("billing", "fail", account)
  daemon.do("advance", "30d")
  assert [daemon.json("status", account)["subscriptions"][0]["status"]
          for account in ("u1", "u2")] == [3, 4]


@pytest.mark.parametrize("time, before", [
  ("2025-06-25", [BOUGHT, FAILED]), ("2025-07-25", [BOUGHT, FAILED, GRACE_ENDED])])
def test_a_cancel_in_trouble_ends_it_at_once(failing, time, before):
  to(failing, time)
  failing.do("cancel", "u1")
  now = f"{time}T00:00:00Z"
  assert failing.ctl("status", "u1").status == 1
  assert [row[:2] for row in notifications(failing)] == [row[:2] for row in before] + [
    (now, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"), (now, "EXPIRED/VOLUNTARY")]
  with failing.connect() as wire:
    over = line(wire)
    assert over["status"] == 2 and over.get("nextDue") is None
    assert over["renewalInfo"]["autoRenewStatus"] == 0
    assert over["renewalInfo"]["isInBillingRetryPeriod"] is False
  to(failing, "2025-12-01")
  assert len(notifications(failing)) == len(before) + 2


def test_in_trouble_the_same_plan_waits_for_its_payment(failing):
  to(failing, "2025-06-25")
  refused = failing.ctl("buy", "u1", "pro.monthly")
  assert refused.status == 4 and "billing" in refused.err, refused
  with failing.connect() as wire, pytest.raises(Refused) as error:
    wire.call("Store.Purchase", account="u1", productId="pro.yearly")
  assert error.value.name == "org.renewd.NotPossible"
  assert error.value.parameters["status"] == 4


def everything(daemon, account="u1"):
  """Every answer about an account."""
  return [daemon.ctl(*words.split(), "--json").out for words in [
    f"status {account}", f"check {account}", f"history {account}", f"explain {account}",
    f"timeline {account}", f"status {account} --at 2025-06-22", f"status {account} --at 2025-09-01",
    f"history {account} --until 2026-01-01"]]


@pytest.mark.parametrize("time", ["2025-06-25", "2025-07-25"])
def test_a_kill_in_trouble_changes_no_answer(failing, time):
  to(failing, time)
  before = everything(failing)
  failing.restart_killed()
  assert everything(failing) == before
  # Nor what comes of it, with a snapshot between.
  failing.do("log", "snapshot")
  failing.restart_killed()
  assert everything(failing) == before
  to(failing, "2025-09-01")
  assert notifications(failing)[-1] == (
    "2025-08-20T10:00:00Z", "EXPIRED/BILLING_RETRY", 2)


def test_a_forecast_goes_through_grace_and_retry(failing):
  sequence = failing.json("log", "describe")["sequence"]
  for time, entitled, state in [
    ("2025-06-21T09:59:59.999Z", True, 1), ("2025-06-21T10:00:00Z", True, 4),
    ("2025-07-07T09:59:59.999Z", True, 4), ("2025-07-07T10:00:00Z", False, 3),
    ("2025-08-20T10:00:00Z", False, 2), ("2026-01-01", False, 2),
  ]:
    outcome = failing.ctl("status", "u1", "--at", time, "--json")
    answer = outcome.json()
    assert outcome.status == (0 if entitled else 1), time
    assert answer["basis"] == "forecast"
    assert answer["subscriptions"][0]["status"] == state, time
  said = failing.do("status", "u1", "--at", "2025-07-01").out
  assert "will be entitled" in said and "in grace until 2025-07-07T10:00:00Z" in said
  assert len(failing.json("history", "u1", "--until", "2026-01-01")["transactions"]) == 1
  assert failing.json("log", "describe")["sequence"] == sequence


def test_the_past_is_as_it_was(failing):
  to(failing, "2025-09-01")
  states = [failing.json("status", "u1", "--at", time)["subscriptions"][0]["status"]
            for time in ["2025-06-20", "2025-06-22", "2025-07-08", "2025-08-21"]]
  assert states == [1, 4, 3, 2]


def test_people_are_told_of_grace_its_end_and_the_retry(failing):
  to(failing, "2025-06-25")
  story = failing.do("explain", "u1").out
  assert "made the account's payments fail" in story
  assert "a grace period keeps access until 2025-07-07T10:00:00Z" in story
  assert "is 2025-07-07T10:00:00Z: its grace period will end then" in story
  assert "pro.monthly is in grace until 2025-07-07T10:00:00Z" in failing.do("status", "u1").out
  drawn = drawn_of(failing)
  assert "payment of pro.monthly failed, in grace" in drawn and "▒ grace" in drawn
  assert "2025-07-07T10:00:00Z  grace will end unless paid: pro.monthly" in drawn
  to(failing, "2025-07-25")
  story = failing.do("explain", "u1").out
  assert "On 2025-07-07T10:00:00Z the grace period of pro.monthly ended unpaid" in story
  assert "is 2025-08-20T10:00:00Z: the payment will not be tried any more then" in story
  table = failing.ctl("status", "u1").out
  assert "RETRIED UNTIL" in table and "2025-08-20T10:00:00Z" in table
  assert "pro.monthly ended on 2025-07-07T10:00:00Z, the payment has failed" in table
  drawn = drawn_of(failing)
  assert "▒ grace" in drawn and "░ retry" in drawn
  assert "2025-08-20T10:00:00Z  will expire unless paid: pro.monthly" in drawn
  to(failing, "2025-09-01")
  story = failing.do("explain", "u1").out
  assert ("its last period was over on 2025-06-21T10:00:00Z, and it expired on "
          "2025-08-20T10:00:00Z because its renewal could not be paid") in story


def test_b50_up_at_once_down_at_the_renewal(make_daemon):
  """Silver on day 0, gold on day 10 with a period of its own, bronze when that has ended."""
  daemon = make_daemon(catalogue=levels(), clock="2025-04-01T10:00:00Z").start()
  daemon.do("buy", "u1", "silver")
  daemon.do("advance", "10d")
  up = daemon.do("buy", "u1", "gold").out
  assert "changed to gold at once for 19.99 USD, until 2025-05-11T10:00:00Z" in up
  daemon.do("advance", "10d")
  down = daemon.do("buy", "u1", "bronze").out
  assert ("u1 keeps gold until 2025-05-11T10:00:00Z and is to change to bronze for 4.99 "
          "USD on 2025-05-11T10:00:00Z") in down
  assert "then it becomes bronze" in daemon.do("status", "u1").out
  coming = daemon.json("history", "u1", "--until", "2025-05-12")["transactions"]
  assert [(part["productId"], part["forecast"]) for part in coming] == [
    ("silver", False), ("gold", False), ("bronze", True)]
  drawn = drawn_of(daemon)
  assert "▲ upgrade" in drawn
  assert "2025-05-11T10:00:00Z  will change to bronze" in drawn
  daemon.do("advance", "21d")
  history = daemon.json("history", "u1")["transactions"]
  assert [(part["productId"], text(part["purchaseDate"]), part["isUpgraded"])
          for part in history] == [
    ("silver", "2025-04-01T10:00:00Z", True), ("gold", "2025-04-11T10:00:00Z", False),
    ("bronze", "2025-05-11T10:00:00Z", False)]
  assert len({part["originalTransactionId"] for part in history}) == 1
  assert notifications(daemon) == [
    ("2025-04-01T10:00:00Z", "SUBSCRIBED/INITIAL_BUY", 1),
    ("2025-04-11T10:00:00Z", "DID_CHANGE_RENEWAL_PREF/UPGRADE", 1),
    ("2025-04-21T10:00:00Z", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 1),
    ("2025-05-11T10:00:00Z", "DID_RENEW", 1)]
  assert "by an upgrade" in daemon.do("history", "u1").out
  story = daemon.do("explain", "u1").out
  # 20 of 30 days of 9.99 USD were not used.
  assert "from silver to gold at once" in story and "6.66 USD of it" in story


def test_b42_the_year_that_was_replaced_grants_nothing(make_daemon):
  """A year, changed to a month of a higher level at once, cancelled: over with the month."""
  daemon = make_daemon(catalogue=levels(), clock="2021-09-30T10:00:00Z").start()
  year = daemon.json("buy", "u1", "silver.yearly")["transaction"]
  month = daemon.json("buy", "u1", "gold")["transaction"]
  assert month["originalTransactionId"] == year["transactionId"]
  daemon.do("cancel", "u1")
  to(daemon, "2021-11-01")
  assert daemon.ctl("status", "u1").status == 1
  assert daemon.ctl("check", "u1").status == 1
  history = daemon.json("history", "u1")["transactions"]
  assert [(part["productId"], part["isUpgraded"]) for part in history] == [
    ("silver.yearly", True), ("gold", False)]
  # Nothing of the year was used: all of it is given back.
  assert "99.99 USD of it" in daemon.do("explain", "u1").out


@pytest.mark.parametrize("product, at_once", [
  ("gold", True), ("gold.yearly", True), ("silver.plus", True), ("silver.yearly", False),
  ("bronze", False)])
def test_level_and_length_decide_when_a_change_comes(make_daemon, product, at_once):
  daemon = make_daemon(catalogue=levels()).start()
  daemon.do("buy", "u1", "silver")
  daemon.do("advance", "1d")
  bought = daemon.json("buy", "u1", product)["transaction"]
  assert bought["productId"] == (product if at_once else "silver")
  with daemon.connect() as wire:
    now = line(wire)
    assert now["renewalInfo"]["productId"] == bought["productId"]
    assert now["renewalInfo"]["autoRenewProductId"] == product
  daemon.do("advance", "1month")
  assert daemon.json("history", "u1")["transactions"][1]["productId"] == product


def test_a_change_that_is_taken_back_and_one_that_turns_renewal_on(make_daemon):
  daemon = make_daemon(catalogue=levels(), clock="2025-04-01T10:00:00Z").start()
  daemon.do("buy", "u1", "silver")
  daemon.do("buy", "u1", "bronze")
  # Chosen before: the same answer, from the same event.
  again = daemon.do("buy", "u1", "bronze").out
  assert "u1 keeps silver until 2025-05-01T10:00:00Z and is to change to bronze" in again
  back = daemon.do("buy", "u1", "silver").out
  assert "u1 stays with silver, which is to renew on 2025-05-01T10:00:00Z" in back
  assert daemon.ctl("buy", "u1", "silver").status == 4
  daemon.do("cancel", "u1")
  on = daemon.do("buy", "u1", "silver").out
  assert "u1 has silver until 2025-05-01T10:00:00Z, and its renewal is on again" in on
  daemon.do("cancel", "u1")
  daemon.do("buy", "u1", "bronze")
  daemon.do("advance", "1month")
  assert [part["productId"] for part in daemon.json("history", "u1")["transactions"]] == [
    "silver", "bronze"]
  assert notifications(daemon)[1:3] == [
    ("2025-04-01T10:00:00Z", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 1),
    ("2025-04-01T10:00:00Z", "DID_CHANGE_RENEWAL_PREF", 1)]


def test_a_kill_with_a_change_to_come_changes_no_answer(make_daemon):
  daemon = make_daemon(catalogue=levels(), clock="2025-04-01T10:00:00Z").start()
  daemon.do("buy", "u1", "silver")
  daemon.do("advance", "10d")
  daemon.do("buy", "u1", "gold")
  daemon.do("buy", "u1", "bronze")
  before = everything(daemon)
  daemon.restart_killed()
  assert everything(daemon) == before
  daemon.do("advance", "1month")
  assert daemon.json("status", "u1")["subscriptions"][0]["transaction"]["productId"] == "bronze"


def test_wrong_words_are_refused(daemon):
  assert daemon.ctl("billing", "fial", "u1").status == 2
  assert daemon.ctl("billing", "fail", "nobody").status == 3
  daemon.do("buy", "u1", "pro.monthly")
  refused = daemon.ctl("billing", "resolve", "u1", "--json")
  assert refused.status == 4
  assert json.loads(refused.err)["error"] == "org.renewd.NotPossible"
  with daemon.connect() as wire, pytest.raises(Refused) as error:
    wire.call("Testing.SetBilling", account="u1", outcome="maybe")
  assert error.value.name == "org.varlink.service.InvalidParameter"
