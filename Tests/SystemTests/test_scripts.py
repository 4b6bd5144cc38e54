"""What the scripts say when something they need is missing."""

import subprocess

import pytest

# What a script needs before it looks for Swift.
TOOLS = ["bash", "basename", "dirname", "env", "grep", "head"]


def run(repository, script, folder, *arguments):
  return subprocess.run(
      [repository / "Scripts" / script, *arguments], capture_output=True, text=True, timeout=60,
      cwd="/", env={"PATH": str(folder)})


@pytest.fixture
def folder(tmp_path):
  """A folder to be the whole PATH, with the tools and no Swift."""
  for tool in TOOLS:
    (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
  return tmp_path


@pytest.mark.parametrize("script", ["demo", "test", "bench", "install"])
def test_without_swift_one_sentence_says_where_to_get_it(repository, script, folder):
  answer = run(repository, script, folder)
  assert answer.returncode == 78
  assert answer.stderr == (
      f"{script}: this needs Swift 6.2 or later, to be had from swift.org/install;"
      " none is on the PATH.\n")
  assert answer.stdout == ""


@pytest.mark.parametrize("version, status", [("5.10.1", 78), ("6.1.2", 78), ("6", 78)])
def test_swift_that_is_too_old_is_named(repository, folder, version, status):
  swift = folder / "swift"
  swift.write_text(f"#!/bin/bash\necho 'Swift version {version} (swift-{version}-RELEASE)'\n")
  swift.chmod(0o755)
  answer = run(repository, "test", folder)
  assert answer.returncode == status
  assert "swift.org/install" in answer.stderr
  assert answer.stderr.count("\n") == 1


def test_unknown_option_is_named(repository, folder):
  answer = run(repository, "test", folder, "--fast")
  assert answer.returncode == 2
  assert answer.stderr == "test: unknown option --fast; there is only --quick.\n"
