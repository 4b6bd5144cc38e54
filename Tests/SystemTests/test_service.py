"""renewd as a `Type=notify` unit: ready, status line, kill, watchdog, reload, stop, journal."""

import json
import time

import pytest

from tries import quickest

INSIDE = "/srv/renewd/Tests/SystemTests/inside.py"

# The twelve renewals of a monthly subscription bought on 31 January 2025, then the end that the
# thirteenth period has: the day of the purchase, clamped to the month (Domain.md 2.3).
RENEWAL_DAYS = ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30", "2025-07-31",
                "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30", "2025-12-31", "2026-01-31"]


def day(milliseconds):
  return time.strftime("%Y-%m-%d", time.gmtime(milliseconds / 1000))


def purchase_days(daemon, account):
  history = daemon.json("history", account)["transactions"]
  return sorted(day(transaction["purchaseDate"]) for transaction in history)


def test_a_year_of_a_subscription_over_the_socket(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  assert daemon.ctl("status", "u1").returncode == 0
  daemon.ctl("advance", "1y")
  assert purchase_days(daemon, "u1") == ["2025-01-31", *RENEWAL_DAYS]


def test_killed_between_any_two_commands_it_answers_the_same(daemon):
  daemon.shop()
  daemon.start()
  commands = [("buy", "u1", "pro.monthly"), ("advance", "1month"), ("advance", "1month"),
              ("cancel", "u1"), ("advance", "1month")]
  for command in commands:
    daemon.ctl(*command)
    before = daemon.json("history", "u1"), daemon.ctl("status", "u1", "--json", check=False).stdout
    pid = daemon.main_pid()
    daemon.kill("KILL")
    daemon.wait_until_active(after=pid)
    after = daemon.json("history", "u1"), daemon.ctl("status", "u1", "--json", check=False).stdout
    assert after == before, command
  assert daemon.restarts() == len(commands)
  assert daemon.ctl("status", "u1", check=False).returncode == 1


def test_ready_comes_after_recovery(daemon):
  daemon.shop()
  daemon.start()
  for number in range(20):
    daemon.ctl("buy", f"u{number}", "pro.monthly")
  daemon.ctl("advance", "1y")
  sequence = daemon.json("status", "u1")["sequence"]
  daemon.container.run("systemctl", "restart", "renewd.service")
  # What `systemctl restart` waits for is READY=1: the state must be whole at that moment.
  assert f"sequence {sequence}" in daemon.show("StatusText")
  assert daemon.json("status", "u1")["sequence"] == sequence


def test_status_line_says_what_matters(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  daemon.ctl("buy", "u2", "pro.monthly")
  sequence = daemon.json("status", "u2")["sequence"]
  wanted = f"2 members · next 2025-02-28T10:00:00Z · sequence {sequence}"
  daemon.wait(lambda: daemon.show("StatusText") == wanted, f"the status line is: {wanted}")


def test_watchdog_never_kills_a_healthy_daemon(daemon, quick):
  daemon.shop()
  daemon.drop_in("watchdog", "[Service]\nWatchdogSec=2\n")
  starts = 10 if quick else 50
  for _ in range(starts):
    daemon.container.run("systemctl", "reset-failed", "renewd.service", check=False)
    daemon.container.run("systemctl", "restart", "renewd.service")
  pid = daemon.main_pid()
  # Longer than the limit, with work to do meanwhile.
  daemon.ctl("buy", "u1", "pro.monthly")
  end = time.monotonic() + (2.5 if quick else 5)
  while time.monotonic() < end:
    # A day a call: as many calls as a fast machine can make stay before the end of a clock's range.
    daemon.ctl("advance", "1d")
  assert daemon.main_pid() == pid
  assert daemon.restarts() == 0
  assert daemon.show("Result") == "success"


def test_watchdog_kills_a_wedged_daemon_and_it_comes_back(daemon):
  daemon.shop()
  daemon.drop_in("watchdog", "[Service]\nWatchdogSec=1\n")
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  before, pid = daemon.json("history", "u1"), daemon.main_pid()
  daemon.kill("STOP")
  daemon.wait_until_active(after=pid)
  assert daemon.restarts() == 1
  assert daemon.json("history", "u1") == before


def test_reload_returns_at_once_for_a_good_and_for_a_bad_configuration(daemon):
  daemon.configure("[entitlement pro]\nproducts = pro.monthly\n")
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  assert daemon.json("status", "u1", "--entitlement", "pro")["entitled"]

  def reload():
    status = None

    def attempt(_):
      nonlocal status
      started = time.monotonic()
      status = daemon.container.run("systemctl", "reload", "renewd.service", check=False).returncode
      return time.monotonic() - started

    quickest(attempt, 1)
    return status

  daemon.configure("[entitlement pro]\nproducts = pro.monthly\n[entitlement gold]\n"
                   "products = pro.monthly\n")
  assert reload() == 0
  assert daemon.json("status", "u1", "--entitlement", "gold")["entitled"]

  daemon.configure("[entitlement gold]\nproducts = pro.monthly\nprodcuts = pro.monthly\n")
  assert reload() != 0
  # The old configuration is kept, and both the journal and the status line say what was refused.
  assert daemon.show("ActiveState") == "active"
  assert daemon.json("status", "u1", "--entitlement", "pro")["entitled"]
  errors = [entry for entry in daemon.messages() if entry["PRIORITY"] == "3"]
  assert any("renewd.conf:3" in entry["MESSAGE"] for entry in errors), errors
  assert "renewd.conf" in daemon.show("StatusText")

  daemon.configure("[entitlement pro]\nproducts = pro.monthly\n")
  assert reload() == 0
  assert "renewd.conf" not in daemon.show("StatusText")


def test_hangup_reloads_too(daemon):
  daemon.configure("")
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  daemon.configure("[entitlement gold]\nproducts = pro.monthly\n")
  daemon.kill("HUP")
  daemon.wait(lambda: daemon.json("status", "u1", "--entitlement", "gold")["entitled"],
              "the entitlement of the new configuration is known")


def test_reload_by_signal_as_newer_systemd_does_it(daemon):
  version = int(daemon.container.run("systemctl", "--version").stdout.split()[1])
  if version < 253:
    pytest.skip(f"Type=notify-reload needs systemd 253, this is {version}")
  example = "/usr/share/doc/renewd/notify-reload.conf.example"
  daemon.drop_in("notify-reload", daemon.container.run("cat", example).stdout)
  daemon.configure("")
  daemon.shop()
  daemon.start()
  for text in ["[entitlement pro]\nproducts = pro.monthly\n", "[entitlement pro]\nprodcuts = x\n"]:
    daemon.configure(text)

    def reload(_):
      started = time.monotonic()
      daemon.container.run("systemctl", "reload", "renewd.service")
      return time.monotonic() - started

    quickest(reload, 1)
  assert daemon.show("ActiveState") == "active"


def test_stop_with_fifty_watches_takes_less_than_half_a_second(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")

  def stop(_):
    daemon.start()
    watches = daemon.container.start("/usr/bin/python3", INSIDE, "watch", "50")
    assert watches.stdout.readline() == "watching\n", watches.stderr.read()
    # The socket unit would start the daemon again for whoever still connects.
    started = time.monotonic()
    daemon.container.run("systemctl", "stop", "renewd.service")
    elapsed = time.monotonic() - started
    result = json.loads(watches.communicate(timeout=60)[0])
    assert result == {"watches": 50, "endFrames": 50, "cutFrames": 0}
    state = daemon.container.show("renewd.service", "Result", "ExecMainCode", "ExecMainStatus")
    assert state == {"Result": "success", "ExecMainCode": "1", "ExecMainStatus": "0"}
    return elapsed

  quickest(stop, 0.5)


def test_stop_is_announced(daemon):
  daemon.shop()
  daemon.start()
  daemon.container.run("systemctl", "stop", "renewd.service")
  after = daemon.container.show("renewd.service", "Result", "ExecMainStatus", "ActiveState")
  assert after == {"Result": "success", "ExecMainStatus": "0", "ActiveState": "inactive"}


def test_wrong_configuration_is_named_and_not_tried_again(daemon):
  daemon.configure("[entitlement pro]\nprodcuts = pro.monthly\n")
  daemon.shop()
  answer = daemon.container.run("systemctl", "start", "renewd.service", check=False)
  assert answer.returncode != 0
  state = daemon.container.show("renewd.service", "ActiveState", "ExecMainStatus", "NRestarts")
  assert state == {"ActiveState": "failed", "ExecMainStatus": "78", "NRestarts": "0"}
  assert any("/etc/renewd/renewd.conf:2" in entry["MESSAGE"] for entry in daemon.messages())


def test_journal_entries_carry_fields_and_a_catalogue_entry(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  daemon.ctl("advance", "1month")

  def renewals():
    return [entry for entry in daemon.messages() if entry.get("RENEWD_EVENT") == "renewed"]

  daemon.wait(lambda: len(renewals()) == 1, "the journal has the renewal")
  entry = renewals()[0]
  assert entry["RENEWD_ACCOUNT"] == "u1"
  assert entry["RENEWD_CLOCK"] == "default"
  assert int(entry["RENEWD_SEQUENCE"]) > 0
  explained = daemon.container.run(
      "journalctl", "--unit=renewd.service", "--catalog", f"MESSAGE_ID={entry['MESSAGE_ID']}")
  assert f"Subject: Event {entry['RENEWD_SEQUENCE']}: renewed" in explained.stdout
  assert "renewctl timeline u1" in explained.stdout


def test_events_beyond_what_a_journal_can_use_are_summed_up(daemon):
  daemon.shop()
  daemon.start()
  for number in range(10):
    daemon.ctl("buy", f"u{number}", "pro.monthly")
  daemon.ctl("advance", "2y")

  def entries(text):
    return [entry for entry in daemon.messages() if text in entry["MESSAGE"]]

  def summed_up():
    daemon.ctl("status", "u0")
    return entries("more events, up to #")

  daemon.wait(summed_up, "what was left out is summed up")
  assert 10 <= len(entries(": renewed, at ")) <= 100


def test_the_sandbox_holds(daemon):
  daemon.shop()
  daemon.start()
  pid = daemon.main_pid()
  status = dict(line.split(":\t", 1) for line in daemon.container.run(
      "cat", f"/proc/{pid}/status").stdout.splitlines() if ":\t" in line)
  assert status["CapEff"] == status["CapBnd"] == status["CapAmb"] == "0" * 16
  assert status["NoNewPrivs"] == "1"
  assert status["Seccomp"] == "2"
  # In the service's own view only its state can be written, and no network exists.
  view = ["nsenter", "--mount", "--net", "--target", pid, "setpriv", "--reuid=renewd",
          "--regid=renewd", "--clear-groups", "sh", "-c"]
  writable = daemon.container.run(
      *view, "for d in /etc/renewd /etc /usr /var /run/renewd /home /var/lib/renewd; do "
      "test -w $d && echo $d; done; true").stdout.split()
  assert writable == ["/var/lib/renewd"]
  assert daemon.container.run(*view, "cat /proc/net/dev | tail -n +3 | cut -d: -f1").stdout.split(
  ) == ["lo"]
