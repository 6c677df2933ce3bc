/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * RDMA contexts: declarations for all files of the library. A context has one completion
 * queue and one queue for receives, and a queue pair for each connection.
 */
#ifndef DOCA_RDMA_RDMA_H
#define DOCA_RDMA_RDMA_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include <doca_rdma.h>

#include "core/base/list.h"
#include "core/contexts/sync_event_net.h"
#include "core/device/dev.h"
#include "core/device/notice.h"
#include "core/exec/lane.h"
#include "core/exec/library.h"
#include "hca.h"
#include "news.h"

extern const struct object_type doca_rdma_object;
extern const struct object_type rdma_connection_object;
extern const struct object_type rdma_addr_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES                                                 \
	CORE_OBJECT_TYPES,                                           \
		OBJECT_TYPE(doca_sync_event_remote_net,              \
			    doca_priv_sync_event_remote_net_object), \
		OBJECT_TYPE(doca_rdma_addr, rdma_addr_object),       \
		OBJECT_TYPE(doca_rdma_connection, rdma_connection_object)

enum {
	RDMA_RECEIVE,
	RDMA_SEND,
	RDMA_SEND_IMM,
	RDMA_READ,
	RDMA_WRITE,
	RDMA_WRITE_IMM,
	RDMA_CMP_SWP,
	RDMA_FETCH_ADD,
	RDMA_EVENT_GET,
	RDMA_EVENT_SET,
	RDMA_EVENT_ADD,
	RDMA_TASKS,
};

#define RDMA_MAX_LIST 32 /* buffers of a task */
#define RDMA_MAX_CONNECTIONS 65535
#define RDMA_DEFAULT_CONNECTIONS 64
#define RDMA_DEFAULT_SEND_QUEUE 128
#define RDMA_MAX_RNR_RETRY 7 /* for ever */
#define RDMA_MAX_SL 15
#define RDMA_DEFAULT_TIMEOUT_MS 2000
#define RDMA_WORD 8 /* bytes of an atomic operation */
#define RDMA_POLL 16 /* completions that are taken at a time */

/* Descriptors that a program waits for. */
enum {
	RDMA_WATCH_QUEUE,
	RDMA_WATCH_NEWS,
};

/* The part of a task that is this library's. In flight nothing changes but the results. */
struct rdma_values {
	struct doca_rdma_connection
		*connection; /* in a receive the one that it came by */
	uint32_t connection_id; /* its slot may have another one meanwhile */
	doca_error_t fault; /* for which it fails without being posted */
	uint32_t length; /* bytes moved, or to be moved */
	doca_be32_t imm; /* result of a receive */
	enum doca_rdma_opcode opcode; /* result of a receive */
	struct doca_sync_event_remote_net *event; /* in place of memory */
	uint64_t operand; /* to add, or to compare with */
	uint64_t swap;
	struct list
		link; /* a receive's or a refused task's, in a list of its context */
};

/* The work request of a task. What stays the same is filled in at the start. */
union rdma_wr {
	struct ibv_send_wr send;
	struct ibv_recv_wr receive;
};

_Static_assert(offsetof(struct ibv_send_wr, sg_list) ==
		       offsetof(struct ibv_recv_wr, sg_list),
	       "one place for both");

/* A task of any kind. */
struct rdma_task {
	struct doca_task task;
	struct rdma_values rdma;
	union rdma_wr wr;
};

/* Settings, which last from one start to the next. */
struct rdma_settings {
	bool has_gid;
	uint32_t gid_index;
	bool has_mtu;
	enum doca_mtu_size mtu;
	uint32_t permissions;
	uint32_t send_queue;
	uint32_t receive_queue; /* a hint; 0: as many as there are tasks */
	uint32_t send_list; /* buffers of a list */
	uint32_t receive_list;
	uint32_t sl;
	uint16_t max_connections;
	uint8_t rnr_retry;
	uint8_t grh;
	uint16_t timeout_ms; /* time for each step to a peer's address */
	struct {
		doca_rdma_connection_request_cb_t request;
		doca_rdma_connection_established_cb_t established;
		doca_rdma_connection_failure_cb_t failure;
		doca_rdma_connection_disconnection_cb_t disconnect;
	} on; /* all NULL, or all but the first given */
};

struct doca_rdma {
	struct doca_ctx ctx;
	struct task_pool pools[RDMA_TASKS];
	struct rdma_settings set;
	struct rdma_hca hca;

	/* Valid between start and stop; first what the data path uses: */
	bool calm; /* there is nothing to do but to take completions; see rdma_stir() */
	bool turned; /* ends and posts of the library have had a turn since the last poll */
	bool canceled;
	bool failed; /* the completion queue has: there are no completions any more */
	bool cut; /* there are no queue pairs any more */
	int nr_wcs; /* number of completions that were polled, and not looked at yet */
	const struct ibv_wc *wc; /* the first of them */
	uint32_t taken; /* number of completions */
	uint32_t sq_size; /* each connection's */
	uint32_t row_mask;
	struct doca_rdma_connection *
		*rows; /* by number of queue pairs; see row_mask */
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct list receives; /* in flight, in order */

	struct list unposted; /* receives that are not posted yet */
	struct list refused; /* tasks with a fault that no connection has */
	struct list work; /* connections with something to post or to end */
	struct ibv_wc wcs[RDMA_POLL];

	struct ibv_pd *pd; /* the device's */
	struct ibv_comp_channel *channel;
	struct rdma_port port;
	struct ibv_sge *sges; /* list_max for each task */
	uint32_t list_max;
	struct doca_rdma_connection **slots; /* max_connections */
	uint32_t nr_connections; /* slots that were used */
	uint32_t next_id;

	bool armed; /* the channel may have an event */
	unsigned int events; /* number of events to be acknowledged */
	uint64_t until; /* a cancel ends by then */
	uint64_t patience_ns; /* time for which tasks wait for a peer that never answered */

	struct rdma_news news;
	struct dev_notice notice; /* tells of the device's removal */
	bool has_notice;
	struct list link; /* in the list of async.c */
	unsigned int marks; /* set by others; see there */
	uint32_t failures; /* the device had so many when the start began; see async.h */

	/* For connections by address; see cm.h. */
	struct rdma_event_channel *cm; /* NULL until it is needed */
	struct list listeners;
	struct list due; /* connections of which the program is to be told */
	uint64_t cm_until; /* the first attempt ends by then; 0: there is none */
	/* The log has a line on rejected peers: */
	bool told_full, told_foreign, told_unable;
};

#define rdma_valid(rdma) valid_ctx(rdma, doca_rdma)

extern const struct lane_ops rdma_lane;
static inline struct doca_rdma *rdma_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_rdma, ctx);
}

static inline struct rdma_values *values_of(const struct doca_task *task)
{
	return &((struct rdma_task *)task)->rdma;
}

static inline union rdma_wr *wr_of(const struct doca_task *task)
{
	return &((struct rdma_task *)task)->wr;
}

static inline struct ibv_sge *sges_of(const struct doca_task *task)
{
	return wr_of(task)->send.sg_list;
}

/*
 * There is more to do than to take completions, or this may be. Progress takes the long way until
 * rdma_post() finds that it was done.
 */
static inline void rdma_stir(struct doca_rdma *rdma)
{
	rdma->calm = false;
}

/* Make and destroy all that a started context has of the device. */
doca_error_t rdma_open(struct doca_rdma *rdma);
void rdma_close(struct doca_rdma *rdma, bool forked);

#endif /* DOCA_RDMA_RDMA_H */
