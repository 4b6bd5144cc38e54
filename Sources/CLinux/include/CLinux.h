// What Swift's Glibc module lacks: headers it does not import, and calls and structures that hide
// behind feature macros or are made of macros.
#ifndef CLINUX_H
#define CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

// The version of everything built here, where the daemon's side and the clients' both find it.
#define RENEWD_VERSION "0.1.0"

// Names a variable that `renewctl run --time` sets: the file with the time its command sees.
#define RENEWD_CLOCK_FILE "RENEWD_CLOCK_FILE"

// How the name of the library begins that is loaded before libfaketime there.
#define RENEWD_STANDSTILL "librenewd-standstill"

// The format of a moment that the library reads in the place of libfaketime's.
#define RENEWD_STANDSTILL_FORMAT "seconds since 1970"

// Starts this program anew, with the same arguments, if it was started under `renewctl run --time`:
// without the libraries that show it the store's time, and without the variables that tell them.
// What others had loaded stays. 0 where there is nothing to leave; -1 and errno if it cannot.
int clinux_return_to_machine_time(char *const arguments[]);

// Accepts one connection, non-blocking and closed on exec. -1 and errno as accept4(2).
int clinux_accept(int socket);

// The process, user and group at the other end of a Unix socket, as they were when it connected.
// 0, or -1 and errno as getsockopt(2) with SO_PEERCRED.
int clinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

// The other groups of that peer. `count` holds the room in `groups` and receives how many there
// are. 0, or -1 and errno as getsockopt(2) with SO_PEERGROUPS; ERANGE if the room is too small,
// with the room that is needed in `count`.
int clinux_peer_groups(int socket, gid_t *groups, size_t *count);

// Takes an exclusive lock on the whole file for this open file description, without waiting. It
// goes when the last descriptor of it is closed. 0, or -1 and errno as fcntl(2) with F_OFD_SETLK.
int clinux_lock(int file);

// Reserves space for the bytes up to `size` and makes the file that long. 0, or -1 and errno.
int clinux_allocate(int file, off_t size);

// Opens a name in a directory, closed on exec, never through a symbolic link at its end.
int clinux_open(int directory, const char *name, int flags, mode_t mode);

// Duplicates a descriptor, closed on exec. -1 and errno as fcntl(2) with F_DUPFD_CLOEXEC.
int clinux_duplicate(int file);

// Whether the processor computes CRC-32C by itself.
bool clinux_crc32c_is_supported(void);

// CRC-32C (Castagnoli) by the processor's instruction; continues `seed`, an earlier result, 0 to
// begin. Call it only where clinux_crc32c_is_supported says so.
uint32_t clinux_crc32c(uint32_t seed, const void *bytes, size_t count);

#endif
