/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sync events of peers in a network, which tasks of libdoca_rdma read and change. */
#ifndef DOCA_CORE_SYNC_EVENT_NET_H
#define DOCA_CORE_SYNC_EVENT_NET_H

#include <stdint.h>

#include <doca_sync_event.h>

#include "core/memory/mmap.h"
#include "core/objects.h"

DOCA_STABLE extern const struct object_type
	doca_priv_sync_event_remote_net_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES                                               \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_sync_event_remote_net, \
				       doca_priv_sync_event_remote_net_object)

struct doca_sync_event_remote_net {
	struct doca_mmap *mmap; /* the value, in the peer's memory */
	uint32_t inflight; /* number of tasks that name it; atomic */
};

static inline void sync_net_hold(struct doca_sync_event_remote_net *event)
{
	__atomic_add_fetch(&event->inflight, 1, __ATOMIC_RELAXED);
}

static inline void sync_net_unhold(struct doca_sync_event_remote_net *event)
{
	__atomic_sub_fetch(&event->inflight, 1, __ATOMIC_RELEASE);
}

#endif /* DOCA_CORE_SYNC_EVENT_NET_H */
