/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Sync events: a value of 64 bits in memory of this process, or of another
 * process that has exported it.
 *
 * The synchronous functions of an event of this process are atomic operations on
 * the value. Its tasks, and all operations of an imported event, go through the
 * kernel, which names the value by a key and an address.
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

/* The queue for synchronous calls of an event made from an export. */
struct sync_remote {
	pthread_mutex_t
		lock; /* the queue's, which one thread at a time may use */
	struct driver_queue queue; /* executed by the caller */
	bool has_queue;
	bool failed; /* all further calls fail */
	bool told; /* the log has said so */
};

struct sync_export; /* to one device; see sync_event_export.c */

struct doca_sync_event {
	struct doca_ctx ctx;
	struct task_pool pools[SYNC_KINDS];

	uint64_t *value; /* NULL: the value is in another process */
	struct doca_seg seg; /* the value, as entries of the ring name it */
	struct doca_mmap *mmap; /* the context's, or the import */
	struct doca_buf *buf; /* the buffer with the value, referenced */
	struct sync_export *exports;
	struct sync_remote remote;

	bool publisher; /* it has a location */
	bool subscriber;
	bool remote_pci; /* one of them is remote */
	bool remote_net; /* peers in a network change the value */
	struct doca_dev *net_dev; /* the first RDMA device of locations */
	bool from_export;
	bool as_ctx; /* started as a context */
	bool started; /* started, as a context or not */

	_Alignas(64) uint64_t own; /* the value, unless it is elsewhere */
};

#define sync_valid(event) valid_ctx(event, doca_sync_event)

static inline struct doca_sync_event *to_event(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_sync_event, ctx);
}

/* Make an event with the value 0. Returns NO_MEMORY, logged for @site. */
doca_error_t sync_event_new(struct doca_sync_event **event,
			    const struct log_site *site);

/* Return NOT_PERMITTED or BAD_STATE if the event cannot be configured; log why. */
doca_error_t sync_may_configure(const struct doca_sync_event *event);

static inline bool sync_started(const struct doca_sync_event *event)
{
	return __atomic_load_n(&event->started, __ATOMIC_RELAXED);
}

/* Make a started mmap of the value, for one device; @access is that of others. */
doca_error_t sync_map(const struct doca_sync_event *event, struct doca_dev *dev,
		      uint32_t access, struct doca_mmap **mmap);
void sync_drop_exports(struct doca_sync_event *event);

/*
 * The head of an export descriptor, little endian. A memory map's descriptor follows.
 * The magic keeps descriptors of events and of memory maps apart.
 */
#define SYNC_DESC_MAGIC 0x4e595344 /* "DSYN" */
#define SYNC_DESC_VERSION 1
#define SYNC_DESC_MAX 1024 /* the usual size of buffers for descriptors */

struct sync_desc {
	uint32_t magic;
	uint16_t version;
	uint16_t length; /* bytes of the memory map's descriptor that follows */
};

/* Find the memory map's descriptor in an event's. Logs why there is none. */
doca_error_t sync_desc_parse(const uint8_t *data, size_t sz, const void **blob,
			     size_t *len);

/* Return true if an import may be a value: somebody may have put another one into the descriptor. */
bool sync_is_value(const struct doca_mmap *mmap, uint32_t access);

/* Make a queue for the synchronous calls. Destroying none is fine. */
doca_error_t sync_remote_create(struct doca_sync_event *event);
void sync_remote_destroy(struct doca_sync_event *event);

extern const struct task_type *const sync_task_types[SYNC_KINDS];

/* Return true if some value can end the wait. */
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
