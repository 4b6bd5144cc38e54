"""The laws of a watch: ordered, each once, without a gap, across restarts and at the seam."""

import json
import os
import subprocess
import threading
import time

import pytest
import varlink

from moments import moment
from process import until
from wire import Closed, Refused, Wire


class Follower(threading.Thread):
  """Follows a watch with the `varlink` package, and goes on from its cursor after each restart."""

  def __init__(self, daemon, since=0):
    super().__init__(daemon=True)
    self.address = f"unix:{daemon.socket}"
    self.cursor = since
    self.events = []
    self.connections = 0
    self.failure = None
    self.target = None

  def run(self):
    while not self.is_done():
      try:
        self.follow()
      except (OSError, ConnectionError):
        # The daemon is down, or went while we listened.
        time.sleep(0.01)
      except (AssertionError, varlink.VarlinkError) as failure:
        self.failure = failure
        return

  def is_done(self):
    return self.target is not None and self.cursor >= self.target

  def follow(self):
    client = varlink.Client.new_with_address(self.address)
    connection = client.open("org.renewd.Membership")
    self.connections += 1
    try:
      for reply in connection.Watch(since=self.cursor, _more=True):
        if "event" in reply:
          assert reply["sequence"] == self.cursor + 1, (reply["sequence"], self.cursor)
          assert reply["event"]["sequence"] == reply["sequence"]
          self.events.append(reply["event"])
        assert reply["sequence"] >= self.cursor
        self.cursor = reply["sequence"]
        if self.is_done():
          return
    finally:
      connection.close()

  def finish(self, seconds=60):
    """Waits until it has seen its target."""
    self.join(seconds)
    assert self.failure is None, self.failure
    assert not self.is_alive(), f"at {self.cursor} of {self.target}"


class Writers:
  """Threads that buy until told to stop, through whatever restarts there are."""

  def __init__(self, daemon, count):
    self.daemon = daemon
    self.stopping = False
    self.acknowledged = [[] for _ in range(count)]
    self.threads = [threading.Thread(target=self.write, args=(number,), daemon=True)
                    for number in range(count)]
    for thread in self.threads:
      thread.start()

  def write(self, number):
    mine = self.acknowledged[number]
    while not self.stopping:
      try:
        with Wire(self.daemon.socket) as wire:
          while not self.stopping:
            reply = wire.call("Store.Purchase", account=f"w{number}", productId="coins")
            mine.append(reply["sequence"])
      except (OSError, Closed):
        time.sleep(0.005)

  def count(self):
    return sum(len(mine) for mine in self.acknowledged)

  def stop(self):
    self.stopping = True
    for thread in self.threads:
      thread.join(60)
    return sorted(sequence for mine in self.acknowledged for sequence in mine)


def head(daemon):
  with daemon.connect() as wire:
    return wire.call("Log.Describe")["sequence"]


def read_all(daemon):
  """All events by Log.Read."""
  events, start = [], 1
  with daemon.connect() as wire:
    while start is not None:
      page = wire.call("Log.Read", **{"from": start})
      events += page["events"]
      start = page.get("next")
  return events


def goes_on(follower, writers, restarts):
  """Waits until both sides have come back after so many restarts and hear of something new."""
  until(lambda: follower.failure or follower.connections > restarts, 60, "the follower is back")
  written, heard = writers.count(), len(follower.events)
  until(lambda: follower.failure or writers.count() > written and len(follower.events) > heard,
        60, "something new is written and heard of")


def test_a_watch_goes_on_across_kills_in_the_middle_of_writes(daemon, quick):
  """kill -9 while four clients buy; the package's client reconnects from its cursor each time."""
  follower = Follower(daemon)
  follower.start()
  writers = Writers(daemon, 4)
  rounds = 3 if quick else 10
  for number in range(rounds):
    goes_on(follower, writers, number)
    time.sleep(0.01 * number)
    daemon.restart_killed()
  goes_on(follower, writers, rounds)
  acknowledged = writers.stop()
  last = head(daemon) + 1
  follower.target = last
  with daemon.connect() as wire:
    assert wire.call("Store.Purchase", account="w0", productId="coins")["sequence"] == last
  follower.finish()
  # The log is what the follower saw: nothing left out, nothing twice, nothing that was taken back.
  assert [event["sequence"] for event in follower.events] == list(range(1, last + 1))
  assert follower.events == read_all(daemon)
  assert follower.connections > rounds
  assert acknowledged and acknowledged[-1] <= last
  seen = {event["sequence"]: event["kind"] for event in follower.events}
  assert {seen[sequence] for sequence in acknowledged} == {"purchased"}


def test_the_command_line_watches_across_a_kill(daemon):
  """`renewctl watch` goes on where it was when the daemon is back: no gap, no repeat."""
  with daemon.connect() as wire:
    for _ in range(5):
      wire.call("Store.Purchase", account="u1", productId="coins")
  last = head(daemon) + 5
  environment = {**os.environ, "RENEWD_SOCKET": str(daemon.socket)}
  child = subprocess.Popen(
    [daemon.binaries / "renewctl", "watch", "--since", "0", "--count", str(last), "--jsonl"],
    env=environment, stdout=subprocess.PIPE, text=True)
  lines = [child.stdout.readline()]
  daemon.restart_killed()
  with daemon.connect() as wire:
    for _ in range(5):
      wire.call("Store.Purchase", account="u1", productId="coins")
  # Not communicate(): it would pass over what readline() has read ahead.
  lines += child.stdout.read().splitlines()
  assert child.wait(timeout=60) == 0
  replies = [json.loads(line) for line in lines]
  assert [reply["sequence"] for reply in replies if reply.get("event")] == list(range(1, last + 1))


def test_a_watch_goes_on_across_a_stop_in_the_good_way(daemon):
  """A stop ends each watch with a last reply that says that nothing follows."""
  with daemon.connect() as wire:
    wire.send("Membership.Watch", {"since": 0}, more=True)
    last = head(daemon)
    cursor = 0
    while cursor < last:
      parameters, continues = wire.reply()
      assert continues
      cursor = parameters["sequence"]
    assert daemon.stop() == 0
    endings = []
    try:
      while True:
        parameters, continues = wire.reply()
        endings.append(continues)
        cursor = max(cursor, parameters["sequence"])
    except Closed:
      pass
    assert endings[-1] is False and all(endings[:-1])
  daemon.start()
  with daemon.connect() as wire:
    wire.call("Store.Purchase", account="u1", productId="coins")
    wire.send("Membership.Watch", {"since": cursor}, more=True)
    sequences = []
    while len(sequences) < head(daemon) - cursor:
      sequences.append(wire.reply()[0]["sequence"])
  assert sequences == list(range(cursor + 1, cursor + 1 + len(sequences)))


def next_event(wire):
  while True:
    reply, _ = wire.reply()
    if reply.get("event"):
      return reply


def test_b76_a_saved_cursor_gives_exactly_what_came_after_it(daemon):
  """Watch to the head, save the cursor, append one event, resume: exactly that one event."""
  with daemon.connect() as other:
    other.call("Store.Purchase", account="u1", productId="coins")
    with daemon.connect() as wire:
      wire.send("Membership.Watch", {"since": 0}, more=True)
      cursor = 0
      while cursor < head(daemon):
        cursor = next_event(wire)["sequence"]
    appended = other.call("Store.Purchase", account="u1", productId="coins")["sequence"]
    assert appended == cursor + 1
    with daemon.connect() as wire:
      wire.send("Membership.Watch", {"since": cursor}, more=True)
      assert next_event(wire)["sequence"] == appended
      # Nothing else is there: the next event seen is the next one made.
      after = other.call("Store.Purchase", account="u1", productId="coins")["sequence"]
      assert next_event(wire)["sequence"] == after == appended + 1


def test_a_cursor_ahead_of_the_log_is_refused(daemon):
  last = head(daemon)
  with daemon.connect() as wire, pytest.raises(Refused) as refused:
    next(wire.stream("Membership.Watch", since=last + 1))
  assert refused.value.name == "org.renewd.CursorAhead"
  assert refused.value.parameters == {"head": last}


def test_a_watch_of_one_account_sees_that_account_alone(daemon):
  with daemon.connect() as wire, daemon.connect() as other:
    wire.send("Membership.Watch", {"account": "u1", "since": 0}, more=True)
    for account in ["u1", "u2", "u1", "u3"]:
      other.call("Store.Purchase", account=account, productId="coins")
    kinds = []
    while len(kinds) < 3:
      reply, _ = wire.reply()
      if reply.get("event"):
        assert reply["event"]["account"] == "u1"
        kinds.append(reply["event"]["kind"])
    assert kinds == ["accountOpened", "purchased", "purchased"]


def test_b43_a_refund_ends_access_at_once_and_reaches_watchers_once(daemon):
  """A refund keeps the transaction's id: it is a fact of its own all the same."""
  with daemon.connect() as wire, daemon.connect() as watch:
    bought = wire.call("Store.Purchase", account="u1", productId="lifetime")
    watch.send("Membership.Watch", {"since": bought["sequence"]}, more=True)
    assert wire.call("Membership.Check", account="u1")["entitled"] is True
    refund = wire.call("Testing.Refund", account="u1")
    assert refund["transaction"]["transactionId"] == bought["transaction"]["transactionId"]
    assert wire.call("Membership.Check", account="u1")["entitled"] is False
    event = next_event(watch)["event"]
    assert event["kind"] == "refunded"
    assert event["transaction"]["revocationDate"] == moment("2025-01-31T10:00:00Z")
    marker = wire.call("Store.Purchase", account="u2", productId="coins")
    following = next_event(watch)["event"]
    assert following["sequence"] == refund["sequence"] + 1 and following["account"] == "u2"
    assert marker["sequence"] > refund["sequence"]


def test_b74_eight_writers_and_a_watch_from_the_beginning(daemon, quick):
  """Numbers are given at commit: a reader sees a prefix without a hole, each event once."""
  each = 100 if quick else 1000
  first = head(daemon) + 1
  with daemon.connect() as watch:
    watch.send("Membership.Watch", {"since": 0}, more=True)

    def write(number):
      with daemon.connect() as wire:
        for _ in range(each):
          wire.send("Store.Purchase", {"account": f"w{number}", "productId": "coins"})
        for _ in range(each):
          wire.reply()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
      thread.start()
    # Eight accounts are opened and each buys as often as it was told to.
    last = first + 8 * each + 8 - 1
    sequences, purchases = [], {}
    while not sequences or sequences[-1] < last:
      event = next_event(watch)["event"]
      sequences.append(event["sequence"])
      if event["kind"] == "purchased":
        purchases[event["account"]] = purchases.get(event["account"], 0) + 1
    for thread in threads:
      thread.join()
  assert sequences == list(range(1, last + 1))
  assert purchases == {f"w{number}": each for number in range(8)}
  assert head(daemon) == last
  with daemon.connect() as wire:
    before = wire.call("Membership.Status", account="w0")
  daemon.restart_killed()
  with daemon.connect() as wire:
    assert wire.call("Membership.Status", account="w0") == before


def sequence_of(said):
  """The sequence of a reply with an event, or None: parsing them all would take minutes."""
  if b'"event"' not in said:
    return None
  start = said.index(b'"sequence":') + len(b'"sequence":')
  return int(said[start:said.index(b",", start)])


def test_the_seam_of_old_and_live_events_is_exact(make_daemon, quick):
  """100,000 old events are replayed while a thousand a second are made: each once, in order."""
  daemon = make_daemon().start()
  old, live, runs = (5_000, 200, 2) if quick else (100_000, 1_000, 10)
  accounts = old // 1040
  with daemon.connect() as wire:
    for number in range(accounts):
      wire.call("Store.Purchase", account=f"u{number}", productId="pro.weekly")
    # Twenty years have 1,043 weeks.
    wire.call("Clocks.Advance", by="P20Y")
    assert wire.call("Log.Describe")["sequence"] > accounts * 1040

  def write():
    with daemon.connect() as wire:
      for _ in range(live // 10):
        for _ in range(10):
          wire.send("Store.Purchase", {"account": "live", "productId": "coins"})
        for _ in range(10):
          wire.reply()
        time.sleep(0.01)

  for _ in range(runs):
    last = head(daemon) + live
    writer = threading.Thread(target=write)
    writer.start()
    with daemon.connect() as watch:
      watch.send("Membership.Watch", {"since": 0}, more=True)
      expected = 1
      while expected <= last:
        sequence = sequence_of(watch.receive_bytes())
        if sequence is not None:
          assert sequence == expected
          expected += 1
    writer.join()


def test_a_heartbeat_moves_the_cursor_of_a_watch_that_sees_little(daemon, quick):
  """Every 15 s a reply with only the sequence, so that nothing old is read again on resuming."""
  if quick:
    pytest.skip("takes 15 s; the whole check waits for it")
  with daemon.connect() as wire, daemon.connect() as watch:
    wire.call("Store.Purchase", account="u1", productId="coins")
    watch.send("Membership.Watch", {"account": "u1"}, more=True)
    seam, _ = watch.reply()
    for _ in range(10):
      wire.call("Store.Purchase", account="other", productId="coins")
    began = time.monotonic()
    beat, continues = watch.reply()
    took = time.monotonic() - began
    assert set(beat) == {"sequence"} and continues
    assert beat["sequence"] == head(daemon) > seam["sequence"]
    assert 13 < took < 25


def test_a_watch_without_a_cursor_joins_state_and_events_at_its_seam(daemon):
  """One reply per subscription, then only a sequence, then every event after that sequence."""
  with daemon.connect() as wire:
    for number in range(300):
      wire.send("Store.Purchase", {"account": f"u{number}", "productId": "pro.monthly"})
    for _ in range(300):
      wire.reply()
  stop = threading.Event()

  def write():
    with daemon.connect() as wire:
      while not stop.is_set():
        wire.call("Store.Purchase", account="live", productId="coins")

  writer = threading.Thread(target=write)
  writer.start()
  try:
    with daemon.connect() as watch:
      watch.send("Membership.Watch", {}, more=True)
      lines = set()
      while True:
        reply, _ = watch.reply()
        if not reply.get("subscription"):
          break
        lines.add(reply["subscription"]["originalTransactionId"])
      assert len(lines) == 300 and not reply.get("event")
      cursor = reply["sequence"]
      for _ in range(50):
        cursor += 1
        assert next_event(watch)["sequence"] == cursor
  finally:
    stop.set()
    writer.join()
