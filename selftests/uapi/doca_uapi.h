/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The kernel interface as the tests use it: its calls, and the leak oracle for pinned
 * pages. doca_ring.h has the operations on rings.
 */
#ifndef DOCA_UAPI_H
#define DOCA_UAPI_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include "../lib/skip.h"
#include "doca_calls.h"

#define PAGE 4096UL

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static inline void pause_us(long us)
{
	struct timespec ts = { .tv_sec = us / 1000000,
			       .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&ts, NULL);
}

/* Wait; the harness ends the case if the condition never holds */
#define WAIT_UNTIL(condition)                                                  \
	do {                                                                   \
		while (!(condition))                                           \
			pause_us(200);                                         \
	} while (0)

/* Pass a short time without a clock, so that races are met at different points */
static inline void spin(unsigned int turns)
{
	while (turns--)
		__asm__ volatile("" ::: "memory");
}

/* Random numbers that are the same in every run */
static inline uint32_t prng(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static inline void fill_random(void *addr, size_t length, uint32_t seed)
{
	uint8_t *p = addr;

	seed = seed * 2654435761U | 1;
	while (length--)
		*p++ = prng(&seed) >> 24;
}

/*
 * The leak oracle: pages that are pinned in the whole machine, and kilobytes that this
 * process is charged for. Unpinning is deferred.
 */
struct pins {
	long pages;
	long vmpin_kb;
};

static inline long proc_value(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	char word[64];
	long value, found = -1;

	if (!f)
		return -1;
	while (found < 0 && fscanf(f, "%63s", word) == 1)
		if (!strcmp(word, name) && fscanf(f, "%ld", &value) == 1)
			found = value;
	fclose(f);
	return found;
}

/* Return the number of a line of fdinfo; -1 if there is none */
static inline long fdinfo_value(int fd, const char *name)
{
	char path[64], word[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	snprintf(word, sizeof(word), "%s:", name);
	return proc_value(path, word);
}

static inline struct pins pins_read(void)
{
	struct pins pins = {};
#ifndef PINS_ARE_OTHERS
	int fd = open("/proc/sys/vm/stat_refresh", O_WRONLY);

	/* The counters are kept per CPU: this folds them */
	if (fd >= 0) {
		if (write(fd, "1", 1) < 0)
			perror("stat_refresh");
		close(fd);
	}
	pins.pages = proc_value("/proc/vmstat", "nr_foll_pin_acquired") -
		     proc_value("/proc/vmstat", "nr_foll_pin_released");
	pins.vmpin_kb = proc_value("/proc/self/status", "VmPin:");
#endif
	return pins;
}

/* Wait until it is as it was; after so many looks, pages have leaked */
static inline struct pins pins_settle(struct pins was)
{
	unsigned int looks = patiently(3000);
	struct pins is;

	for (;;) {
		is = pins_read();
		if (!memcmp(&is, &was, sizeof(is)) || !looks--)
			return is;
		pause_us(2000);
	}
}

#define EXPECT_NO_LEAK(was)                                                    \
	do {                                                                   \
		struct pins is_ = pins_settle(was);                            \
                                                                               \
		EXPECT_EQ((was).pages, is_.pages);                             \
		EXPECT_EQ((was).vmpin_kb, is_.vmpin_kb);                       \
	} while (0)

/* An open file of the driver, and the first of its devices */
struct doca {
	int fd;
	uint32_t device;
	struct pins pins;
};

/* Device ids are never reused: with hot-plugging the first one grows */
#define DEVICE_ID_MAX 1024

static inline bool device_exists(int fd, uint32_t device)
{
	struct doca_queue_create create = {
		.size = sizeof(create),
		.device_id = device,
		.sq_entries = 2,
		.cq_entries = 2,
	};

	if (doca_call(fd, DOCA_QUEUE_CREATE, &create))
		return false;
	close(create.out_fd);
	return true;
}

static inline uint32_t device_next(int fd, uint32_t device)
{
	while (++device <= DEVICE_ID_MAX)
		if (device_exists(fd, device))
			return device;
	return 0;
}

static inline int doca_open(struct doca *d)
{
	d->pins = pins_read();
	d->device = 0;
	d->fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d->fd < 0)
		return -errno;
	d->device = device_next(d->fd, 0);
	return 0;
}

#define DOCA_OPEN(d)                                                           \
	do {                                                                   \
		int err_ = doca_open(d);                                       \
                                                                               \
		if (err_ == -ENOENT || err_ == -ENXIO)                         \
			SKIP_SETUP(DOCA_NODE ": %s; load doca.ko",             \
				   strerror(-err_));                           \
		ASSERT_EQ(0, err_);                                            \
		if (!(d)->device)                                              \
			SKIP_SETUP("no device with an id up to %d",            \
				   DEVICE_ID_MAX);                             \
	} while (0)

/* If the test has closed the file itself, set its fd to -1 */
#define DOCA_CLOSE(d)                                                          \
	do {                                                                   \
		if ((d)->fd >= 0)                                              \
			close((d)->fd);                                        \
		EXPECT_NO_LEAK((d)->pins);                                     \
	} while (0)

static inline void *pages_alloc(size_t length)
{
	void *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* A registered buffer with a key */
struct buf {
	uint8_t *addr;
	size_t length;
	uint32_t mem;
	uint32_t key;
};

static inline int buf_make(struct doca *d, struct buf *b, size_t length, uint32_t access)
{
	int err;

	*b = (struct buf){ .addr = pages_alloc(length), .length = length };
	if (!b->addr)
		return -ENOMEM;
	err = mem_reg(d->fd, b->addr, length, access, &b->mem);
	if (err)
		return err;
	return mem_map(d->fd, b->mem, d->device, access & ACCESS_LOCAL, &b->key);
}

static inline int drop_capability(int cap)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	data[cap / 32].effective &= ~(1U << cap % 32);
	data[cap / 32].permitted &= ~(1U << cap % 32);
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

/* Become an ordinary user with access to the node, for good */
static inline int become_user(uid_t uid)
{
	struct stat node;

	return stat(DOCA_NODE, &node) ||
	       setresgid(node.st_gid, node.st_gid, node.st_gid) ||
	       setresuid(uid, uid, uid) ? -errno : 0;
}

/* Return the result of a forked child: 0 if all its expectations held */
static inline int child_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* Get what another process has as this descriptor */
static inline int fd_of(pid_t pid, int fd)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0);
	int got = syscall(SYS_pidfd_getfd, pidfd, fd, 0);

	close(pidfd);
	return got;
}

#define CHILD_EXIT() _exit(_metadata->passed ? 0 : 1)

/* Pass if the child has passed, and skip if it exited with HARNESS_EXIT_SKIP. */
#define CHILD_MAY_SKIP(pid, why)                                               \
	do {                                                                   \
		int status_ = child_wait(pid);                                 \
                                                                               \
		if (status_ == HARNESS_EXIT_SKIP) {                            \
			SKIP(break, why);                                      \
		} else {                                                       \
			EXPECT_EQ(0, status_);                                 \
		}                                                              \
	} while (0)

#endif /* DOCA_UAPI_H */
