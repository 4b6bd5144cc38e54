"""Clients that run beside a test."""

import threading
import time

from process import until


class Poller(threading.Thread):
  """Another client, who asks all the while; how long its answers took."""

  def __init__(self, daemon, account="u1"):
    super().__init__(daemon=True)
    self.server = daemon
    self.account = account
    self.waits = []
    self.stopping = False
    self.start()

  def run(self):
    with self.server.connect() as wire:
      while not self.stopping:
        began = time.monotonic()
        wire.call("Membership.Check", account=self.account)
        self.waits.append(time.monotonic() - began)

  def finish(self, least):
    """Lets it ask until it has had so many answers: how fast they come is the machine's matter."""
    until(lambda: len(self.waits) >= least or not self.is_alive(), 60, f"{least} answers")
    self.stopping = True
    self.join(60)
    assert not self.is_alive() and len(self.waits) >= least
    print(f"{len(self.waits)} polls meanwhile, the longest took {max(self.waits) * 1000:.1f} ms")
