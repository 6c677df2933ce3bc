/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* RDMA between two connections of one device in this thread: the library, and bare verbs. */
#ifndef BENCH_RDMA_WAY_H
#define BENCH_RDMA_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include <doca_buf_inventory.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "area.h"
#include "way.h"

enum rdma_kind {
	RDMA_SEND, /* from the sources into receive buffers at the destinations */
	RDMA_WRITE,
	RDMA_READ, /* the sources are the peer's */
};

/* One of the two contexts: tasks are submitted to the near one. */
struct rdma_end {
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_rdma_connection *connection;
};

struct rdma_task {
	struct doca_task *task;
	struct doca_buf *src;
	struct doca_buf *dst;
};

struct rdma_way {
	struct way way;
	enum rdma_kind kind;
	const char *device;

	/* while it is open */
	struct load load;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_mmap *mmap;
	struct doca_mmap *peers; /* mmap, as its peer sees it */
	struct doca_buf_inventory *inventory;
	struct rdma_end near;
	struct rdma_end far;
	struct rdma_task *tasks;
	struct rdma_task *receives; /* tasks of the far end; NULL: none */
	uint32_t nr_receives;
	uint64_t done;
	uint32_t inflight;
	bool again; /* submit tasks again */
	bool closing;
	doca_error_t error; /* the first one */
};

void rdma_way_init(struct rdma_way *rw, enum rdma_kind kind,
		   const struct area *area, const char *device);

/* Work requests of verbs, each of which is posted alone. */
struct verbs_way {
	struct way way;
	enum rdma_kind kind;
	const char *device;

	/* while it is open */
	struct load load;
	unsigned int slots;
	unsigned int next; /* slot of the next request */
	unsigned int next_receive;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *cq;
	struct ibv_cq *far_cq; /* for the receives */
	struct ibv_qp *near;
	struct ibv_qp *far;
};

void verbs_way_init(struct verbs_way *vw, enum rdma_kind kind,
		    const struct area *area, const char *device);

#endif /* BENCH_RDMA_WAY_H */
