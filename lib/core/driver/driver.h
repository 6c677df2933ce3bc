/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The one door to the driver. Everything above speaks to this interface; what stands
 * behind it is a table of driver_ops.h.
 *
 * The process has one driver instance, made at the first driver_get() and shared
 * by all devices; it is one protection domain of the kernel. Functions return 0
 * or a negative errno unless they say otherwise, and log nothing but what driver_get()
 * says: their callers know what a person needs to read. All but the queue functions are thread safe;
 * a queue belongs to one thread at a time.
 */
#ifndef DOCA_CORE_DRIVER_H
#define DOCA_CORE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/doca.h>

#include "core/base/list.h"
#include "patience.h"
#include "ring.h"

/*
 * Take a reference on the process's driver, opening it if it is the first.
 * ENOENT: no device node, so the module is not loaded; EACCES: no permission;
 * EPROTO: the module's ring version is another than ours, or it has not all of our calls;
 * DRIVER_WORD_ERROR of driver_choice.h. Which driver it is, the first one that was opened, stays for the life of
 * the process; that it is in the process is a line in the log.
 * After fork() the child has no driver: everything of the parent's is dead there
 * and a new driver_get() opens a new one.
 */
int driver_get(void);
void driver_put(void);

extern uint32_t driver_forks;

/*
 * Changes when the process forks, in the child. What was made in another
 * generation is dead: it must not be named in a call, nor driver_put() for it.
 * Needs no reference.
 */
static inline uint32_t driver_generation(void)
{
	return driver_forks;
}

static inline bool driver_current(uint32_t generation)
{
	return generation == driver_forks;
}

/*
 * With a reference: is it in the process? Then what others do, for a queue without a
 * worker, goes on in driver_queue_enter().
 */
bool driver_is_in_process(void);

/* What the driver can do; valid while a reference is held. */
const struct doca_query *driver_caps(void);

/*
 * With a reference: how a device, or for 0 any, executes an operation. ENOENT: it does
 * not, and no queue of the device would; so this is the only thing to ask.
 */
int driver_device_query(uint32_t device_id, uint16_t opcode,
			struct doca_device_query *out);

struct doca_devinfo;

/*
 * With a reference: all devices, the most capable first, as an array for free().
 * ENOENT: there is no list of devices, so the module is not loaded.
 */
int driver_list_devices(struct doca_devinfo **infos, uint32_t *n);

/* With a reference: ENODEV if the device was removed since it was listed. */
int driver_check_device(uint32_t id);

struct driver_mem_limit {
	uint64_t limit; /* bytes of RLIMIT_MEMLOCK, UINT64_MAX if none */
	uint64_t used;
};

/* Of memory that is only read, what writes is taken out of *access. */
int driver_mem_reg(void *addr, size_t len, uint32_t *access, uint32_t *mem_id,
		   struct driver_mem_limit *limit);
/* The same of a part of a dma-buf, whose first byte is to be called @addr. */
int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len,
			  uint32_t *access, uint32_t *mem_id,
			  struct driver_mem_limit *limit);
int driver_mem_dereg(uint32_t mem_id);
int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access,
		   uint32_t *key);
int driver_mem_unmap(uint32_t key);
int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size);
int driver_mem_import(uint32_t device_id, const void *blob, size_t size,
		      struct doca_mem_import *out);

/* Returns EOPNOTSUPP where workers are switched off. */
int driver_worker_create(uint32_t idle_us, uint32_t *worker_id);
int driver_worker_destroy(uint32_t worker_id);

struct driver_queue {
	struct ring ring;
	int fd; /* for poll() */
	uint32_t worker_id; /* 0 if driver_queue_enter() executes */
	struct patience patience; /* with the worker */
	uint32_t generation;
	struct doca_queue_create made; /* the driver's answer: what is where */
	struct list link;
};

struct driver_queue_attr {
	uint32_t device_id;
	uint32_t worker_id;
	uint32_t entries; /* of either ring; a power of two */
	uint32_t segments;
	uint32_t waits; /* that may be pending at a time */
	uint32_t ops; /* that a device may have in flight; where it has fewer, those */
	uint32_t sessions; /* of each operation that has any */
	uint64_t opcodes; /* bits of those that it executes; 0: the usual ones */
	bool patient; /* with the worker, whatever it does */
};

int driver_queue_create(struct driver_queue *queue,
			const struct driver_queue_attr *attr);
void driver_queue_destroy(struct driver_queue *queue);

/*
 * Wake the worker or, where there is none or patience with it is over, execute what was
 * submitted.
 */
int driver_queue_enter(struct driver_queue *queue);

/* Polled in vain for what the worker has not taken: is driver_queue_enter() due? */
bool driver_queue_is_late(struct driver_queue *queue);

/*
 * When a wait is over, and before a wake-up is asked for with ring_arm(): what has woken
 * the program before is no reason to wake it again.
 */
void driver_queue_rearm(struct driver_queue *queue);

/* Have everything canceled that is not done. */
int driver_queue_stop(struct driver_queue *queue);

#endif /* DOCA_CORE_DRIVER_H */
