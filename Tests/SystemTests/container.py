"""A throw-away machine: a real systemd as PID 1 over a copy-on-write view of this one.

The root is an overlay of `/` on a tmpfs in a mount namespace of its own, below a process namespace
of its own whose first process dies with the test run. So nothing of it is seen outside, and the
kernel takes all of it away at the end, also when the test run is killed. What the kernel does not
take away, an empty folder and empty cgroups, goes at `close` or before the next boot.
"""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import time

# How long booting may take before the container counts as one that cannot be made. It takes about
# a second; a machine busy with a build needs several times that.
BOOT_SECONDS_MAX = 180

# How the folder and the cgroups of a container begin; the test run's process id follows.
PREFIX = "renewd-container-"

# How long one command in the container may take unless the caller says otherwise.
COMMAND_SECONDS_MAX = 60

# Services of the machine under the overlay that do not belong in a test: they need devices, a
# network or a person, or they are slow.
MASKED = [
    "console-getty.service",
    "dbus.service",
    "dbus.socket",
    "e2scrub_reap.service",
    "getty.target",
    "systemd-hwdb-update.service",
    "systemd-journal-catalog-update.service",
    "systemd-journal-flush.service",
    "systemd-logind.service",
    "systemd-machine-id-commit.service",
    "systemd-networkd.service",
    "systemd-networkd.socket",
    "systemd-resolved.service",
    "systemd-timesyncd.service",
    "systemd-udevd.service",
    "systemd-udevd-control.socket",
    "systemd-udevd-kernel.socket",
    "systemd-udev-trigger.service",
    "systemd-update-done.service",
    "systemd-update-utmp.service",
    "systemd-update-utmp-runlevel.service",
    "systemd-user-sessions.service",
    "ldconfig.service",
]

PREPARE = r"""
set -eu
base=$1
# A cgroup of its own in each hierarchy that systemd uses: two containers never share one.
for procs in $CGROUPS; do
  mkdir -p "$(dirname "$procs")"
  echo 0 > "$procs"
done
mount -t tmpfs -o mode=0755 tmpfs "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" overlay "$base/root"
cd "$base/root/etc"
# Units that something else on this machine enabled, in systemd's way and in the older one.
rm -rf systemd/system/*.wants systemd/system/*.requires rc?.d fstab
mkdir -p systemd/system systemd/journald.conf.d
: > fstab
# A renewd that is installed on this machine is not the one under test.
rm -rf renewd systemd/system/renewd.* systemd/system/renewd-*
rm -rf ../var/lib/renewd ../var/lib/private/renewd ../var/log/journal
for unit in $MASKED; do ln -sfn /dev/null "systemd/system/$unit"; done
printf '[Journal]\nStorage=volatile\nRateLimitIntervalSec=0\n' > systemd/journald.conf.d/test.conf
: > machine-id
shift
exec "$@"
"""


class ContainerUnavailable(Exception):
  """Why no container can be made here, in words for the person who reads the skip."""


def namespaced_pids(pid):
  """The numbers of a process in each process namespace it is in, the outermost first."""
  with open(f"/proc/{pid}/status") as status:
    return [line for line in status if line.startswith("NSpid:")][0].split()[1:]


def own_cgroups():
  """Folders of this process's cgroups in the hierarchies systemd uses, version 1 and 2."""
  paths = {}
  with open("/proc/self/cgroup") as cgroups:
    for line in cgroups:
      _, controllers, path = line.rstrip("\n").split(":", 2)
      paths[controllers] = path
  folders = []
  with open("/proc/self/mounts") as mounts:
    for line in mounts:
      _, place, kind, options = line.split()[:4]
      if kind == "cgroup2" and "" in paths:
        folders.append(place + paths[""])
      elif kind == "cgroup" and "name=systemd" in options.split(",") and "name=systemd" in paths:
        folders.append(place + paths["name=systemd"])
  return [folder.rstrip("/") for folder in folders]


def remove_cgroups(folder):
  """Removes a cgroup and those below it, once no process is left in them."""
  for current, _, _ in os.walk(folder, topdown=False):
    for _ in range(50):
      try:
        os.rmdir(current)
        break
      except FileNotFoundError:
        break
      except OSError:
        time.sleep(0.02)


def remove_leftovers():
  """Takes away what a killed test run could not: folders and cgroups named after its process."""
  places = [os.path.join(tempfile.gettempdir(), PREFIX)]
  places += [os.path.join(folder, PREFIX) for folder in own_cgroups()]
  for place in places:
    for left in glob.glob(glob.escape(place) + "*"):
      pid = left[len(place):].split("-")[0]
      if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
        remove_cgroups(left) if "cgroup" in left else shutil.rmtree(left, ignore_errors=True)


class Container:
  """One booted container. Owns its processes and its temporary folder; `close` ends both."""

  def __init__(self, binds):
    """`binds` maps places inside to folders of this machine, shown there read-only."""
    self.binds = binds
    self.base = None
    self.process = None
    self.leader = None

  def boot(self):
    """Starts the container and waits until systemd has reached its default target."""
    self._check_means()
    remove_leftovers()
    self.base = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    self.console = open(os.path.join(self.base, "console"), "wb")
    mounts = os.path.join(self.base, "mounts")
    os.mkdir(mounts)
    # A machine name has no underscore; the folder may have one.
    name = os.path.basename(self.base).lower().replace("_", "x")
    nspawn = [
        "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network",
        "--link-journal=no", "--resolv-conf=off", "--timezone=off", "--console=read-only",
        f"--machine={name}", f"--directory={mounts}/root",
        *(f"--bind-ro={folder}:{place}" for place, folder in self.binds.items()),
        "--boot", "systemd.log_target=journal",
    ]
    self.cgroups = [os.path.join(folder, name) for folder in own_cgroups()]
    self.process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL",
         "unshare", "--mount", "--propagation", "private",
         "--pid", "--fork", "--kill-child=KILL", "--mount-proc",
         "sh", "-c", PREPARE, "sh", mounts, *nspawn],
        stdin=subprocess.DEVNULL, stdout=self.console, stderr=subprocess.STDOUT,
        env=dict(os.environ, MASKED=" ".join(MASKED),
                 CGROUPS=" ".join(folder + "/cgroup.procs" for folder in self.cgroups)))
    deadline = time.monotonic() + BOOT_SECONDS_MAX
    while self._state() not in ("running", "degraded"):
      if self.process.poll() is not None:
        raise ContainerUnavailable(f"systemd-nspawn ended: {self.console_text()}")
      if time.monotonic() > deadline:
        raise ContainerUnavailable(f"no boot in {BOOT_SECONDS_MAX} s: {self.console_text()}")
      time.sleep(0.05)

  def _check_means(self):
    if os.geteuid() != 0:
      raise ContainerUnavailable("a container needs root")
    for tool in ["systemd-nspawn", "unshare", "setpriv", "nsenter"]:
      if shutil.which(tool) is None:
        raise ContainerUnavailable(f"{tool} is not installed")

  def _state(self):
    if self.leader is None:
      self.leader = self._find_leader()
      if self.leader is None:
        return "starting"
    try:
      answer = self.run("systemctl", "is-system-running", check=False, timeout=60)
    except subprocess.TimeoutExpired:
      return "starting"
    return answer.stdout.strip()

  def _find_leader(self):
    """The container's PID 1 as this machine numbers it."""
    pids = [self.process.pid]
    self.depth = len(namespaced_pids(self.process.pid))
    while pids:
      pid = pids.pop()
      try:
        namespaces = namespaced_pids(pid)
        # The first process of the namespace around the container is 1 in that one only.
        if len(namespaces) > self.depth + 1 and namespaces[-1] == "1":
          return pid
        with open(f"/proc/{pid}/task/{pid}/children") as children:
          pids.extend(int(child) for child in children.read().split())
      except (FileNotFoundError, ProcessLookupError, IndexError):
        continue
    return None

  def console_text(self):
    with open(os.path.join(self.base, "console"), errors="replace") as console:
      return console.read()[-2000:].strip()

  def command(self, *arguments, user=None):
    """The words that run `arguments` inside, as root or as `user`."""
    words = ["nsenter", "--all", "--target", str(self.leader), "--wd=/"]
    words += ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
              "LANG=C.UTF-8", "SYSTEMD_PAGER=", "SYSTEMD_COLORS=0"]
    if user is not None:
      words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
    return words + [str(argument) for argument in arguments]

  def run(self, *arguments, check=True, timeout=COMMAND_SECONDS_MAX, user=None, stdin=None):
    """Runs a command inside and waits; a non-zero exit fails the test unless `check` is off."""
    answer = subprocess.run(
        self.command(*arguments, user=user), input=stdin, capture_output=True, text=True,
        timeout=timeout, **({} if stdin is not None else {"stdin": subprocess.DEVNULL}))
    if check and answer.returncode != 0:
      words = " ".join(str(argument) for argument in arguments)
      raise AssertionError(
          f"{words}: exit {answer.returncode}\n{answer.stdout}{answer.stderr}")
    return answer

  def start(self, *arguments, user=None, stdin=subprocess.DEVNULL):
    """Starts a command inside and returns it running; its output is read by the caller."""
    return subprocess.Popen(
        self.command(*arguments, user=user), stdin=stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

  def shell(self, text, **options):
    return self.run("bash", "-euo", "pipefail", "-c", text, **options)

  def write(self, path, text):
    """Writes a file inside, with the folders above it."""
    self.run("sh", "-c", 'mkdir -p "$(dirname "$1")" && cat > "$1"', "sh", path, stdin=text)

  def remove(self, path):
    self.run("rm", "-rf", path)

  def show(self, unit, *properties):
    """Properties of a unit, as `systemctl show` gives them."""
    answer = self.run("systemctl", "show", unit, "--property=" + ",".join(properties))
    return dict(line.split("=", 1) for line in answer.stdout.splitlines() if "=" in line)

  def journal(self, unit, *arguments):
    """The journal entries of a unit, oldest first."""
    answer = self.run("journalctl", "--unit", unit, "--output=json", "--all", *arguments)
    return [json.loads(line) for line in answer.stdout.splitlines()]

  def close(self):
    """Ends the container at once: it has nothing to save."""
    if self.process is not None:
      self.process.kill()
      self.process.wait(timeout=60)
      for folder in self.cgroups:
        remove_cgroups(folder)
    if self.base is not None:
      self.console.close()
      shutil.rmtree(self.base, ignore_errors=True)
