"""renewd as a process: options, configuration, socket file, signals, what it leaves behind."""

import os
import pathlib
import re
import signal
import stat
import subprocess
import time

import pytest

import shop
from process import CLOCK, START_SECONDS, STOP_SECONDS, links, run, until


def renewd(binaries, *words, **options):
  """renewd with options that should keep it from starting; how it ended."""
  return run([binaries / "renewd", *words], seconds=20, **options)


def test_b79_a_socket_path_that_is_too_long(binaries, folder):
  """sun_path has 108 bytes, a NUL counted: path, length, limit and remedy are named."""
  path = f"{folder.path}/{'d' * 120}/s.sock"
  (folder / ("d" * 120)).mkdir()
  outcome = renewd(binaries, "--state-directory", folder / "state", "--socket", path)
  assert outcome.status == 78, outcome
  for word in [path, str(len(path)), "107"]:
    assert word in outcome.err
  assert "shorter" in outcome.err
  assert list((folder / ("d" * 120)).iterdir()) == []
  assert sorted(entry.name for entry in folder.path.iterdir()) == ["d" * 120]


def test_a_socket_path_at_the_limit_works(binaries, folder, make_daemon):
  daemon = make_daemon()
  name = "s" * (107 - len(str(folder.path)) - 1)
  daemon.socket = folder / name
  assert len(str(daemon.socket)) == 107
  daemon.start()
  assert daemon.do("products").out
  longer = renewd(binaries, "--ephemeral", "--socket", str(daemon.socket) + "s")
  assert longer.status == 78 and "108" in longer.err


def test_b90_the_binaries_need_no_swift_runtime(binaries):
  for name in ["renewd", "renewctl"]:
    listed = run(["ldd", binaries / name])
    assert listed.status == 0, listed
    assert "libswift" not in listed.out and "libFoundation" not in listed.out
    assert "not found" not in listed.out
    bare = run([binaries / name, "--version"], {"LD_LIBRARY_PATH": None, "PATH": "/nonexistent"})
    assert bare.status == 0 and bare.out.startswith(name)


OPTIONS = [
  (["--ephemerall"], "--ephemeral"),
  (["--socket"], "--socket"),
  (["--ephemeral", "--state-directory", "x"], "--state-directory"),
  (["--ephemeral", "--clock", "noon"], "noon"),
  (["--ephemeral", "--clock", "1999-12-31"], "1999-12-31"),
  (["--ephemeral", "--policy", "monthEnd=never"], "monthEnd"),
  (["--ephemeral", "--policy", "weekStart=monday"], "weekStart"),
  (["--ephemeral", "--environment", "Space"], "Space"),
  (["--ephemeral", "--socket-mode", "999"], "999"),
  (["--ephemeral", "--socket-group", "no-such-group"], "no-such-group"),
  (["--ephemeral", "--catalog", "/nonexistent.storekit"], "/nonexistent.storekit"),
  (["--ephemeral", "--config", "/nonexistent.conf"], "/nonexistent.conf"),
  (["--ephemeral", "--role", "till"], "till"),
  (["--ephemeral", "--role", "record", "--root-certificate", "/nonexistent.pem"],
   "/nonexistent.pem"),
  (["--ephemeral", "--root-certificate", "/dev/null"], "a store believes its own root alone"),
  ([], "--state-directory"),
]


@pytest.mark.parametrize("words, named", OPTIONS, ids=[" ".join(words) for words, _ in OPTIONS])
def test_a_wrong_option_is_named_with_exit_78(binaries, folder, words, named):
  outcome = renewd(binaries, *words, "--socket", folder / "s") if words != ["--socket"] else (
    renewd(binaries, "--ephemeral", "--socket"))
  assert outcome.status == 78, outcome
  assert named in outcome.err
  assert not (folder / "s").exists()


CONFIGURATIONS = [
  ("[daemon]\nsockett = x\n", 2, "sockett"),
  ("[daemon]\n\nenvironment = Space\n", 3, "Space"),
  ("[demon]\n", 1, "demon"),
  ("[daemon]\nenvironment Sandbox\n", 2, "environment"),
  ("# fine\n[roles]\nadmin-users = no-such-user-anywhere\n", 3, "no-such-user-anywhere"),
  ("[entitlement]\nproducts = x\n", 1, "entitlement"),
  ("[entitlement pro]\nproduct = x\n", 2, "product"),
  ("bundle-id = x\n", 1, "bundle-id"),
]


@pytest.mark.parametrize("text, line, named", CONFIGURATIONS)
def test_a_wrong_configuration_is_named_with_file_and_line(binaries, folder, text, line, named):
  path = folder / "renewd.conf"
  path.write_text(text)
  outcome = renewd(binaries, "--ephemeral", "--config", path, "--socket", folder / "s")
  assert outcome.status == 78, outcome
  assert f"{path}:{line}" in outcome.err and named in outcome.err
  assert not (folder / "s").exists()


def test_a_drop_in_beats_the_file_and_a_flag_beats_both(make_daemon, folder):
  (folder / "renewd.conf").write_text("[daemon]\nbundle-id = com.example.file\n")
  (folder / "renewd.conf.d").mkdir()
  (folder / "renewd.conf.d" / "10-shop.conf").write_text(
    "[daemon]\nbundle-id = com.example.drop\nenvironment = LocalTesting\n")
  daemon = make_daemon("--config", folder / "renewd.conf", "--environment", "Xcode").start()
  with daemon.connect() as wire:
    described = wire.call("Daemon.Describe")
  assert described["bundleId"] == "com.example.drop" and described["environment"] == "Xcode"
  origins = {option["name"]: (option["value"], option["origin"])
             for option in described["options"]}
  assert origins["bundle-id"][0] == "com.example.drop"
  assert "10-shop.conf" in origins["bundle-id"][1]


def signed_texts(daemon):
  """What u1's history says, signed; without the signatures, of which each is another."""
  out = daemon.do("history", "u1", "--signed", "--json").out
  return re.sub(r"(\.[\w-]+)\.[\w-]{86}", r"\1", out)


@pytest.mark.parametrize("words, kept", [
  (["--bundle-id", "com.example.other"], "com.example.app"),
  (["--environment", "Production"], "Sandbox"),
  (["--profile", "xcode"], "Sandbox"),
  (["--app-apple-id", "7"], "none"),
])
def test_a_log_keeps_the_app_and_the_environment_it_was_made_for(
    make_daemon, binaries, folder, words, kept):
  daemon = make_daemon().start()
  daemon.do("buy", "u1", "pro.monthly")
  before = signed_texts(daemon)
  daemon.stop()
  outcome = renewd(
    binaries, "--state-directory", folder / "state", "--socket", folder / "s", *words)
  assert outcome.status == 78, outcome
  assert words[0].removeprefix("--") in outcome.err and kept in outcome.err, outcome.err
  again = make_daemon().start()
  assert signed_texts(again) == before


def test_reload_takes_a_good_configuration_and_refuses_a_bad_one(make_daemon, folder):
  path = folder / "renewd.conf"
  path.write_text("[entitlement pro]\nproducts = pro.monthly\n")
  daemon = make_daemon("--config", path).start()
  daemon.do("buy", "u1", "news.monthly")
  assert daemon.ctl("status", "u1", "pro").status == 1
  path.write_text("[entitlement pro]\nproducts = pro.monthly news.monthly\n")
  daemon.do("reload")
  assert daemon.ctl("status", "u1", "pro").status == 0
  path.write_text("[entitlement pro]\nproduct = pro.monthly\n")
  refused = daemon.ctl("reload")
  assert refused.status == 78 and f"{path}:2" in refused.err, refused
  assert daemon.ctl("status", "u1", "pro").status == 0


def test_the_sockets_mode_is_what_was_asked_for(make_daemon):
  daemon = make_daemon("--socket-mode", "0600").start()
  found = daemon.socket.stat()
  assert stat.S_ISSOCK(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o600


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_and_the_socket_goes(daemon, name):
  with daemon.connect() as wire:
    wire.call("Store.Purchase", account="u1", productId="pro.monthly")
  began = time.monotonic()
  daemon.process.send_signal(getattr(signal, name))
  assert daemon.process.wait(STOP_SECONDS) == 0
  print(f"{name} took {(time.monotonic() - began) * 1000:.0f} ms")
  assert not daemon.socket.exists()
  daemon.start()
  assert daemon.do("status", "u1")


def test_a_socket_left_by_a_kill_is_taken_over(daemon):
  daemon.kill()
  assert daemon.socket.exists()
  daemon.start()
  assert daemon.do("products")


def test_a_socket_in_use_is_not_taken_away(daemon, make_daemon, binaries, folder):
  """Another daemon's socket, and a file that is no socket, are left alone."""
  outcome = renewd(binaries, "--ephemeral", "--socket", daemon.socket)
  assert outcome.status != 0 and str(daemon.socket) in outcome.err
  assert daemon.do("products")
  plain = folder / "plain"
  plain.write_text("mine")
  outcome = renewd(binaries, "--ephemeral", "--socket", plain)
  assert outcome.status == 78 and str(plain) in outcome.err, outcome
  assert plain.read_text() == "mine"


def test_an_ephemeral_log_goes_with_its_daemon(binaries, folder):
  temporary = folder / "tmp"
  temporary.mkdir()
  path = shop.write(folder / "shop.storekit", shop.standard())
  child = subprocess.Popen(
    [binaries / "renewd", "--ephemeral", "--socket", folder / "s", "--catalog", path, "--clock",
     CLOCK], env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.DEVNULL)
  until(lambda: (folder / "s").exists(), START_SECONDS, "the socket is there")
  assert run([binaries / "renewctl", "buy", "u1", "pro.monthly", "--socket",
              folder / "s"]).status == 0
  assert len(list(temporary.iterdir())) == 1
  child.terminate()
  assert child.wait(STOP_SECONDS) == 0
  assert list(temporary.iterdir()) == [] and not (folder / "s").exists()


def test_the_state_directory_is_its_owners_alone(daemon):
  assert stat.S_IMODE(daemon.state.stat().st_mode) == 0o700
  for path in daemon.state.iterdir():
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_role_is_kept_in_the_log_and_the_clock_keeps_its_time(make_daemon):
  daemon = make_daemon().start()
  daemon.do("advance", "1y")
  daemon.stop()
  other = make_daemon(clock="2030-01-01T00:00:00Z").start()
  clock = [clock for clock in other.json("clock", "list")["clocks"]
           if clock["name"] == "default"][0]
  assert clock["now"] == 1769853600000
  assert "no effect" in other.log()


def test_its_threads_are_few_and_it_opens_no_network_socket(daemon):
  process = pathlib.Path(f"/proc/{daemon.process.pid}")
  assert len(list((process / "task").iterdir())) <= 4

  def opened_elsewhere():
    sockets = {link[8:-1] for link in links(process / "fd") if link.startswith("socket:[")}
    unix = {line.split()[6] for line in (process / "net/unix").read_text().splitlines()[1:]}
    return sockets - unix

  # A connection may end between the two looks; a network socket would stay.
  until(lambda: not opened_elsewhere(), STOP_SECONDS, "each of its sockets is a Unix socket")
