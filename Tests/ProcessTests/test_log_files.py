"""The log's files: torn tails, damage, side files, locks, and reading them without a daemon."""

import json
import os
import re

import pytest

import segments
import shop
from process import run, until
from wire import Refused


def state_of(daemon):
  """What a client can learn, the head sequence included."""
  with daemon.connect() as wire:
    return [wire.call("Log.Describe")["sequence"], wire.call("Membership.Status", account="u1"),
            wire.call("Membership.History", account="u1"), wire.call("Membership.Explain",
                                                                     account="u1")]


def fill(daemon):
  with daemon.connect() as wire:
    wire.call("Store.Purchase", account="u1", productId="pro.monthly")
    wire.call("Clocks.Advance", by="P3M")
    for number in range(20):
      wire.call("Store.Purchase", account=f"u{number}", productId="coins")


def read_log(daemon):
  outcome = run([daemon.binaries / "renewd", "log", "read", daemon.state])
  assert outcome.status == 0, outcome
  return [json.loads(line) for line in outcome.out.splitlines()]


def verify(daemon):
  return run([daemon.binaries / "renewd", "log", "verify", daemon.state])


def data_bytes(daemon):
  """Bytes of the log that hold something, without what is reserved."""
  return sum(segment.end for segment in segments.read(daemon.segments()))


def test_b66_a_torn_tail_is_cut_once_and_what_follows_is_kept(daemon):
  """Seven random bytes behind the last segment, three starts with writes between them."""
  fill(daemon)
  before = state_of(daemon)
  daemon.kill()
  segment = daemon.segments()[-1]
  size = segment.stat().st_size
  with open(segment, "ab") as file:
    file.write(b"\x5a\xa5\x13\x37\xfe\x01\x99")
  daemon.start()
  assert state_of(daemon) == before
  warning = [line for line in daemon.log().splitlines() if "torn" in line]
  assert len(warning) == 1 and "7 bytes" in warning[0] and str(size) in warning[0], daemon.log()
  torn = list(daemon.state.rglob("*.torn"))
  assert [path.read_bytes() for path in torn] == [b"\x5a\xa5\x13\x37\xfe\x01\x99"]
  with daemon.connect() as wire:
    made = [wire.call("Store.Purchase", account="u1", productId="coins")["sequence"]
            for _ in range(2)]
  daemon.restart_killed()
  assert made == [before[0] + 1, before[0] + 2]
  events = read_log_of(daemon)
  assert [event["sequence"] for event in events] == list(range(1, made[-1] + 1))
  assert len(list(daemon.state.rglob("*.torn"))) == 1


def read_log_of(daemon):
  events, following = [], 1
  with daemon.connect() as wire:
    while following is not None:
      page = wire.call("Log.Read", {"from": following})
      events += page["events"]
      following = page.get("next")
  return events


def test_b66_a_torn_tail_where_the_next_batch_would_stand_is_cut(daemon):
  """The same where a crash leaves it: right behind the last batch, inside the reserved file."""
  fill(daemon)
  before = state_of(daemon)
  daemon.kill()
  path = daemon.segments()[-1]
  end = segments.read(daemon.segments())[-1].end
  with open(path, "r+b") as file:
    file.seek(end)
    file.write(b"\x5a\xa5\x13\x37\xfe\x01\x99")
  daemon.start()
  assert state_of(daemon) == before
  warning = [line for line in daemon.log().splitlines() if "torn" in line]
  assert len(warning) == 1 and str(end) in warning[0], daemon.log()
  assert [path.read_bytes()[:7] for path in daemon.state.rglob("*.torn")] == [
    b"\x5a\xa5\x13\x37\xfe\x01\x99"]
  with daemon.connect() as wire:
    made = wire.call("Store.Purchase", account="u1", productId="coins")["sequence"]
  daemon.restart_killed()
  assert made == before[0] + 1 == read_log_of(daemon)[-1]["sequence"]


def test_the_files_are_what_the_format_page_says(daemon):
  """A reader written from that page alone checks every byte: headers, chain, blocks, mark."""
  fill(daemon)
  head = state_of(daemon)[0]
  daemon.kill()
  log = segments.read(daemon.segments())
  assert log[-1].next == head + 1
  frame, end, sequence = log[-1].mark()
  assert sequence == head and end == log[-1].position + log[-1].end
  assert frame == log[-1].position + log[-1].frames[-1][0]
  daemon.start()
  assert daemon.stop() == 0
  # Closed, the mark claims no frame that could be unfinished.
  frame, end, sequence = segments.read(daemon.segments())[-1].mark()
  assert frame == end and sequence == head


def test_a_flipped_bit_is_refused_by_file_offset_and_sequence(daemon, quick):
  """Start says no with exit 74, names the place, and deletes nothing; so does `log verify`."""
  fill(daemon)
  assert daemon.stop() == 0
  assert verify(daemon).status == 0
  path = daemon.segments()[0]
  data = path.read_bytes()
  frames = segments.read(daemon.segments())[0].frames
  for offset, length, first, _ in frames[2:-1:len(frames) // (2 if quick else 6)]:
    damaged = bytearray(data)
    damaged[offset + length // 2] ^= 0x40
    path.write_bytes(damaged)
    names = sorted(entry.name for entry in daemon.state.iterdir())
    refused = run(daemon.command())
    assert refused.status == 74, refused
    assert path.name in refused.err
    assert re.search(rf"offset {offset}\b", refused.err), refused.err
    assert re.search(rf"sequence {first}\b", refused.err), refused.err
    assert sorted(entry.name for entry in daemon.state.iterdir()) == names
    assert path.read_bytes() == bytes(damaged)
    verified = verify(daemon)
    assert verified.status == 74 and path.name in verified.out + verified.err, verified
  path.write_bytes(data)
  daemon.start()


def test_a_log_that_is_damaged_while_it_runs_is_told_by_verify(daemon):
  fill(daemon)
  assert daemon.ctl("log", "verify").status == 0
  path = daemon.segments()[0]
  offset = segments.read(daemon.segments())[0].frames[3][0]
  with open(path, "r+b") as file:
    file.seek(offset + 50)
    byte = file.read(1)[0]
    file.seek(offset + 50)
    file.write(bytes([byte ^ 1]))
  outcome = daemon.ctl("log", "verify")
  assert outcome.status == 74, outcome
  assert path.name in outcome.out and str(offset) in outcome.out


def test_a_log_of_a_newer_format_is_refused_in_a_sentence(daemon):
  fill(daemon)
  daemon.kill()
  path = daemon.segments()[0]
  data = bytearray(path.read_bytes())
  data[8:12] = (2).to_bytes(4, "little")
  data[60:64] = segments.crc32c(bytes(data[:60])).to_bytes(4, "little")
  path.write_bytes(data)
  refused = run(daemon.command())
  assert refused.status == 74 and "format 2" in refused.err and path.name in refused.err, refused
  assert path.read_bytes() == bytes(data)


def many_segments(daemon):
  """Fills the log with catalogues until it has three segments; the first two are sealed."""
  with daemon.connect() as wire:
    wire.call("Store.Purchase", account="u1", productId="pro.weekly")
    while len(daemon.segments()) < 3:
      wire.call("Catalog.Import", text=shop.large(), source="large")
      wire.call("Clocks.Advance", by="P1W")


def test_a_log_of_several_segments_is_one_log(daemon):
  """History, watch and replay go across segments; a missing or short one is refused by name."""
  many_segments(daemon)
  before = state_of(daemon)
  assert len(before[2]["transactions"]) > 10
  daemon.restart_killed()
  assert state_of(daemon) == before
  events = read_log_of(daemon)
  assert [event["sequence"] for event in events] == list(range(1, before[0] + 1))
  assert daemon.stop() == 0
  paths = daemon.segments()
  kept = daemon.folder / "kept"
  for path, named in [(paths[0], paths[1].name), (paths[1], paths[0].name)]:
    path.rename(kept)
    refused = run(daemon.command())
    assert refused.status == 74 and named in refused.err, refused
    kept.rename(path)
  data = paths[1].read_bytes()
  paths[1].write_bytes(data[:len(data) // 2])
  refused = run(daemon.command())
  assert refused.status == 74 and paths[1].name in refused.err, refused
  damaged = bytearray(data)
  damaged[len(data) // 3] ^= 0x10
  paths[1].write_bytes(damaged)
  refused = run(daemon.command())
  assert refused.status == 74 and paths[1].name in refused.err, refused
  assert re.search(r"offset \d+", refused.err) and re.search(r"sequence \d+", refused.err)
  paths[1].write_bytes(data)
  daemon.start()
  assert state_of(daemon) == before


def test_damage_that_a_snapshot_hides_is_never_read_past(daemon):
  """The state is the snapshot's; whoever reads the damaged part gets an error, not a gap."""
  with daemon.connect() as wire:
    for number in range(50):
      wire.call("Store.Purchase", account=f"u{number}", productId="pro.monthly")
    wire.call("Log.Snapshot")
  assert daemon.stop() == 0
  path = daemon.segments()[0]
  offset, _, first, _ = segments.read([path])[0].frames[20]
  data = bytearray(path.read_bytes())
  data[offset + 60] ^= 1
  path.write_bytes(data)
  daemon.start()
  assert daemon.ctl("check", "u49").status == 0
  with daemon.connect() as wire:
    with pytest.raises(Refused) as refused:
      wire.call("Log.Read", {"from": first})
    assert refused.value.name == "org.renewd.LogFailed"
    sequences = []
    with pytest.raises(Refused) as refused:
      for reply in wire.stream("Membership.Watch", since=0):
        sequences.append(reply["sequence"])
    assert refused.value.name == "org.renewd.LogFailed"
    assert sequences == list(range(1, len(sequences) + 1)) and len(sequences) < first
  assert path.name in daemon.log() and str(first) in daemon.log()
  assert daemon.ctl("log", "verify").status == 74
  # What cannot be read does not say that it could not be written.
  told = [daemon.ctl("history", f"u{number}") for number in range(50)]
  harmed = [outcome for outcome in told if outcome.status != 0]
  assert harmed, "somebody's history lies in the damaged part"
  for outcome in harmed:
    assert outcome.status == 74, outcome
    assert f"the log cannot be read: {path.name} is damaged" in outcome.err, outcome
    assert "written" not in outcome.err, outcome
  assert "cannot be written" not in daemon.log()
  doctor = daemon.ctl("doctor")
  assert doctor.status == 74 and f"damaged: {path.name} is damaged" in doctor.out, doctor


def test_all_segments_are_checked_after_a_start(daemon):
  """Slowly, in the background; what is found is in the journal, in doctor and in the status."""
  many_segments(daemon)
  with daemon.connect() as wire:
    wire.call("Log.Snapshot")
    head = wire.call("Log.Describe")["sequence"]
  assert daemon.stop() == 0
  daemon.start()

  def described():
    with daemon.connect() as wire:
      return wire.call("Log.Describe")

  until(lambda: described().get("checked") == head, 60, "the log is checked")
  assert f"the log was checked and is sound: events to {head}" in daemon.log()
  assert daemon.do("doctor").status == 0
  assert daemon.stop() == 0
  path = daemon.segments()[1]
  data = bytearray(path.read_bytes())
  frames = segments.read(daemon.segments()[:2])[1].frames
  offset, _, first, _ = frames[len(frames) // 2]
  data[offset + 60] ^= 1
  path.write_bytes(data)
  daemon.start()
  until(lambda: described().get("damage"), 60, "the damage is found")
  assert re.search(rf"{path.name} is damaged at offset {offset}, sequence {first}\b",
                   described()["damage"])
  assert f"the last good sequence before it is {first - 1}" in daemon.log()
  with daemon.connect() as wire:
    assert wire.call("Daemon.Describe")["status"].startswith(f"log damaged: {path.name}")
  doctor = daemon.ctl("doctor")
  assert doctor.status == 74 and path.name in doctor.out, doctor
  # All else goes on.
  daemon.do("buy", "u1", "coins")


def test_a_missing_or_short_segment_before_the_snapshot_is_found_at_every_start(daemon):
  many_segments(daemon)
  with daemon.connect() as wire:
    wire.call("Log.Snapshot")
  assert daemon.stop() == 0
  log = segments.read(daemon.segments())
  paths = daemon.segments()
  kept = daemon.folder / "kept"
  paths[1].rename(kept)
  for _ in range(2):
    refused = run(daemon.command())
    assert refused.status == 74 and f"{paths[1].name} is damaged" in refused.err, refused
    last = int(paths[1].name[:20]) - 1
    assert f"it is missing: {paths[0].name}, of {paths[0].stat().st_size} bytes" in refused.err
    assert f"the last good sequence is {last}." in refused.err
    assert "Put the file back from a copy" in refused.err
  kept.rename(paths[1])
  data = paths[1].read_bytes()
  short = log[1].end - 1
  paths[1].write_bytes(data[:short])
  refused = run(daemon.command())
  assert refused.status == 74 and f"{paths[1].name} is damaged" in refused.err, refused
  assert f"it has {short} bytes" in refused.err and str(log[1].end) in refused.err, refused
  assert re.search(r"the last good sequence is \d+\.", refused.err), refused
  paths[1].write_bytes(data)
  daemon.start()


def test_a_snapshot_newer_than_the_log_stops_the_start_until_the_loss_is_accepted(daemon):
  many_segments(daemon)
  with daemon.connect() as wire:
    head = wire.call("Log.Snapshot")["sequence"]
  assert daemon.stop() == 0
  paths = daemon.segments()
  end = int(paths[2].name[:20]) - 1
  paths[2].unlink()
  accept = [daemon.binaries / "renewd", "log", "accept-loss", daemon.state, "--up-to"]
  for _ in range(2):
    refused = run(daemon.command())
    assert refused.status == 74 and "events are lost" in refused.err, refused
    assert f"ends at sequence {end}, in {paths[1].name} of " in refused.err
    assert f"made at sequence {head}" in refused.err
    assert f"renewd log accept-loss {daemon.state} --up-to {end}" in refused.err
  names = sorted(path.name for path in daemon.state.iterdir())
  wrong = run([*accept, str(end - 1)])
  assert wrong.status == 2 and f"ends at sequence {end}" in wrong.err, wrong
  assert sorted(path.name for path in daemon.state.iterdir()) == names
  accepted = run([*accept, str(end)])
  assert accepted.status == 0 and f"goes on from sequence {end}" in accepted.out, accepted
  daemon.start()
  assert f"events {end + 1} to {head} were lost" in daemon.log()
  locked = run([*accept, str(end)])
  assert locked.status == 75, locked
  daemon.do("buy", "u1", "coins")
  assert daemon.stop() == 0
  assert verify(daemon).status == 0


def test_b71_every_side_file_may_be_lost_or_garbled(daemon):
  """Only the segments count: the same sequence and state, and the side files are made again. The
  keys that sign are no side file."""
  fill(daemon)
  with daemon.connect() as wire:
    assert wire.call("Log.Snapshot")["sequence"] > 0
    wire.call("Store.Purchase", account="u1", productId="coins")
  before = state_of(daemon)
  segments = {path.name for path in daemon.segments()}

  def side_files():
    kept = segments | {"authority.pem"}
    return [path for path in daemon.state.iterdir() if path.name not in kept]

  def truncate(path):
    os.truncate(path, path.stat().st_size // 2)

  def garble(path):
    path.write_bytes(os.urandom(max(path.stat().st_size, 64)) if path.stat().st_size < 1 << 20
                     else os.urandom(1 << 16))

  assert any("snapshot" in path.name for path in side_files())
  for harm in [os.remove, truncate, garble]:
    daemon.kill()
    for path in side_files():
      harm(path)
    daemon.start()
    assert state_of(daemon) == before, harm
    with daemon.connect() as wire:
      wire.call("Log.Snapshot")
    assert any("snapshot" in path.name for path in side_files())
  assert daemon.stop() == 0
  assert verify(daemon).status == 0


def test_b77_a_snapshot_of_another_fold_is_left_aside_with_a_notice(daemon):
  """Its version is not ours: full replay, the same state, and a new snapshot can be written."""
  fill(daemon)
  with daemon.connect() as wire:
    wire.call("Log.Snapshot")
  before = state_of(daemon)
  daemon.kill()
  snapshots = list(daemon.state.glob("snapshot-*"))
  assert snapshots
  for path in snapshots:
    path.write_bytes(segments.with_other_rules(path.read_bytes()))
  daemon.start()
  assert state_of(daemon) == before
  assert "snapshot" in daemon.log()
  with daemon.connect() as wire:
    assert wire.call("Log.Snapshot")["sequence"] == before[0]
  length = len(daemon.log())
  daemon.restart_killed()
  assert state_of(daemon) == before
  assert "snapshot" not in daemon.log()[length:]


def test_two_daemons_on_one_directory(make_daemon, daemon):
  """The second is refused and told which process has the log; the first goes on."""
  second = make_daemon()
  second.socket = second.folder / "s2"
  refused = run(second.command())
  assert refused.status == 75, refused
  assert str(second.state) in refused.err and str(daemon.process.pid) in refused.err
  assert daemon.do("products").status == 0


def test_a_log_is_read_exported_and_verified_without_a_daemon(daemon):
  fill(daemon)
  live = read_log_of(daemon)
  assert daemon.stop() == 0
  assert read_log(daemon) == live
  exported = run([daemon.binaries / "renewd", "log", "export", daemon.state])
  assert exported.status == 0 and exported.out, exported
  verified = verify(daemon)
  assert verified.status == 0 and str(len(live)) in verified.out, verified
  missing = run([daemon.binaries / "renewd", "log", "verify", daemon.folder / "none"])
  assert missing.status != 0 and "none" in missing.err


def test_an_event_takes_a_few_dozen_bytes(daemon):
  """A renewal at most 48 in the log."""
  with daemon.connect() as wire:
    for number in range(1000):
      wire.send("Store.Purchase", {"account": f"u{number}", "productId": "pro.weekly"})
    for _ in range(1000):
      wire.reply()
    before = data_bytes(daemon)
    report = wire.call("Clocks.Advance", by="P70D")
    after = data_bytes(daemon)
  assert report["events"] >= 10_000
  assert (after - before) / report["events"] <= 48


def test_what_is_in_a_segment_never_changes(daemon):
  """Append-only: whatever is done later, what was written stays, byte by byte."""
  fill(daemon)
  path = daemon.segments()[0]
  end = segments.read(daemon.segments())[0].end
  before = path.read_bytes()[:end]
  with daemon.connect() as wire:
    wire.call("Testing.Refund", transactionId="2000000000000001")
    wire.call("Testing.Reset")
  daemon.restart_killed()
  assert path.read_bytes()[:end] == before
  assert segments.read(daemon.segments())[0].end > end
