/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The only way to the driver. The rest of the library calls this interface; behind it is a table of
 * driver_ops.h.
 *
 * The process has one driver instance, made by the first driver_get() and shared by all devices; it
 * is one protection domain of the kernel. Functions return 0 or a negative errno unless they say
 * otherwise. Only driver_get() logs: callers know what the user needs to read. All functions but
 * those of queues are thread safe; a queue belongs to one thread at a time.
 */
#ifndef DOCA_CORE_DRIVER_H
#define DOCA_CORE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/doca.h>

#include "core/base/list.h"
#include "core/base/symver.h"
#include "patience.h"
#include "ring.h"

/*
 * Take a reference on the process's driver, and open it if this is the first. Errors: ENOENT, there
 * is no device node, so the module is not loaded; EACCES, no permission; EPROTO, the module has
 * another ring version or lacks some of our calls; DRIVER_WORD_ERROR of driver_choice.h.
 *
 * The driver that was opened first stays for the life of the process; a line in the log says so if
 * it is the one in the process. After fork() the child has no driver: all objects of the parent's
 * are dead there, and driver_get() opens a new one.
 */
int driver_get(void);
void driver_put(void);

DOCA_STABLE extern uint32_t driver_forks DOCA_PRIVATE(driver_forks);

/*
 * A number that changes in the child when the process forks. An object of
 * another generation is dead: do not name it in a call, nor call driver_put()
 * for it. Needs no reference.
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
 * Return true if the driver is in the process. Then driver_queue_enter() also does
 * the work of others for a queue without a worker. Needs a reference.
 */
DOCA_STABLE bool driver_is_in_process(void) DOCA_PRIVATE(driver_is_in_process);

/* Return the driver's capabilities; valid while a reference is held. */
const struct doca_query *driver_caps(void);

/*
 * Find out how a device, or any device if the id is 0, executes an operation. Returns
 * -ENOENT if it does not; no queue of the device would either. Needs a reference.
 */
int driver_device_query(uint32_t device_id, uint16_t opcode,
			struct doca_device_query *out);

struct doca_devinfo;

/*
 * List all devices, the most capable first, as an array for free(). Returns
 * -ENOENT if there is no list, so the module is not loaded. Needs a reference.
 */
int driver_list_devices(struct doca_devinfo **infos, uint32_t *n);

struct driver_function;

/* Get the pairs of devices, as an array for free(). Needs a reference. */
int driver_list_functions(struct driver_function **functions, uint32_t *n);

/* Return -ENODEV if the device was removed since it was listed. Needs a reference. */
int driver_check_device(uint32_t id);

struct driver_mem_limit {
	uint64_t limit; /* bytes of RLIMIT_MEMLOCK, UINT64_MAX if none */
	uint64_t used;
};

/* Register memory. For read-only memory, the write rights are removed from *access. */
int driver_mem_reg(void *addr, size_t len, uint32_t *access, uint32_t *mem_id,
		   struct driver_mem_limit *limit);
/* Register a part of a dma-buf; @addr is the address that its first byte gets. */
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

/* An object of operations. */
struct driver_object {
	enum doca_object_type type;
	uint32_t id; /* for @aux of entries */
	uint32_t generation;
};

/*
 * Make one, by all that the call takes but its size; destroy one, which operations that have
 * begun keep. In the child of a fork it is gone already.
 */
DOCA_STABLE int driver_object_create(struct doca_object_create *arg,
				     struct driver_object *object)
	DOCA_PRIVATE(driver_object_create);
DOCA_STABLE void driver_object_destroy(const struct driver_object *object)
	DOCA_PRIVATE(driver_object_destroy);

/* Returns EOPNOTSUPP where workers are switched off. */
int driver_worker_create(uint32_t idle_us, uint32_t *worker_id);
int driver_worker_destroy(uint32_t worker_id);

struct driver_queue {
	struct ring ring;
	int fd; /* for poll() */
	uint32_t worker_id; /* 0 if driver_queue_enter() executes */
	struct patience patience; /* decides if calls execute */
	uint32_t generation;
	struct doca_queue_create made; /* the driver's answer, with the areas */
	struct list link;
};

struct driver_queue_attr {
	uint32_t device_id;
	uint32_t worker_id;
	uint32_t entries; /* in each ring; a power of two */
	uint32_t segments;
	uint32_t waits; /* maximum that may be pending at a time */
	uint32_t ops; /* maximum in flight; a device may have fewer */
	uint32_t sessions; /* maximum for each operation that has sessions */
	uint64_t opcodes; /* bits of the operations to execute; 0: the usual */
	uint32_t inbox; /* entries of the inbox, a power of two; 0: no inbox */
	uint32_t recv_slots; /* messages that the inbox can hold */
	uint32_t send_slots; /* messages that can be on their way */
	uint32_t slot_size; /* bytes of a slot, for either direction */
	bool patient; /* leave execution to the worker in any case */
};

int driver_queue_create(struct driver_queue *queue,
			const struct driver_queue_attr *attr);
void driver_queue_destroy(struct driver_queue *queue);

/*
 * Wake the worker. Without a worker, or during the calls' turn (patience.h), execute
 * what was submitted.
 */
DOCA_STABLE int driver_queue_enter(struct driver_queue *queue)
	DOCA_PRIVATE(driver_queue_enter);

/* Execute what was submitted before the call returns. */
DOCA_STABLE int driver_queue_execute(struct driver_queue *queue)
	DOCA_PRIVATE(driver_queue_execute);

/*
 * Account a poll in vain for entries that the worker has not taken; return true if
 * driver_queue_enter() is due.
 */
bool driver_queue_is_late(struct driver_queue *queue);

/*
 * Forget earlier wake-ups, so that they do not wake the program again. Call it after a
 * wait, and before ring_arm() asks for a wake-up.
 */
DOCA_STABLE void driver_queue_rearm(struct driver_queue *queue)
	DOCA_PRIVATE(driver_queue_rearm);

/* Cancel everything that is not done. */
DOCA_STABLE int driver_queue_stop(struct driver_queue *queue)
	DOCA_PRIVATE(driver_queue_stop);

/* Make any other call on the queue, with a request of linux/doca.h (endpoint.h). */
int driver_queue_call(const struct driver_queue *queue, unsigned long request,
		      void *arg);

#endif /* DOCA_CORE_DRIVER_H */
