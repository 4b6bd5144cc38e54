"""Ask to Buy, interrupted purchases and simulated errors through the real programs."""


def test_ask_to_buy(daemon):
  """Case 73: nothing until approved; then bought at the approval's time."""
  daemon.do("asktobuy", "on", "u1")
  asked = daemon.ctl("buy", "u1", "pro.monthly")
  assert asked.status == 0 and "is pending" in asked.out
  assert daemon.ctl("status", "u1").status == 1
  assert "ask to buy" in daemon.ctl("pending", "u1").out
  daemon.do("advance", "3d")
  assert "bought pro.monthly" in daemon.ctl("approve", "u1").out
  assert daemon.ctl("status", "u1").status == 0
  assert "2025-02-03T10:00:00Z" in daemon.ctl("history", "u1").out
  assert daemon.ctl("approve", "u1").status == 3
  daemon.do("buy", "u1", "coins")
  daemon.do("buy", "u1", "coins")
  several = daemon.ctl("decline", "u1")
  assert several.status == 4 and "name one by its id" in several.err
  daemon.do("decline", several.err.split()[-1])
  daemon.do("decline", "u1")
  assert daemon.ctl("pending").out == "no purchase waits\n"
  assert daemon.ctl("asktobuy", "maybe", "u1").status == 2


def test_interrupted(daemon):
  daemon.do("interrupt", "on")
  assert "was not made" in daemon.ctl("buy", "u1", "coins").out
  assert daemon.ctl("resolve", "u1").status == 4
  daemon.do("interrupt", "off")
  assert "bought coins" in daemon.ctl("resolve", "u1").out


def test_faults(daemon):
  daemon.do("fault", "purchase", "networkError")
  refused = daemon.ctl("buy", "u1", "coins")
  assert refused.status == 4 and "networkError" in refused.err
  assert daemon.ctl("fault").out == "purchase fails with networkError\n"
  assert daemon.ctl("fault", "purchase", "nonsense").status == 2
  daemon.do("fault", "purchase", "off")
  daemon.do("buy", "u1", "coins")
  daemon.do("billing", "fail", "--all")
  assert "payments of all renewals fail" in daemon.ctl("fault").out
