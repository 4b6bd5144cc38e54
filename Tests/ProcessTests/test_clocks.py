"""Several clients and one clock: busy, and answering others meanwhile."""

import contextlib
import select
import signal
import socket
import threading
import time

import pytest

from moments import moment
from process import until
from wire import Refused


def subscribe(daemon, accounts):
  with daemon.connect() as wire:
    for number in range(accounts):
      wire.send("Store.Purchase", {"account": f"u{number}", "productId": "pro.weekly"})
    for _ in range(accounts):
      wire.reply()


@contextlib.contextmanager
def stopped(daemon):
  """What is sent meanwhile has all come before the daemon does anything, in its order."""
  daemon.process.send_signal(signal.SIGSTOP)
  yield
  daemon.process.send_signal(signal.SIGCONT)


def clock_of(wire, name="default"):
  return [clock for clock in wire.call("Clocks.List")["clocks"] if clock["name"] == name][0]


def wait_until_at(wire, target):
  """Waits until the default clock has come to its target and rests there."""
  def is_there():
    clock = clock_of(wire)
    return clock["now"] == target and clock.get("target") is None
  until(is_there, 60, "the advance is at its end")


def test_two_clients_cannot_advance_one_clock_at_once(daemon, quick):
  """The second is told where the first is going; another clock can be moved meanwhile."""
  accounts = 500 if quick else 1000
  subscribe(daemon, accounts)
  target = moment("2035-01-31T10:00:00Z")
  with daemon.connect() as first, daemon.connect() as second:
    second.call("Clocks.Create", name="other", at=moment("2025-01-31"))
    with stopped(daemon):
      first.send("Clocks.Advance", {"to": target})
      second.send("Clocks.Advance", {"by": "P1D"})
    with pytest.raises(Refused) as refused:
      second.reply()
    assert refused.value.name == "org.renewd.ClockBusy"
    assert refused.value.parameters == {"target": target}
    outcome = daemon.ctl("advance", "1d")
    # Unless it has come to its end by now.
    assert outcome.status in (0, 75), outcome
    moved = second.call("Clocks.Advance", clock="other", by="P1D")
    assert moved["clock"]["now"] == moment("2025-02-01")
    reply, _ = first.reply()
    # 3652 days are 521 weeks and five days.
    assert reply["events"] >= accounts * 521 and reply["clock"]["now"] == target


def test_a_long_advance_lets_another_client_ask(daemon, quick):
  """Ten years of weekly renewals for 1,000 accounts in one call."""
  accounts = 50 if quick else 1000
  subscribe(daemon, accounts)
  with daemon.connect() as wire, daemon.connect() as other:
    before = wire.call("Log.Describe")["sequence"]
    with stopped(daemon):
      wire.send("Clocks.Advance", {"by": "P10Y"})
      other.send("Membership.Check", {"account": "u1"})
    began = time.monotonic()
    seen = [other.reply()[0]["sequence"]]
    while not select.select([wire.socket], [], [], 0)[0]:
      seen.append(other.call("Membership.Check", account="u1")["sequence"])
    report, _ = wire.reply()
    took = time.monotonic() - began
    head = wire.call("Log.Describe")
    history = wire.call("Membership.History", account=f"u{accounts - 1}")["transactions"]
  # An answer tells what it knows of: those of before the end were given meanwhile.
  during = sum(sequence < report["lastSequence"] for sequence in seen)
  print(f"{report['events']} events in {took:.2f} s, {during} polls answered meanwhile")
  assert during > 0 and seen == sorted(seen) and seen[0] >= before
  assert report["clock"]["now"] == moment("2035-01-31T10:00:00Z")
  assert head["durable"] >= report["lastSequence"]
  assert head["sequence"] >= accounts * (2 + 521)
  assert len(history) == 522


def test_a_caller_who_leaves_does_not_stop_an_advance(daemon):
  subscribe(daemon, 200)
  target = moment("2035-01-31T10:00:00Z")
  with daemon.connect() as first:
    first.send("Clocks.Advance", {"to": target}, more=True)
    first.reply()
  with daemon.connect() as wire:
    wait_until_at(wire, target)
    assert len(wire.call("Membership.History", account="u7")["transactions"]) == 522


def test_many_clients_each_with_a_clock_of_its_own(daemon):
  """Tests in parallel on one daemon: none sees another's time."""
  wrong = []

  def work(number):
    with daemon.connect() as wire:
      name = f"clock{number}"
      wire.call("Clocks.Create", name=name, at=moment("2025-01-15T10:00:00Z"))
      wire.call("Store.Purchase", account=name, productId="pro.monthly", clock=name)
      for _ in range(number):
        wire.call("Clocks.Advance", clock=name, by="P1M")
      found = len(wire.call("Membership.History", account=name)["transactions"])
      now = wire.call("Membership.Status", account=name)["asOf"]
      if found != 1 + number:
        wrong.append((number, found, now))

  threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert wrong == []


def test_an_advance_whose_caller_does_not_read_goes_on(daemon, quick):
  """With `more` each event is a reply: what is not read costs little, and is all there later."""
  accounts = 20 if quick else 150
  subscribe(daemon, accounts)
  target = moment("2035-01-31T10:00:00Z")
  with daemon.connect() as slow, daemon.connect() as wire:
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    before = daemon.resident_bytes()
    slow.send("Clocks.Advance", {"to": target}, more=True)
    wait_until_at(wire, target)
    assert daemon.resident_bytes() - before < 64 << 20
    sequences, continues = [], True
    while continues:
      reply, continues = slow.reply()
      if reply.get("event"):
        sequences.append(reply["event"]["sequence"])
    assert len(sequences) >= accounts * 521
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))
    assert reply["clock"]["now"] == target
