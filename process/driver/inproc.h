/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The driver within the process: its files, calls and areas, as /dev/doca has them,
 * and what can be done with it only in the same process. Functions return 0 or a
 * negative errno unless they say otherwise, and are thread safe. The child of a fork
 * has a driver of its own, which begins anew: it only closes the descriptors that it has
 * inherited.
 */
#ifndef INPROC_H
#define INPROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Have the driver begin, unless it has. The functions below do it themselves, but
 * inproc_set_param(), inproc_set_importers() and inproc_set_report(), which are to be called before.
 */
void inproc_start(void);

/* Close all and end it, in the process that has begun it: for tests, at exit. */
void inproc_end(void);

/* As in /sys/module/doca/parameters; false if there is no such parameter. */
bool inproc_set_param(const char *name, unsigned long value);

/* How many processes may import from this one at a time; and before that is called. */
#define INPROC_IMPORTERS 64
#define INPROC_IMPORTERS_MAX 512
void inproc_set_importers(unsigned long nr);

/*
 * Where a bug of the driver is reported, once for each place. Without that, it is
 * written to stderr and ends the process.
 */
void inproc_set_report(void (*report)(const char *text));

/*
 * Descriptors of /dev/doca, and of queues, which inproc_call() makes. Each is an eventfd:
 * one that the driver has something for is readable from then on, until it is rearmed.
 */
int inproc_open(void);
/* EBADF: the descriptor is none of ours. */
int inproc_close(int fd);
int inproc_call(int fd, unsigned long request, void *arg);
int inproc_map(int fd, uint64_t offset, size_t size, int prot, bool shared,
	       void **addr);
/* ENOENT: it is none of ours. */
int inproc_unmap(void *addr, size_t size);

/* Take note of what has been told: what is there already is not told again. */
void inproc_rearm(int fd);
/* Have it readable if and only if poll() of the driver says so. */
void inproc_sync(int fd);
/* The same of all that are readable. */
void inproc_sync_woken(void);

/* A device beside the first one; 0 if there is no memory. */
uint32_t inproc_add_device(const char *name);
void inproc_remove_device(uint32_t id);

/* The device after the one with @id, which is 0 to begin with; false at the end. */
bool inproc_next_device(uint32_t *id, char *name, unsigned int size);

/*
 * Pair two devices. Functions are listed as devices are, by the id of the one before. NULL, or
 * why they cannot be.
 */
struct inproc_function {
	uint32_t id, dpu, host;
	char vuid[48];
};

const char *inproc_add_function(const char *name, uint32_t dpu, uint32_t host,
				bool any_user);
bool inproc_next_function(struct inproc_function *function);

/*
 * A byte of memory that the CPU cannot read, and says so where it was asked to; NULL.
 * Copies that end before it do not notice. For tests.
 */
extern const char *inproc_poison;

/* Pages that are registered. */
long inproc_pinned(void);

#endif /* INPROC_H */
