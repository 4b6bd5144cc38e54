"""Fixtures: one container for the whole run, one freshly started daemon for each test."""

import os
import pathlib
import sys
import time

import pytest

from container import Container, ContainerUnavailable
from daemon import Daemon

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# What both suites in Python use.
sys.path.append(str(REPOSITORY / "Tests"))


@pytest.fixture(scope="session")
def repository():
  return REPOSITORY


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


@pytest.fixture(scope="session")
def machine(binaries):
  """A booted container with renewd installed by Scripts/install."""
  container = Container({"/srv/renewd": REPOSITORY, "/srv/binaries": binaries})
  started = time.monotonic()
  try:
    container.boot()
  except ContainerUnavailable as reason:
    container.close()
    pytest.skip(f"no throw-away container can be made here: {reason}")
  try:
    print(f"booted in {time.monotonic() - started:.2f} s")
    container.run("env", "BINARIES=/srv/binaries", "/srv/renewd/Scripts/install")
    yield container
  finally:
    container.close()


@pytest.fixture
def daemon(machine):
  """A daemon without state, configuration or drop-ins, its socket listening, not yet started."""
  daemon = Daemon(machine)
  daemon.reset()
  yield daemon
  daemon.reset()
