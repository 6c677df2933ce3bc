/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The kernel interface as the tests use it: a thin function for each call,
 * which returns 0 or the negative errno, and the leak oracle for pinned pages.
 * The verbs of the rings are in doca_ring.h.
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/doca.h>

#include "../lib/skip.h"

#define DOCA_NODE "/dev/doca"
#define ACCESS_LOCAL (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)
#define ACCESS_PCI (DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE)
#define PAGE 4096UL

static inline int doca_call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? -errno : 0;
}

static inline int mem_reg(int fd, const void *addr, uint64_t length,
			  uint32_t access, uint32_t *mem)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)addr,
		.length = length,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_REG, &reg);

	if (!err)
		*mem = reg.out_mem_id;
	return err;
}

static inline int mem_dereg(int fd, uint32_t mem)
{
	struct doca_mem_dereg dereg = {
		.size = sizeof(dereg), .mem_id = mem,
	};

	return doca_call(fd, DOCA_MEM_DEREG, &dereg);
}

static inline int mem_map(int fd, uint32_t mem, uint32_t device,
			  uint32_t access, uint32_t *key)
{
	struct doca_mem_map map = {
		.size = sizeof(map),
		.mem_id = mem,
		.device_id = device,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_MAP, &map);

	if (!err)
		*key = map.out_key;
	return err;
}

static inline int mem_unmap(int fd, uint32_t key)
{
	struct doca_mem_unmap unmap = { .size = sizeof(unmap), .key = key };

	return doca_call(fd, DOCA_MEM_UNMAP, &unmap);
}

static inline int mem_export(int fd, uint32_t key, uint32_t flags,
			     struct doca_blob *blob, uint32_t *export_id)
{
	struct doca_mem_export export = {
		.size = sizeof(export),
		.flags = flags,
		.key = key,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};
	int err = doca_call(fd, DOCA_MEM_EXPORT, &export);

	if (!err && export_id)
		*export_id = export.out_export_id;
	return err;
}

static inline int export_revoke(int fd, uint32_t export_id)
{
	struct doca_export_revoke revoke = {
		.size = sizeof(revoke), .export_id = export_id,
	};

	return doca_call(fd, DOCA_EXPORT_REVOKE, &revoke);
}

/* @out may be NULL */
static inline int mem_import(int fd, uint32_t device,
			     const struct doca_blob *blob,
			     struct doca_mem_import *out)
{
	struct doca_mem_import import = {
		.size = sizeof(import),
		.device_id = device,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};
	int err = doca_call(fd, DOCA_MEM_IMPORT, &import);

	if (out)
		*out = import;
	return err;
}

static inline int worker_create(int fd, uint32_t idle_us, uint32_t *worker)
{
	struct doca_worker_create create = {
		.size = sizeof(create), .idle_us = idle_us,
	};
	int err = doca_call(fd, DOCA_WORKER_CREATE, &create);

	if (!err)
		*worker = create.out_worker_id;
	return err;
}

static inline int worker_destroy(int fd, uint32_t worker)
{
	struct doca_worker_destroy destroy = {
		.size = sizeof(destroy), .worker_id = worker,
	};

	return doca_call(fd, DOCA_WORKER_DESTROY, &destroy);
}

static inline int queue_enter_flags(int fd, uint32_t flags,
				    uint32_t max_entries, uint32_t *done)
{
	struct doca_queue_enter enter = {
		.size = sizeof(enter),
		.flags = flags,
		.max_entries = max_entries,
	};
	int err = doca_call(fd, DOCA_QUEUE_ENTER, &enter);

	if (done)
		*done = enter.out_entries;
	return err;
}

static inline int queue_enter(int fd, uint32_t max_entries, uint32_t *done)
{
	return queue_enter_flags(fd, 0, max_entries, done);
}

static inline int queue_stop(int fd)
{
	struct doca_queue_stop stop = { .size = sizeof(stop) };

	return doca_call(fd, DOCA_QUEUE_STOP, &stop);
}

static inline int query(int fd, struct doca_query *q)
{
	*q = (struct doca_query){ .size = sizeof(*q) };
	return doca_call(fd, DOCA_QUERY, q);
}

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

/* A test's own numbers: the same in every run */
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
 * The leak oracle: pages pinned and not yet unpinned in the whole machine, and
 * kilobytes that this process is charged for. Unpinning is deferred.
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

static inline struct pins pins_read(void)
{
	int fd = open("/proc/sys/vm/stat_refresh", O_WRONLY);
	struct pins pins;

	/* The counters are kept per CPU: this folds them */
	if (fd >= 0) {
		if (write(fd, "1", 1) < 0)
			perror("stat_refresh");
		close(fd);
	}
	pins.pages = proc_value("/proc/vmstat", "nr_foll_pin_acquired") -
		     proc_value("/proc/vmstat", "nr_foll_pin_released");
	pins.vmpin_kb = proc_value("/proc/self/status", "VmPin:");
	return pins;
}

/* How it is after up to ten seconds, patiently, of waiting for it to be as it was */
static inline struct pins pins_settle(struct pins was)
{
	uint64_t end = now_ns() + patiently(10) * 1000000000ULL;
	struct pins is;

	for (;;) {
		is = pins_read();
		if (!memcmp(&is, &was, sizeof(is)) || now_ns() > end)
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

/* An open file of the driver and the first of its devices */
struct doca {
	int fd;
	uint32_t device;
	struct pins pins;
};

/* Device ids are never used again: hot-plugging makes the first one move up */
#define DEVICE_ID_MAX 64

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

/* Also of a file that the test has closed itself: set its fd to -1 */
#define DOCA_CLOSE(d)                                                          \
	do {                                                                   \
		if ((d)->fd >= 0)                                              \
			close((d)->fd);                                        \
		EXPECT_NO_LEAK((d)->pins);                                     \
	} while (0)

static inline void *pages_alloc(size_t length)
{
	void *p = mmap(NULL, length, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* A registered buffer with a key */
struct buf {
	uint8_t *addr;
	size_t length;
	uint32_t mem;
	uint32_t key;
};

static inline int buf_make(struct doca *d, struct buf *b, size_t length,
			   uint32_t access)
{
	int err;

	*b = (struct buf){ .addr = pages_alloc(length), .length = length };
	if (!b->addr)
		return -ENOMEM;
	err = mem_reg(d->fd, b->addr, length, access, &b->mem);
	if (err)
		return err;
	return mem_map(d->fd, b->mem, d->device, access & ACCESS_LOCAL,
		       &b->key);
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

/* What a forked child found: 0 if all its expectations held */
/* An ordinary user who may open the node, for good */
static inline int become_user(uid_t uid)
{
	struct stat node;

	return stat(DOCA_NODE, &node) ||
	       setresgid(node.st_gid, node.st_gid, node.st_gid) ||
	       setresuid(uid, uid, uid) ? -errno : 0;
}

static inline int child_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

#define CHILD_EXIT() _exit(_metadata->passed ? 0 : 1)

/* The test has passed if the child has, and is skipped if that says HARNESS_EXIT_SKIP. */
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
