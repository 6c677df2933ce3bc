// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A plain verbs program and DOCA share memory: the program sends, writes and reads over
 * two connected queue pairs, a loop through one device, and names memory by the keys of
 * doca_bufs.
 */
#include <doca_rdma_bridge.h>

#include "bed.h"
#include "verbs.h"

#define LEN 16384

/* One end: a domain with a queue pair in it, and memory with a key for it. */
struct end {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf *buf;
	char *mem;
	uint32_t mkey;
	struct ibv_pd *pd;
	struct verbs_qp q;
};

FIXTURE(bridge)
{
	struct doca_buf_inventory *inv;
	struct end a, b;
	long pins;
};

static int post(struct end *from, const struct end *to, enum ibv_wr_opcode op)
{
	struct ibv_sge sge = { (uintptr_t)from->mem, LEN, from->mkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = op,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)to->mem, to->mkey },
	};

	return ibv_post_send(from->q.qp, &wr, &bad);
}

static int post_recv(struct end *end)
{
	return verbs_receive(&end->q, (uintptr_t)end->mem, end->mkey, LEN);
}

/* Put memory of one end into an mmap of its device, and get a buffer with its key. */
static doca_error_t give_memory(struct end *end, struct doca_buf_inventory *inv, uint32_t access)
{
	doca_error_t rc;

	end->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rc = bed_mmap(end->mem, LEN, access, end->dev, NULL, &end->mmap);
	if (rc)
		return rc;
	rc = doca_buf_inventory_buf_get_by_data(inv, end->mmap, end->mem, LEN, &end->buf);
	if (rc)
		return rc;
	return doca_rdma_bridge_get_buf_mkey(end->buf, end->dev, &end->mkey);
}

static void drop_memory(struct __test_metadata *_metadata, struct end *end)
{
	EXPECT_OK(doca_buf_dec_refcount(end->buf, NULL));
	EXPECT_OK(doca_mmap_destroy(end->mmap));
	munmap(end->mem, LEN);
}

/* Connect both ends. */
static int connect_both(struct end *a, struct end *b)
{
	int err = verbs_qp_create(&a->q, a->pd, IBV_QPT_RC);

	if (!err)
		err = verbs_qp_create(&b->q, b->pd, IBV_QPT_RC);
	if (!err)
		err = verbs_connect(&a->q, &b->q);
	return err ? err : verbs_connect(&b->q, &a->q);
}

#define ALL_ACCESS                                                        \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE)

FIXTURE_SETUP(bridge)
{
	self->pins = pins_held();
	ASSERT_OK(doca_buf_inventory_create(4, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	self->a.dev = bed_open_dev("rxe0");
	self->b.dev = bed_open_dev("rxe0");
	if (!self->a.dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_EQ(self->a.dev, self->b.dev);
	ASSERT_OK(doca_rdma_bridge_get_dev_pd(self->a.dev, &self->a.pd));
	ASSERT_OK(doca_rdma_bridge_get_dev_pd(self->b.dev, &self->b.pd));
	ASSERT_EQ(0, connect_both(&self->a, &self->b));
	ASSERT_OK(give_memory(&self->a, self->inv, ALL_ACCESS));
	ASSERT_OK(give_memory(&self->b, self->inv, ALL_ACCESS));
	bed_fill(self->a.mem, LEN, 5);
}

FIXTURE_TEARDOWN(bridge)
{
	verbs_qp_destroy(&self->a.q);
	verbs_qp_destroy(&self->b.q);
	drop_memory(_metadata, &self->a);
	drop_memory(_metadata, &self->b);
	EXPECT_OK(doca_dev_close(self->a.dev));
	EXPECT_OK(doca_dev_close(self->b.dev));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

TEST_F(bridge, send)
{
	ASSERT_EQ(0, post_recv(&self->b));
	ASSERT_EQ(0, post(&self->a, &self->b, IBV_WR_SEND));
	EXPECT_EQ(IBV_WC_SUCCESS, verbs_wait(self->a.q.cq));
	EXPECT_EQ(IBV_WC_SUCCESS, verbs_wait(self->b.q.cq));
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem, LEN));
}

/* The key permits no more than the map does. */
TEST_F(bridge, permissions)
{
	drop_memory(_metadata, &self->b);
	ASSERT_OK(give_memory(&self->b, self->inv, DOCA_ACCESS_FLAG_RDMA_READ));
	ASSERT_EQ(0, post(&self->a, &self->b, IBV_WR_RDMA_WRITE));
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR, verbs_wait(self->a.q.cq));
	EXPECT_EQ(0, self->b.mem[1]);
}

/* A stopped map has no key: requests that still use it fail. */
TEST_F(bridge, stopped_map)
{
	EXPECT_OK(doca_buf_dec_refcount(self->b.buf, NULL));
	EXPECT_OK(doca_mmap_stop(self->b.mmap));
	ASSERT_EQ(0, post(&self->a, &self->b, IBV_WR_RDMA_WRITE));
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR, verbs_wait(self->a.q.cq));
	EXPECT_OK(doca_mmap_start(self->b.mmap));
	EXPECT_OK(doca_buf_inventory_buf_get_by_data(self->inv, self->b.mmap, self->b.mem, LEN,
						     &self->b.buf));
}

/* Return 0 if this process has the device open. */
static int has_uverbs(void)
{
	return bed_shell("ls -l /proc/$PPID/fd | grep -q uverbs");
}

/* The child holds nothing that would keep the device from being removed. */
static int hold_nothing(void *arg)
{
	FIXTURE_DATA(bridge) *self = arg;
	struct ibv_pd *pd;
	uint32_t mkey;

	if (doca_rdma_bridge_get_dev_pd(self->a.dev, &pd) != DOCA_ERROR_BAD_STATE)
		return 1;
	if (doca_rdma_bridge_get_buf_mkey(self->a.buf, self->a.dev, &mkey) !=
	    DOCA_ERROR_INVALID_VALUE)
		return 2;
	return has_uverbs() ? 0 : 3;
}

TEST_F(bridge, fork)
{
	ASSERT_EQ(0, has_uverbs());
	EXPECT_EQ(0, bed_in_child(hold_nothing, self));
	ASSERT_EQ(0, post(&self->a, &self->b, IBV_WR_RDMA_WRITE));
	EXPECT_EQ(IBV_WC_SUCCESS, verbs_wait(self->a.q.cq));
}

/* DOCA joins a verbs program that has a domain of its own. */
TEST(domain_of_the_program)
{
	struct doca_buf_inventory *inv;
	struct ibv_context *ctx = verbs_open(NULL);
	struct doca_dev *again;
	struct end a = {}, b = {};

	if (!ctx)
		SKIP(return, "needs an RDMA device");
	a.pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, a.pd);
	b.pd = a.pd;
	ASSERT_EQ(0, connect_both(&a, &b));

	ASSERT_OK(doca_buf_inventory_create(2, &inv));
	ASSERT_OK(doca_buf_inventory_start(inv));
	ASSERT_OK(doca_rdma_bridge_open_dev_from_pd(a.pd, &a.dev));
	EXPECT_ERR(IN_USE, doca_rdma_bridge_open_dev_from_pd(a.pd, &again));
	EXPECT_EQ(NULL, doca_dev_as_devinfo(a.dev));
	b.dev = a.dev;
	ASSERT_OK(give_memory(&a, inv, ALL_ACCESS));
	ASSERT_OK(give_memory(&b, inv, ALL_ACCESS));
	bed_fill(a.mem, LEN, 8);
	ASSERT_EQ(0, post_recv(&b));
	ASSERT_EQ(0, post(&a, &b, IBV_WR_SEND));
	EXPECT_EQ(IBV_WC_SUCCESS, verbs_wait(a.q.cq));
	EXPECT_EQ(0, memcmp(a.mem, b.mem, LEN));

	verbs_qp_destroy(&a.q);
	verbs_qp_destroy(&b.q);
	drop_memory(_metadata, &a);
	/* the map has the memory registered in the program's domain */
	EXPECT_NE(0, ibv_dealloc_pd(a.pd));
	drop_memory(_metadata, &b);
	EXPECT_OK(doca_dev_close(a.dev));
	EXPECT_OK(doca_buf_inventory_destroy(inv));
	EXPECT_EQ(0, ibv_dealloc_pd(a.pd));
	EXPECT_EQ(0, ibv_close_device(ctx));
}

/* Removal of soft RoCE waits for processes that have it open: in the end none. */
TEST(removal_when_all_is_destroyed)
{
	struct doca_dev *dev = bed_open_dev("rxe1");
	struct doca_buf_inventory *inv;
	struct end end = { .dev = dev };

	if (!dev)
		SKIP(return, "needs the RDMA device rxe1");
	ASSERT_OK(doca_buf_inventory_create(1, &inv));
	ASSERT_OK(doca_buf_inventory_start(inv));
	ASSERT_OK(give_memory(&end, inv, ALL_ACCESS));
	drop_memory(_metadata, &end);
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_OK(doca_buf_inventory_destroy(inv));
	/* It returns when the device has gone. */
	EXPECT_EQ(0, bed_shell("rdma link delete rxe1"));
	EXPECT_EQ(0, bed_shell("rdma link add rxe1 type rxe netdev eth1"));
}

TEST_HARNESS_MAIN
