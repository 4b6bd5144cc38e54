"""A socket between a client and its daemon that changes replies on their way."""

import json
import socket
import threading

from wire import Closed, Wire


class Proxy:
  """Listens at `path`. `change` gets each reply's parameters and may change them in place.

  `calls` has, of each connection, the calls that came in.
  """

  def __init__(self, path, daemon, change):
    self.path, self.daemon, self.change = path, daemon, change
    self.calls = []
    self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    self.listener.bind(str(path))
    self.listener.listen()
    threading.Thread(target=self.accept, daemon=True).start()

  def accept(self):
    while True:
      try:
        client, _ = self.listener.accept()
      except OSError:
        return
      wire = Wire(self.daemon, seconds=None)
      threading.Thread(target=self.forward, args=(client, wire), daemon=True).start()
      threading.Thread(target=self.answer, args=(client, wire), daemon=True).start()

  def forward(self, client, wire):
    calls, pending = [], b""
    self.calls.append(calls)
    try:
      while data := client.recv(1 << 16):
        *whole, pending = (pending + data).split(b"\0")
        calls += [json.loads(message) for message in whole]
        wire.send_bytes(data)
      wire.socket.shutdown(socket.SHUT_WR)
    except OSError:
      pass

  def answer(self, client, wire):
    try:
      while True:
        reply = json.loads(wire.receive_bytes())
        self.change(reply.get("parameters", {}))
        client.sendall(json.dumps(reply).encode() + b"\0")
    except (OSError, Closed):
      client.close()

  def close(self):
    self.listener.close()
