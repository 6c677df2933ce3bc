/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Sync events: a value of 64 bits in memory of this process, or of another one
 * that has exported it.
 *
 * The synchronous functions of an event of this process are atomic operations on
 * the value. Its tasks, and everything of an event made from an export, go
 * through the kernel, which names the value by a key and its address.
 */
#ifndef DOCA_CORE_SYNC_EVENT_H
#define DOCA_CORE_SYNC_EVENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_sync_event.h>

#include "ctx.h"
#include "debug.h"
#include "driver.h"
#include "task.h"

enum sync_kind {
	SYNC_GET,
	SYNC_SET,
	SYNC_ADD,
	SYNC_WAIT_GT,
	SYNC_WAIT_EQ,
	SYNC_WAIT_NEQ,
	SYNC_KINDS,
};

union sync_cb {
	doca_sync_event_task_get_completion_cb_t get;
	doca_sync_event_task_notify_set_completion_cb_t notify_set;
	doca_sync_event_task_notify_add_completion_cb_t notify_add;
	doca_sync_event_task_wait_gt_completion_cb_t wait_gt;
	doca_sync_event_task_wait_eq_completion_cb_t wait_eq;
	doca_sync_event_task_wait_neq_completion_cb_t wait_neq;
};

/* Operations of synchronous calls, of an event made from an export. */
struct sync_remote {
	pthread_mutex_t
		lock; /* of the queue, which is for one thread at a time */
	struct driver_queue queue; /* executed by the caller */
	bool has_queue;
	bool failed; /* and so will all that follows */
};

struct sync_export; /* to one device; see sync_event_export.c */

struct doca_sync_event {
	struct doca_ctx ctx;
	struct task_pool pools[SYNC_KINDS];
	struct {
		union sync_cb done, failed;
	} cbs[SYNC_KINDS];

	uint64_t *value; /* NULL: in another process */
	struct doca_seg seg; /* how the kernel knows it, as a context */
	struct doca_mmap *mmap; /* of the context, or imported */
	struct doca_buf *buf; /* that the value is in, with a reference */
	struct sync_export *exports;
	struct sync_remote remote;

	bool publisher; /* has a location */
	bool subscriber;
	bool remote_pci; /* is one of them */
	bool from_export;
	bool as_ctx; /* works as a context */
	bool started; /* either way */

	_Alignas(64) uint64_t own; /* the value, unless it is elsewhere */
};

/* As valid(). */
#define sync_valid(event) ((event) && valid(&(event)->ctx))

struct doca_sync_event *sync_event_new(void);
void sync_event_free(struct doca_sync_event *event);

/* NOT_PERMITTED or BAD_STATE if the event cannot be configured; logs why. */
doca_error_t sync_may_configure(const struct doca_sync_event *event);

static inline bool sync_started(const struct doca_sync_event *event)
{
	return __atomic_load_n(&event->started, __ATOMIC_RELAXED);
}

/* Make a started mmap of the value, for one device. */
doca_error_t sync_map(const struct doca_sync_event *event, struct doca_dev *dev,
		      uint32_t access, struct doca_mmap **mmap);
void sync_drop_exports(struct doca_sync_event *event);

/* A queue for the synchronous calls; destroying what there is not is fine. */
doca_error_t sync_remote_create(struct doca_sync_event *event);
void sync_remote_destroy(struct doca_sync_event *event);

extern const struct task_type *const sync_task_types[SYNC_KINDS];

/* How many there may be of each kind of task, and of all kinds of wait. */
struct sync_limits {
	uint32_t tasks;
	uint32_t waits;
};

doca_error_t sync_limits_get(struct sync_limits *limits);

#endif /* DOCA_CORE_SYNC_EVENT_H */
