"""The unit files and what Scripts/install makes of them."""

import re
import subprocess

# Promise 19 of the project: how much of the machine the daemon may touch, as systemd counts it.
EXPOSURE_MAX = 0.5

UNITS = "/usr/lib/systemd/system"


def test_units_verify_without_a_word(machine):
  answer = machine.run("systemd-analyze", "verify", f"{UNITS}/renewd.service",
                       f"{UNITS}/renewd.socket", check=False)
  assert answer.returncode == 0, answer.stderr
  assert answer.stdout + answer.stderr == ""


def test_exposure_is_at_most_half_a_point(machine, capsys):
  threshold = round(EXPOSURE_MAX * 10)
  answer = machine.run(
      "systemd-analyze", "security", "--offline=true", f"--threshold={threshold}",
      f"{UNITS}/renewd.service", check=False)
  found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", answer.stdout)
  assert found, answer.stdout + answer.stderr
  with capsys.disabled():
    print(f"\n  exposure of renewd.service: {found[1]} (at most {EXPOSURE_MAX})")
  assert answer.returncode == 0, answer.stdout
  assert float(found[1]) <= EXPOSURE_MAX


def test_threshold_would_catch_a_weaker_unit(machine):
  unit = machine.run("cat", f"{UNITS}/renewd.service").stdout
  machine.write("/tmp/weaker/renewd.service", unit.replace("PrivateNetwork=yes", ""))
  answer = machine.run("systemd-analyze", "security", "--offline=true", "--threshold=5",
                       "/tmp/weaker/renewd.service", check=False)
  assert answer.returncode != 0


def test_exposure_of_the_running_unit_is_the_one_of_the_file(daemon):
  daemon.shop()
  daemon.start()
  answer = daemon.container.run("systemd-analyze", "security", "--threshold=5", "renewd.service",
                                check=False)
  assert answer.returncode == 0, answer.stdout + answer.stderr


def test_user_is_static_and_cannot_log_in(machine):
  entry = machine.run("getent", "passwd", "renewd").stdout.strip().split(":")
  assert entry[5:] == ["/var/lib/renewd", "/usr/sbin/nologin"]
  assert machine.run("getent", "group", "renewd").stdout.startswith("renewd:")
  assert machine.run("grep", "-c", "^renewd:", "/etc/passwd").stdout.strip() == "1"


def test_folders_have_their_owners_and_modes(daemon):
  daemon.shop()
  daemon.start()
  stat = daemon.container.run(
      "stat", "--format=%n %U:%G %a", "/run/renewd", "/var/lib/renewd", "/etc/renewd").stdout
  assert stat.splitlines() == [
      "/run/renewd root:root 755",
      "/var/lib/renewd renewd:renewd 700",
      "/etc/renewd root:root 755",
  ]


def test_installing_again_keeps_the_state_and_the_socket(daemon):
  daemon.shop()
  daemon.start()
  daemon.ctl("buy", "u1", "pro.monthly")
  before, inode = daemon.json("history", "u1"), daemon.socket_inode()
  daemon.container.run("env", "BINARIES=/srv/binaries", "/srv/renewd/Scripts/install")
  daemon.wait_until_active()
  assert daemon.json("history", "u1") == before
  assert daemon.socket_inode() == inode


def test_installing_into_a_folder_touches_nothing_else(repository, binaries, tmp_path):
  subprocess.run(
      [repository / "Scripts" / "install"], check=True, capture_output=True,
      env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "DESTDIR": str(tmp_path),
           "BINARIES": str(binaries)})
  files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file())
  assert files == [
      "usr/bin/renewctl",
      "usr/bin/renewd",
      "usr/lib/renewd/librenewd-standstill.so",
      "usr/lib/systemd/catalog/renewd.catalog",
      "usr/lib/systemd/system/renewd.service",
      "usr/lib/systemd/system/renewd.socket",
      "usr/lib/sysusers.d/renewd.conf",
      "usr/lib/tmpfiles.d/renewd.conf",
      "usr/share/doc/renewd/LICENSE",
      "usr/share/doc/renewd/notify-reload.conf.example",
      "usr/share/doc/renewd/record.conf.example",
  ]
