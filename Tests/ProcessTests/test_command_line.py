"""renewctl and renewd as people and scripts use them."""

import json
import os
import pty
import subprocess

import pytest

import shop
from moments import moment
from process import run
from wire import Wire, message

VERBS = [
  "run", "status", "check", "history", "timeline", "explain", "watch", "verify", "app-transaction",
  "products", "buy",
  "cancel", "resume", "finish", "restore", "advance", "clock list", "clock create", "clock attach",
  "clock accept", "refund", "expire", "renew", "reset", "log read", "log describe", "log verify",
  "log snapshot", "catalog import", "catalog show", "env", "reload", "doctor", "version",
]


@pytest.fixture
def control(binaries):
  """renewctl without a daemon."""
  return lambda *words, **options: run([binaries / "renewctl", *words], **options)


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_each_verb_has_an_example(control, verb):
  outcome = control(*verb.split(), "--help")
  assert outcome.status == 0 and outcome.err == ""
  lines = outcome.out.splitlines()
  assert any(line.startswith(f"usage: renewctl {verb}") for line in lines), outcome.out
  example = lines[lines.index("example:") + 1]
  assert "renewctl " + verb in example
  assert control("help", *verb.split()).out == outcome.out


def test_the_overview_lists_each_verb(control):
  outcome = control("help")
  assert outcome.status == 0
  listed = [line.strip() for line in outcome.out.splitlines()]
  for verb in VERBS:
    assert any(line.startswith(verb + " ") for line in listed), verb
  assert control("--help").out == outcome.out
  alone = control()
  assert alone.status == 2 and alone.out == outcome.out


USES = [
  (["statsu", "u1"], "status"),
  (["by", "u1", "pro.monthly"], "buy"),
  (["status", "u1", "--jsn"], "--json"),
  (["buy", "u1"], "ACCOUNT PRODUCT"),
  (["buy"], "ACCOUNT PRODUCT"),
  (["status", "u1", "pro", "more"], "more"),
  (["history", "u1", "--until"], "--until"),
  (["history", "u1", "--until", "soon"], "soon"),
  (["history", "u1", "--until", "2025-02-30"], "2025-02-30"),
  (["advance", "a while"], "a while"),
  (["advance"], "advance"),
  (["advance", "1y", "--to", "2026-01-01"], "advance"),
  (["clock", "create", "x", "25 o'clock"], "25 o'clock"),
  (["buy", "u1", "coins", "--quantity", "two"], "two"),
  (["clock", "wind"], "wind"),
  (["status", "u1", "--wait", "long"], "long"),
  (["extend", "u1"], "extend"),
]


@pytest.mark.parametrize("words, named", USES, ids=[" ".join(words) for words, _ in USES])
def test_wrong_uses_are_named_with_exit_2(daemon, words, named):
  head = daemon.json("log", "describe")["sequence"]
  outcome = daemon.ctl(*words)
  assert outcome.status == 2, outcome
  assert outcome.out == "" and outcome.err.startswith("renewctl: ")
  assert named in outcome.err
  assert daemon.json("log", "describe")["sequence"] == head


def test_formats_exclude_one_another(daemon):
  outcome = daemon.ctl("status", "u1", "--json", "--jsonl")
  assert outcome.status == 2 and outcome.out == ""
  assert "--jsonl" in json.loads(outcome.err)["parameters"]["reason"]


def test_no_daemon_is_exit_69_within_the_time_to_wait(control, folder):
  outcome = control("status", "u1", "--socket", folder / "none", "--wait", "0.1")
  assert outcome.status == 69
  assert str(folder / "none") in outcome.err and "systemctl start renewd" in outcome.err
  asked = control("status", "u1", "--socket", folder / "none", "--wait", "0", "--json")
  assert asked.status == 69 and asked.out == ""
  assert set(json.loads(asked.err)) == {"error", "parameters"}


def test_it_waits_for_a_starting_daemon(make_daemon):
  daemon = make_daemon()
  command = [daemon.binaries / "renewctl", "products", "--socket", daemon.socket, "--wait", "60"]
  waiting = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
  daemon.start()
  out, _ = waiting.communicate(timeout=60)
  assert waiting.returncode == 0 and "pro.monthly" in out


def test_an_unknown_product_says_what_may_have_been_meant(daemon):
  outcome = daemon.ctl("buy", "u1", "pro.montly")
  assert outcome.status == 3
  assert "did you mean" in outcome.err and "pro.monthly" in outcome.err
  asked = daemon.ctl("buy", "u1", "pro.montly", "--json")
  assert asked.status == 3 and asked.out == ""
  error = json.loads(asked.err)
  assert error["error"] == "org.renewd.ProductNotFound"
  assert error["parameters"]["nearest"][0] == "pro.monthly"
  assert daemon.ctl("status", "u1", "pro.montly").status == 3
  assert daemon.ctl("refund", "nobody").status == 3
  assert daemon.ctl("advance", "1y", "--clock", "none").status == 3


def test_a_refund_that_could_mean_several_lists_them(daemon):
  first = daemon.json("buy", "u1", "pro.monthly")["transaction"]["transactionId"]
  second = daemon.json("buy", "u1", "news.monthly")["transaction"]["transactionId"]
  head = daemon.json("log", "describe")["sequence"]
  outcome = daemon.ctl("refund", "u1")
  assert outcome.status == 4
  for word in [first, second, "pro.monthly", "news.monthly"]:
    assert word in outcome.err, outcome
  assert daemon.json("log", "describe")["sequence"] == head
  asked = json.loads(daemon.ctl("refund", "u1", "--json").err)
  assert asked["error"] == "org.renewd.Ambiguous"
  assert sorted(asked["parameters"]["candidates"]) == sorted([first, second])
  assert daemon.ctl("refund", "--transaction", second).status == 0


def test_refusals_by_a_rule_are_exit_4(daemon):
  daemon.do("buy", "u1", "pro.monthly")
  again = daemon.ctl("buy", "u1", "pro.monthly")
  assert again.status == 4 and again.err.startswith("renewctl: ")
  daemon.do("buy", "u1", "coins", "--request-id", "r")
  assert daemon.ctl("buy", "u2", "coins", "--request-id", "r").status == 4


def test_exit_status_says_whether_one_is_entitled(daemon):
  assert daemon.ctl("status", "u1").status == 1
  assert daemon.ctl("check", "u1").status == 1
  bought = daemon.json("buy", "u1", "pro.monthly")["transaction"]["transactionId"]
  assert daemon.ctl("status", "u1").status == 0
  assert daemon.ctl("check", "u1", "pro.monthly").status == 0
  assert daemon.ctl("status", "u1", "news.monthly").status == 1
  assert daemon.ctl("verify", "u1", bought, "pro.monthly").status == 0
  assert daemon.ctl("verify", "u1", bought, "pro.yearly").status == 1
  assert daemon.ctl("verify", "u2", bought, "pro.monthly").status == 1
  daemon.do("refund", "u1")
  assert daemon.ctl("status", "u1").status == 1


def test_entitlement_names_of_the_configuration(make_daemon, folder):
  """Two products grant `pro`, one of them a lasting one; others do not."""
  (folder / "renewd.conf").write_text(
    "[daemon]\nbundle-id = com.example.shop\n\n[entitlement pro]\n"
    "products = pro.monthly lifetime\n")
  daemon = make_daemon("--config", folder / "renewd.conf").start()
  assert "com.example.shop" in daemon.do("env").out
  daemon.do("buy", "u1", "news.monthly")
  assert daemon.ctl("status", "u1", "pro").status == 1
  assert daemon.ctl("status", "u1").status == 0
  daemon.do("buy", "u1", "lifetime")
  assert daemon.ctl("status", "u1", "pro").status == 0
  assert daemon.ctl("check", "u1", "pro").status == 0


def raw_reply(daemon, method, parameters):
  with Wire(daemon.socket) as wire:
    wire.send_bytes(message(method, parameters))
    return wire.receive_bytes().decode()


def test_json_prints_exactly_the_replys_parameters(daemon):
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "3months")
  for words, method, parameters in [
    (["status", "u1"], "Membership.Status", {"account": "u1"}),
    (["check", "u1"], "Membership.Check", {"account": "u1"}),
    (["history", "u1"], "Membership.History", {"account": "u1"}),
    (["explain", "u1"], "Membership.Explain", {"account": "u1"}),
    (["products"], "Store.Products", {}),
    (["log", "read"], "Log.Read", {"from": 1}),
    (["log", "describe"], "Log.Describe", {}),
    (["catalog", "show"], "Catalog.Describe", {}),
  ]:
    printed = daemon.do(*words, "--json").out
    reply = raw_reply(daemon, method, parameters)
    assert printed.endswith("\n") and printed.count("\n") == 1
    assert '"parameters":' + printed[:-1] in reply, words
    assert json.loads(printed) == json.loads(reply)["parameters"]


def test_jsonl_prints_one_a_line(daemon):
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "3months")
  lines = daemon.do("history", "u1", "--jsonl").out.splitlines()
  assert [json.loads(line)["transactionReason"] for line in lines] == ["purchase"] + [
    "renewal"] * 3
  events = [json.loads(line) for line in daemon.do("log", "read", "--jsonl").out.splitlines()]
  assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
  seen = daemon.do("watch", "--since", "0", "--count", str(len(events)), "--jsonl")
  assert [json.loads(line)["event"] for line in seen.out.splitlines()] == events


def on_terminal(daemon, *words, **variables):
  """What a verb prints on a terminal."""
  main, other = pty.openpty()
  environment = {**os.environ, "RENEWD_SOCKET": str(daemon.socket), "TERM": "xterm", **variables}
  child = subprocess.Popen([daemon.binaries / "renewctl", *words], stdout=other, stderr=other,
                           stdin=subprocess.DEVNULL, env=environment)
  os.close(other)
  printed = b""
  while True:
    try:
      chunk = os.read(main, 65536)
    except OSError:
      break
    if not chunk:
      break
    printed += chunk
  child.wait()
  os.close(main)
  return printed.decode()


def test_colours_are_for_terminals_only(daemon):
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "3months")
  environment = {name: value for name, value in os.environ.items() if name == "NO_COLOR"}
  if not environment:
    assert "\x1b[" in on_terminal(daemon, "status", "u1")
  for words in (["status", "u1"], ["timeline", "u1"], ["explain", "u1"], ["doctor"]):
    assert "\x1b" not in on_terminal(daemon, *words, NO_COLOR="1")
    piped = daemon.ctl(*words)
    assert "\x1b" not in piped.out + piped.err


def test_times_and_spans_as_people_write_them(make_daemon):
  """RFC 3339, a date, seconds; ISO 8601 and systemd's spans."""
  daemon = make_daemon(clock=None).start()
  for number, (words, expected) in enumerate([
    ("2025-01-31T10:00:00Z", "2025-01-31T10:00:00Z"),
    ("2025-01-31T12:00:00+02:00", "2025-01-31T10:00:00Z"),
    ("2025-01-31", "2025-01-31T00:00:00Z"),
    ("@1738317600", "2025-01-31T10:00:00Z"),
  ]):
    made = daemon.json("clock", "create", f"c{number}", words)["clock"]
    assert made["now"] == moment(expected), words
  spans = [
    ("P1M", "2025-02-28T10:00:00Z"), ("1d", "2025-03-01T10:00:00Z"),
    ("1month 3d", "2025-04-04T10:00:00Z"), ("36h", "2025-04-05T22:00:00Z"),
    ("PT36H", "2025-04-07T10:00:00Z"), ("1y", "2026-04-07T10:00:00Z"),
    ("P1Y", "2027-04-07T10:00:00Z"), ("1w", "2027-04-14T10:00:00Z"),
    ("P2W", "2027-04-28T10:00:00Z"), ("90min", "2027-04-28T11:30:00Z"),
  ]
  for span, expected in spans:
    reply = daemon.json("advance", *span.split(), "--clock", "c0")
    assert reply["clock"]["now"] == moment(expected), span


def test_tables_name_what_they_show(daemon):
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("advance", "1month")
  history = daemon.do("history", "u1").out
  for word in ["2025-01-31T10:00:00Z", "2025-02-28T10:00:00Z", "2025-03-31T10:00:00Z",
               "pro.monthly", "9.99"]:
    assert word in history
  timeline = daemon.do("timeline", "u1").out
  assert "2025-01-31" in timeline and "2025-02-28" in timeline and "#" in timeline
  explained = daemon.do("explain", "u1").out
  assert "pro.monthly" in explained and "2025-03-31" in explained
  assert "answers" in daemon.do("doctor").out
  assert "default" in daemon.do("clock", "list").out
  assert "sound" in daemon.do("log", "verify").out


def test_versions(daemon, binaries):
  assert run([binaries / "renewctl", "--version"]).out.startswith("renewctl ")
  said = run([binaries / "renewd", "--version"])
  assert said.status == 0 and said.out.startswith("renewd ")
  assert said.out.strip() in daemon.do("version").out


def test_a_catalogue_is_imported_and_shown(daemon, folder):
  path = shop.write(folder / "more.storekit", shop.catalogue(
    {"more": [shop.subscription("more.monthly", "P1M", "12.49")]}))
  assert "1 product" in daemon.do("catalog", "import", path).out
  assert "unchanged" in daemon.do("catalog", "import", path).out
  shown = daemon.do("catalog", "show").out
  assert "more.monthly" in shown and "12.49" in shown
  path.write_text("{")
  assert daemon.ctl("catalog", "import", path).status == 78
  assert daemon.ctl("catalog", "import", folder / "none").status == 3
