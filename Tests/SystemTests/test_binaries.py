"""The release binaries alone: what they link, and that they run where there is next to nothing."""

import re
import shutil
import subprocess

import pytest

# Symbols that only Foundation's libraries define or ask for, by how Swift mangles their modules.
FOUNDATION = re.compile(r"\$s\d*Foundation|\$s20FoundationEssentials|_CFBundle|swift_foundation")

# What each binary may ask of the system, besides libc's own parts.
LIBC = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1",
        "libpthread.so.0", "libdl.so.2", "librt.so.1", "libstdc++.so.6"}
NEEDS = {"renewd": LIBC | {"libsystemd.so.0", "libcrypto.so.3"}, "renewctl": LIBC}


def needed(binary):
  """The libraries the binary itself names, not what these need in turn."""
  dynamic = subprocess.run(["readelf", "--dynamic", "--wide", binary],
                           check=True, capture_output=True, text=True).stdout
  return set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))


@pytest.mark.parametrize("name", ["renewd", "renewctl"])
def test_binary_carries_the_swift_library(binaries, name):
  libraries = subprocess.run(
      ["ldd", binaries / name], check=True, capture_output=True, text=True).stdout
  assert "libswift" not in libraries
  assert "libFoundation" not in libraries
  assert needed(binaries / name) <= NEEDS[name]


@pytest.mark.parametrize("name", ["renewd", "renewctl"])
def test_binary_holds_no_foundation(binaries, name):
  symbols = subprocess.run(["nm", "--no-demangle", binaries / name],
                           check=True, capture_output=True, text=True).stdout
  assert "$s" in symbols, "the binary is stripped: this check would see nothing"
  found = FOUNDATION.search(symbols)
  assert found is None, found


# A root without anything but a binary and its libraries, and /proc: Swift reads a program's
# arguments there.
BARE = r"""
set -eu
mkdir "$1/proc"
mount -t proc proc "$1/proc"
exec chroot "$1" "/$2" --version
"""


@pytest.mark.parametrize("name", ["renewd", "renewctl"])
def test_binary_runs_with_nothing_but_its_libraries(binaries, name, tmp_path):
  if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
    pytest.skip("a root folder of its own needs root")
  libraries = subprocess.run(
      ["ldd", binaries / name], check=True, capture_output=True, text=True).stdout
  for library in re.findall(r"(/\S+)", libraries):
    place = tmp_path / library.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(library, place)
  shutil.copy(binaries / name, tmp_path / name)
  answer = subprocess.run(["unshare", "--mount", "sh", "-c", BARE, "sh", tmp_path, name],
                          capture_output=True, text=True, timeout=60)
  assert answer.returncode == 0, answer.stderr
  assert answer.stdout.startswith(f"{name} "), answer.stdout
