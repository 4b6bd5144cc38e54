"""Bad input gets a named error and changes nothing (promise 16)."""

import itertools
import json
import random

import pytest
import varlink
from varlink.scanner import _Method

from wire import Closed, Refused

INTERFACES = ["Catalog", "Clocks", "Daemon", "Log", "Membership", "Store", "Testing"]

# Values that are of a wrong type or out of range for almost every parameter.
VALUES = [
  None, True, False, 0, -1, 1, 2 ** 63 - 1, -2 ** 63, 4_102_444_800_000, "", "x", "u1", "\u0000",
  "ä" * 200, "2000000000000001", "pro.monthly", "P1M", "P99999999999Y", "default", [], ["x"],
  [None], {}, {"type": "introductory"}, {"x": {}}, "🙂", "' OR 1=1", "../../etc/passwd", "%n%s",
]


def methods(daemon):
  """Every method of our own with its parameters, from the daemon's own descriptions."""
  client = varlink.Client.new_with_address(f"unix:{daemon.socket}")
  for name in INTERFACES:
    interface = client.get_interface(f"org.renewd.{name}")
    for member in interface.members.values():
      if isinstance(member, _Method):
        yield f"{interface.name}.{member.name}", list(member.in_type.fields)


def outcome(wire, method, parameters):
  """The error of a call, or None; a watch is asked for without `more`, so that it ends."""
  try:
    wire.call(method, parameters)
  except Refused as refused:
    return refused.name
  return None


def head(wire):
  return wire.call("Log.Describe")["sequence"]


def is_named(error):
  return error is None or error.startswith(("org.renewd.", "org.varlink.service."))


def test_every_parameter_of_every_method_with_values_it_is_not_for(daemon):
  """One parameter wrong, the others absent; what is refused leaves no event."""
  tried = 0
  with daemon.connect() as wire:
    wire.call("Store.Purchase", account="u1", productId="pro.monthly")
    for method, names in methods(daemon):
      for name, value in itertools.product([*names, "surplus"], VALUES):
        before = head(wire)
        error = outcome(wire, method, {name: value})
        assert is_named(error), (method, name, value, error)
        if error is not None:
          assert head(wire) == before, (method, name, value, error)
        tried += 1
      assert outcome(wire, method, {"surplus": 1}) == "org.varlink.service.InvalidParameter"
  print(f"{tried} calls")
  assert daemon.process.poll() is None
  daemon.restart_killed()
  assert daemon.ctl("log", "verify").status == 0


def test_calls_with_several_wrong_values(daemon, quick):
  """By chance, from a seed: all parameters of a method with any of those values."""
  chance = random.Random(16)
  known = list(methods(daemon))
  with daemon.connect() as wire:
    for _ in range(500 if quick else 10_000):
      method, names = chance.choice(known)
      parameters = {name: chance.choice(VALUES) for name in names if chance.random() < 0.6}
      before = head(wire)
      error = outcome(wire, method, parameters)
      assert is_named(error), (method, parameters, error)
      if error is not None:
        assert head(wire) == before, (method, parameters, error)
  assert daemon.process.poll() is None
  state = [daemon.json("log", "describe")["sequence"], daemon.json("history", "u1")]
  daemon.restart_killed()
  assert [daemon.json("log", "describe")["sequence"], daemon.json("history", "u1")] == state


def mutated(chance, call):
  """A call with a few bytes changed, doubled, cut out or put in."""
  data = bytearray(call)
  for _ in range(chance.randint(1, 4)):
    place = chance.randrange(len(data))
    match chance.randrange(4):
      case 0:
        data[place] ^= 1 << chance.randrange(8)
      case 1:
        data[place:place] = data[place:place + chance.randrange(20)]
      case 2:
        del data[place:place + chance.randrange(1, 5)]
      case 3:
        data[place:place] = chance.choice(
          [b"\0", b'"', b"{", b"}", b"\\u0000", b"\\ud800", b"1e999", b"null", b"\xff", b"[" * 20])
    if not data:
      break
  return bytes(data)


def test_mutated_bytes_end_no_daemon(daemon, quick):
  """From a seed: each connection sends one broken call and a whole one behind it."""
  chance = random.Random(61)
  calls = [
    {"method": "org.renewd.Membership.Status",
     "parameters": {"account": "u1", "at": 1738317600000}},
    {"method": "org.renewd.Membership.History", "parameters": {"account": "u1"}, "more": False},
    {"method": "org.varlink.service.GetInterfaceDescription",
     "parameters": {"interface": "org.renewd.Store"}},
    {"method": "org.renewd.Log.Read", "parameters": {"from": 1, "count": 3}, "oneway": False},
  ]
  whole = json.dumps(calls[0]).encode() + b"\0"
  answered = 0
  count = 300 if quick else 5_000
  for _ in range(count):
    with daemon.connect(seconds=10) as wire:
      broken = mutated(chance, json.dumps(chance.choice(calls)).encode())
      wire.send_bytes(broken + b"\0" + whole)
      try:
        while "asOf" not in (wire.receive().get("parameters") or {}):
          pass
        answered += 1
      except Closed:
        pass
  # What is no call at all ends the connection; what is a call after all does not.
  assert 0 < answered < count and daemon.process.poll() is None
  with daemon.connect() as wire:
    assert wire.call("Membership.Check", account="u1")["entitled"] is False


@pytest.mark.parametrize("text, place", [
  ("", "$"), ("{", "$"), ("[]", "$"), ("null", "$"), ('{"version":{"major":9,"minor":0}}', "$"),
  ('{"version":{"major":4,"minor":0},"products":[{"productID":7}]}', "$.products[0]"),
  ('{"version":{"major":4,"minor":0},"subscriptionGroups":{}}', "$.subscriptionGroups"),
])
def test_a_text_that_is_no_catalogue_is_refused_with_its_place(daemon, wire, text, place):
  before = head(wire)
  try:
    reply = wire.call("Catalog.Import", text=text)
  except Refused as refused:
    assert refused.name == "org.renewd.CatalogueInvalid"
    assert refused.parameters["path"].startswith(place)
    assert head(wire) == before
  else:
    # A newer format is read as far as it is known, with a notice.
    assert "9" in text and reply["notices"]
