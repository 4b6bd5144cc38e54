"""Promises about time, held to on a machine that has other things to do as well."""

# How often something is tried whose limit is a promise: what another process does to the machine is
# no part of it, and does not do it each time.
TRIES_MAX = 40


def quickest(attempt, seconds):
  """Tries until one attempt took less than `seconds`; how long the quickest took.

  `attempt` is called with the number of the try, does what has to be done before, and returns how
  long the thing itself took.
  """
  shortest = None
  for number in range(TRIES_MAX):
    took = attempt(number)
    shortest = took if shortest is None else min(took, shortest)
    if shortest < seconds:
      return shortest
  raise AssertionError(f"not within {seconds} s in {TRIES_MAX} tries: {shortest} s")
