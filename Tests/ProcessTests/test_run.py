"""`renewctl run`: a shop for one command, gone without a trace when it ends."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import shop
from moments import text
from process import CLOCK, STOP_SECONDS, run, until

# The purchases of a monthly subscription bought on 31 January 2025, and of a year's renewals.
YEAR = ["2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30",
        "2025-07-31", "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30", "2025-12-31",
        "2026-01-31"]


class Shop:
  """`renewctl run` with the standard shop and a temporary folder of its own."""

  def __init__(self, binaries, folder):
    self.binaries = binaries
    self.path = shop.write(folder / "shop.storekit", shop.standard())
    self.temporary = folder / "tmp"
    self.temporary.mkdir()

  def command(self, *words):
    return [str(self.binaries / "renewctl"), "run", "--catalog", str(self.path), "--clock", CLOCK,
            "--", *words]

  def run(self, *words, **options):
    return run(self.command(*words), {"TMPDIR": str(self.temporary)}, **options)

  def leftovers(self):
    return sorted(path.name for path in self.temporary.iterdir())

  def daemons(self):
    """The process ids of daemons that were started for this shop: other tests have their own."""
    found = set()
    for path in pathlib.Path("/proc").glob("[0-9]*"):
      try:
        words = (path / "cmdline").read_bytes() + (path / "environ").read_bytes()
        if (path / "comm").read_text() == "renewd\n" and str(self.temporary).encode() in words:
          found.add(int(path.name))
      except OSError:
        continue
    return found


def test_sixty_four_at_once_all_come_out_right(binaries, folder, quick):
  """Each has a shop, a clock and a log of its own, and sees a year of one subscription."""
  count = 8 if quick else 64
  one = Shop(binaries, folder)
  script = ("renewctl buy u1 pro.monthly > /dev/null && renewctl advance 1y > /dev/null && "
            "renewctl history u1 --json && renewctl status u1 > /dev/null")
  environment = {**os.environ, "TMPDIR": str(one.temporary)}
  children = [subprocess.Popen(one.command("sh", "-c", script), env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
              for _ in range(count)]
  wrong = []

  def check(child):
    out, err = child.communicate(timeout=120)
    try:
      days = [text(part["purchaseDate"])[:10] for part in json.loads(out)["transactions"]]
    except ValueError:
      days = out
    if child.returncode != 0 or days != YEAR:
      wrong.append((child.returncode, days, err))

  threads = [threading.Thread(target=check, args=(child,)) for child in children]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert wrong == []
  assert one.leftovers() == []
  assert one.daemons() == set()


def test_the_exit_status_is_the_commands(binaries, folder):
  one = Shop(binaries, folder)
  assert one.run("true").status == 0
  for status in (1, 7, 78):
    assert one.run("sh", "-c", f"exit {status}").status == status
  # As a shell has it: 128 and the number of the signal that ended the command.
  assert one.run("sh", "-c", "kill -TERM $$").status == 128 + signal.SIGTERM
  assert one.run("no-such-program-anywhere").status == 127
  assert one.leftovers() == []


def test_the_command_finds_the_shop_in_its_environment(binaries, folder):
  one = Shop(binaries, folder)
  outcome = one.run("sh", "-c", "echo $RENEWD_SOCKET; test -S $RENEWD_SOCKET; renewctl env")
  assert outcome.status == 0, outcome
  socket = outcome.out.splitlines()[0]
  assert f"export RENEWD_SOCKET={socket}" in outcome.out
  assert not pathlib.Path(socket).exists()


def test_a_failure_shows_each_accounts_timeline(binaries, folder):
  one = Shop(binaries, folder)
  script = ("renewctl buy u1 pro.monthly; renewctl advance 2months; renewctl buy u2 lifetime; "
            "exit 3")
  outcome = one.run("sh", "-c", script + " > /dev/null")
  assert outcome.status == 3
  for word in ["u1", "u2", "pro.monthly", "lifetime", "2025-02-28", "2025-03-31"]:
    assert word in outcome.err, outcome
  succeeded = one.run("sh", "-c", "renewctl buy u1 pro.monthly > /dev/null")
  assert succeeded.status == 0 and "2025-02-28" not in succeeded.out + succeeded.err


def test_what_the_command_prints_is_all_that_is_printed(binaries, folder):
  outcome = Shop(binaries, folder).run("sh", "-c", "echo out; echo err >&2")
  assert (outcome.out, outcome.err) == ("out\n", "err\n")


def test_nothing_else_is_ended_and_a_signal_reaches_the_command(binaries, folder, make_daemon):
  """Another daemon and a child that the command left behind live on."""
  other = make_daemon().start()
  one = Shop(binaries, folder)
  outcome = one.run("sh", "-c", "sleep 30 > /dev/null 2>&1 & echo $!")
  left = int(outcome.out)
  try:
    os.kill(left, 0)
  finally:
    os.kill(left, signal.SIGKILL)
  assert other.process.poll() is None
  environment = {**os.environ, "TMPDIR": str(one.temporary)}
  child = subprocess.Popen(
    one.command("sh", "-c", "trap 'echo asked; exit 9' TERM; echo here; while :; do sleep 0.01; "
                "done"), env=environment, text=True, stdout=subprocess.PIPE)
  assert child.stdout.readline() == "here\n"
  child.send_signal(signal.SIGTERM)
  assert child.stdout.readline() == "asked\n"
  assert child.wait(STOP_SECONDS) == 9
  child.stdout.close()
  assert one.leftovers() == []


def test_its_daemon_goes_when_it_is_killed(binaries, folder):
  """`renewctl run` that is ended in the hard way leaves no daemon behind."""
  one = Shop(binaries, folder)
  environment = {**os.environ, "TMPDIR": str(one.temporary)}
  child = subprocess.Popen(one.command("sh", "-c", "echo here; exec sleep 30"), env=environment,
                           text=True, stdout=subprocess.PIPE)
  assert child.stdout.readline() == "here\n"
  assert one.daemons()
  child.kill()
  child.wait()
  child.stdout.close()
  until(lambda: not one.daemons(), STOP_SECONDS, "its daemon is gone")


def test_without_a_catalogue_there_is_a_small_one(binaries):
  outcome = run([binaries / "renewctl", "run", "--clock", CLOCK, "--", "sh", "-c",
                 "renewctl buy u1 pro.monthly > /dev/null && renewctl status u1"])
  assert outcome.status == 0, outcome
  assert "pro.monthly" in outcome.out


def test_wrong_uses_are_named(binaries, folder):
  one = Shop(binaries, folder)
  control = binaries / "renewctl"
  assert run([control, "run"]).status == 2
  assert run([control, "run", "--clock", "yesterday", "--", "true"]).status == 2
  assert run([control, "run", "--catalog", folder / "none", "--", "true"]).status == 78
  wrong = folder / "wrong.storekit"
  wrong.write_text('{"version": {"major": 4}, "products": 7}')
  outcome = run([control, "run", "--catalog", wrong, "--", "true"])
  assert outcome.status == 78 and "$.products" in outcome.err, outcome
  assert one.leftovers() == []


def test_running_nothing_takes_little_time(binaries, folder):
  """Printed, not judged: no test fails because a machine is slow."""
  one = Shop(binaries, folder)
  began = time.monotonic()
  assert one.run("true").status == 0
  print(f"renewctl run -- true took {(time.monotonic() - began) * 1000:.0f} ms")
