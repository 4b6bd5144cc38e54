"""kill -9: between any two commands, and in the middle of many."""

import json
import random
import threading
import time

import shop
from moments import moment
from process import CLOCK, Daemon, Folder, run, until
from wire import Closed, Refused, Wire

# Answers are compared but for these: when an event was written, and how far the check of a log has
# come since the last start, is not part of the story.
TIMES_OF_WRITING = {"recorded", "checked"}

SCRIPT = [
  "buy u1 pro.monthly", "status u1", "advance 1month", "history u1", "buy u2 trial30d",
  "buy u3 lifetime", "buy u4 coins --quantity 3", "cancel u1", "check u1",
  "advance 1month 3d", "status u1", "explain u1", "buy u1 pro.monthly", "history u1",
  "resume u2", "refund u3", "status u3", "unrefund u3", "check u3", "clock create far 2030-02-28",
  "buy u5 pro.yearly --clock far", "advance 1y --clock far", "clock attach u2 far",
  "renew u5", "expire u5", "restore u2", "finish u4", "unfinished u4", "buy u6 pro.weekly",
  "advance P10W", "history u6 --until 2026-01-01", "status u2 --at 2025-02-15",
  "buy u8 news.monthly", "clock list", "buy u7 pro.monthl", "refund u9", "products", "log read",
  "reset", "status u1", "buy u1 news.monthly", "log read", "log describe",
]


def without_times(value):
  """A reply without what differs from run to run: times of writing, the machine's clock, sizes."""
  if isinstance(value, list):
    return [without_times(part) for part in value]
  if not isinstance(value, dict):
    return value
  kept = {name: without_times(part) for name, part in value.items()
          if name not in TIMES_OF_WRITING}
  if kept.get("kind") == "system" and "accounts" in kept:
    del kept["now"]
  if kept.get("clock") == "system" and "sequence" in kept:
    kept.pop("at", None)
  return kept


def play(binaries, between):
  """Runs the script on a new folder, with `between` done after each command; all answers."""
  folder = Folder()
  daemon = Daemon(binaries, folder).start()
  answers = []
  try:
    for command in SCRIPT:
      outcome = daemon.ctl(*command.split(), "--json")
      said = outcome.out or outcome.err
      answers.append((command, outcome.status, without_times(json.loads(said))))
      between(daemon)
    assert daemon.stop() == 0
    verified = run([binaries / "renewd", "log", "verify", daemon.state])
    assert verified.status == 0, verified
    return answers
  finally:
    if daemon.process.poll() is None:
      daemon.kill()
    folder.remove()


def test_a_kill_between_any_two_commands_changes_no_answer(binaries):
  """The same script, once in one life and once in a new life for each command."""
  unkilled = play(binaries, lambda daemon: None)
  killed = play(binaries, lambda daemon: daemon.restart_killed())
  for once, again in zip(unkilled, killed, strict=True):
    assert again == once
  statuses = {command: status for command, status, _ in unkilled}
  # The script does what it means to: what is refused is refused, and all else works.
  assert statuses["buy u7 pro.monthl"] == 3 and statuses["refund u9"] == 3
  assert [command for command, status, _ in unkilled if status > 1] == [
    "buy u7 pro.monthl", "refund u9"]


class LoadedDaemon:
  """A daemon under writers that use request ids and remember what was acknowledged."""

  def __init__(self, daemon, connections, seed):
    self.daemon = daemon
    self.acknowledged = {}
    self.doubtful = {}
    self.lock = threading.Lock()
    # All are connected before the first buys: one that came late would find the next daemon.
    self.threads = [
      threading.Thread(target=self.write, args=(f"{seed}-{number}", Wire(daemon.socket)))
      for number in range(connections)]
    for thread in self.threads:
      thread.start()

  def write(self, name, wire):
    """Buys with several calls in flight until the connection goes."""
    in_flight = []
    number = 0
    try:
      while True:
        for _ in range(4):
          number += 1
          call = {"account": f"u{number % 50}", "productId": "coins",
                  "requestId": f"{name}-{number}"}
          in_flight.append(call)
          wire.send("Store.Purchase", call)
        while in_flight:
          reply = wire.reply()[0]
          call = in_flight.pop(0)
          with self.lock:
            self.acknowledged[call["requestId"]] = (call, reply)
    except (OSError, Closed):
      with self.lock:
        for call in in_flight:
          self.doubtful[call["requestId"]] = call
    finally:
      wire.close()

  def join(self):
    for thread in self.threads:
      thread.join(60)
      assert not thread.is_alive()


def events_by_request(daemon, start):
  """The purchases from a sequence on, by their request ids."""
  found = {}
  with daemon.connect() as wire:
    following = start
    while following is not None:
      page = wire.call("Log.Read", **{"from": following})
      for event in page["events"]:
        if event["kind"] == "purchased":
          found.setdefault(event["requestId"], []).append(event)
      following = page.get("next")
  return found


def test_a_kill_under_load_loses_nothing_acknowledged_and_doubles_nothing(daemon, quick):
  """Several connections with request ids and calls in flight; kill -9 at a random moment."""
  chance = random.Random(20250131)
  start, total, doubtful_total = 1, 0, 0
  for round_ in range(5 if quick else 50):
    load = LoadedDaemon(daemon, 4, round_)
    until(lambda: load.acknowledged, 60, "a purchase is acknowledged")
    time.sleep(chance.random() * 0.15)
    daemon.restart_killed()
    load.join()
    found = events_by_request(daemon, start)
    for identifier, (_, reply) in load.acknowledged.items():
      # Acknowledged is durable: the event is there, under the number that was told.
      assert [event["sequence"] for event in found[identifier]] == [reply["sequence"]]
    # Whoever had no answer asks again; whatever became of the first attempt, there is one event.
    with daemon.connect() as wire:
      for identifier, call in load.doubtful.items():
        reply = wire.call("Store.Purchase", call)
        if identifier in found:
          assert found[identifier][0]["sequence"] == reply["sequence"]
      for identifier, (call, reply) in list(load.acknowledged.items())[-20:]:
        assert wire.call("Store.Purchase", call) == reply
      head = wire.call("Log.Describe")["sequence"]
      assert wire.call("Log.Verify").get("damage") is None
    again = events_by_request(daemon, start)
    assert set(again) == set(load.acknowledged) | set(load.doubtful)
    assert all(len(events) == 1 for events in again.values())
    total += len(load.acknowledged)
    doubtful_total += len(load.doubtful)
    start = head + 1
  print(f"{total} acknowledged, {doubtful_total} in doubt")
  assert total > 0 and doubtful_total > 0
  assert daemon.stop() == 0
  verified = run([daemon.binaries / "renewd", "log", "verify", daemon.state])
  assert verified.status == 0, verified


def test_the_same_request_id_gives_the_same_answer_after_a_kill(daemon):
  """For each kind of change; with other parameters it is refused."""
  calls = [
    ("Store.Purchase", {"account": "u1", "productId": "pro.monthly"}),
    ("Clocks.Create", {"name": "other", "at": moment("2025-06-01")}),
    ("Clocks.Advance", {"by": "P1M"}),
    ("Testing.ForceRenewal", {"account": "u1"}),
    ("Testing.Refund", {"account": "u1"}),
    ("Testing.ReverseRefund", {"account": "u1"}),
    ("Clocks.Advance", {"by": "P1W"}),
    ("Clocks.Attach", {"account": "u1", "clock": "other"}),
  ]

  def stable(answer):
    """What an event tells again: not how many accounts a clock has by now, nor what is next."""
    if "clock" in answer:
      answer["clock"] = {name: value for name, value in answer["clock"].items()
                         if name not in ("accounts", "nextDue")}
    return answer

  answers = []
  with daemon.connect() as wire:
    for number, (method, parameters) in enumerate(calls):
      answers.append(stable(wire.call(method, parameters, requestId=f"r{number}")))
    head = wire.call("Log.Describe")["sequence"]
  daemon.restart_killed()
  with daemon.connect() as wire:
    for number, (method, parameters) in enumerate(calls):
      again = stable(wire.call(method, parameters, requestId=f"r{number}"))
      assert again == answers[number], method
    try:
      wire.call("Store.Purchase", account="u2", productId="pro.monthly", requestId="r0")
    except Refused as refused:
      assert refused.name == "org.renewd.RequestIdReused"
    else:
      raise AssertionError("a request id was taken for another call")
    assert wire.call("Log.Describe")["sequence"] == head


def test_b20_a_test_clock_and_its_renewals_outlive_a_kill(daemon):
  """Advance two months, restart: the same time, no renewal repeated or skipped."""
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "2months")
  daemon.restart_killed()
  clocks = {clock["name"]: clock for clock in daemon.json("clock", "list")["clocks"]}
  assert clocks["default"]["now"] == moment("2025-03-31T10:00:00Z")
  history = daemon.json("history", "u1")["transactions"]
  assert [part["purchaseDate"] for part in history] == [
    moment("2025-01-31T10:00:00Z"), moment("2025-02-28T10:00:00Z"), moment("2025-03-31T10:00:00Z")]
  # The clock that the command line asks for is there already and keeps its time.
  assert "--clock" in daemon.log()


def facts(daemon):
  """All events of test clocks without what differs from run to run."""
  found, following = [], 1
  with daemon.connect() as wire:
    while following is not None:
      page = wire.call("Log.Read", {"from": following})
      found += page["events"]
      following = page.get("next")
  return [{name: value for name, value in event.items() if name not in ("recorded", "sequence")}
          for event in found if event["clock"] != "system"]


def await_clock(daemon, is_there):
  """Waits for the default clock to stand as it should."""
  deadline = time.monotonic() + 60
  with daemon.connect() as wire:
    while True:
      clock = [clock for clock in wire.call("Clocks.List")["clocks"]
               if clock["name"] == "default"][0]
      if is_there(clock):
        return
      assert time.monotonic() < deadline, clock
      time.sleep(0.001)


def advance_ten_years(daemon, accounts, kills):
  """Sells, advances with kills on the way, and waits for the end; facts and the answer."""
  products = ["pro.weekly", "pro.monthly", "trial30d"]
  call = {"by": "P10Y", "requestId": "decade"}
  daemon.start()
  with daemon.connect() as wire:
    for number in range(accounts):
      wire.send("Store.Purchase", {"account": f"u{number}", "productId": products[number % 3]})
    for _ in range(accounts):
      wire.reply()
    wire.send("Clocks.Advance", call)
    if kills:
      # What is killed before it stands in the log was never begun.
      await_clock(daemon, lambda clock: clock["now"] != moment(CLOCK) or "target" in clock)
    for number in range(kills):
      time.sleep(0.02 + 0.01 * (number % 5))
      daemon.restart_killed()
  end = moment("2035-01-31T10:00:00Z")
  await_clock(daemon, lambda clock: clock["now"] == end and "target" not in clock)
  with daemon.connect() as wire:
    answer = wire.call("Clocks.Advance", call)
    assert wire.call("Log.Verify").get("damage") is None
  found = facts(daemon)
  assert daemon.stop() == 0
  return found, answer


def test_an_advance_killed_again_and_again_comes_out_as_one_that_was_not(make_daemon, quick):
  """The target stands in the log; each start goes on, and the same facts come out."""
  accounts, kills = (60, 3) if quick else (300, 10)
  once, answer = advance_ten_years(make_daemon(state="once"), accounts, 0)
  again, repeated = advance_ten_years(make_daemon(state="again"), accounts, kills)
  assert again == once
  assert {name: repeated[name] for name in ("events", "clock")} == {
    name: answer[name] for name in ("events", "clock")}
  # From 31 January 2025 to 31 January 2035 there are 3652 days: 521 whole weeks, 120 months.
  renewals = [event["account"] for event in once if event["kind"] == "renewed"]
  assert renewals.count("u0") == 521 and renewals.count("u1") == 120


def test_the_catalogue_outlives_a_kill_and_is_not_imported_twice(make_daemon, folder):
  daemon = make_daemon().start()
  first = daemon.json("log", "describe")["sequence"]
  daemon.restart_killed()
  assert daemon.json("log", "describe")["sequence"] == first
  content = shop.standard()
  content["products"].append(shop.item("gems", "Consumable"))
  shop.write(folder / "shop.storekit", content)
  daemon.restart_killed()
  assert daemon.json("log", "describe")["sequence"] > first
  assert daemon.json("products", "gems")["unknown"] == []


def test_request_ids_outlive_a_snapshot_and_a_reset(daemon):
  """A start from a snapshot knows the ids as well as one from the whole log."""
  call = {"account": "u1", "productId": "pro.monthly", "requestId": "r"}
  with daemon.connect() as wire:
    answer = wire.call("Store.Purchase", call)
    wire.call("Log.Snapshot")
  daemon.restart_killed()
  with daemon.connect() as wire:
    assert wire.call("Store.Purchase", call) == answer
    head = wire.call("Testing.Reset")["sequence"]
    after = wire.call("Store.Purchase", {**call, "requestId": "s"})
    # Sequence and ids go on.
    assert after["sequence"] > head
    assert int(after["transaction"]["transactionId"]) > int(answer["transaction"]["transactionId"])


def test_the_same_request_on_two_connections_at_once_has_one_effect(daemon, quick):
  count = 50 if quick else 500
  with daemon.connect() as one, daemon.connect() as other:
    for number in range(count):
      call = {"account": f"u{number}", "productId": "coins", "requestId": f"r{number}"}
      one.send("Store.Purchase", call)
      other.send("Store.Purchase", call)
    assert [one.reply() for _ in range(count)] == [other.reply() for _ in range(count)]
    for number in range(count):
      assert len(one.call("Membership.History", account=f"u{number}")["transactions"]) == 1
