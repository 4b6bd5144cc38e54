"""Clients that run inside the container, with nothing but Python's standard library.

  inside.py watch COUNT    opens COUNT watches, says "watching", reads each to its end and prints
                           what ended them
  inside.py load           calls Check on a connection of its own each time, from four threads,
                           until its standard input ends, and prints how many calls failed
"""

import json
import os
import selectors
import socket
import sys
import threading

SOCKET = os.environ.get("RENEWD_SOCKET", "/run/renewd/renewd.sock")
# Far more than a call takes, over a restart and beside whatever else runs: only a hang is wrong.
CALL_SECONDS_MAX = 60


def connect():
  connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
  connection.settimeout(CALL_SECONDS_MAX)
  connection.connect(SOCKET)
  return connection


def send(connection, method, parameters, **flags):
  message = {"method": method, "parameters": parameters, **flags}
  connection.sendall(json.dumps(message).encode() + b"\0")


def receive(connection):
  """The next reply, or None where the connection ends before one is whole."""
  data = b""
  while not data.endswith(b"\0"):
    piece = connection.recv(65536)
    if not piece:
      return None
    data += piece
  return json.loads(data[:-1])


def call(method, parameters):
  connection = connect()
  try:
    send(connection, method, parameters)
    return receive(connection)
  finally:
    connection.close()


def frames(buffer):
  """Splits what has come so far into whole replies and the rest."""
  *whole, rest = buffer.split(b"\0")
  return [json.loads(frame) for frame in whole], rest


def watch(count):
  selector = selectors.DefaultSelector()
  buffers, seams, last = {}, set(), {}
  for _ in range(count):
    connection = connect()
    send(connection, "org.renewd.Membership.Watch", {}, more=True)
    buffers[connection] = b""
    selector.register(connection, selectors.EVENT_READ)
  ended, told = 0, False
  while ended < count:
    for key, _ in selector.select(timeout=60) or sys.exit("nothing happened for a minute"):
      connection = key.fileobj
      piece = connection.recv(65536)
      if not piece:
        selector.unregister(connection)
        ended += 1
        continue
      replies, buffers[connection] = frames(buffers[connection] + piece)
      for reply in replies:
        last[connection] = reply
        if "event" not in (key for key, value in reply.get("parameters", {}).items() if value):
          seams.add(connection)
    if len(seams) == count and not told:
      told = True
      print("watching", flush=True)
  good = sum(1 for reply in last.values() if "error" not in reply and not reply.get("continues"))
  print(json.dumps({"watches": count, "endFrames": good, "cutFrames": sum(
      1 for rest in buffers.values() if rest)}), flush=True)


def load():
  stopping = threading.Event()
  results, lock = {"calls": 0, "failures": []}, threading.Lock()

  def work():
    while not stopping.is_set():
      try:
        reply = call("org.renewd.Membership.Check", {"account": "u1"})
        failure = None if reply and "error" not in reply else f"reply {reply}"
      except OSError as error:
        failure = f"{type(error).__name__}: {error}"
      with lock:
        results["calls"] += 1
        if failure:
          results["failures"].append(failure)

  threads = [threading.Thread(target=work) for _ in range(4)]
  for thread in threads:
    thread.start()
  print("loading", flush=True)
  sys.stdin.read()
  stopping.set()
  for thread in threads:
    thread.join()
  results["failures"] = results["failures"][:10] + [len(results["failures"])]
  print(json.dumps(results), flush=True)


def main(arguments):
  if arguments[0] == "watch":
    watch(int(arguments[1]))
  elif arguments[0] == "load":
    load()
  else:
    sys.exit(__doc__)


if __name__ == "__main__":
  main(sys.argv[1:])
