# Shared by the scripts beside it: where things are, what must be installed, how things are built.
# Sourced, never run. Sets REPOSITORY and changes to it.

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$REPOSITORY"

# The oldest Swift whose language and library this code uses.
readonly SWIFT_MAJOR_MIN=6 SWIFT_MINOR_MIN=2

# What the exit codes of sysexits.h are called there.
readonly EXIT_UNAVAILABLE=69 EXIT_CONFIGURATION=78

# Debian packages, by what needs them.
#   libsystemd-dev, libc6-dev        headers
#   libcurl4-openssl-dev             libcurl: Foundation's networking, which StoreKit code expects
#   libssl-dev                       libcrypto of OpenSSL 3 and its headers: signatures
#   g++                              start files, libgcc and libstdc++ for linking
#   pkg-config                       where the package manager finds libsystemd and libcrypto
#   tzdata                           zone files: the calendar of America/Los_Angeles
#   binutils                         the linker's tools, and `nm` for a check of the binaries
readonly BUILD_PACKAGES=(
  libsystemd-dev libcurl4-openssl-dev libssl-dev libc6-dev g++ pkg-config tzdata binutils)
#   python3-venv                     a Python client nobody here wrote, and pytest
#   systemd, systemd-container       a real systemd in a throw-away container
#   libfaketime                      the time of commands under `renewctl run --time`
readonly TEST_PACKAGES=(python3-venv systemd systemd-container libfaketime)

# Exact versions: a test run is the same next year.
readonly PYTHON_PACKAGES=(pytest==8.4.2 varlink==31.0.0 app-store-server-library==3.1.1)

say() {
  printf '%s\n' "$*"
}

fail() {
  local status=$1
  shift
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit "$status"
}

# Ends with one sentence and exit 78 unless a Swift that is new enough can be run.
require_swift() {
  local advice found major minor
  advice="this needs Swift $SWIFT_MAJOR_MIN.$SWIFT_MINOR_MIN or later, to be had from"
  advice+=" swift.org/install;"
  command -v swift > /dev/null || fail "$EXIT_CONFIGURATION" "$advice none is on the PATH."
  found=$(swift --version 2> /dev/null | grep -o 'Swift version [0-9]*\.[0-9]*' | head -n 1 || true)
  found=${found#Swift version }
  major=${found%.*} minor=${found#*.}
  if [[ -z $found ]] || ((major < SWIFT_MAJOR_MIN)) ||
    ((major == SWIFT_MAJOR_MIN && minor < SWIFT_MINOR_MIN)); then
    fail "$EXIT_CONFIGURATION" "$advice the one on the PATH is ${found:-of unknown version}."
  fi
}

is_installed() {
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null) == installed ]]
}

# Installs what is missing of the packages named, and says so; does nothing when none is.
require_packages() {
  command -v dpkg-query > /dev/null ||
    fail "$EXIT_CONFIGURATION" "this is not Debian; install what these packages hold: $*."
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    fail "$EXIT_CONFIGURATION" "these packages are missing, and only root can install them:" \
      "${missing[*]}"
  fi
  say "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update --quiet=2
  apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" > /dev/null
}

# Makes .build/venv with the Python packages named above, once.
require_python_packages() {
  local venv=$REPOSITORY/.build/venv
  local wanted="${PYTHON_PACKAGES[*]}"
  if [[ ! -x $venv/bin/python3 || $(cat "$venv/installed" 2> /dev/null) != "$wanted" ]]; then
    say "Installing $wanted into .build/venv"
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check "${PYTHON_PACKAGES[@]}"
    printf '%s\n' "$wanted" > "$venv/installed"
  fi
}

# Release binaries carry the Swift standard library; products to build follow, or none for all.
readonly RELEASE_BUILD=(swift build --configuration release --static-swift-stdlib)

# Builds the release binaries of the products named.
build_release() {
  local product
  for product in "$@"; do
    "${RELEASE_BUILD[@]}" --product "$product"
  done
}

release_folder() {
  printf '%s/.build/release\n' "$REPOSITORY"
}
