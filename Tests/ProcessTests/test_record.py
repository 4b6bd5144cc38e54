"""A record of what a store signs: two real daemons, the second trusting the first one's root.

The store's signed facts, submitted in any order, repeated and late, give the same status
for every account at every instant tried, also where the record is killed in between.
"""

import base64
import random

import pytest

from moments import DAY, moment
from process import Daemon, Folder
from told import NEVER, Told
from wire import Refused

START = "2025-01-10T12:00:00Z"
PRODUCTS = ["pro.monthly", "pro.weekly", "basic.monthly", "news.monthly", "lifetime", "coins"]


@pytest.fixture
def second():
  folder = Folder()
  yield folder
  folder.remove()


@pytest.fixture
def pair(make_daemon, binaries, second):
  """A store and a record, both at the same moment."""
  store = make_daemon(clock=START).start()
  root = second / "root.pem"
  root.write_text(pem(trust(store)))
  record = Daemon(
    binaries, second, "--role", "record", "--root-certificate", root, "--policy",
    "expiryLeeway=0", catalogue=False, clock=START).start()
  yield store, record
  if record.process.poll() is None:
    record.kill()


def trust(daemon):
  with daemon.connect() as wire:
    return base64.b64decode(wire.call("Membership.Trust")["rootCertificates"][0])


def pem(der):
  text = base64.b64encode(der).decode()
  lines = [text[start:start + 64] for start in range(0, len(text), 64)]
  return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


def signed(wire, account):
  """Every signed form of an account as its store signs it now."""
  found = []
  for line in wire.call("Membership.Status", account=account, signed=True)["subscriptions"]:
    found.append(line["renewalInfo"]["signedRenewalInfo"])
  history = wire.call("Membership.History", account=account, signed=True)
  return found + [part["signedTransactionInfo"] for part in history["transactions"]]


def portrait(status, names=("purchases", "subscriptions")):
  """What a status says, without what only one of the two daemons can know."""
  lines = sorted(
    (line["originalTransactionId"], line["status"], line["entitled"],
     line["transaction"]["transactionId"], line["transaction"]["expiresDate"])
    for line in status["subscriptions"])
  bought = sorted(
    (part["transactionId"], part.get("revocationDate")) for part in status["purchases"])
  return status["entitled"], lines, bought


class Lives:
  """Customers who do what a seed makes up, each thing at an instant of its own."""

  def __init__(self, wire, seed, count):
    self.wire = wire
    self.chance = random.Random(seed)
    self.accounts = [f"customer {number}" for number in range(count)]
    self.now = moment(START)

  def step(self):
    self.now += self.chance.choice([1_000, 60_000, DAY, 3 * DAY, 11 * DAY, 40 * DAY])
    self.wire.call("Clocks.Advance", to=self.now)
    for account in self.accounts:
      self.now += 1_000
      self.wire.call("Clocks.Advance", to=self.now)
      try:
        self.act(account)
      except Refused:
        pass

  def act(self, account):
    call, chance = self.wire.call, self.chance
    what = chance.choice(["buy", "buy", "off", "on", "refund", "unrefund", "fail", "pay", "expire"])
    if what == "buy":
      call("Store.Purchase", account=account, productId=chance.choice(PRODUCTS))
    elif what in ("off", "on"):
      lines = call("Membership.Status", account=account)["subscriptions"]
      if lines:
        line = chance.choice(lines)["originalTransactionId"]
        call("Store.SetAutoRenew", originalTransactionId=line, enabled=what == "on")
    elif what in ("refund", "unrefund"):
      sold = call("Membership.History", account=account)["transactions"]
      if sold:
        method = "Testing.Refund" if what == "refund" else "Testing.ReverseRefund"
        call(method, transactionId=chance.choice(sold[-3:])["transactionId"])
    elif what in ("fail", "pay"):
      outcome = "fail" if what == "fail" else "succeed"
      call("Testing.SetBilling", account=account, outcome=outcome)
    else:
      call("Testing.Expire", account=account)


@pytest.mark.parametrize("seed", [1, 2])
def test_any_order_gives_the_stores_status(pair, seed, quick):
  store, record = pair
  chance = random.Random(seed)
  rounds, count = (6, 3) if quick else (25, 10)
  told = []
  with store.connect() as wire:
    lives = Lives(wire, seed, count)
    for number in range(rounds):
      news = []
      for _ in range(2):
        lives.step()
        for account in lives.accounts:
          news += [(account, text) for text in signed(wire, account)]
        lives.now += 1_000
        wire.call("Clocks.Advance", to=lives.now)
      # The newest of all are among them, and none is submitted in the order of its signing.
      repeats = [chance.choice(told) for _ in range(8)] if told else []
      facts = news + repeats
      chance.shuffle(facts)
      told += news
      half = len(facts) // 2
      submit(record, facts[:half])
      if number % 3 == 1:
        record.restart_killed()
      submit(record, facts[half:])
      with record.connect() as other:
        other.call("Clocks.Advance", to=lives.now)
        for account in lives.accounts:
          wanted = wire.call("Membership.Status", account=account)
          found = other.call("Membership.Status", account=account)
          assert portrait(found) == portrait(wanted), (seed, number, account)
  assert record.do("log", "verify")


def submit(record, facts):
  with record.connect() as wire:
    for account, text in facts:
      wire.call("Store.Submit", account=account, signed=text)


def test_submit_and_link_by_hand(pair, second):
  store, record = pair
  store.do("buy", "u1", "pro.monthly")
  with store.connect() as wire:
    renewal, transaction = signed(wire, "u1")
  facts = second / "facts"
  facts.write_text(f"{transaction}\n\n{renewal}\n")
  said = record.do("submit", str(facts)).out.splitlines()
  assert said[0].startswith("took in the signed transaction (transaction 2000000000000001), #")
  assert said[1].startswith("took in the signed renewal info, #")
  again = record.do("submit", transaction).out
  assert "was here before" in again
  assert record.ctl("status", "u1").status == 1
  assert "nobody's       1" in record.do("log", "describe").out
  record.do("link", "u1", "2000000000000001")
  shown = record.ctl("status", "u1")
  assert shown.status == 0 and "pro.monthly is active until 2025-02-10T12:00:00Z" in shown.out
  assert record.ctl("verify", "u1", "2000000000000001", "pro.monthly").status == 0
  assert "as the App Store tells" in record.do("explain", "u1").out
  # Its own facts are no news to the store.
  assert "was here before" in store.do("submit", transaction).out


def test_wrong_input_has_its_reason_and_exit_status(pair, second):
  store, record = pair
  store.do("buy", "u1", "pro.monthly")
  with store.connect() as wire:
    _, transaction = signed(wire, "u1")
  header, payload, signature = transaction.split(".")
  wrong = {
    "a.b": "has 2 parts and not 3", "a.b!.c": "payload is not base64url",
    f"{header}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}": "badSignature",
    f"{header}.{payload[:-4]}AAAA.{signature}": "verification failed",
  }
  before = record.json("log", "describe")["sequence"]
  for text, reason in wrong.items():
    file = second / "wrong"
    file.write_text(text)
    refused = record.ctl("submit", str(file))
    assert refused.status == 4 and reason in refused.err, refused
  assert record.json("log", "describe")["sequence"] == before
  assert record.ctl("submit", str(second / "nothing")).status == 3
  long = second / "long"
  long.write_text(f"{header}.{'A' * (1 << 20)}.{signature}")
  assert record.ctl("submit", str(long)).status != 0
  assert record.ctl("link", "u1", "abc").status == 2
  assert record.ctl("link", "u1", "77").status == 3
  for words in [("buy", "u1", "pro.monthly"), ("refund", "u1"), ("products",)]:
    assert record.ctl(*words).status == 4


def test_a_record_without_a_root_believes_nothing(pair, binaries):
  store, _ = pair
  store.do("buy", "u1", "pro.monthly")
  with store.connect() as wire:
    _, transaction = signed(wire, "u1")
  folder = Folder()
  bare = Daemon(binaries, folder, "--role", "record", catalogue=False, clock=START).start()
  try:
    refused = bare.ctl("submit", transaction)
    assert refused.status == 4 and "no root certificate is configured" in refused.err
    assert bare.stop() == 0
    # The role is the log's for good.
    other = Daemon(binaries, folder, "--role", "store", catalogue=False, clock=None)
    with pytest.raises(AssertionError, match="made for the role record"):
      other.start()
  finally:
    if bare.process.poll() is None:
      bare.kill()
    folder.remove()


@pytest.mark.parametrize("words, passed, status, entitled, cause, next_date, comes", [
  ("buy u1 pro.monthly", "1d", "active", True,
   "from 2025-01-10T12:00:00Z to 2025-02-10T12:00:00Z is not over", "2025-02-10T12:00:00Z",
   "its renewal is turned on, and unless the App Store tells something else before"),
  ("buy u1 pro.monthly; cancel u1", "1d", "active", True, "is not over", "2025-02-10T12:00:00Z",
   "its renewal is turned off, and unless"),
  ("buy u1 pro.monthly; cancel u1; advance 2month", "2month", "expired", False,
   "expired on 2025-02-10T12:00:00Z because its renewal had been turned off", NEVER,
   "the App Store says what comes"),
  ("buy u1 pro.monthly; billing fail u1; advance 40d", "40d", "billing retry", False,
   "the renewal could not be paid", NEVER, "the App Store says what comes"),
  ("buy u1 pro.monthly; refund u1", "1d", "revoked", False,
   "was taken back on 2025-01-10T12:00:00Z", NEVER, "the App Store says what comes"),
  ("buy u1 pro.monthly", "2month", "expired", False,
   "was over on 2025-02-10T12:00:00Z, and no renewal was told", NEVER, ""),
], ids=["active", "cancelled", "expired", "retry", "refunded", "no-news"])
def test_what_was_told_can_be_explained(
    pair, words, passed, status, entitled, cause, next_date, comes):
  """A reader of the record's explanation names the status, its cause and the next date."""
  store, record = pair
  for command in words.split("; "):
    store.do(*command.split())
  with store.connect() as selling, record.connect() as keeping:
    for text in signed(selling, "u1"):
      keeping.call("Store.Submit", account="u1", signed=text)
  record.do("advance", passed)
  told = Told(record.do("explain", "u1").out)
  found = told.things["pro.monthly"]
  assert found[:2] == [status, entitled] and told.entitled == entitled, told.lines
  assert cause in found[2] and found[3] == next_date and comes in found[4], told.lines
