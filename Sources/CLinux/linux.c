#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

int clinux_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

int clinux_peer_groups(int socket, gid_t *groups, size_t *count) {
  socklen_t size = (socklen_t)(*count * sizeof *groups);
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
  *count = size / sizeof *groups;
  return result;
}

int clinux_lock(int file) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(file, F_OFD_SETLK, &lock);
}

int clinux_allocate(int file, off_t size) { return fallocate(file, 0, 0, size); }

int clinux_open(int directory, const char *name, int flags, mode_t mode) {
  return openat(directory, name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
}

int clinux_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

// Whether a path of LD_PRELOAD is one that `renewctl run --time` put there.
static bool isTimeLibrary(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  return strncmp(name, RENEWD_STANDSTILL, strlen(RENEWD_STANDSTILL)) == 0 ||
         strncmp(name, "libfaketime", strlen("libfaketime")) == 0;
}

// Takes those paths out of LD_PRELOAD.
static int forgetTimeLibraries(void) {
  const char *loaded = getenv("LD_PRELOAD");
  if (loaded == NULL) return 0;
  char *words = strdup(loaded);
  char *kept = calloc(strlen(loaded) + 1, 1);
  int result = -1;
  if (words != NULL && kept != NULL) {
    char *place = NULL;
    for (char *path = strtok_r(words, ": ", &place); path; path = strtok_r(NULL, ": ", &place)) {
      if (isTimeLibrary(path)) continue;
      if (*kept != 0) strcat(kept, ":");
      strcat(kept, path);
    }
    result = *kept == 0 ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", kept, 1);
  }
  free(words);
  free(kept);
  return result;
}

int clinux_return_to_machine_time(char *const arguments[]) {
  if (getenv(RENEWD_CLOCK_FILE) == NULL) return 0;
  static const char *const told[] = {
      RENEWD_CLOCK_FILE, "FAKETIME_TIMESTAMP_FILE", "FAKETIME_FMT", "FAKETIME_NO_CACHE",
      "FAKETIME_DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"};
  for (size_t index = 0; index < sizeof told / sizeof *told; index++) unsetenv(told[index]);
  if (forgetTimeLibraries() != 0) return -1;
  // By its own name, which a process is listed under.
  char *path = realpath("/proc/self/exe", NULL);
  if (path == NULL) return -1;
  execv(path, arguments);
  const int error = errno;
  free(path);
  errno = error;
  return -1;
}
