"""Family Sharing through the real programs (Domain.md 1.10, cases 58 to 62, B52)."""

import pytest

import shop


@pytest.fixture
def family(make_daemon):
  """u1 bought a shareable plan on 10 January 2025 and shares it with u2 and u3."""
  content = shop.catalogue({
    "plans": [
      shop.subscription("family.monthly", "P1M", "14.99", shareable=True),
      shop.subscription("solo.monthly", "P1M", "7.99", level=2),
    ]})
  daemon = make_daemon(clock="2025-01-10T12:00:00Z", catalogue=content).start()
  daemon.do("buy", "u1", "family.monthly")
  daemon.do("share", "u1", "u2")
  daemon.do("share", "u1", "u3")
  return daemon


def test_family_plan_is_shared_and_left(family):
  """B52: u3 leaves and loses access; u1 and u2 are unchanged, and renew together."""
  assert family.ctl("status", "u2").status == 0
  assert "active, shared" in family.ctl("status", "u2").out
  family.do("unshare", "u1", "u3")
  assert family.ctl("status", "u3").status == 1
  assert family.ctl("status", "u1").status == 0
  family.do("advance", "1month")
  timeline = family.ctl("timeline", "u2").out
  assert "got family.monthly by family sharing" in timeline
  assert "renewed family.monthly" in timeline
  assert "14.99" not in timeline
  story = family.ctl("explain", "u3").out
  assert "was taken away" in story and "the family of u1" not in story


def test_members_are_the_purchasers_to_change(family):
  """Case 62, and who cannot share with whom."""
  for words in (["expire", "u2"], ["renew", "u2"], ["refund", "u2"], ["share", "u2", "u4"],
                ["share", "u1", "u2"], ["unshare", "u2"]):
    refused = family.ctl(*words)
    assert refused.status == 4, words
  assert "Family Sharing" in family.ctl("refund", "u2").err
  assert family.ctl("share", "u1").status == 2
  assert family.ctl("share", "u1", "u1").status == 2
