"""The real programs as processes: a daemon that tests start, kill and start again, and renewctl."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import shop
from wire import Wire

# How long a daemon may take to be ready or to leave. Far more than it needs: only a hang is wrong.
START_SECONDS = 60
STOP_SECONDS = 60

# The moment of Domain.md's best known row, at which the test clocks stand.
CLOCK = "2025-01-31T10:00:00Z"


class Folder:
  """A folder whose path is short enough for sockets, removed at the end."""

  def __init__(self):
    self.path = pathlib.Path(tempfile.mkdtemp(prefix="renewd-"))

  def __truediv__(self, name):
    return self.path / name

  def remove(self):
    shutil.rmtree(self.path, ignore_errors=True)


class Outcome:
  """How a command ended."""

  def __init__(self, completed):
    self.status = completed.returncode
    self.out = completed.stdout
    self.err = completed.stderr

  def json(self):
    return json.loads(self.out)

  def __repr__(self):
    return f"exit {self.status}\n{self.out}\n{self.err}"


def run(words, environment=None, seconds=60, **options):
  """Runs a program to its end; output as text."""
  variables = {**os.environ, **(environment or {})}
  variables = {name: value for name, value in variables.items() if value is not None}
  return Outcome(subprocess.run(
    [str(word) for word in words], env=variables, timeout=seconds, text=True,
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
    **options))


class Daemon:
  """renewd on a folder of its own: a state directory, a socket, a catalogue, a log of its words."""

  def __init__(self, binaries, folder, *options, catalogue=None, clock=CLOCK, state="state",
               environment=None, prefix=()):
    self.binaries = binaries
    self.folder = folder
    self.socket = folder / "s"
    self.state = folder / state
    self.environment = environment or {}
    self.prefix = list(prefix)
    self.options = [str(option) for option in options]
    self.process = None
    if catalogue is not False:
      path = folder / "shop.storekit"
      shop.write(path, catalogue or shop.standard())
      self.options += ["--catalog", str(path)]
    if clock:
      self.options += ["--clock", clock]

  def command(self):
    return [*self.prefix, str(self.binaries / "renewd"), "--state-directory", str(self.state),
            "--socket", str(self.socket), *self.options]

  def launch(self, *extra, **options):
    """Starts the process without waiting; the descriptor that says when it is ready."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    log = open(self.folder / "log", "ab")
    environment = {**os.environ, **self.environment}
    self.process = subprocess.Popen(
      [*self.command(), "--ready-fd", str(writing), *extra], env=environment, stdout=log,
      stderr=log, stdin=subprocess.DEVNULL, pass_fds=[writing], **options)
    log.close()
    os.close(writing)
    return reading

  def start(self, *extra, **options):
    """Starts and waits until it says READY=1."""
    reading = self.launch(*extra, **options)
    killer = threading.Timer(START_SECONDS, self.process.kill)
    killer.start()
    with open(reading, "rb") as ready:
      said = ready.read(7)
    killer.cancel()
    if said != b"READY=1":
      raise AssertionError(f"renewd did not start: exit {self.process.wait()}\n{self.log()}")
    return self

  def kill(self):
    """Ends it in the hard way."""
    self.process.kill()
    self.process.wait()

  def restart_killed(self):
    self.kill()
    self.start()

  def stop(self):
    """Ends it in the good way; its exit status."""
    if self.process is None:
      return None
    if self.process.poll() is None:
      self.process.send_signal(signal.SIGTERM)
    try:
      return self.process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
      self.kill()
      raise AssertionError(f"not gone {STOP_SECONDS} s after SIGTERM\n{self.log()}") from None

  def log(self):
    path = self.folder / "log"
    return path.read_text(errors="replace") if path.exists() else ""

  def connect(self, **options):
    return Wire(self.socket, **options)

  def ctl(self, *words, **options):
    environment = {"RENEWD_SOCKET": str(self.socket), **options.pop("environment", {})}
    return run([self.binaries / "renewctl", *words], environment, **options)

  def json(self, *words):
    """The reply of a verb that must end well or say no."""
    outcome = self.ctl(*words, "--json")
    assert outcome.status in (0, 1), outcome
    return outcome.json()

  def do(self, *words):
    """A verb that must end well."""
    outcome = self.ctl(*words)
    assert outcome.status == 0, outcome
    return outcome

  def segments(self):
    """The files of the log that hold events, in their order."""
    return sorted(self.state.rglob("*.log"))

  def resident_bytes(self):
    return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096


def links(folder):
  """What the links in a folder of /proc lead to. Those that go while it is read are passed over."""
  found = []
  for entry in folder.iterdir():
    try:
      found.append(os.readlink(entry))
    except FileNotFoundError:
      continue
  return found


def until(condition, seconds, what):
  """Waits until `condition` gives something true, and hands it on."""
  deadline = time.monotonic() + seconds
  while True:
    found = condition()
    if found:
      return found
    if time.monotonic() > deadline:
      raise AssertionError(f"not within {seconds} s: {what}")
    time.sleep(0.005)
