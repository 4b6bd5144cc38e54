"""The `varlink` package's own certification client against our Varlink target."""

import subprocess
import sys

import pytest



@pytest.fixture
def certified(binaries, folder):
  """The small program that serves org.varlink.certification by our Varlink target."""
  program = binaries / "varlink-certification"
  if not program.exists():
    pytest.fail(f"{program.parent} holds no varlink-certification: Scripts/test builds it")
  path = folder / "c"
  server = subprocess.Popen([program, path], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
  try:
    assert server.stdout.readline() == b"ready\n"
    yield path
  finally:
    server.kill()
    server.wait()
    server.stdout.close()


def certify(path):
  return subprocess.run(
    [sys.executable, "-B", "-m", "varlink.tests.test_certification", "--client",
     f"--varlink=unix:{path}"],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)


def test_the_certification_client_passes(certified):
  done = certify(certified)
  assert done.returncode == 0, done.stdout
  assert done.stdout.rstrip().endswith("Certification passed")
  # Every step was taken, from Test01 to Test11, and the server was content.
  for number in range(1, 12):
    assert f"Test{number:02}:" in done.stdout
  assert "End: {'all_ok': True}" in done.stdout


def test_several_certifications_at_once_pass(certified):
  command = [sys.executable, "-B", "-m", "varlink.tests.test_certification", "--client",
             f"--varlink=unix:{certified}"]
  clients = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
             for _ in range(4)]
  outputs = [client.communicate(timeout=60)[0] for client in clients]
  assert [client.returncode for client in clients] == [0] * 4, outputs
