"""renewd.socket: activation, its file across stops and restarts, who may connect."""

import json
import subprocess

INSIDE = "/srv/renewd/Tests/SystemTests/inside.py"


def test_first_connection_starts_the_daemon(daemon):
  daemon.shop()
  assert daemon.show("ActiveState") == "inactive"
  daemon.ctl("buy", "u1", "pro.monthly")
  assert daemon.show("ActiveState") == "active"


def test_socket_file_is_kept_over_stop_and_start(daemon):
  daemon.shop()
  inode = daemon.socket_inode()
  daemon.ctl("buy", "u1", "pro.monthly")
  daemon.container.run("systemctl", "stop", "renewd.service")
  assert daemon.socket_inode() == inode
  assert daemon.ctl("status", "u1").returncode == 0
  assert daemon.show("ActiveState") == "active"
  assert daemon.socket_inode() == inode


def test_restarts_under_load_fail_no_call(daemon, quick):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  inode = daemon.socket_inode()
  load = daemon.container.start("/usr/bin/python3", INSIDE, "load", stdin=subprocess.PIPE)
  assert load.stdout.readline() == "loading\n", load.stderr.read()
  for _ in range(3 if quick else 7):
    daemon.container.run("systemctl", "restart", "renewd.service")
  result = json.loads(load.communicate(timeout=120)[0])
  assert result["failures"] == [0], result
  # Each thread calls all the while, and each restart lets a call of each wait.
  assert result["calls"] > 4
  assert daemon.socket_inode() == inode


def test_mode_and_group_let_the_group_in_and_nobody_else(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  stat = daemon.container.run("stat", "--format=%U:%G %a %F", "/run/renewd/renewd.sock").stdout
  assert stat == "root:renewd 660 socket\n"
  daemon.container.shell(
      "id reader > /dev/null 2>&1 || useradd --system --user-group --groups renewd reader\n"
      "id stranger > /dev/null 2>&1 || useradd --system --user-group stranger")
  assert daemon.ctl("status", "u1", user="reader").returncode == 0
  bought = daemon.ctl("buy", "u1", "coins.100", user="reader", check=False)
  assert bought.returncode == 77, bought
  refused = daemon.ctl("status", "u1", user="stranger", check=False)
  assert refused.returncode == 77, refused
  assert "renewd" in refused.stderr


def test_mode_and_group_can_be_changed_by_a_drop_in(daemon):
  daemon.container.shell("getent group web > /dev/null || groupadd --system web")
  daemon.container.write("/run/systemd/system/renewd.socket.d/web.conf",
                         "[Socket]\nSocketGroup=web\nSocketMode=0666\n")
  daemon.container.run("systemctl", "daemon-reload")
  daemon.shop()
  daemon.container.run("systemctl", "restart", "renewd.socket")
  daemon.ctl("buy", "u1", "pro.monthly")
  stat = daemon.container.run("stat", "--format=%G %a", "/run/renewd/renewd.sock").stdout
  assert stat == "web 666\n"


def test_the_peer_is_kept_on_the_event(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  events = [json.loads(line) for line in daemon.ctl("log", "--jsonl").stdout.splitlines()]
  purchased = [event for event in events if "purchased" in json.dumps(event)]
  assert len(purchased) == 1
  assert '"uid":0' in json.dumps(purchased[0], separators=(",", ":"))
