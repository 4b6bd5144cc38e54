"""Slow readers, floods, greedy clients, and the limits of the socket (promises 10 and 14)."""

import json
import os
import resource
import select
import socket
import threading
import time

import pytest

from clients import Poller
from wire import Closed, Refused, message

MIB = 1 << 20
REQUEST_BYTES_MAX = 64 << 10


class Stream(threading.Thread):
  """What a watch from the first event on must say, as one watch says it, every event parsed."""

  def __init__(self, daemon):
    super().__init__(daemon=True)
    self.wire = daemon.connect()
    self.wire.send("Membership.Watch", {"since": 0}, more=True)
    self.last = None
    self.data = bytearray()
    self.is_whole = False
    self.grown = threading.Condition()
    self.problem = None

  def run(self):
    expected = 1
    while not self.is_whole:
      said = self.wire.receive_bytes()
      reply = json.loads(said)["parameters"]
      if not reply.get("event"):
        continue
      if not reply["sequence"] == reply["event"]["sequence"] == expected:
        self.problem = f"{reply['sequence']} instead of {expected}"
      with self.grown:
        self.data += said + b"\0"
        self.is_whole = expected == self.last or self.problem is not None
        self.grown.notify_all()
      expected += 1

  def holds(self, said, position):
    """Whether `said` stands there, as soon as that can be known."""
    with self.grown:
      self.grown.wait_for(lambda: self.is_whole or len(self.data) >= position + len(said), 120)
      return self.data.startswith(said, position)


class AccountWatcher(threading.Thread):
  """A watch of one account: its own events, in their order, each once."""

  def __init__(self, daemon, account, count):
    super().__init__(daemon=True)
    self.wire = daemon.connect()
    self.wire.send("Membership.Watch", {"account": account, "since": 0}, more=True)
    self.account = account
    self.count = count
    self.problem = None

  def run(self):
    sequences = []
    while len(sequences) < self.count:
      event = json.loads(self.wire.receive_bytes())["parameters"].get("event")
      if event is None:
        continue
      if event["account"] != self.account or sequences and event["sequence"] <= sequences[-1]:
        self.problem = event
        return
      sequences.append(event["sequence"])


class Watcher(threading.Thread):
  """A watch that must say the same, byte by byte, heartbeats aside."""

  def __init__(self, daemon, stream):
    super().__init__(daemon=True)
    self.wire = daemon.connect()
    self.wire.send("Membership.Watch", {"since": 0}, more=True)
    self.stream = stream
    self.position = 0
    self.problem = None

  def run(self):
    pending = b""
    while self.problem is None and not self.is_done():
      pending += self.wire.socket.recv(MIB)
      end = pending.rfind(b"\0") + 1
      self.compare(pending[:end])
      pending = pending[end:]

  def is_done(self):
    return self.stream.is_whole and self.position == len(self.stream.data)

  def compare(self, said):
    if self.stream.holds(said, self.position):
      self.position += len(said)
      return
    for part in said.split(b"\0")[:-1]:
      if b'"event"' not in part:
        continue
      if not self.stream.holds(part + b"\0", self.position):
        self.problem = f"at byte {self.position}: {part}"
        return
      self.position += len(part) + 1


def stop_reading(daemon):
  """A watch whose reader does nothing, with little room in the socket."""
  wire = daemon.connect()
  wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
  wire.send("Membership.Watch", {"since": 0}, more=True)
  return wire


def test_a_reader_that_stops_costs_little_and_slows_nobody(daemon, quick):
  """100 watches, one of which is never read: bounded memory, the others see all, in order, and
  the one sees all in order when it is read again (B87)."""
  weeks, accounts, whole = (500, 10, 4) if quick else (1_000, 100, 10)
  with daemon.connect() as wire:
    idle = stop_reading(daemon)
    for number in range(accounts):
      wire.call("Store.Purchase", account=f"u{number}", productId="pro.weekly")
    stream = Stream(daemon)
    threads = [stream, *(Watcher(daemon, stream) for _ in range(whole - 2))]
    # An account is opened, buys, and renews every week.
    threads += [AccountWatcher(daemon, f"u{number}", 2 + weeks)
                for number in range(accounts - whole)]
    wire.call("Membership.Check", account="u1")
    before = daemon.resident_bytes()
    for thread in threads:
      thread.start()
    wire.call("Clocks.Advance", by=f"P{weeks}W")
    stream.last = wire.call("Log.Describe")["sequence"] + 2
    ended = wire.call("Store.Purchase", account="last", productId="coins")["sequence"]
    assert stream.last == ended > weeks * accounts
    for thread in threads:
      thread.join(120)
      assert not thread.is_alive() and thread.problem is None, thread.problem
    grown = daemon.resident_bytes() - before
  print(f"{ended} events to {len(threads) + 1} watches: {grown / MIB:.1f} MiB more")
  assert grown < 64 * MIB
  position = 0
  while position < len(stream.data):
    said = idle.receive_bytes() + b"\0"
    if b'"event"' in said:
      assert stream.holds(said, position)
      position += len(said)
  idle.close()
  for thread in threads:
    thread.wire.close()


def test_a_thousand_idle_connections_leave_room_for_one_more(daemon, quick):
  count = 200 if quick else 1000
  soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
  if soft < 2 * count:
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * count, hard), hard))
  idle = [daemon.connect() for _ in range(count)]
  with daemon.connect() as wire:
    assert wire.call("Membership.Check", account="u1")["entitled"] is False
  assert daemon.do("products")
  for wire in idle:
    wire.close()
  with daemon.connect() as wire:
    assert wire.call("Membership.Check", account="u1")["entitled"] is False


def test_partial_frames_and_garbage_disturb_nobody(daemon):
  """Half a call on many connections, bytes that are no call, hang-ups in the middle."""
  poller = Poller(daemon)
  partial = []
  for number in range(100):
    wire = daemon.connect()
    wire.send_bytes(message("Membership.Check", {"account": f"u{number}"})[:number % 60 + 1])
    partial.append(wire)
  for garbage in [b"\0", b"{}\0", b"[1]\0", b"hello\0", b'{"method": 7}\0', b"\xff\xfe\0",
                  b'{"method": "a"}\0', b"{" * 100 + b"\0", b'{"method":"x.y.Z","method":"q"}\0',
                  b'{"method":"org.renewd.Membership.Check","parameters":[]}\0']:
    with daemon.connect() as wire:
      wire.send_bytes(garbage)
      try:
        assert "error" in wire.receive()
      except Closed:
        pass
  for _ in range(20):
    wire = daemon.connect()
    wire.send_bytes(os.urandom(3000))
    wire.close()
  # What was begun can be ended: each partial call is still answered.
  for number, wire in enumerate(partial):
    wire.send_bytes(message("Membership.Check", {"account": f"u{number}"})[number % 60 + 1:])
    assert wire.receive()["parameters"]["entitled"] is False
    wire.close()
  poller.finish(10)
  assert daemon.process.poll() is None


def test_a_greedy_client_leaves_the_others_their_turn(daemon, quick):
  """One connection with thousands of calls in flight that reads nothing; another is served."""
  greedy = daemon.connect()
  greedy.socket.setblocking(False)
  call = message("Membership.Status", {"account": "u1"}) * 100
  poller = Poller(daemon)
  deadline = time.monotonic() + (0.5 if quick else 2)
  sent = 0
  while time.monotonic() < deadline:
    if select.select([], [greedy.socket], [], 0.01)[1]:
      try:
        sent += greedy.socket.send(call)
      except BlockingIOError:
        pass
  poller.finish(100)
  # Backpressure: what was not read was not taken without end.
  assert sent < 64 * MIB
  greedy.close()


def sized_call(length):
  """A call of exactly `length` bytes without its NUL."""
  empty = len(message("Membership.Check", {"account": ""})) - 1
  return message("Membership.Check", {"account": "a" * (length - empty)})


def test_a_request_at_the_limit_is_read_and_one_past_it_ends_the_connection(daemon):
  """64 KiB: at the limit the account's own limit is what refuses it."""
  with daemon.connect() as wire:
    call = sized_call(REQUEST_BYTES_MAX)
    assert len(call) == REQUEST_BYTES_MAX + 1
    wire.send_bytes(call)
    refused = wire.receive()
    assert refused["error"] == "org.renewd.InvalidParameter"
    assert refused["parameters"]["parameter"] == "account"
    assert wire.call("Membership.Check", account="u1")["entitled"] is False
  with daemon.connect() as wire:
    wire.send_bytes(sized_call(REQUEST_BYTES_MAX + 1))
    assert "error" in wire.receive()
    with pytest.raises(Closed):
      wire.receive()
  with daemon.connect() as wire:
    assert wire.call("Membership.Check", account="u1")["entitled"] is False


def nested(depth):
  """A message whose values are nested `depth` deep, counted from the message itself."""
  inner = "[" * (depth - 2) + "]" * (depth - 2)
  return ('{"method":"org.renewd.Membership.Check","parameters":{"account":' + inner
          + "}}").encode() + b"\0"


def test_a_request_nested_too_deep_ends_the_connection(daemon):
  """16 deep is read, and then refused for what it says; 17 deep is not read."""
  with daemon.connect() as wire:
    wire.send_bytes(nested(16))
    refused = wire.receive()
    assert refused["error"].endswith(".InvalidParameter")
    assert refused["parameters"]["parameter"] == "account"
    assert wire.call("Membership.Check", account="u1")["entitled"] is False
  with daemon.connect() as wire:
    wire.send_bytes(nested(17))
    assert "error" in wire.receive()
    with pytest.raises(Closed):
      wire.receive()


@pytest.mark.parametrize("account, good", [
  ("a", True), ("a" * 128, True), ("ä" * 64, True), ("a" * 129, False), ("ä" * 65, False),
  ("", False), ("a\nb", False), ("a\0b", False), ("a\x7fb", False)],
  ids=lambda value: f"{len(value)}-{value[:3]!a}" if isinstance(value, str) else None)
def test_an_account_is_1_to_128_bytes_without_control_characters(daemon, wire, account, good):
  try:
    reply = wire.call("Store.Purchase", account=account, productId="coins")
  except Refused as refused:
    assert not good and refused.name == "org.renewd.InvalidParameter"
    assert refused.parameters["parameter"] == "account"
  else:
    assert good and reply["transaction"]["account"] == account


def test_a_request_id_is_1_to_64_bytes(daemon, wire):
  wire.call("Store.Purchase", account="u1", productId="coins", requestId="r" * 64)
  for wrong in ["", "r" * 65]:
    with pytest.raises(Refused) as refused:
      wire.call("Store.Purchase", account="u1", productId="coins", requestId=wrong)
    assert refused.value.name == "org.renewd.InvalidParameter"
    assert refused.value.parameters["parameter"] == "requestId"


@pytest.mark.parametrize("number", [b"1.5", b"1e3", b"9223372036854775808", b"true", b'"1"'])
def test_a_number_that_is_no_whole_one_is_refused(daemon, wire, number):
  """A fraction, or a number past Int64."""
  wire.send_bytes(b'{"method":"org.renewd.Membership.Watch","more":true,"parameters":{"since":'
                  + number + b"}}\0")
  refused = wire.receive()
  assert refused["error"].endswith(".InvalidParameter")
  assert refused["parameters"]["parameter"] == "since"


def test_replies_come_in_the_order_of_their_calls(daemon, wire, quick):
  """Reads and writes pipelined on one connection; a oneway call gets no reply."""
  count = 100 if quick else 500
  for number in range(count):
    wire.send("Store.Purchase", {"account": f"u{number}", "productId": "coins"}, oneway=True)
    wire.send("Membership.Status", {"account": f"u{number}"})
    wire.send("Store.Unfinished", {"account": f"u{number}"})
  for number in range(count):
    status, _ = wire.reply()
    assert status["account"] == f"u{number}"
    unfinished, _ = wire.reply()
    assert [entry["transaction"]["account"] for entry in unfinished["transactions"]] == [
      f"u{number}"]


def test_whoever_stops_sending_still_hears_the_answers(daemon):
  """Calls, then the end of the stream, as a shell's pipe does it: every reply, then the end."""
  with daemon.connect() as wire:
    for number in range(50):
      wire.send("Store.Purchase", {"account": f"u{number}", "productId": "coins"})
    wire.send("Clocks.Advance", {"by": "P1M"}, more=True)
    wire.socket.shutdown(socket.SHUT_WR)
    for number in range(50):
      assert wire.reply()[0]["transaction"]["account"] == f"u{number}"
    while wire.reply()[1]:
      pass
    with pytest.raises(Closed):
      wire.receive()


def test_a_catalogue_may_be_larger_than_other_calls(daemon, wire):
  """16 MiB for an import by an admin."""
  content = {"version": {"major": 4, "minor": 0}, "subscriptionGroups": [], "settings": {},
             "nonRenewingSubscriptions": [], "identifier": "FF000000",
             "products": [{"productID": "big", "type": "Consumable", "displayPrice": "1.00",
                           "internalID": "FF000001", "referenceName": "big",
                           "familyShareable": False, "localizations": [
                             {"locale": "en_US", "displayName": "x" * MIB,
                              "description": "y" * MIB}]}]}
  assert wire.call("Catalog.Import", text=json.dumps(content))["products"] == 1
