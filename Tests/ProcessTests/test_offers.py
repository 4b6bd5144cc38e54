"""Offers with the real programs: redeemed, shown, sold, refused (Domain.md 1.7)."""

import base64
import shutil
import subprocess
import time

import pytest

import shop


@pytest.fixture
def store(make_daemon):
  return make_daemon(catalogue=shop.with_offers()).start()


def history(store, account="u1"):
  found = store.do("history", account, "--json").json()["transactions"]
  return [(entry["price"], entry.get("offerType"), entry.get("offerIdentifier"))
          for entry in found]


def test_a_promotional_offer_waits_for_the_renewal_and_is_then_sold(store):
  store.do("buy", "u1", "plus")
  said = store.do("buy", "u1", "plus", "--offer", "half").out
  assert "keeps plus until 2025-02-07T10:00:00Z and is to renew then with the offer half" in said
  info = store.do("status", "u1", "--json").json()["subscriptions"][0]["renewalInfo"]
  assert (info["renewalPrice"], info["offerType"], info["offerIdentifier"]) == (4990, 2, "half")
  assert "half" in store.do("timeline", "u1").out
  store.do("advance", "P4M")
  assert history(store) == [
    (0, 1, None), (4990, 2, "half"), (4990, 2, "half"), (9990, None, None), (9990, None, None)]
  story = store.do("explain", "u1").out
  assert "promotional offer half" in story and "redeemed an offer of plus" in story


def test_a_code_follows_the_trial_and_a_win_back_offer_brings_back_who_left(store):
  store.do("buy", "u1", "plus", "--offer", "code:SPRING")
  store.do("advance", "P1M")
  assert history(store) == [(0, 1, None), (7990, 3, "SPRING")]
  store.do("cancel", "u1")
  store.do("advance", "P3M")
  info = store.ctl("status", "u1", "--json").json()["subscriptions"][0]["renewalInfo"]
  assert info["eligibleWinBackOfferIds"] == ["return"]
  assert "eligible for the win-back offer return" in store.do("explain", "u1").out
  store.do("buy", "u1", "plus", "--offer", "win-back:return")
  assert history(store)[-1] == (1990, 4, "return")
  status = store.do("status", "u1", "--json").json()["subscriptions"][0]
  assert "eligibleWinBackOfferIds" not in status["renewalInfo"]


def test_products_shows_every_offer(store):
  shown = store.do("products").out
  for name in ["intro", "promotional:half", "promotional:gift", "code:SPRING", "win-back:return"]:
    assert name in shown
  assert "4.99 USD a period for 2 × P1M" in shown


def test_what_is_no_offer_of_this_customers_is_refused_with_its_reason(store):
  cases = [
    (["plus", "--offer", "hlaf"], "did you mean half?"),
    (["plus", "--offer", "promotional:hlaf"], "it has half, gift"),
    (["plus", "--offer", "half"], "never had one"),
    (["plus", "--offer", "win-back:return"], "never had one of the group"),
    (["lifetime", "--offer", "code:SPRING"], "only those have offers"),
  ]
  for words, reason in cases:
    refused = store.ctl("buy", "u1", *words)
    assert refused.status == 4 and reason in refused.err, refused
  assert store.ctl("status", "u1", "--json").json()["subscriptions"] == []


def sign(folder, key, fields):
  """ECDSA over SHA-256 of fields joined by U+2063, in DER and Base64, by OpenSSL's own program."""
  message = folder / "message"
  message.write_text("\u2063".join(fields))
  signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", str(key), str(message)],
                          check=True, capture_output=True)
  return base64.b64encode(signed.stdout).decode()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_real_signature_is_believed_once(make_daemon, tmp_path):
  """Case 78 with a real key: another program signs, the daemon checks, a nonce serves once."""
  key = tmp_path / "key.pem"
  made = subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                         "ec_paramgen_curve:P-256", "-outform", "PEM", "-out", str(key)],
                        check=False, capture_output=True)
  assert made.returncode == 0, made.stderr
  text = "".join(line for line in key.read_text().splitlines() if not line.startswith("-----"))
  content = shop.with_offers()
  content["subscriptionOffersKeyPair"] = {"id": "0F0F0F0F", "privateKey": text}
  store = make_daemon("--policy", "promotionalOfferSignature=required", catalogue=content).start()
  store.do("buy", "u1", "base")
  nonce = "0c3f2e6a-4a58-4d52-9f6b-2f0d9a3c1e77"
  stamp = str(int(time.time() * 1000))
  signature = sign(
    tmp_path, key, ["com.example.app", "0F0F0F0F", "plus", "half", "", nonce, stamp])
  proof = f"0F0F0F0F,{nonce},{stamp},{signature}"
  none = store.ctl("buy", "u1", "plus", "--offer", "half")
  assert none.status == 4 and "missing parameters" in none.err
  wrong = store.ctl("buy", "u1", "plus", "--offer", "gift", "--signature", proof)
  assert wrong.status == 4 and "does not fit the offer and the key" in wrong.err
  store.do("buy", "u1", "plus", "--offer", "half", "--signature", proof)
  assert history(store)[-1] == (4990, 2, "half")
  again = store.ctl("buy", "u1", "plus", "--offer", "half", "--signature", proof)
  assert again.status == 4 and "the nonce was used before" in again.err
