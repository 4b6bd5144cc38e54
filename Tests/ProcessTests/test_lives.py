"""Lives over the rules alone, and their scripts on the real daemon."""

import os
import re
import subprocess

import pytest

PLANTS = ["short-change", "deaf-members", "idle-increase", "forgotten-extension"]


def simulate(binaries, *words):
  program = binaries / "simulate"
  assert program.exists(), "Scripts/test builds it"
  return subprocess.run(
    [program, "lives", *words], text=True, stdout=subprocess.PIPE, check=False, timeout=300)


def live(script, binaries, folder):
  """Runs a life's script with the real renewctl and renewd."""
  environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"}
  return subprocess.run(
    ["sh", "-e"], input=script, text=True, cwd=str(folder / "."), env=environment,
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bugs_script_runs_on_the_real_daemon(binaries, folder, plant):
  found = simulate(binaries, "--seed", "1", "--count", "500", "--plant", plant)
  assert found.returncode == 1 and found.stdout.startswith("# seed ")
  # The daemon has no such bug: the same commands are done, and none is refused.
  lived = live(found.stdout, binaries, folder)
  assert lived.returncode == 0, lived.stdout + lived.stderr


# Together these have every command.
SEEDS = range(1, 17)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_life_is_refused_and_done_alike_on_the_real_daemon(binaries, folder, seed):
  script = simulate(binaries, "--seed", str(seed), "--steps", "80", "--script")
  assert script.returncode == 0
  assert script.stdout.count("\nrenewctl ") > 25 and "\nrefused " in script.stdout
  lived = live(script.stdout, binaries, folder)
  assert lived.returncode == 0, lived.stdout + lived.stderr


def test_the_lives_of_the_scripts_have_every_command(binaries):
  told = "".join(
    simulate(binaries, "--seed", str(seed), "--steps", "80", "--script").stdout
    for seed in SEEDS)
  for words in [
      "asktobuy on", "asktobuy off", "approve", "decline", "interrupt on", "resolve", "share",
      "unshare", "price announce", "price consent", "price decline", "extend --all",
      "extend --subscription", "remove-from-sale", "catalog import later.storekit", "fault",
      "billing fail", "billing ok", "billing fail --all", "billing resolve", "refund",
      "unrefund", "request-refund", "decline-refund", "finish", "renew", "expire", "cancel",
      "resume", "clock attach", "rate", "restore"]:
    assert re.search(rf"renewctl {words}\b", told), words
  for option in ["--offer promotional:", "--offer code:", "--offer win-back:", "--quantity"]:
    assert option in told, option


def test_lives_are_well(binaries):
  """A few; Scripts/test lives the many."""
  count = 500
  done = simulate(binaries, "--seed", "1", "--count", str(count))
  assert done.returncode == 0, done.stdout
  assert done.stdout.startswith(f"{count} lives")
