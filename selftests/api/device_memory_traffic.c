// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Traffic with device memory of an RDMA device without any: between two allocations, and
 * between one and the host's memory, up to the last byte and one beyond.
 */
#include <sys/utsname.h>

#include "device_memory.h"

static bool kernel_before(int version, int patchlevel)
{
	struct utsname name;
	int v = 0, p = 0;

	uname(&name);
	sscanf(name.release, "%d.%d", &v, &p);
	return v < version || (v == version && p < patchlevel);
}

static const size_t sizes[] = { 1,    2,    3,	  4,	5,    63,      64, 1023,
				1024, 1025, 4095, 4096, 4097, LEN - 1, LEN };
#define NR_SIZES (sizeof(sizes) / sizeof(sizes[0]))

TEST_F(dm, write_between_two)
{
	size_t i, n, at;

	for (i = 0; i < NR_SIZES; i++) {
		n = sizes[i];
		at = LEN - n;
		prepare(self);
		ASSERT_EQ(0,
			  request(&self->a, IBV_WR_RDMA_WRITE, 0,
				  self->a.mr->lkey, at, self->b.mr->rkey, n));
		EXPECT_TRUE(only(self, self->b.addr, at, n));
	}
}

TEST_F(dm, read_between_two)
{
	size_t i, n, at;

	for (i = 0; i < NR_SIZES; i++) {
		n = sizes[i];
		at = LEN - n;
		prepare(self);
		ASSERT_EQ(0, request(&self->b, IBV_WR_RDMA_READ, at,
				     self->b.mr->lkey, 0, self->a.mr->rkey, n));
		EXPECT_TRUE(only(self, self->b.addr, at, n));
	}
}

TEST_F(dm, send_between_two)
{
	size_t i, n, at;

	for (i = 0; i < NR_SIZES; i++) {
		n = sizes[i];
		at = LEN - n;
		prepare(self);
		ASSERT_EQ(0,
			  verbs_receive(&self->b.q, at, self->b.mr->lkey, n));
		ASSERT_EQ(0, request(&self->a, IBV_WR_SEND, 0, self->a.mr->lkey,
				     0, 0, n));
		ASSERT_EQ(0, verbs_wait(self->b.q.cq));
		EXPECT_TRUE(only(self, self->b.addr, at, n));
	}
}

TEST_F(dm, memory_of_the_host_as_the_other_end)
{
	uintptr_t host = (uintptr_t)self->host;
	size_t i, n;

	for (i = 0; i < NR_SIZES; i++) {
		n = sizes[i];
		prepare(self);
		ASSERT_EQ(0, request(&self->a, IBV_WR_RDMA_WRITE, 0,
				     self->a.mr->lkey, host,
				     self->host_mr->rkey, n));
		EXPECT_TRUE(only(self, self->host, 0, n));
		ASSERT_EQ(0,
			  request(&self->b, IBV_WR_RDMA_WRITE, host,
				  self->host_mr->lkey, 0, self->b.mr->rkey, n));
		EXPECT_TRUE(only(self, self->b.addr, 0, n));
		ASSERT_EQ(0, request(&self->b, IBV_WR_RDMA_READ, host,
				     self->host_mr->lkey, LEN - n,
				     self->a.mr->rkey, n));
		EXPECT_EQ(0, memcmp(self->host, self->a.addr + LEN - n, n));
	}
}

static int atomic(struct end *from, enum ibv_wr_opcode op, uint64_t local,
		  uint32_t lkey, uint64_t remote, uint32_t rkey, uint64_t add,
		  uint64_t swap)
{
	struct ibv_sge sge = { local, 8, lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = op,
		.wr.atomic = { remote, add, swap, rkey },
	};

	return verbs_request(&from->q, &wr);
}

TEST_F(dm, atomics_between_two)
{
	uint64_t value = 40, was, back;
	const uint64_t at = 4096 + 16;

	ASSERT_EQ(0, ibv_memcpy_to_dm(self->b.dm, at, &value, 8));
	ASSERT_EQ(0, atomic(&self->a, IBV_WR_ATOMIC_FETCH_AND_ADD, 8,
			    self->a.mr->lkey, at, self->b.mr->rkey, 2, 0));
	ASSERT_EQ(0, ibv_memcpy_from_dm(&was, self->a.dm, 8, 8));
	ASSERT_EQ(0, ibv_memcpy_from_dm(&back, self->b.dm, at, 8));
	EXPECT_EQ(40, was);
	EXPECT_EQ(42, back);
	ASSERT_EQ(0, atomic(&self->a, IBV_WR_ATOMIC_CMP_AND_SWP, 8,
			    self->a.mr->lkey, at, self->b.mr->rkey, 42, 77));
	ASSERT_EQ(0, atomic(&self->a, IBV_WR_ATOMIC_CMP_AND_SWP, 16,
			    self->a.mr->lkey, at, self->b.mr->rkey, 42, 78));
	ASSERT_EQ(0, ibv_memcpy_from_dm(&was, self->a.dm, 16, 8));
	ASSERT_EQ(0, ibv_memcpy_from_dm(&back, self->b.dm, at, 8));
	EXPECT_EQ(77, was);
	EXPECT_EQ(77, back);
}

/*
 * Beyond the ends it behaves like the host's memory. Unaligned words are not tried: soft
 * RoCE's own library refuses to post them.
 */
TEST_F(dm, atomics_are_of_aligned_words)
{
	const enum ibv_wr_opcode ops[] = { IBV_WR_ATOMIC_FETCH_AND_ADD,
					   IBV_WR_ATOMIC_CMP_AND_SWP };
	const struct {
		uint64_t at;
		int status;
	} bad[] = {
		{ 4, NOT_POSTED },
		{ 4095, NOT_POSTED },
		{ LEN - 4, IBV_WC_REM_ACCESS_ERR },
		{ LEN + 4, IBV_WC_REM_ACCESS_ERR },
		{ UINT64_MAX - 7, IBV_WC_REM_ACCESS_ERR },
	};
	uintptr_t host = (uintptr_t)self->host;
	uint32_t lkey = self->a.mr->lkey;
	int i;

	prepare(self);
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(bad[i / 2].status,
			  atomic(&self->a, ops[i % 2], LEN - 12, lkey,
				 bad[i / 2].at, self->b.mr->rkey, 1, 1));
		ASSERT_TRUE(connect_both(self));
		EXPECT_EQ(bad[i / 2].status,
			  atomic(&self->a, ops[i % 2], LEN - 12, lkey,
				 host + bad[i / 2].at, self->host_mr->rkey, 1,
				 1));
		ASSERT_TRUE(connect_both(self));
	}
	EXPECT_TRUE(is_filled(self->b.addr, ROOM, 0xee));
	EXPECT_TRUE(is_filled(self->host, ROOM, 0xee));
}

/*
 * Go one byte beyond either end, at either side: the error is reported, and nothing is
 * written beyond. Bytes within may be written before the last packet turns out to be
 * wrong.
 */
static void go_beyond(FIXTURE_DATA(dm) *self,
		      struct __test_metadata *_metadata, enum ibv_wr_opcode op,
		      uint64_t start)
{
	uint32_t a = self->a.mr->lkey, b = self->b.mr->rkey;
	int status;

	memset(self->a.addr, 0xdd, ROOM);
	memset(self->b.addr, 0xee, ROOM);
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR,
		  request(&self->a, op, 0, a, start, b, LEN))
	TH_LOG("%d %ld", op, (long)start);
	EXPECT_TRUE(is_filled(self->b.addr, ROOM, 0xee));
	EXPECT_TRUE(is_filled(self->a.addr, ROOM, 0xdd));
	ASSERT_TRUE(connect_both(self));
	/* Reads are tested below. */
	if (op == IBV_WR_RDMA_READ)
		return;
	status = request(&self->a, op, start, a, 0, b, LEN);
	/* Soft RoCE of 6.12 reports it as flushed, also for other memory. */
	EXPECT_TRUE(status == IBV_WC_LOC_PROT_ERR ||
		    status == IBV_WC_WR_FLUSH_ERR);
	ASSERT_TRUE(connect_both(self));
	EXPECT_EQ(status, request(&self->a, op, (uintptr_t)self->host + start,
				  self->host_mr->lkey, 0, b, LEN));
	EXPECT_TRUE(is_filled(self->a.addr + LEN, ROOM - LEN, 0xdd));
	EXPECT_TRUE(is_filled(self->b.addr + LEN, ROOM - LEN, 0xee));
	ASSERT_TRUE(connect_both(self));
}

TEST_F(dm, nothing_is_written_beyond_the_ends)
{
	go_beyond(self, _metadata, IBV_WR_RDMA_WRITE, 1);
	go_beyond(self, _metadata, IBV_WR_RDMA_WRITE, UINT64_MAX);
}

TEST_F(dm, nothing_is_read_beyond_the_ends)
{
	go_beyond(self, _metadata, IBV_WR_RDMA_READ, 1);
	go_beyond(self, _metadata, IBV_WR_RDMA_READ, UINT64_MAX);
}

/* A receiver without enough room gets an error, and so does the sender. */
static int receive_beyond(FIXTURE_DATA(dm) *self, uint64_t at, uint32_t lkey,
			  int *sent)
{
	int status = NOT_POSTED;

	if (verbs_receive(&self->b.q, at, lkey, LEN))
		return NOT_POSTED;
	*sent = request(&self->a, IBV_WR_SEND, 0, self->a.mr->lkey, 0, 0, LEN);
	status = verbs_wait(self->b.q.cq);
	return connect_both(self) ? status : NOT_POSTED;
}

static void send_beyond(FIXTURE_DATA(dm) *self,
			struct __test_metadata *_metadata, uint64_t start)
{
	uintptr_t host = (uintptr_t)self->host;
	int status, sent = 0, other = 0;

	memset(self->a.addr, 0xdd, ROOM);
	memset(self->b.addr, 0xee, ROOM);
	memset(self->host, 0xee, ROOM);
	ASSERT_EQ(0, verbs_receive(&self->b.q, 0, self->b.mr->lkey, LEN));
	status = request(&self->a, IBV_WR_SEND, start, self->a.mr->lkey, 0, 0,
			 LEN);
	EXPECT_TRUE(status == IBV_WC_LOC_PROT_ERR ||
		    status == IBV_WC_WR_FLUSH_ERR)
	TH_LOG("%d", status);
	EXPECT_TRUE(is_filled(self->a.addr, ROOM, 0xdd));
	EXPECT_TRUE(is_filled(self->b.addr + LEN, ROOM - LEN, 0xee));
	ASSERT_TRUE(connect_both(self));
	status = receive_beyond(self, start, self->b.mr->lkey, &sent);
	EXPECT_EQ(IBV_WC_LOC_QP_OP_ERR, status);
	EXPECT_EQ(IBV_WC_REM_OP_ERR, sent);
	EXPECT_TRUE(is_filled(self->b.addr + LEN, ROOM - LEN, 0xee));
	EXPECT_EQ(status, receive_beyond(self, host + start,
					 self->host_mr->lkey, &other));
	EXPECT_EQ(sent, other);
}

TEST_F(dm, nothing_is_sent_or_received_beyond_the_ends)
{
	send_beyond(self, _metadata, 1);
	send_beyond(self, _metadata, UINT64_MAX);
}

/* The data of an answer is not written beyond the ends either. */
TEST_F(dm, answers_are_not_written_beyond_the_ends)
{
	const uint64_t starts[] = { 1, LEN - 1, UINT64_MAX };
	int i, status;

	if (kernel_before(6, 12))
		SKIP(return,
			   "soft RoCE of this kernel warns of itself when an answer has no room");
	for (i = 0; i < 3; i++) {
		memset(self->a.addr, 0xdd, ROOM);
		memset(self->b.addr, 0xee, ROOM);
		status = request(&self->a, IBV_WR_RDMA_READ, starts[i],
				 self->a.mr->lkey, 0, self->b.mr->rkey, LEN);
		EXPECT_TRUE(status == IBV_WC_LOC_PROT_ERR ||
			    status == IBV_WC_WR_FLUSH_ERR)
		TH_LOG("%d", status);
		EXPECT_TRUE(is_filled(self->a.addr + LEN, ROOM - LEN, 0xdd));
		EXPECT_TRUE(is_filled(self->b.addr, ROOM, 0xee));
		ASSERT_TRUE(connect_both(self));
	}
}

/* A region of a part gives access to that part alone. */
TEST_F(dm, a_region_is_a_part)
{
	struct ibv_mr *part;

	part = ibv_reg_dm_mr(self->pd, self->b.dm, 4096, 100,
			     VERBS_ACCESS | IBV_ACCESS_ZERO_BASED);
	ASSERT_NE(NULL, part);
	prepare(self);
	EXPECT_EQ(0, request(&self->a, IBV_WR_RDMA_WRITE, 0, self->a.mr->lkey,
			     0, part->rkey, 100));
	EXPECT_TRUE(only(self, self->b.addr, 4096, 100));
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR,
		  request(&self->a, IBV_WR_RDMA_WRITE, 0, self->a.mr->lkey, 1,
			  part->rkey, 100));
	EXPECT_EQ(EBUSY, ibv_free_dm(self->b.dm));
	EXPECT_EQ(0, ibv_dereg_mr(part));
	part = ibv_reg_dm_mr(self->pd, self->b.dm, 0, 0,
			     VERBS_ACCESS | IBV_ACCESS_ZERO_BASED);
	ASSERT_NE(NULL, part);
	ASSERT_TRUE(connect_both(self));
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR,
		  request(&self->a, IBV_WR_RDMA_WRITE, 0, self->a.mr->lkey, 0,
			  part->rkey, 1));
	EXPECT_EQ(0, ibv_dereg_mr(part));
}

#define GRH 40 /* bytes before a datagram's data */

static int datagram(struct verbs_qp *from, const struct verbs_qp *to,
		    struct ibv_ah *ah, const struct end *of, uint64_t at,
		    size_t len)
{
	struct ibv_sge sge = { at, len, of->mr->lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.wr.ud = { ah, to->qp->qp_num, VERBS_QKEY },
	};

	return verbs_request(from, &wr);
}

/* Two queue pairs for datagrams, and the way from one to the other. */
struct ud {
	struct verbs_qp from, to;
	struct ibv_ah *ah;
};

static bool ud_begin(struct ud *ud, struct ibv_pd *pd)
{
	struct ibv_ah_attr way;

	if (verbs_qp_create(&ud->from, pd, IBV_QPT_UD) ||
	    verbs_qp_create(&ud->to, pd, IBV_QPT_UD) ||
	    verbs_ready(&ud->from) || verbs_ready(&ud->to))
		return false;
	way = verbs_way_to(&ud->from, &ud->to);
	ud->ah = ibv_create_ah(pd, &way);
	return ud->ah;
}

static void ud_end(struct ud *ud)
{
	ibv_destroy_ah(ud->ah);
	verbs_qp_destroy(&ud->from);
	verbs_qp_destroy(&ud->to);
}

/* Send from the last byte of one to the last byte of the other. */
TEST_F(dm, datagrams_between_two)
{
	struct ud ud = {};
	size_t i, n, at;

	ASSERT_TRUE(ud_begin(&ud, self->pd));
	for (i = 0; sizes[i] <= 1024; i++) {
		n = sizes[i];
		at = LEN - n;
		prepare(self);
		ASSERT_EQ(0, verbs_receive(&ud.to, at - GRH, self->b.mr->lkey,
					   n + GRH));
		ASSERT_EQ(0,
			  datagram(&ud.from, &ud.to, ud.ah, &self->a, at, n));
		ASSERT_EQ(0, verbs_wait(ud.to.cq));
		EXPECT_TRUE(is_filled(self->b.addr, at - GRH, 0xee));
		EXPECT_EQ(0, memcmp(self->b.addr + at, self->a.addr + at, n));
		EXPECT_TRUE(is_filled(self->b.addr + LEN, ROOM - LEN, 0xee));
	}
	ud_end(&ud);
}

/*
 * Send one that does not fit. Its receive request ends with an error on 6.1, and never on
 * 6.12; the kind of memory makes no difference.
 */
static int datagram_into(FIXTURE_DATA(dm) *self, uint64_t at, uint32_t lkey)
{
	struct ud ud = {};
	int status = NOT_POSTED;

	if (ud_begin(&ud, self->pd) &&
	    !verbs_receive(&ud.to, at, lkey, GRH + 96) &&
	    !datagram(&ud.from, &ud.to, ud.ah, &self->a, 0, 100))
		status = verbs_wait_for(ud.to.cq, 2);
	ud_end(&ud);
	return status;
}

TEST_F(dm, datagrams_are_not_written_beyond_the_end)
{
	const size_t at = LEN - GRH - 96;
	int status;

	prepare(self);
	status = datagram_into(self, at, self->b.mr->lkey);
	EXPECT_NE(0, status);
	EXPECT_NE(NOT_POSTED, status);
	EXPECT_EQ(status, datagram_into(self, (uintptr_t)self->host + at,
					self->host_mr->lkey));
	TH_LOG("status %d", status);
	EXPECT_TRUE(is_filled(self->b.addr, at, 0xee));
	EXPECT_TRUE(is_filled(self->b.addr + LEN, ROOM - LEN, 0xee));
	EXPECT_TRUE(is_filled(self->host + LEN, ROOM - LEN, 0xee));
}

TEST_HARNESS_MAIN
