"""Lives over the rules alone, and their scripts on the real daemon."""

import os
import subprocess


def test_a_planted_bugs_script_runs_on_the_real_daemon(binaries, folder):
  program = binaries / "simulate"
  assert program.exists(), "Scripts/test builds it"
  found = subprocess.run(
    [program, "lives", "--seed", "1", "--count", "500", "--plant", "short-change"], text=True,
    stdout=subprocess.PIPE, check=False, timeout=300)
  assert found.returncode == 1 and found.stdout.startswith("# seed ")
  environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"}
  # The daemon has no such bug: the same commands are done, and none is refused.
  lived = subprocess.run(
    ["sh", "-e"], input=found.stdout, text=True, cwd=str(folder / "."), env=environment,
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
  assert lived.returncode == 0, lived.stdout + lived.stderr


def test_lives_are_well(binaries):
  """A few; Scripts/test lives the many."""
  count = 500
  done = subprocess.run(
    [binaries / "simulate", "lives", "--seed", "1", "--count", str(count)], text=True,
    stdout=subprocess.PIPE, check=False, timeout=300)
  assert done.returncode == 0, done.stdout
  assert done.stdout.startswith(f"{count} lives")
