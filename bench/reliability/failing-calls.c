/* Loaded before the C library (LD_PRELOAD), makes the calls that concern one folder fail, one after the other: see failing-writes.mjs.
   FAIL_FOLDER: calls on paths and open files that contain it are counted.  FAIL_AT: the number of the call that fails, from 1.
   FAIL_HOW: an error number; "short" for a write of half of the bytes, and nothing wrong; "full" for half of the bytes, and ENOSPC for every write after
   that; "kill" for SIGKILL.  FAIL_COUNT: a file that gets a byte for every call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;
static atomic_int full;

static int matches(const char *path) {
  const char *folder = getenv("FAIL_FOLDER");
  return folder && path && strstr(path, folder);
}

static int concerns(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlink, link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return matches(path);
}

enum { GO_ON, FAIL, HALF };

/* What is to become of a call that concerns the folder; errno is set for FAIL. */
static int fate(int is_write) {
  const char *count = getenv("FAIL_COUNT"), *at = getenv("FAIL_AT"), *how = getenv("FAIL_HOW");
  int number = atomic_fetch_add(&calls, 1) + 1;
  if (count) {
    int fd = syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND, 0600);
    syscall(SYS_write, fd, "x", 1);
    syscall(SYS_close, fd);
  }
  if (is_write && atomic_load(&full)) return errno = ENOSPC, FAIL;
  if (!at || !how || number != atoi(at)) return GO_ON;
  if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(how, "full")) atomic_store(&full, 1);
  if (!strcmp(how, "full") || !strcmp(how, "short")) return is_write ? HALF : GO_ON;
  errno = atoi(how);
  return FAIL;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_PATH(path) if (matches(path) && fate(0) == FAIL) return -1
#define ON_FILE(fd) if (concerns(fd) && fate(0) == FAIL) return -1

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                                \
    va_end(rest);                                                                                                      \
    ON_PATH(path);                                                                                                     \
    return REAL(name)(path, flags, mode);                                                                              \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t length) {
  int what = concerns(fd) ? fate(1) : GO_ON;
  if (what == FAIL) return -1;
  return REAL(write)(fd, bytes, what == HALF && length > 1 ? length / 2 : length);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (concerns(fd) && fate(1) == FAIL) return -1;
  return REAL(writev)(fd, parts, count);
}
#define PWRITE(name, offset_type)                                                                                      \
  ssize_t name(int fd, const void *bytes, size_t length, offset_type at) {                                             \
    int what = concerns(fd) ? fate(1) : GO_ON;                                                                         \
    if (what == FAIL) return -1;                                                                                       \
    return REAL(name)(fd, bytes, what == HALF && length > 1 ? length / 2 : length, at);                                \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
int fsync(int fd) { ON_FILE(fd); return REAL(fsync)(fd); }
int fdatasync(int fd) { ON_FILE(fd); return REAL(fdatasync)(fd); }
/* A close that fails has closed the file all the same. */
int close(int fd) {
  if (!concerns(fd)) return REAL(close)(fd);
  int what = fate(0), error = errno;
  int result = REAL(close)(fd);
  return what == FAIL ? (errno = error, -1) : result;
}
int rename(const char *from, const char *to) { ON_PATH(from); return REAL(rename)(from, to); }
int link(const char *from, const char *to) { ON_PATH(from); return REAL(link)(from, to); }
int unlink(const char *path) { ON_PATH(path); return REAL(unlink)(path); }
int chmod(const char *path, mode_t mode) { ON_PATH(path); return REAL(chmod)(path, mode); }
int chown(const char *path, uid_t user, gid_t group) { ON_PATH(path); return REAL(chown)(path, user, group); }
int access(const char *path, int mode) { ON_PATH(path); return REAL(access)(path, mode); }
char *realpath(const char *path, char *resolved) {
  if (matches(path) && fate(0) == FAIL) return NULL;
  return REAL(realpath)(path, resolved);
}
int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
  ON_PATH(path);
  return REAL(statx)(folder, path, flags, mask, found);
}
