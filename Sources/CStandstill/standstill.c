// Waits beside a clock that stands still.
//
// `renewctl run --time` starts its command under libfaketime, whose wall clock stands at the
// store's test clock. libfaketime 0.9.10 gives that time well, but it mistakes most waits that end
// at a moment: it takes those of the monotonic clock for moments of the wall clock, so that
// Python's time.sleep fails and a timer of libdispatch never comes, and it counts those of the wall
// clock from the start of the process. This library is loaded before it and takes these waits: a
// moment of the wall clock is waited for as long as it is ahead of the time that the process sees,
// any other is the system's.
//
// It keeps libfaketime from settling the program's time zone before the program has: it reads a
// moment by strptime and mktime, after which `TZ` is looked at no more, and `date -u` would show
// the zone that was set before.
//
// It also keeps libfaketime from its shared memory, which a process that is killed or that becomes
// another program would leave behind, and which a clock that stands still has no use for.
#define _GNU_SOURCE
#include "standstill.h"

#include "../CLinux/include/CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// From this second on a moment is one of the wall clock, in milliseconds no test clock stands
// before it: the year 2000. No machine has been up for so long, and that is what the monotonic
// clocks count.
static const time_t wallSecondsMin = 946684800;
static const long nanosecondsPerSecond = 1000000000;

// The C library's own function of a name, past every library that was loaded before it.
static void *systemFunction(const char *name) {
  static void *library;
  if (library == NULL) library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library == NULL ? NULL : dlsym(library, name);
}

// Calls the C library's function; ENOSYS where it has none.
#define SYSTEM(failure, name, ...)                                \
  ({                                                              \
    static __typeof__(&name) function;                            \
    if (function == NULL) function = systemFunction(#name);       \
    if (function == NULL) errno = ENOSYS;                         \
    function == NULL ? (failure) : function(__VA_ARGS__);         \
  })

// The moment of the machine's wall clock that is as far ahead as `moment` is ahead of the time
// that this process sees.
static struct timespec onMachine(const struct timespec *moment) {
  struct timespec seen, now, result = *moment;
  if (clock_gettime(CLOCK_REALTIME, &seen) != 0) return result;
  if (SYSTEM(-1, clock_gettime, CLOCK_REALTIME, &now) != 0) return result;
  // What is not a valid moment is left for the system to refuse.
  if (moment->tv_nsec < 0 || moment->tv_nsec >= nanosecondsPerSecond) return result;
  if (__builtin_add_overflow(moment->tv_sec, now.tv_sec - seen.tv_sec, &result.tv_sec)) {
    result.tv_sec = INT64_MAX;
  }
  result.tv_nsec += now.tv_nsec - seen.tv_nsec;
  if (result.tv_nsec < 0) {
    result.tv_nsec += nanosecondsPerSecond;
    result.tv_sec -= 1;
  } else if (result.tv_nsec >= nanosecondsPerSecond) {
    result.tv_nsec -= nanosecondsPerSecond;
    if (result.tv_sec < INT64_MAX) result.tv_sec += 1;
  }
  return result;
}

// The same of a moment whose clock is not told.
static struct timespec onItsClock(const struct timespec *moment) {
  return moment->tv_sec < wallSecondsMin ? *moment : onMachine(moment);
}

static struct timespec onClock(clockid_t clock, const struct timespec *moment) {
  return clock == CLOCK_REALTIME ? onMachine(moment) : *moment;
}

// Sleeping, and timers.

int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (time == NULL) return EFAULT;
  const struct timespec real = flags & TIMER_ABSTIME ? onClock(clock, time) : *time;
  return SYSTEM(ENOSYS, clock_nanosleep, clock, flags, &real, left);
}

static struct itimerspec ofTimer(const struct itimerspec *value, int isMoment) {
  struct itimerspec real = *value;
  if (isMoment) real.it_value = onItsClock(&value->it_value);
  return real;
}

int timerfd_settime(
    int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (value == NULL) return SYSTEM(-1, timerfd_settime, timer, flags, value, old);
  const struct itimerspec real = ofTimer(value, flags & TFD_TIMER_ABSTIME);
  return SYSTEM(-1, timerfd_settime, timer, flags, &real, old);
}

int timerfd_gettime(int timer, struct itimerspec *value) {
  return SYSTEM(-1, timerfd_gettime, timer, value);
}

int timer_settime(
    timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (value == NULL) return SYSTEM(-1, timer_settime, timer, flags, value, old);
  const struct itimerspec real = ofTimer(value, flags & TIMER_ABSTIME);
  return SYSTEM(-1, timer_settime, timer, flags, &real, old);
}

int timer_gettime(timer_t timer, struct itimerspec *value) {
  return SYSTEM(-1, timer_gettime, timer, value);
}

// Semaphores, conditions and locks.

int sem_timedwait(sem_t *semaphore, const struct timespec *moment) {
  const struct timespec real = onMachine(moment);
  return SYSTEM(-1, sem_timedwait, semaphore, &real);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *moment) {
  const struct timespec real = onClock(clock, moment);
  return SYSTEM(-1, sem_clockwait, semaphore, clock, &real);
}

// libfaketime keeps a list of conditions, for waits that are not its own here.
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  return SYSTEM(ENOSYS, pthread_cond_init, condition, attributes);
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  return SYSTEM(ENOSYS, pthread_cond_destroy, condition);
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *moment) {
  const struct timespec real = onItsClock(moment);
  return SYSTEM(ENOSYS, pthread_cond_timedwait, condition, mutex, &real);
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
    const struct timespec *moment) {
  const struct timespec real = onClock(clock, moment);
  return SYSTEM(ENOSYS, pthread_cond_clockwait, condition, mutex, clock, &real);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *moment) {
  const struct timespec real = onMachine(moment);
  return SYSTEM(ENOSYS, pthread_mutex_timedlock, mutex, &real);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *moment) {
  const struct timespec real = onMachine(moment);
  return SYSTEM(ENOSYS, pthread_rwlock_timedrdlock, lock, &real);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *moment) {
  const struct timespec real = onMachine(moment);
  return SYSTEM(ENOSYS, pthread_rwlock_timedwrlock, lock, &real);
}

// The moment that the clock shows, seconds since 1970, which need no zone.

static const char noZone[] = "";

char *strptime(const char *text, const char *format, struct tm *time) {
  if (strcmp(format, RENEWD_STANDSTILL_FORMAT) != 0) {
    return SYSTEM(NULL, strptime, text, format, time);
  }
  char *end;
  time->tm_gmtoff = strtol(text, &end, 10);
  time->tm_zone = noZone;
  return end == text ? NULL : end;
}

time_t mktime(struct tm *time) {
  if (time->tm_zone != noZone) return SYSTEM(-1, mktime, time);
  // It must not be found once more in memory that a program has not set.
  time->tm_zone = NULL;
  return time->tm_gmtoff;
}

// libfaketime's shared memory.

sem_t *sem_open(const char *name, int flags, ...) {
  if (strncmp(name, "/faketime_sem_", strlen("/faketime_sem_")) == 0) {
    errno = ENOSYS;
    return SEM_FAILED;
  }
  if ((flags & O_CREAT) == 0) return SYSTEM(SEM_FAILED, sem_open, name, flags);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  const unsigned value = va_arg(arguments, unsigned);
  va_end(arguments);
  return SYSTEM(SEM_FAILED, sem_open, name, flags, mode, value);
}
