"""The membership demo as a process: its buttons are lines, and so are its callbacks."""

import os
import queue
import subprocess
import threading
import time

# How long a callback may take. Far more than it needs: only one that never comes is wrong.
CALLBACK_SECONDS = 30


class App:
  """A running demo of one account. What it prints is read as it comes."""

  def __init__(self, binaries, socket, account, prefix=()):
    environment = {**os.environ, "RENEWD_SOCKET": str(socket), "RENEWD_ACCOUNT": account}
    self.process = subprocess.Popen(
      [*prefix, str(binaries / "membership-demo")], env=environment, text=True, bufsize=1,
      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    self.lines = []
    self.arriving = queue.Queue()
    # Where the lines begin that came after the last button, and of each speaker the newest heard.
    self.tapped = 0
    self.heard = {}
    threading.Thread(target=self.read, daemon=True).start()

  def read(self):
    for line in self.process.stdout:
      self.arriving.put(line.rstrip("\n"))
    self.arriving.put(None)

  def tap(self, line):
    """Presses a button. What is awaited next comes after it."""
    self.tapped = len(self.lines)
    self.process.stdin.write(line + "\n")
    self.process.stdin.flush()

  def rewind(self):
    """What is awaited next may be any line since the launch."""
    self.tapped = 0
    self.heard = {}

  def hears(self, *parts):
    """Waits for a line with all of these parts; the line.

    It stands behind the one found before of the same speaker. What StoreKit's two generations and
    the server say comes of tasks of their own, so there is no order between them.
    """
    deadline = time.monotonic() + CALLBACK_SECONDS
    position = self.tapped
    while True:
      while position < len(self.lines):
        line = self.lines[position]
        speaker = line.split("  ")[0]
        if position > self.heard.get(speaker, -1) and all(part in line for part in parts):
          self.heard[speaker] = position
          return line
        position += 1
      self.take(deadline, parts)

  def take(self, deadline, parts):
    try:
      line = self.arriving.get(timeout=max(0, deadline - time.monotonic()))
    except queue.Empty:
      line = None
    if line is None:
      raise AssertionError(f"never heard {parts}:\n" + "\n".join(self.lines))
    self.lines.append(line)

  def count(self, *parts):
    """How many of the lines so far have all of these parts."""
    return sum(all(part in line for part in parts) for line in self.lines)

  def quit(self):
    """Leaves in the good way; its exit status."""
    self.tap("quit")
    self.hears("goodbye")
    return self.process.wait(CALLBACK_SECONDS)

  def kill(self):
    if self.process.poll() is None:
      self.process.kill()
    self.process.wait()
