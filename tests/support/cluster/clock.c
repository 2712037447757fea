/* A clock of the day that can be set for one program while it runs: the file CLOCK_FILE holds how many seconds it is
   ahead, as eight bytes. Clocks that only go on are left alone. Loaded by LD_PRELOAD (tests/support/cluster/clock.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int read_clock(clockid_t, struct timespec *);

static const volatile int64_t nothing = 0;
static const volatile int64_t *ahead = &nothing;
static read_clock *real;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("CLOCK_FILE");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  void *shared = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) ahead = shared;
  if (file >= 0) close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real) real = (read_clock *)dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
  return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec read;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &read);
  now->tv_sec = read.tv_sec;
  now->tv_usec = read.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *where) {
  struct timespec read;
  clock_gettime(CLOCK_REALTIME, &read);
  if (where) *where = read.tv_sec;
  return read.tv_sec;
}
