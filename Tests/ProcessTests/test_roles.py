"""Three users on a real socket: root, a reader by its group, a stranger (promise 15)."""

import json
import os
import subprocess
import sys

import pytest

from process import run

READER_GROUP = 60_123
READER = 60_124
STRANGER = 60_125

# A call of each kind, and the role it needs.
CALLS = {
  "read": ("org.renewd.Membership.Check", {"account": "u1"}),
  "write": ("org.renewd.Store.Purchase", {"account": "u1", "productId": "coins"}),
  "admin": ("org.renewd.Clocks.List", {}),
}

# Run by the other user: connects, makes each call, prints what came of it.
CLIENT = """
import json, socket, sys
s = socket.socket(socket.AF_UNIX)
try:
  s.connect(sys.argv[1])
except PermissionError:
  print(json.dumps("refused"))
  sys.exit()
found = {}
for role, (method, parameters) in json.loads(sys.argv[2]).items():
  s.sendall(json.dumps({"method": method, "parameters": parameters}).encode() + b"\\0")
  data = b""
  while not data.endswith(b"\\0"):
    chunk = s.recv(65536)
    if not chunk:
      break
    data += chunk
  reply = json.loads(data[:-1])
  found[role] = reply.get("error"), reply.get("parameters")
print(json.dumps(found))
"""


def as_user(uid, gid, *words):
  """Runs a program as another user, in no other group than the one named."""
  return run(["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *words])


def calls_as(daemon, uid, gid):
  outcome = as_user(uid, gid, sys.executable, "-B", "-c", CLIENT, daemon.socket, json.dumps(CALLS))
  assert outcome.status == 0, outcome
  return outcome.json()


@pytest.fixture
def public(make_daemon, folder):
  """Makes a daemon on a folder that all users may enter; skips where none can be another user."""
  if os.geteuid() != 0:
    pytest.skip("only root can call as other users")
  tried = subprocess.run(
    ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "true"],
    stderr=subprocess.PIPE, text=True, check=False)
  if tried.returncode != 0:
    pytest.skip(f"setpriv cannot make another user here: {tried.stderr.strip()}")
  folder.path.chmod(0o755)
  return make_daemon


def configured(folder, text):
  path = folder / "renewd.conf"
  path.write_text(text)
  return "--config", path


def test_root_is_admin_a_group_reads_and_a_stranger_may_nothing(public, folder):
  """The group is named by number in the configuration; the socket is open to everyone."""
  daemon = public(*configured(folder, f"[roles]\nread-groups = {READER_GROUP}\n"),
                  "--socket-mode", "0666").start()
  root = calls_as(daemon, 0, 0)
  assert [error for error, _ in root.values()] == [None, None, None]
  reader = calls_as(daemon, READER, READER_GROUP)
  assert reader["read"] == [None, {"entitled": False, "sequence": reader["read"][1]["sequence"]}]
  assert reader["write"] == ["org.renewd.PermissionDenied", {"role": "write"}]
  assert reader["admin"] == ["org.renewd.PermissionDenied", {"role": "admin"}]
  stranger = calls_as(daemon, STRANGER, STRANGER)
  for role, (error, parameters) in stranger.items():
    assert (error, parameters) == ("org.renewd.PermissionDenied", {"role": role})


def test_users_named_for_a_role_have_it_and_what_is_below_it(public, folder):
  daemon = public(
    *configured(folder, f"[roles]\nwrite-users = {READER}\nadmin-users = {STRANGER}\n"),
    "--socket-mode", "0666").start()
  writer = calls_as(daemon, READER, READER)
  assert [error for error, _ in writer.values()] == [None, None, "org.renewd.PermissionDenied"]
  admin = calls_as(daemon, STRANGER, STRANGER)
  assert [error for error, _ in admin.values()] == [None, None, None]


def test_who_did_it_stands_in_the_event(public, folder):
  daemon = public(*configured(folder, f"[roles]\nwrite-users = {READER}\n"),
                  "--socket-mode", "0666").start()
  calls_as(daemon, READER, READER)
  daemon.do("buy", "u2", "coins")
  uids = {event.get("account"): event.get("uid") for event in
          daemon.json("log", "read")["events"] if event["kind"] == "purchased"}
  assert uids == {"u1": READER, "u2": 0}


def test_request_ids_of_two_users_do_not_meet(public, folder):
  daemon = public(*configured(folder, f"[roles]\nwrite-users = {READER}\n"),
                  "--socket-mode", "0666").start()
  words = ["--socket", daemon.socket, "--request-id", "same", "--json"]
  control = daemon.binaries / "renewctl"
  mine = daemon.json("buy", "u1", "coins", "--request-id", "same")
  other = as_user(READER, READER, control, "buy", "u2", "coins", *words)
  if other.status == 126 or "Permission denied" in other.err and not other.out:
    pytest.skip(f"other users cannot run the binaries: {other.err.strip()}")
  assert other.status == 0, other
  assert other.json()["transaction"]["account"] == "u2"
  assert mine["transaction"]["account"] == "u1"


def test_no_permission_is_exit_77_and_says_which_group(public, folder):
  """Closed by the socket's mode, and refused by role."""
  daemon = public("--socket-mode", "0660").start()
  control = daemon.binaries / "renewctl"
  closed = as_user(STRANGER, STRANGER, control, "status", "u1", "--socket", daemon.socket)
  if closed.status in (126, 127):
    pytest.skip(f"other users cannot run the binaries: {closed.err.strip()}")
  assert closed.status == 77, closed
  # The socket belongs to root's group: that is the one that may connect.
  assert "root" in closed.err and str(daemon.socket) in closed.err
  daemon.stop()
  daemon.options += ["--socket-mode", "0666"]
  daemon.start()
  refused = as_user(STRANGER, STRANGER, control, "status", "u1", "--socket", daemon.socket)
  assert refused.status == 77 and "group renewd" in refused.err, refused
  bought = as_user(STRANGER, STRANGER, control, "buy", "u1", "coins", "--socket", daemon.socket,
                   "--json")
  assert bought.status == 77
  assert json.loads(bought.err) == {
    "error": "org.renewd.PermissionDenied", "parameters": {"role": "write"}}


def test_a_group_may_be_let_in_by_the_sockets_mode(public, folder):
  daemon = public(
    *configured(folder, f"[roles]\nread-groups = {READER_GROUP}\n"), "--socket-mode", "0660",
    "--socket-group", str(READER_GROUP)).start()
  assert daemon.socket.stat().st_gid == READER_GROUP
  assert calls_as(daemon, READER, READER_GROUP)["read"][0] is None
  assert calls_as(daemon, STRANGER, STRANGER) == "refused"


OTHER_GROUP = 60_126


@pytest.mark.parametrize("text", [
  f"[daemon]\nsocket-group = {READER_GROUP}\n",
  f"[daemon]\nsocket-group = {READER_GROUP}\n[roles]\nread-groups = {OTHER_GROUP}\n"])
def test_members_of_the_sockets_group_may_read_and_no_more(public, folder, text):
  """Whatever other groups are named for the role; by the first group and by another one."""
  daemon = public(*configured(folder, text)).start()
  reader = calls_as(daemon, READER, READER_GROUP)
  assert reader["read"][0] is None
  assert reader["write"] == ["org.renewd.PermissionDenied", {"role": "write"}]
  assert reader["admin"] == ["org.renewd.PermissionDenied", {"role": "admin"}]
  assert calls_as(daemon, STRANGER, STRANGER) == "refused"
  outcome = run(["setpriv", f"--reuid={READER}", f"--regid={READER}", f"--groups={READER_GROUP}",
                 sys.executable, "-B", "-c", CLIENT, daemon.socket, json.dumps(CALLS)])
  assert outcome.json()["read"][0] is None, outcome
  # A reload leaves the socket's file as it is, and so those who may read through it.
  (folder / "renewd.conf").write_text(f"[daemon]\nsocket-group = {OTHER_GROUP}\n")
  daemon.do("reload")
  assert calls_as(daemon, READER, READER_GROUP)["read"][0] is None
  assert daemon.socket.stat().st_gid == READER_GROUP


def test_who_follows_the_advice_to_join_the_sockets_group_may_read(public):
  daemon = public("--socket-group", str(READER_GROUP)).start()
  words = [daemon.binaries / "renewctl", "status", "u1", "--socket", daemon.socket]
  refused = as_user(STRANGER, STRANGER, *words)
  if refused.status in (126, 127):
    pytest.skip(f"other users cannot run the binaries: {refused.err.strip()}")
  assert refused.status == 77 and f"usermod -aG {READER_GROUP} USER" in refused.err, refused
  joined = as_user(STRANGER, READER_GROUP, *words)
  assert joined.status == 1, joined
  doctor = as_user(STRANGER, READER_GROUP, daemon.binaries / "renewctl", "doctor", "--socket",
                   daemon.socket)
  assert f"user {STRANGER} may read" in doctor.out, doctor


# Run by the other user: opens connections until no more are served, says how many, and stays.
FLOOD = """
import json, socket, sys
call = b'{"method":"org.varlink.service.GetInfo"}\\0'
served = []
for _ in range(int(sys.argv[2])):
  s = socket.socket(socket.AF_UNIX)
  s.settimeout(60)
  try:
    s.connect(sys.argv[1])
    s.sendall(call)
    data = s.recv(65536)
  except OSError:
    data = b""
  if b"renewd" in data:
    served.append(s)
print(len(served), flush=True)
sys.stdin.read()
"""


def test_a_flood_of_connections_leaves_room_for_root(public):
  """A daemon with few descriptors, another user who takes what there is."""
  daemon = public("--socket-mode", "0666", prefix=["prlimit", "--nofile=256:256"]).start()
  flood = subprocess.Popen(
    ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", sys.executable,
     "-B", "-c", FLOOD, str(daemon.socket), "300"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    text=True)
  try:
    served = int(flood.stdout.readline())
    assert 0 < served < 256
    assert daemon.do("products").out
    assert daemon.do("buy", "u1", "pro.monthly")
  finally:
    flood.communicate("", timeout=60)
  with daemon.connect() as wire:
    assert wire.call("Membership.Check", account="u1")["entitled"] is True
