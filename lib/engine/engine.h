/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The driver within the process: its files, calls and areas, as /dev/doca has them,
 * and what can be done with it only in the same process. Functions return 0 or a
 * negative errno unless they say otherwise, and are thread safe. The child of a fork
 * has an engine of its own, which begins anew: it only closes the descriptors that it has
 * inherited.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Have the driver begin, unless it has. The functions below do it themselves, but
 * engine_set_param() and engine_set_report(), which are to be called before.
 */
void engine_start(void);

/* Close all and end it, in the process that has begun it: for tests, at exit. */
void engine_end(void);

/* As in /sys/module/doca/parameters; false if there is no such parameter. */
bool engine_set_param(const char *name, unsigned long value);

/*
 * Where a bug of the driver is reported, once for each place. Without that, it is
 * written to stderr and ends the process.
 */
void engine_set_report(void (*report)(const char *text));

/*
 * Descriptors of /dev/doca, and of queues, which engine_call() makes. Each is an eventfd:
 * one that the driver has something for is readable from then on, until it is rearmed.
 */
int engine_open(void);
/* EBADF: the descriptor is none of ours. */
int engine_close(int fd);
int engine_call(int fd, unsigned long request, void *arg);
int engine_map(int fd, uint64_t offset, size_t size, int prot, bool shared,
	       void **addr);
/* ENOENT: it is none of ours. */
int engine_unmap(void *addr, size_t size);

/* Take note of what has been told: what is there already is not told again. */
void engine_rearm(int fd);
/* Have it readable if and only if poll() of the driver says so. */
void engine_sync(int fd);
/* The same of all that are readable. */
void engine_sync_woken(void);

/* A device beside the first one; 0 if there is no memory. */
uint32_t engine_add_device(const char *name);
void engine_remove_device(uint32_t id);

/* The device after the one with @id, which is 0 to begin with; false at the end. */
bool engine_next_device(uint32_t *id, char *name, unsigned int size);

/*
 * A byte of memory that the CPU cannot read, and says so where it was asked to; NULL.
 * Copies that end before it do not notice. For tests.
 */
extern const char *engine_poison;

/* Pages that are registered. */
long engine_pinned(void);

#endif /* ENGINE_H */
