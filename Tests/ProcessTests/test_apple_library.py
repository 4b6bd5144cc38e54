"""Apple's own server library against what we sign (B60), and our verifier against Apple's (B61)."""

import concurrent.futures
import datetime
import os
import pathlib
import random
import subprocess

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import (
  SignedDataVerifier, VerificationException, VerificationStatus)

import signing

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = REPOSITORY.parent / "shared" / "apple-library-resources"
BUNDLE = "com.example.app"
APP = 41234
ENVIRONMENTS = {one.value: one for one in Environment}

# What Apple's library says for each of our reasons (Domain.md 4.3).
STATUS = {
  "wrongBundle": VerificationStatus.INVALID_APP_IDENTIFIER,
  "wrongAppId": VerificationStatus.INVALID_APP_IDENTIFIER,
  "wrongEnvironment": VerificationStatus.INVALID_ENVIRONMENT,
  "wrongChainLength": VerificationStatus.INVALID_CHAIN_LENGTH,
  "badCertificate": VerificationStatus.INVALID_CERTIFICATE,
}
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


# A field that each kind of payload alone has.
MARKS = {"transaction": "transactionId", "renewal": "autoRenewProductId",
         "notification": "notificationType", "app": "receiptType"}


def is_agreed(kind, text, code, status):
  """Whether both say the same. Ours looks at the kind too, which Apple's leaves to the caller."""
  if code == "wrongKind":
    return status != VerificationStatus.OK or MARKS[kind] not in signing.payload(text)
  return (code == "ok") == (status == VerificationStatus.OK)


class Apple:
  """Apple's verifier; strict unless told otherwise, never online."""

  def __init__(self, roots, environment="Sandbox", bundle=BUNDLE, app=APP, strict=True):
    self.verifier = SignedDataVerifier(
      roots, False, ENVIRONMENTS[environment], bundle, app)
    self.verifier._chain_verifier.enable_strict_checks = strict

  def decoded(self, kind, text):
    return {
      "transaction": self.verifier.verify_and_decode_signed_transaction,
      "renewal": self.verifier.verify_and_decode_renewal_info,
      "notification": self.verifier.verify_and_decode_notification,
      "app": self.verifier.verify_and_decode_app_transaction,
    }[kind](text)

  def status(self, kind, text):
    try:
      self.decoded(kind, text)
    except VerificationException as refused:
      return refused.status
    return VerificationStatus.OK


class Ours:
  """Our verifier, a line a question."""

  def __init__(self, binaries, folder, roots, strict=True):
    program = binaries / "signed-data"
    if not program.exists():
      pytest.fail(f"{program.parent} holds no signed-data: Scripts/test builds it")
    files = []
    for index, root in enumerate(roots):
      files.append(folder / f"root{index}")
      files[-1].write_bytes(root)
    self.command = [program, "verify", "strict" if strict else "lenient", *files]

  def codes(self, questions):
    """The codes for (kind, environment, bundle, app, text)."""
    lines = "".join(" ".join(map(str, one)) + "\n" for one in questions)
    done = subprocess.run(
      self.command, input=lines, capture_output=True, text=True, check=True, timeout=600)
    codes = done.stdout.splitlines()
    assert len(codes) == len(questions)
    return codes


@pytest.fixture(params=["Sandbox", "Production"])
def store(request, make_daemon):
  """A daemon whose account u1 subscribes and has bought for ever."""
  daemon = make_daemon("--environment", request.param, "--app-apple-id", APP).start()
  daemon.do("buy", "u1", "pro.monthly")
  daemon.do("buy", "u1", "lifetime")
  daemon.do("advance", "40d")
  daemon.environment_name = request.param
  return daemon


def root_of(daemon):
  """The root as a user finds it: by `renewctl env`."""
  out = daemon.ctl("env", environment={"XDG_CACHE_HOME": str(daemon.folder / "cache")}).out
  path = [line for line in out.splitlines() if line.startswith("export RENEWD_ROOT_CA=")]
  assert len(path) == 1, out
  return pathlib.Path(path[0].split("=", 1)[1]).read_bytes()


def signed_forms(daemon):
  """(kind, text) of everything that the daemon signs for u1."""
  status = daemon.json("status", "u1", "--signed")
  line = status["subscriptions"][0]
  forms = [("transaction", line["transaction"]["signedTransactionInfo"]),
           ("renewal", line["renewalInfo"]["signedRenewalInfo"]),
           ("transaction", status["purchases"][0]["signedTransactionInfo"]),
           ("app", daemon.do("app-transaction", "u1").out.strip())]
  return forms + [("transaction", one) for one in
                  daemon.do("history", "u1", "--signed").out.split()]


def test_apples_library_accepts_all_that_is_signed(store):
  apple = Apple([root_of(store)], store.environment_name)
  forms = signed_forms(store)
  assert len(forms) == 7
  for kind, text in forms:
    apple.decoded(kind, text)
  line = apple.decoded("transaction", forms[0][1])
  plain = store.json("status", "u1")["subscriptions"][0]
  assert line.transactionId == plain["transaction"]["transactionId"]
  assert line.expiresDate == plain["transaction"]["expiresDate"]
  assert line.price == plain["transaction"]["price"]
  assert line.transactionReason.value == "RENEWAL"
  assert line.storefrontId == "143441"
  renewal = apple.decoded("renewal", forms[1][1])
  assert renewal.renewalDate == plain["renewalInfo"]["renewalDate"]
  assert renewal.autoRenewStatus.value == 1
  app = apple.decoded("app", forms[3][1])
  assert app.appTransactionId == line.appTransactionId
  assert app.appAppleId == APP
  # And so it is again after a restart: the keys stay.
  store.restart_killed()
  for kind, text in signed_forms(store) + forms:
    apple.decoded(kind, text)


def test_the_keys_are_for_the_daemons_eyes_only(store):
  keys = store.state / "authority.pem"
  assert keys.stat().st_mode & 0o777 == 0o600
  before = keys.read_bytes()
  store.stop()
  store.start()
  assert keys.read_bytes() == before
  store.stop()
  keys.write_bytes(before[:-40])
  with pytest.raises(AssertionError, match="exit 78"):
    store.start()
  assert "authority.pem" in store.log()
  assert keys.read_bytes() == before[:-40]


def tampered(signer, kind, text):
  """Texts that no verifier may accept, each with our code for it."""
  header, body, signature = text.split(".")
  claims = signing.payload(text)
  chain = signer.chain
  stranger = signing.authority()
  date = "receiptCreationDate" if kind == "app" else "signedDate"
  environment = "receiptType" if kind == "app" else "environment"
  ended = signing.authority(leaf_ends=datetime.datetime(2001, 1, 1))
  broken = [chain[0][:-1], chain[1], chain[2]]
  cases = {
    "no JWS": ("hello", "malformed"),
    "two parts": (f"{header}.{body}", "malformed"),
    "four parts": (f"{text}.", "malformed"),
    "another payload": (
      f"{header}.{signing.encode(b'{}')}.{signature}", "badSignature"),
    "another signature": (signer.sign(claims).rsplit(".", 1)[0] + f".{signature}", None),
    "no signature": (f"{header}.{body}.", "malformed"),
    "alg none": (signer.sign(claims, alg="none"), "unsupportedAlgorithm"),
    "alg HS256": (signer.sign(claims, alg="HS256"), "unsupportedAlgorithm"),
    "no x5c": (signer.sign(claims, header={"alg": "ES256"}), "missingX5C"),
    "one certificate": (signer.sign(claims, chain=chain[:1]), "wrongChainLength"),
    "two certificates": (signer.sign(claims, chain=chain[:2]), "wrongChainLength"),
    "four certificates": (signer.sign(claims, chain=chain + chain[2:]), "wrongChainLength"),
    "a certificate cut short": (signer.sign(claims, chain=broken), "badCertificate"),
    "leaf and intermediate exchanged": (
      signer.sign(claims, chain=[chain[1], chain[0], chain[2]]), "untrustedChain"),
    "a root of its own": (stranger.sign(claims), "untrustedChain"),
    "a stranger's key in our name": (stranger.sign(claims, chain=chain), "badSignature"),
    # Within what a time may be at all, and after the certificates' last day, in 2099.
    "after the certificates": (signer.sign({**claims, date: 4_110_000_000_000}), "expiredAt"),
    "signed in seconds": (signer.sign({**claims, date: claims[date] // 1000}), "malformed"),
    "signed in microseconds": (signer.sign({**claims, date: claims[date] * 1000}), "malformed"),
    "another environment": (signer.sign({**claims, environment: "Xcode"}), "wrongEnvironment"),
    "no environment": (
      signer.sign({k: v for k, v in claims.items() if k != environment}), "wrongEnvironment"),
  }
  if kind != "renewal":
    cases["another app"] = (signer.sign({**claims, "bundleId": "com.other"}), "wrongBundle")
  if kind == "app" and claims[environment] == "Production":
    cases["another number"] = (signer.sign({**claims, "appAppleId": 1}), "wrongAppId")
  # What is wrong with these shows under their own roots only.
  under_their_root = {
    "a leaf that had ended": (ended, ended.sign(claims), "expiredAt"),
  }
  for name, made, code in [
    ("no marker on the leaf", signing.authority(leaf_marker=False), "missingOID"),
    ("no marker on the intermediate", signing.authority(intermediate_marker=False), "missingOID"),
    ("an intermediate that may not issue",
     signing.authority(intermediate_is_authority=False), "notAuthority"),
  ]:
    under_their_root[name] = (made, made.sign(claims), code)
  return cases, under_their_root


def test_both_refuse_each_tampered_kind_for_the_same_reason(store, binaries, folder):
  signer = signing.Signer.of(store.state)
  root, environment = signer.chain[2], store.environment_name
  apple = Apple([root], environment)
  for kind, text in dict(signed_forms(store)).items():
    cases, under_their_root = tampered(signer, kind, text)
    names = [(name, text, code, root) for name, (text, code) in cases.items()]
    names += [(name, text, code, made.chain[2])
              for name, (made, text, code) in under_their_root.items()]
    for name, text, code, its_root in names:
      ours = Ours(binaries, folder, [its_root]).codes([(kind, environment, BUNDLE, APP, text)])[0]
      theirs = (apple if its_root is root else Apple([its_root], environment)).status(kind, text)
      if code is not None:
        assert ours == code, (kind, name)
      if code is None:
        # A signature is another each time; the old one is right for the old text alone.
        assert (ours == "ok") == (theirs == VerificationStatus.OK), (kind, name)
        continue
      assert theirs == STATUS.get(code, VerificationStatus.VERIFICATION_FAILURE), (kind, name)


def test_the_cases_of_apples_own_tests(binaries, folder):
  if not SAMPLES.exists():
    pytest.skip("Apple's samples are not beside the repository")
  root = (SAMPLES / "certs" / "testCA.der").read_bytes()
  files = [("notification", "mock_signed_data/testNotification"),
           ("notification", "mock_signed_data/wrongBundleId"),
           ("notification", "mock_signed_data/missingX5CHeaderClaim"),
           ("transaction", "mock_signed_data/transactionInfo"),
           ("renewal", "mock_signed_data/renewalInfo"),
           ("transaction", "mock_signed_data/legacyTransaction"),
           ("transaction", "xcode/xcode-signed-transaction"),
           ("renewal", "xcode/xcode-signed-renewal-info"),
           ("app", "xcode/xcode-signed-app-transaction")]
  accepted = 0
  for strict in [True, False]:
    ours = Ours(binaries, folder, [root], strict)
    for environment in ["Sandbox", "Production", "Xcode", "LocalTesting"]:
      for bundle in ["com.example", "com.other", "com.example.naturelab.backyardbirds.example"]:
        apple = Apple([root], environment, bundle, 1234, strict)
        for kind in ["transaction", "renewal", "notification", "app"]:
          texts = [(SAMPLES / path).read_text().strip() for _, path in files]
          codes = ours.codes([(kind, environment, bundle, 1234, text) for text in texts])
          for (own, path), text, code in zip(files, texts, codes):
            status = apple.status(kind, text)
            place = (strict, environment, bundle, kind, path, code, status)
            assert is_agreed(kind, text, code, status), place
            assert own != kind or code != "wrongKind", place
            accepted += own == kind and code == "ok"
  # Three mock ones by the lenient verifier, the three of Xcode by its own, twice; a renewal info
  # names no app, so for each bundle.
  assert accepted >= 8, accepted


def mutations(generator, signer, forms, count):
  """Random texts near the true ones, as (kind, text)."""
  stranger = signing.authority()
  numbers = [0, 1, -1, 946_684_799_999, 946_684_800_000, 1_738_317_600_000,
             4_102_444_799_999, 4_102_444_800_000, 10**15]

  def resigned(kind, text):
    claims = signing.payload(text)
    pick = generator.randrange(7)
    if pick == 0:
      claims["bundleId"] = generator.choice([BUNDLE, "com.other", "", BUNDLE + "x"])
    elif pick == 1:
      names = ["Sandbox", "Production", "Xcode", "LocalTesting", "sandbox", "Moon"]
      claims["receiptType" if kind == "app" else "environment"] = generator.choice(names)
    elif pick == 2:
      date = "receiptCreationDate" if kind == "app" else "signedDate"
      claims[date] = generator.choice(numbers)
    elif pick == 3:
      claims.pop(generator.choice(list(claims)))
    elif pick == 4:
      chain = [generator.choice(signer.chain + stranger.chain)
               for _ in range(generator.choice([2, 3, 3, 3, 4]))]
      return generator.choice([signer, stranger]).sign(claims, chain=chain)
    elif pick == 5:
      chain = list(signer.chain)
      index = generator.randrange(3)
      changed = bytearray(chain[index])
      changed[generator.randrange(len(changed))] ^= 1 << generator.randrange(8)
      chain[index] = bytes(changed)
      return signer.sign(claims, chain=chain)
    else:
      return signer.sign(claims, alg=generator.choice(["ES256", "ES384", "none", "RS256", ""]))
    return signer.sign(claims)

  def mutated(text):
    place = generator.randrange(len(text))
    pick = generator.randrange(6)
    if pick == 0:
      return text[:place] + generator.choice(ALPHABET + ".") + text[place + 1:]
    if pick == 1:
      return text[:place] + text[place + 1:]
    if pick == 2:
      return text[:place] + generator.choice(ALPHABET + ".") + text[place:]
    if pick == 3:
      return text[:place] or "."
    if pick == 4:
      # Near the end, where the signature is.
      place = len(text) - 1 - generator.randrange(86)
      return text[:place] + generator.choice(ALPHABET) + text[place + 1:]
    parts = [generator.choice(forms)[1].split(".")[index] for index in range(3)]
    return ".".join(parts)

  for _ in range(count):
    kind, text = generator.choice(forms)
    if generator.randrange(10) == 0:
      text = resigned(kind, text)
    else:
      text = mutated(text)
    yield generator.choice([kind, kind, kind, "transaction", "renewal", "app"]), text


def statuses(root, environment, asked):
  """What Apple's library says of each text."""
  apple = Apple([root], environment)
  return [apple.status(kind, text) for kind, text in asked]


def commit_seed():
  """The same for the same commit, and another for every other; 1 outside a checkout."""
  found = subprocess.run(
    ["git", "rev-parse", "--short=7", "HEAD"], text=True, stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL, check=False)
  return int(found.stdout, 16) if found.returncode == 0 else 1


def test_both_agree_on_random_mutations(store, binaries, folder, quick):
  # Half of them for each environment. The library takes a millisecond for each: 50,000 are
  # RENEWD_SOAK=5.
  count = 1_000 if quick else 10_000 * int(os.environ.get("RENEWD_SOAK") or 1)
  signer = signing.Signer.of(store.state)
  environment = store.environment_name
  seed = commit_seed()
  generator = random.Random(seed)
  asked = list(mutations(generator, signer, signed_forms(store), count))
  ours = Ours(binaries, folder, [signer.chain[2]])
  codes = ours.codes([(kind, environment, BUNDLE, APP, text) for kind, text in asked])
  half = count // 2
  with concurrent.futures.ProcessPoolExecutor(2) as pool:
    parts = pool.map(
      statuses, [signer.chain[2]] * 2, [environment] * 2, [asked[:half], asked[half:]])
    said = [status for part in parts for status in part]
  assert len(said) == count
  accepted = 0
  for (kind, text), code, status in zip(asked, codes, said):
    assert is_agreed(kind, text, code, status), (seed, kind, code, status, text)
    accepted += code == "ok"
  # Some mutations change nothing that is looked at: the comparison sees both answers.
  assert 0 < accepted < count / 2, (seed, accepted)


def test_letters_outside_the_alphabet_are_refused(store, binaries, folder):
  # Apple's library passes over some of these; RFC 7515 has no such letters.
  signer = signing.Signer.of(store.state)
  questions = []
  for kind, text in signed_forms(store)[:2]:
    for letter in "+/=!~,:*":
      for place in [5, text.index(".") + 5, len(text) - 5]:
        changed = text[:place] + letter + text[place:]
        questions.append((kind, store.environment_name, BUNDLE, APP, changed))
  assert set(Ours(binaries, folder, [signer.chain[2]]).codes(questions)) == {"malformed"}


def test_nothing_of_libcryptos_is_lost(binaries):
  done = subprocess.run(
    [binaries / "signed-data", "leak"], capture_output=True, text=True, check=True, timeout=300)
  # 400 rounds of six keys, ten certificates and their stores: one lost object a round shows.
  assert int(done.stdout) < 400 * 1024, done.stdout


def test_verify_says_why_and_exits_with_1(store, folder):
  signer = signing.Signer.of(store.state)
  # The second period is the present one.
  text = store.do("history", "u1", "--signed").out.split()[2]
  claims = signing.payload(text)
  path = folder / "signed"

  def verify(text, account="u1"):
    path.write_text(text)
    outcome = store.ctl("verify", account, path, "--json")
    assert outcome.err == "", outcome
    answer = outcome.json()
    assert outcome.status == (0 if answer["valid"] else 1), outcome
    return answer.get("code")

  before = store.json("log", "describe")["sequence"]
  assert verify(text) is None
  assert store.ctl("verify", "u1", text).status == 0
  cases, _ = tampered(signer, "transaction", text)
  seen = {name: verify(case) for name, (case, code) in cases.items() if code}
  assert seen == {name: code for name, (_, code) in cases.items() if code}
  assert verify("a" * (1 << 20)) == "tooLong"
  assert verify(signer.sign({**claims, "transactionId": "7"})) == "noSuchTransaction"
  assert verify(text, "u9") == "unknownAccount"
  store.do("buy", "u2", "lifetime")
  assert verify(text, "u2") == "wrongAccount"
  assert store.json("log", "describe")["sequence"] == before + 2
