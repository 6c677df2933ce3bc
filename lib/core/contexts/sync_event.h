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

#include "core/driver/driver.h"
#include "core/exec/library.h"

enum sync_kind {
	SYNC_GET,
	SYNC_SET,
	SYNC_ADD,
	SYNC_WAIT_GT,
	SYNC_WAIT_EQ,
	SYNC_WAIT_NEQ,
	SYNC_KINDS,
};

/* Operations of synchronous calls, of an event made from an export. */
struct sync_remote {
	pthread_mutex_t
		lock; /* of the queue, which is for one thread at a time */
	struct driver_queue queue; /* executed by the caller */
	bool has_queue;
	bool failed; /* and so will all that follows */
	bool told; /* the log has it for what followed, too */
};

struct sync_export; /* to one device; see sync_event_export.c */

struct doca_sync_event {
	struct doca_ctx ctx;
	struct task_pool pools[SYNC_KINDS];

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

#define sync_valid(event) valid_ctx(event, doca_sync_event)

static inline struct doca_sync_event *to_event(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_sync_event, ctx);
}

/* An event with the value 0; NO_MEMORY, and why is logged for @site. */
doca_error_t sync_event_new(struct doca_sync_event **event,
			    const struct log_site *site);

/* NOT_PERMITTED or BAD_STATE if the event cannot be configured; logs why. */
doca_error_t sync_may_configure(const struct doca_sync_event *event);

static inline bool sync_started(const struct doca_sync_event *event)
{
	return __atomic_load_n(&event->started, __ATOMIC_RELAXED);
}

/* Make a started mmap of the value, for one device, which can be exported or not. */
doca_error_t sync_map(const struct doca_sync_event *event, struct doca_dev *dev,
		      bool exportable, struct doca_mmap **mmap);
void sync_drop_exports(struct doca_sync_event *event);

/*
 * What is exported: this, with little endian numbers, and a memory map's descriptor. It
 * says that it is an event, so that neither is taken for the other.
 */
#define SYNC_DESC_MAGIC 0x4e595344 /* "DSYN" */
#define SYNC_DESC_VERSION 1
#define SYNC_DESC_MAX \
	1024 /* programs keep descriptors in buffers of this size */

struct sync_desc {
	uint32_t magic;
	uint16_t version;
	uint16_t length; /* of the memory map's descriptor, which follows */
};

/* A queue for the synchronous calls; destroying what there is not is fine. */
doca_error_t sync_remote_create(struct doca_sync_event *event);
void sync_remote_destroy(struct doca_sync_event *event);

extern const struct task_type *const sync_task_types[SYNC_KINDS];

/* Is there a value for which a wait ends? */
static inline bool sync_can_end(enum sync_kind kind, uint64_t with,
				uint64_t mask)
{
	switch (kind) {
	case SYNC_WAIT_GT:
		return with < mask;
	case SYNC_WAIT_EQ:
		return !(with & ~mask);
	default:
		return with || mask;
	}
}

#endif /* DOCA_CORE_SYNC_EVENT_H */
