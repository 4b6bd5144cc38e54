"""`renewctl run --time`: the command's own "now" is that of the test clock.

Each program here is one that nobody wrote for this: a shell with date, a Python, a Swift program.
Where they wait, they must wait as long as ever: the clock stands still, and time goes on.
"""

import json
import pathlib
import re
import shutil
import subprocess
import time

import pytest

import shop
from process import CLOCK, run

START = 1738317600
YEAR_LATER = 1769853600

# How long each wait is, and how much longer than that it may take on a busy machine. Only a wait
# that is over at once or never is wrong.
WAIT = 0.2
WAIT_MAX = 20


@pytest.fixture
def under_time(binaries, folder):
  """Runs a command under `renewctl run --time`."""
  path = shop.write(folder / "shop.storekit", shop.standard())
  temporary = folder / "tmp"
  temporary.mkdir()

  def start(*words, clock=CLOCK, options=(), environment=None, **named):
    return run([binaries / "renewctl", "run", "--catalog", path, "--clock", clock, "--time",
                *options, "--", *words], {"TMPDIR": str(temporary), **(environment or {})}, **named)

  start.temporary = temporary
  return start


def well(outcome):
  assert outcome.status == 0 and outcome.err == "", outcome
  return outcome.out


# MARK: Now is the clock's

def test_a_shells_date_is_the_clocks_and_goes_where_it_goes(under_time):
  out = well(under_time(
    "sh", "-c", "date +%s.%N; sleep 0.1; date +%s.%N; renewctl advance 1y > /dev/null; "
    "date +%s.%N"))
  assert out.split() == [f"{START}.000000000", f"{START}.000000000", f"{YEAR_LATER}.000000000"]


@pytest.mark.parametrize("clock", ["2000-01-01T00:00:00.000Z", "2025-01-31T10:00:00.123Z",
                                   "2025-11-02T08:30:00.999Z", "2025-11-02T09:30:00.001Z",
                                   "2039-12-31T23:59:59.500Z", "2099-12-30T00:00:00.007Z"])
@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_it_is_exact_to_the_millisecond_in_every_zone(under_time, clock, zone):
  """Zones are the program's; in Los Angeles two of the moments have the same time of day."""
  out = well(under_time("date", "-u", "+%Y-%m-%dT%H:%M:%S.%3NZ", clock=clock,
                        environment={"TZ": zone}))
  assert out.strip() == clock


PYTHON = f"""
import datetime, subprocess, threading, time
def now(): return datetime.datetime.now(datetime.timezone.utc).isoformat()
print(now(), time.time(), time.time_ns() % 10**6)
subprocess.run(["renewctl", "advance", "1y"], check=True, stdout=subprocess.DEVNULL)
print(now(), time.time(), time.time_ns() % 10**6)
thread = threading.Thread(target=lambda: print(now()))
thread.start(); thread.join()
"""


def test_a_pythons_now_goes_where_the_clock_goes_in_all_its_threads(under_time):
  lines = well(under_time("/usr/bin/python3", "-c", PYTHON)).splitlines()
  assert lines == [f"2025-01-31T10:00:00+00:00 {START}.0 0",
                   f"2026-01-31T10:00:00+00:00 {YEAR_LATER}.0 0", "2026-01-31T10:00:00+00:00"]


def test_a_swift_programs_date_is_the_clocks(under_time, binaries):
  script = f"{binaries}/waits 0; renewctl advance 1y > /dev/null; {binaries}/waits 0"
  out = well(under_time("sh", "-c", script))
  assert re.findall(r"now (\S+)", out) == [f"{START}.000", f"{YEAR_LATER}.000"]


# Each round advances by a millisecond and looks at once, from the process that was answered and
# from a new one; and from one that was not asked but told of the event.
TIGHT = r"""
import json, os, socket, sys, time
rounds = int(sys.argv[1])
connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["RENEWD_SOCKET"])
def call(method, **parameters):
  connection.sendall(json.dumps(
    {"method": "org.renewd." + method, "parameters": parameters}).encode() + b"\0")
  reply = b""
  while not reply.endswith(b"\0"): reply += connection.recv(65536)
  return json.loads(reply[:-1])["parameters"]
for number in range(1, rounds + 1):
  told = call("Clocks.Advance", by="PT1S")["clock"]["now"]
  seen = time.time_ns() // 10**6
  assert seen == told == START + number * 1000, (number, told, seen)
print("never behind")
"""


def test_once_an_advance_is_answered_every_look_shows_the_new_time(under_time, quick):
  rounds = 500 if quick else 5000
  script = TIGHT.replace("START", str(START * 1000))
  assert well(under_time("/usr/bin/python3", "-c", script, str(rounds))) == "never behind\n"


# A watcher: each event carries its time, and no event may come from what is still ahead.
WATCHER = r"""
import json, os, subprocess, sys, time
watch = subprocess.Popen(["renewctl", "watch", "--since", "0", "--jsonl"], text=True,
                         stdout=subprocess.PIPE)
advance = subprocess.Popen(["renewctl", "advance", "5y"], stdout=subprocess.DEVNULL)
renewals, early = 0, []
for line in watch.stdout:
  event = json.loads(line).get("event")
  if event is None or event["clock"] != "default": continue
  if event["at"] > time.time_ns() // 10**6: early.append(event["at"])
  renewals += event["kind"] == "renewed"
  if renewals == 60: break
watch.kill()
advance.wait()
print(early)
"""


def test_no_event_comes_before_its_time(under_time):
  out = well(under_time(
    "sh", "-c", 'renewctl buy u1 pro.monthly > /dev/null; exec /usr/bin/python3 -c "$1"', "sh",
    WATCHER))
  assert out == "[]\n"


# MARK: Waits are as long as ever

def measured(text):
  """The waits of a program by name; what it printed else is passed over."""
  return {name: float(took) for name, took in re.findall(r"^(\S+) (\d+\.\d+(?:e-\d+)?)$", text,
                                                         re.MULTILINE) if name != "now"}


WAYS = f"""
import asyncio, queue, select, signal, subprocess, threading, time
def measure(name, wait):
  start = time.monotonic()
  wait()
  print(name, format(time.monotonic() - start, ".6f"), flush=True)
def condition():
  waited = threading.Condition()
  with waited: waited.wait({WAIT})
def take():
  try: queue.Queue().get(timeout={WAIT})
  except queue.Empty: pass
def child():
  try: subprocess.run(["sleep", "60"], timeout={WAIT})
  except subprocess.TimeoutExpired: pass
def alarm():
  signal.signal(signal.SIGALRM, lambda *_: None)
  signal.setitimer(signal.ITIMER_REAL, {WAIT})
  signal.pause()
held = threading.Lock()
held.acquire()
measure("time.sleep", lambda: time.sleep({WAIT}))
measure("Lock", lambda: held.acquire(timeout={WAIT}))
measure("Condition", condition)
measure("Event", lambda: threading.Event().wait({WAIT}))
measure("Queue", take)
measure("select", lambda: select.select([], [], [], {WAIT}))
measure("asyncio", lambda: asyncio.run(asyncio.sleep({WAIT})))
measure("asyncio.wait", lambda: asyncio.run(asyncio.wait_for(asyncio.sleep({WAIT}), 60)))
measure("subprocess", child)
measure("sigtimedwait", lambda: signal.sigtimedwait([signal.SIGUSR1], {WAIT}))
measure("setitimer", alarm)
"""


@pytest.mark.parametrize("clock", ["2001-01-01", "2025-01-31", "2090-01-01"])
def test_pythons_waits_take_their_time_whether_the_clock_is_behind_or_ahead(under_time, clock):
  took = measured(well(under_time("/usr/bin/python3", "-c", WAYS, clock=clock)))
  assert len(took) == 11, took
  assert {name: time for name, time in took.items() if not 0.9 * WAIT < time < WAIT_MAX} == {}


@pytest.mark.parametrize("clock", ["2001-01-01", "2025-01-31", "2090-01-01"])
def test_swifts_waits_take_their_time_whether_the_clock_is_behind_or_ahead(
    under_time, binaries, clock):
  took = measured(well(under_time(binaries / "waits", WAIT, clock=clock)))
  assert len(took) == 8, took
  assert {name: time for name, time in took.items() if not 0.9 * WAIT < time < WAIT_MAX} == {}


def test_a_shells_sleep_and_timeout_take_their_time(under_time):
  out = well(under_time(
    "bash", "-c", "timeout 0.2 sleep 60; echo $?; read -t 0.2 -u 3 3< <(exec sleep 5); echo $?"))
  assert out.split() == ["124", "142"]


# MARK: What stays on the machine's clock

def test_files_keep_the_times_they_were_written_at(under_time, folder):
  path = folder / "written"
  path.write_text("")
  assert int(well(under_time("stat", "-c", "%Y", path))) == int(path.stat().st_mtime)


def test_renewctl_and_renewd_are_not_moved_by_the_commands_time(under_time, binaries):
  """A renewctl inside the command, a daemon that it starts and a run in the run: the machine's
  clock is what each of them writes down."""
  script = f"""
    set -e
    renewctl buy u1 pro.monthly > /dev/null
    renewctl log read --json
    renewctl run -- sh -c 'date +%s; echo "[$LD_PRELOAD]"; renewctl clock list --json'
  """
  before = time.time()
  lines = well(under_time("sh", "-c", script)).splitlines()
  after = time.time()
  recorded = [event["recorded"] / 1000 for event in json.loads(lines[0])["events"]]
  assert all(before - 1 <= at <= after for at in recorded), recorded
  assert before - 1 <= int(lines[1]) <= after
  assert lines[2] == "[]"
  [system] = json.loads(lines[3])["clocks"]
  assert before - 1 <= system["now"] / 1000 <= after


def test_what_else_was_to_be_loaded_is_still_loaded(under_time):
  out = well(under_time("sh", "-c", "echo $LD_PRELOAD; renewctl run -- sh -c 'echo $LD_PRELOAD'",
                        environment={"LD_PRELOAD": "libm.so.6", "FAKETIME": "+5y"}))
  outer, inner = out.splitlines()
  assert outer.endswith(":libm.so.6") and "libfaketime" in outer
  assert inner == "libm.so.6"


def test_a_daemon_started_by_the_command_has_its_own_name_and_the_machines_clock(
    under_time, binaries, folder):
  script = """
    exec 4>&1
    renewd --ephemeral --socket "$1" --ready-fd 4 &
    RENEWD_SOCKET=$1 renewctl clock list --json --wait 30
    cat /proc/$!/comm
    kill $!; wait $!
  """
  before = time.time()
  outcome = under_time("sh", "-c", script, "sh", folder / "other")
  assert outcome.status == 0, outcome
  lines = [line for line in outcome.out.splitlines() if line != "READY=1"]
  assert json.loads(lines[0])["clocks"][0]["now"] / 1000 >= before - 1
  assert lines[1] == "renewd"


# MARK: Nothing is left, and what is missing is said

def shared_memory():
  return {path.name for path in pathlib.Path("/dev/shm").glob("*faketime*")}


def test_nothing_is_left_behind_even_by_a_program_that_is_killed(under_time):
  before = shared_memory()
  outcome = under_time("sh", "-c", "/usr/bin/python3 -c 'import time; time.sleep(60)' & sleep 0.2; "
                       "kill -9 $!; exec date")
  assert outcome.status == 0, outcome
  assert shared_memory() <= before
  assert list(under_time.temporary.iterdir()) == []


def test_without_a_test_clock_it_says_what_to_add(binaries):
  outcome = run([binaries / "renewctl", "run", "--time", "--", "true"])
  assert outcome.status == 2
  assert outcome.err == ("renewctl: --time follows the test clock default, and there is none: "
                         "add --clock TIME\n")


def test_a_log_that_has_its_clock_needs_no_option(binaries, folder):
  words = [binaries / "renewctl", "run", "--state-directory", folder / "state"]
  well(run([*words, "--clock", CLOCK, "--", "renewctl", "advance", "1d", "--json"]))
  assert well(run([*words, "--time", "--", "date", "+%s"])) == f"{START + 86400}\n"


def test_without_libfaketime_one_sentence_says_which_package_to_install(under_time, binaries):
  if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
    pytest.skip("to hide a folder needs root")
  hide = ("for d in /usr/lib/*/faketime; do mount -t tmpfs none $d; done; exec \"$@\"")
  outcome = run(["unshare", "--mount", "sh", "-c", hide, "sh", binaries / "renewctl", "run",
                 "--clock", CLOCK, "--time", "--", "true"])
  assert outcome.status == 69
  assert outcome.err == ("renewctl: --time needs libfaketime, which is not installed: apt-get "
                         "install libfaketime\n")


def test_without_its_own_library_it_says_so(binaries, folder):
  for name in ["renewctl", "renewd"]:
    shutil.copy(binaries / name, folder / name)
  outcome = run([folder / "renewctl", "run", "--clock", CLOCK, "--time", "--", "true"])
  assert outcome.status == 69
  assert "librenewd-standstill.so" in outcome.err, outcome
