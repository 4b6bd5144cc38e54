"""Fixtures: the release binaries, a folder, and daemons that are gone when the test is."""

import os
import pathlib
import sys

import pytest

from process import Daemon, Folder

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# What both suites in Python use.
sys.path.append(str(REPOSITORY / "Tests"))


@pytest.fixture(scope="session")
def quick():
  """Whether the short form of the check runs: the same tests, fewer repetitions."""
  return os.environ.get("RENEWD_QUICK") == "1"


@pytest.fixture(scope="session")
def binaries():
  """The folder with the release binaries; `RENEWD_BINARIES` names another one."""
  folder = pathlib.Path(os.environ.get("RENEWD_BINARIES", REPOSITORY / ".build" / "release"))
  for name in ["renewd", "renewctl"]:
    if not (folder / name).exists():
      pytest.fail(f"{folder} holds no {name}: Scripts/test builds it")
  return folder.resolve()


@pytest.fixture
def folder():
  folder = Folder()
  yield folder
  folder.remove()


@pytest.fixture
def make_daemon(binaries, folder):
  """Makes a daemon, not yet started, on the test's folder."""
  made = []

  def make(*options, **named):
    daemon = Daemon(binaries, folder, *options, **named)
    made.append(daemon)
    return daemon

  yield make
  for daemon in made:
    if daemon.process is not None and daemon.process.poll() is None:
      daemon.kill()


@pytest.fixture
def daemon(make_daemon):
  """A running daemon with the standard shop, its default clock at 2025-01-31T10:00:00Z."""
  return make_daemon().start()


@pytest.fixture
def wire(daemon):
  with daemon.connect() as wire:
    yield wire
