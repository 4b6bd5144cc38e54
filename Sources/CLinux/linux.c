#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
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
