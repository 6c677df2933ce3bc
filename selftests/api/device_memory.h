/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Device memory of an RDMA device without any: two allocations, each with a region and a
 * queue pair, which are connected with each other, and memory of the host.
 */
#ifndef SELFTESTS_API_DEVICE_MEMORY_H
#define SELFTESTS_API_DEVICE_MEMORY_H

#include <open_doca_dm.h>

#include "bed.h"
#include "verbs.h"

#define LEN (5 * 4096 + 20)
#define ROOM (6 * 4096) /* the pages that hold it */

struct end {
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	uint8_t *addr;
	struct verbs_qp q;
};

FIXTURE(dm)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct end a, b;
	struct ibv_mr *host_mr;
	uint8_t *host;
	uint64_t pool;
};

static inline uint64_t max_dm_size(struct ibv_context *ctx)
{
	struct ibv_device_attr_ex attr = {};

	ibv_query_device_ex(ctx, NULL, &attr);
	return attr.max_dm_size;
}

static inline struct ibv_dm *alloc(struct ibv_context *ctx, size_t length)
{
	struct ibv_alloc_dm_attr attr = { .length = length };

	return ibv_alloc_dm(ctx, &attr);
}

static inline bool make_memory(FIXTURE_DATA(dm) * self, struct end *e)
{
	void *addr;
	size_t len;

	e->dm = alloc(self->ctx, LEN);
	if (!e->dm || open_doca_dm_get_addr(e->dm, &addr, &len) || len != LEN)
		return false;
	e->addr = addr;
	e->mr = ibv_reg_dm_mr(self->pd, e->dm, 0, LEN,
			      VERBS_ACCESS | IBV_ACCESS_ZERO_BASED);
	return e->mr;
}

static inline bool connect_both(FIXTURE_DATA(dm) * self)
{
	return !verbs_connect(&self->a.q, &self->b.q) &&
	       !verbs_connect(&self->b.q, &self->a.q);
}

FIXTURE_SETUP(dm)
{
	ASSERT_EQ(0, ibv_fork_init());
	self->ctx = verbs_open("rxe0");
	if (!self->ctx)
		SKIP_SETUP("needs an RDMA device rxe0");
	self->pool = max_dm_size(self->ctx);
	ASSERT_LT(0, self->pool);
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	ASSERT_EQ(0, verbs_qp_create(&self->a.q, self->pd, IBV_QPT_RC));
	ASSERT_EQ(0, verbs_qp_create(&self->b.q, self->pd, IBV_QPT_RC));
	ASSERT_TRUE(make_memory(self, &self->a));
	ASSERT_TRUE(make_memory(self, &self->b));
	self->host = aligned_alloc(4096, ROOM);
	ASSERT_NE(NULL, self->host);
	self->host_mr = ibv_reg_mr(self->pd, self->host, LEN, VERBS_ACCESS);
	ASSERT_NE(NULL, self->host_mr);
	ASSERT_TRUE(connect_both(self));
}

/* Freed memory is available at once. */
static inline bool is_whole(FIXTURE_DATA(dm) * self)
{
	struct ibv_dm *all = alloc(self->ctx, self->pool);

	return all && !ibv_free_dm(all);
}

FIXTURE_TEARDOWN(dm)
{
	verbs_qp_destroy(&self->a.q);
	verbs_qp_destroy(&self->b.q);
	EXPECT_EQ(0, ibv_dereg_mr(self->a.mr));
	EXPECT_EQ(0, ibv_dereg_mr(self->b.mr));
	EXPECT_EQ(0, ibv_dereg_mr(self->host_mr));
	EXPECT_EQ(0, ibv_free_dm(self->a.dm));
	EXPECT_EQ(0, ibv_free_dm(self->b.dm));
	EXPECT_TRUE(is_whole(self));
	ibv_dealloc_pd(self->pd);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	free(self->host);
}

static inline void fill(uint8_t *p, size_t n, unsigned int seed)
{
	bed_fill((char *)p, n, seed);
}

/* Make one request from @from; return its status. */
static inline int request(struct end *from, enum ibv_wr_opcode op,
			  uint64_t local, uint32_t lkey, uint64_t remote,
			  uint32_t rkey, size_t len)
{
	struct ibv_sge sge = { local, len, lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = op,
		.wr.rdma = { remote, rkey },
	};

	return verbs_request(&from->q, &wr);
}

/* Fill both ends with different bytes; those that are not written stay. */
static inline void prepare(FIXTURE_DATA(dm) * self)
{
	memset(self->b.addr, 0xee, ROOM);
	memset(self->host, 0xee, ROOM);
	fill(self->a.addr, LEN, 1);
}

static inline bool is_filled(const uint8_t *p, size_t n, uint8_t with)
{
	while (n && *p == with)
		p++, n--;
	return !n;
}

/* Return true if @n bytes at @at are those of a, and no other has changed. */
static inline bool only(FIXTURE_DATA(dm) * self, const uint8_t *p, size_t at,
			size_t n)
{
	return is_filled(p, at, 0xee) && !memcmp(p + at, self->a.addr, n) &&
	       is_filled(p + at + n, ROOM - at - n, 0xee);
}

#endif
