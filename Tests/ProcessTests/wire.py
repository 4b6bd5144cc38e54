"""The socket's protocol as bytes: one JSON object and a NUL a message.

Written here so that tests can send what no proper client would. The `varlink` package is the
client of test_varlink_package.py.
"""

import json
import socket

# Longer than any call of these tests may take on a busy machine; a hang is a failure.
REPLY_SECONDS = 60


class Refused(Exception):
  """An error reply: its qualified name and parameters."""

  def __init__(self, name, parameters):
    super().__init__(f"{name} {json.dumps(parameters)}")
    self.name = name
    self.parameters = parameters


class Closed(Exception):
  """The daemon ended the connection."""


class Wire:
  """A connection to the daemon."""

  def __init__(self, path, seconds=REPLY_SECONDS):
    self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    self.socket.settimeout(seconds)
    self.socket.connect(str(path))
    self.pending = bytearray()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()

  def close(self):
    self.socket.close()

  def send_bytes(self, data):
    self.socket.sendall(data)

  def send(self, method, parameters=None, **flags):
    self.send_bytes(message(method, parameters, **flags))

  def receive_bytes(self):
    """The next message without its NUL."""
    start = 0
    while True:
      end = self.pending.find(b"\0", start)
      if end >= 0:
        data = bytes(self.pending[:end])
        del self.pending[:end + 1]
        return data
      start = len(self.pending)
      try:
        chunk = self.socket.recv(1 << 18)
      except ConnectionResetError:
        chunk = b""
      if not chunk:
        raise Closed()
      self.pending += chunk

  def receive(self):
    return json.loads(self.receive_bytes())

  def reply(self):
    """The next reply's parameters and whether others follow."""
    reply = self.receive()
    if reply.get("error") is not None:
      raise Refused(reply["error"], reply.get("parameters") or {})
    return reply.get("parameters") or {}, bool(reply.get("continues"))

  def call(self, method, parameters=None, **named):
    """Calls `org.renewd.` and the method (or a fully qualified one); the reply's parameters."""
    self.send(method, {**(parameters or {}), **named})
    return self.reply()[0]

  def stream(self, method, **named):
    """Calls with `more`; each reply's parameters."""
    self.send(method, named, more=True)
    continues = True
    while continues:
      parameters, continues = self.reply()
      yield parameters


def message(method, parameters=None, **flags):
  """A call as bytes; a name of two parts is one of renewd's own interfaces."""
  if method.count(".") == 1:
    method = f"org.renewd.{method}"
  call = {"method": method, **flags}
  if parameters is not None:
    call["parameters"] = parameters
  return json.dumps(call).encode() + b"\0"
