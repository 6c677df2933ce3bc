/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The driver within the process: its files, calls and areas, like those of /dev/doca,
 * and calls that only the same process can make. Functions return 0 or a negative errno
 * unless stated otherwise, and are thread safe. The child of a fork has a driver of its
 * own, which begins anew: it only closes the descriptors that it has inherited.
 */
#ifndef INPROC_H
#define INPROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Begin the driver, unless it has begun. Returns -ENOMEM if it cannot begin now: nothing of it is
 * left, and the next call tries again. The functions below do so themselves, except
 * inproc_remove_device(), inproc_rename_device() and inproc_add_function(), whose devices exist, and
 * inproc_set_param(), inproc_set_importers(), inproc_set_report() and inproc_set_compute(), which
 * must be called before.
 */
int inproc_start(void);

/* Close everything and end the driver, in the process that has begun it: for tests, at exit. */
void inproc_end(void);

/* Set a parameter, as in /sys/module/doca/parameters; false if it does not exist. */
bool inproc_set_param(const char *name, unsigned long value);

/* Set the number of processes that may import from this one at a time; and the default. */
#define INPROC_IMPORTERS 64
#define INPROC_IMPORTERS_MAX 512
void inproc_set_importers(unsigned long nr);

/*
 * Set a function that gets bugs of the driver, once for each place. Without one,
 * a bug is written to stderr and ends the process.
 */
void inproc_set_report(void (*report)(const char *text));

struct compute;

/*
 * Set the function that loads the algorithms of other libraries; it is called when they are
 * needed, and returns the one table, or NULL if there is none now. It is called again then, by
 * several threads at a time if they ask so. Not needed where they are linked with the program.
 */
void inproc_set_compute(const struct compute *(*load)(void));

/*
 * Descriptors of /dev/doca, and of queues, which inproc_call() makes. Each is an eventfd:
 * when the driver has news for it, it is readable from then on, until it is rearmed.
 */
int inproc_open(void);
/* EBADF: the descriptor is not one of ours. */
int inproc_close(int fd);
int inproc_call(int fd, unsigned long request, void *arg);
int inproc_map(int fd, uint64_t offset, size_t size, int prot, bool shared,
	       void **addr);
/* ENOENT: it is not one of ours. */
int inproc_unmap(void *addr, size_t size);

/* Take note of an event: one that is there already is not reported again. */
void inproc_rearm(int fd);
/* Make it readable if and only if poll() of the driver says so. */
void inproc_sync(int fd);
/* Call inproc_sync() for all files that are readable. */
void inproc_sync_woken(void);

/* Add a device beside the first one; 0 if there is no memory. */
uint32_t inproc_add_device(const char *name);
void inproc_remove_device(uint32_t id);
void inproc_rename_device(uint32_t id, const char *name);

/*
 * Get the device after the one with @id, which is 0 to begin with; false at the end, and if the
 * driver cannot begin.
 */
bool inproc_next_device(uint32_t *id, char *name, unsigned int size);

/*
 * Pair two devices, which exist; return NULL, or the reason for a refusal. Functions are listed as
 * devices are, by the id of the one before.
 */
struct inproc_function {
	uint32_t id, dpu, host;
	char vuid[48];
};

const char *inproc_add_function(const char *name, uint32_t dpu, uint32_t host,
				bool any_user);
bool inproc_next_function(struct inproc_function *function);

/*
 * A byte of memory that the CPU cannot read, for tests: a copy reports it where the
 * driver asks for that, and copies that end before it do not notice. NULL: none.
 */
extern const char *inproc_poison;

/* Return the number of registered ranges. */
long inproc_pinned(void);

#endif /* INPROC_H */
