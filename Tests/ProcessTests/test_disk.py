"""A full disk: reads, renewals and cancels go on, purchases wait, nothing is lost (promise 6)."""

import errno
import os
import resource

import pytest

import shop
from moments import moment
from process import run, until
from wire import Refused

# A segment and the two kept ready take 3 MiB of it.
DISK_MIB = 16


@pytest.fixture
def small_disk(folder):
  """A small file system, mounted on the folder's `disk`."""
  if os.geteuid() != 0:
    pytest.skip("only root can mount a small file system")
  path = folder / "disk"
  path.mkdir()
  mounted = run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", path])
  if mounted.status != 0:
    pytest.skip(f"no file system can be mounted here: {mounted.err.strip()}")
  yield path
  run(["umount", "-l", path])


def take_room(path):
  """Writes a file until nothing more fits on its disk."""
  descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
  try:
    while True:
      os.write(descriptor, bytes(64 << 10))
  except OSError as error:
    assert error.errno == errno.ENOSPC
  finally:
    os.close(descriptor)


class FullDisk:
  """A daemon that is bought from until its disk is full; what it acknowledged."""

  def __init__(self, daemon):
    self.daemon = daemon
    self.acknowledged = []
    self.number = 0

  def subscribe(self, count):
    with self.daemon.connect() as wire:
      for number in range(count):
        reply = wire.call("Store.Purchase", account=f"u{number}", productId="pro.monthly")
        self.acknowledged.append((f"u{number}", reply["sequence"]))

  def fill(self, limit=400_000):
    """Buys in bulk until the first refusal, after catalogues have taken most of the room."""
    with self.daemon.connect() as wire:
      refused = None
      while not refused:
        try:
          wire.call("Catalog.Import", text=shop.large(), source="large")
        except Refused as refusal:
          refused = refusal.name
      assert refused == "org.renewd.DiskFull"
      refused = None
      while refused is None:
        assert self.number < limit, "the disk never became full"
        calls = []
        for _ in range(500):
          self.number += 1
          calls.append(f"filler-{self.number:08}-" + "x" * 100)
          wire.send("Store.Purchase", {"account": calls[-1], "productId": "coins"})
        for account in calls:
          try:
            self.acknowledged.append((account, wire.reply()[0]["sequence"]))
          except Refused as refusal:
            refused = refused or refusal.name
      assert refused == "org.renewd.DiskFull"

  def check_service(self):
    """What a full disk must not stop: reads, cancels, refunds, renewals."""
    with self.daemon.connect() as wire:
      assert wire.call("Membership.Check", account="u1")["entitled"] is True
      assert len(wire.call("Membership.History", account="u1")["transactions"]) == 1
      line = wire.call("Membership.Status", account="u0")["subscriptions"][0]
      wire.call("Store.SetAutoRenew", originalTransactionId=line["originalTransactionId"],
                enabled=False)
      report = wire.call("Clocks.Advance", by="P1M")
      assert report["clock"]["now"] == moment("2025-02-28T10:00:00Z")
      assert wire.call("Membership.Check", account="u0")["entitled"] is False
      assert wire.call("Membership.Check", account="u1")["entitled"] is True
      assert len(wire.call("Membership.History", account="u1")["transactions"]) == 2
      with pytest.raises(Refused) as refused:
        wire.call("Store.Purchase", account="late", productId="coins")
      assert refused.value.name == "org.renewd.DiskFull"
      assert wire.call("Daemon.Describe")["status"].startswith("disk full")

  def doctor(self):
    """What doctor says of the daemon, and its exit status."""
    outcome = self.daemon.ctl("doctor")
    line = next(line for line in outcome.out.splitlines() if " daemon " in line)
    return outcome.status, line.split(":", 1)[1].strip(), outcome.out

  def check_doctor_says_full(self):
    status, line, text = self.doctor()
    assert (status, line) == (75, "disk full: reads only"), text
    assert "Reads, renewals and cancels go on; new purchases are refused." in text
    assert f"Make room in {self.daemon.state}" in text
    assert "the disk is full: reads, renewals and cancels go on" in self.daemon.log()

  def buys_again(self):
    with self.daemon.connect() as wire:
      try:
        reply = wire.call("Store.Purchase", account="after", productId="coins")
      except Refused as refusal:
        assert refusal.name == "org.renewd.DiskFull"
        return False
      self.acknowledged.append(("after", reply["sequence"]))
      return True

  def check_nothing_lost(self):
    """Everything acknowledged is in the log under its number, before and after a kill."""
    for _ in range(2):
      found, following = {}, 1
      with self.daemon.connect() as wire:
        while following is not None:
          page = wire.call("Log.Read", {"from": following})
          found.update((event["sequence"], event.get("account")) for event in page["events"])
          following = page.get("next")
      assert sorted(found) == list(range(1, len(found) + 1))
      assert all(found[sequence] == account for account, sequence in self.acknowledged)
      self.daemon.restart_killed()
    assert self.daemon.stop() == 0
    verified = run([self.daemon.binaries / "renewd", "log", "verify", self.daemon.state])
    assert verified.status == 0, verified


def test_a_small_disk_becomes_full_and_is_freed(make_daemon, small_disk):
  """Ballast leaves a little room; purchases end in DiskFull, all else goes on, service returns."""
  daemon = make_daemon()
  daemon.state = small_disk / "state"
  ballast = small_disk / "ballast"
  daemon.start()
  full = FullDisk(daemon)
  full.subscribe(50)
  # Whatever room the daemon has not yet taken for itself goes to somebody else.
  take_room(ballast)
  full.fill()
  full.check_doctor_says_full()
  full.check_service()
  ballast.unlink()
  until(full.buys_again, 20, "purchases are taken again")
  assert full.doctor()[0] == 0
  full.check_nothing_lost()


def test_a_daemon_starts_on_a_disk_that_is_full(make_daemon, small_disk):
  """Reads and cancels are served; the disk's fullness is no damage."""
  daemon = make_daemon()
  daemon.state = small_disk / "state"
  daemon.start()
  full = FullDisk(daemon)
  full.subscribe(50)
  daemon.kill()
  take_room(small_disk / "ballast")
  daemon.start()
  # The segments kept ready are there, and so is the present one.
  assert full.doctor()[0] == 0
  full.fill()
  daemon.kill()
  (daemon.folder / "log").unlink()
  daemon.start()
  # Nobody has bought yet since the start.
  full.check_doctor_says_full()
  full.check_service()
  (small_disk / "ballast").unlink()
  until(full.buys_again, 20, "purchases are taken again")
  full.check_nothing_lost()


def test_a_missing_reserve_is_said_before_purchases_are_refused(make_daemon, small_disk):
  daemon = make_daemon()
  daemon.state = small_disk / "state"
  daemon.start()
  full = FullDisk(daemon)
  full.subscribe(5)
  daemon.kill()
  (daemon.state / "spare-2").unlink()
  take_room(small_disk / "ballast")
  for _ in range(2):
    daemon.start()
    status, line, text = full.doctor()
    assert (status, line) == (75, "disk nearly full: no space for a reserve segment"), text
    assert "there is no space for a reserve segment" in daemon.log()
    assert full.buys_again()
    daemon.kill()
  daemon.start()
  (small_disk / "ballast").unlink()
  until(lambda: full.doctor()[0] == 0, 20, "the reserve is made")


def test_a_file_size_limit_is_a_full_disk(make_daemon, folder):
  """RLIMIT_FSIZE below the size of a segment to be made: SIGXFSZ does not end the daemon."""
  daemon = make_daemon().start()
  full = FullDisk(daemon)
  full.subscribe(50)
  size = daemon.segments()[0].stat().st_size
  process = daemon.process.pid
  resource.prlimit(process, resource.RLIMIT_FSIZE, (size - 1, resource.RLIM_INFINITY))
  full.fill()
  full.check_service()
  resource.prlimit(
    process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
  until(full.buys_again, 20, "purchases are taken again")
  full.check_nothing_lost()
