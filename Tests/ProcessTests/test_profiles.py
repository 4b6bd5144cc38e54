"""Profiles and the policies of renewals, on the real daemon (Domain.md 2.4, 2.5, 9.2)."""

from moments import moment


def dates(daemon, account="u1"):
  return [part["expiresDate"] for part in daemon.json("history", account)["transactions"]]


def test_the_sandbox_renews_twelve_times(make_daemon):
  daemon = make_daemon("--profile", "sandbox").start()
  start = moment("2025-01-31T10:00:00Z")
  daemon.do("buy", "u1", "pro.monthly")
  ahead = daemon.json("status", "u1", "--at", "2025-02-01T00:00:00Z")
  daemon.do("advance", "1d")
  assert dates(daemon) == [start + 300_000 * number for number in range(1, 14)]
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert (line["status"], line["renewalInfo"]["expirationIntent"]) == (2, 1)
  assert line["transaction"]["environment"] == "Sandbox"
  assert ahead["subscriptions"][0]["renewalInfo"] == line["renewalInfo"]


def test_a_policy_by_name_beats_the_profile(make_daemon):
  """TestFlight: one renewal a day, six at most (Domain.md 2.5)."""
  daemon = make_daemon(
    "--profile", "sandbox", "--policy", "renewalRate=oneRenewalEveryDay", "--policy",
    "renewalCap=6", clock="2025-02-01T10:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "1month")
  assert dates(daemon) == [moment(f"2025-02-{day:02}T10:00:00Z") for day in range(2, 9)]
  with daemon.connect() as wire:
    options = wire.call("Daemon.Describe")["options"]
  policies = {part["value"]: part["origin"] for part in options if part["name"] == "policy"}
  assert policies == {
    "renewalRate=oneRenewalEveryDay": "command line", "renewalCap=6": "command line",
    "recentStartGap=10min": "profile sandbox, command line"}


def test_production_counts_in_los_angeles(make_daemon):
  daemon = make_daemon("--profile", "production", clock="2025-10-20T16:00:00Z").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "2month")
  assert dates(daemon)[:2] == [
    moment("2025-11-20T17:00:00Z"), moment("2025-12-20T17:00:00Z")]
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["transaction"]["environment"] == "Production"


def test_a_late_renewal_is_pending(make_daemon):
  daemon = make_daemon(
    "--policy", "renewalLag=2min", "--policy", "expiryLeeway=1min").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "--to", "2025-02-28T10:00:30Z")
  status = daemon.json("status", "u1")
  line = status["subscriptions"][0]
  assert (status["entitled"], line["entitled"], line["status"], line["pending"]) == (
    True, True, 2, True)
  check = daemon.json("check", "u1")
  assert (check["entitled"], check["until"]) == (True, moment("2025-02-28T10:01:00Z"))
  assert "still to be dealt with" in daemon.do("explain", "u1").out
  later = daemon.ctl("status", "u1", "--at", "2025-02-28T10:01:30Z", "--json")
  assert (later.status, later.json()["subscriptions"][0]["pending"]) == (1, True)
  daemon.do("advance", "--to", "2025-02-28T10:02:00Z")
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert (line["status"], line["pending"]) == (1, False)
  assert line["transaction"]["purchaseDate"] == moment("2025-02-28T10:02:00Z")
  past = daemon.json("status", "u1", "--at", "2025-02-28T10:00:30Z")["subscriptions"][0]
  assert (past["status"], past["pending"], past["entitled"]) == (2, True, True)


def test_a_renewal_ahead_of_time(make_daemon):
  daemon = make_daemon("--policy", "renewalLead=10h").start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "--to", "2025-02-28T01:00:00Z")
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["status"] == 1
  assert line["transaction"]["signedDate"] == moment("2025-02-28T00:00:00Z")
  assert line["transaction"]["purchaseDate"] == moment("2025-02-28T10:00:00Z")
  assert "paid ahead of its time" in daemon.do("explain", "u1").out
  # A charge ahead of time that fails changes nothing; paid before the end it is a recovery.
  daemon.do("billing", "fail", "u1")
  daemon.do("advance", "--to", "2025-03-31T05:00:00Z")
  assert daemon.json("status", "u1")["subscriptions"][0]["status"] == 1
  daemon.do("billing", "resolve", "u1")
  line = daemon.json("status", "u1")["subscriptions"][0]
  assert line["transaction"]["purchaseDate"] == moment("2025-03-31T10:00:00Z")
