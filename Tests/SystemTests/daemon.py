"""What the tests do to renewd inside the container."""

import json
import time

# How long something may take to come about. Far more than it needs: only what never does is wrong.
WAIT_SECONDS_MAX = 60

SOCKET = "/run/renewd/renewd.sock"
UNIT = "renewd.service"
DROP_INS = "/run/systemd/system/renewd.service.d"
CATALOGUE = "/etc/renewd/shop.storekit"

# The test clock of every daemon here stands at the purchase of Domain.md's best known row.
CLOCK = "2025-01-31T10:00:00Z"


class Daemon:
  """renewd under systemd in a container: its unit, its socket, its command line."""

  def __init__(self, container):
    self.container = container

  def reset(self):
    """Back to how a fresh installation looks: no state, no configuration, only the socket."""
    run = self.container.run
    run("systemctl", "stop", "renewd.service", "renewd.socket", check=False)
    run("systemctl", "reset-failed", "renewd.service", "renewd.socket", check=False)
    for path in ["/var/lib/renewd", "/etc/renewd", DROP_INS, "/run/systemd/system/renewd.socket.d"]:
      self.container.remove(path)
    run("systemctl", "daemon-reload")
    run("systemctl", "start", "renewd.socket")
    shown = run("journalctl", "--lines=0", "--show-cursor").stdout
    self.cursor = shown.partition("-- cursor: ")[2].strip()

  def shop(self, *options):
    """Makes the daemon a shop with a catalogue and a test clock."""
    text = self.container.run("cat", "/srv/renewd/Tests/SystemTests/catalogue.storekit").stdout
    self.container.write(CATALOGUE, text)
    words = ["/usr/bin/renewd", "--state-directory", "%S/renewd", "--catalog", CATALOGUE,
             "--clock", CLOCK, *options]
    self.drop_in("shop", "[Service]\nExecStart=\nExecStart=" + " ".join(words) + "\n")

  def drop_in(self, name, text):
    self.container.write(f"{DROP_INS}/{name}.conf", text)
    self.container.run("systemctl", "daemon-reload")

  def configure(self, text):
    self.container.write("/etc/renewd/renewd.conf", text)

  def start(self):
    self.container.run("systemctl", "start", UNIT)

  def ctl(self, *words, **options):
    return self.container.run("renewctl", *words, **options)

  def json(self, *words):
    return json.loads(self.ctl(*words, "--json").stdout)

  def show(self, name):
    return self.container.show(UNIT, name)[name]

  def main_pid(self):
    return int(self.show("MainPID"))

  def restarts(self):
    return int(self.show("NRestarts"))

  def kill(self, signal):
    """Signals the main process as the kernel or a person would, not by way of systemd."""
    self.container.shell(f"kill -{signal} {self.main_pid()}")

  def wait(self, condition, what):
    """Waits until `condition` holds; says `what` never came true."""
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while time.monotonic() < deadline:
      if condition():
        return
      time.sleep(0.02)
    status = self.container.run("systemctl", "status", UNIT, "--lines=20", check=False).stdout
    raise AssertionError(f"not within {WAIT_SECONDS_MAX} s: {what}\n{status}")

  def wait_until_active(self, after=None):
    """Waits until the unit is active, under another main process than `after` if one is named."""
    def active():
      state = self.container.show(UNIT, "ActiveState", "MainPID")
      return state["ActiveState"] == "active" and state["MainPID"] not in ("0", str(after))
    self.wait(active, "the unit is active")

  def socket_inode(self):
    return self.container.run("stat", "--format=%i", SOCKET).stdout.strip()

  def messages(self):
    """What the daemon and systemd about it wrote to the journal since the test began."""
    return self.container.journal(UNIT, f"--after-cursor={self.cursor}")
