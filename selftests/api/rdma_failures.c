// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A task of RDMA that fails, for every cause that soft-RoCE has: those before it succeed, it has
 * the code of its cause, those behind it are ended, and no other connection notices. Both contexts
 * can be stopped then, and started again.
 */
#include <sys/utsname.h>

#include "../lib/rounds.h"
#include "foreign.h"
#include "rdma_tasks.h"

#define LENGTH 65536
#define EXTRA (LENGTH / 2) /* a map of its own begins here, in the responder's memory */
#define NR 3 /* good tasks before and behind the bad one */
#define RECEIVE 99 /* number of the receive task, if there is one */
/* This program has them alone, for a link that goes down. */
#define NETDEV "docafail0"
#define DEVICE "rxefail"

FIXTURE(rdma_failures)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct rdma_side a, b; /* requester and responder */
	struct doca_rdma_connection *beside[2];
	struct doca_mmap *extra, *peers; /* the other map, and how the requester sees it */
	struct doca_task *bad;
	struct doca_buf *bufs[2]; /* the bad task's */
	struct doca_rdma_task_receive *receive;
};

#define SELF FIXTURE_DATA(rdma_failures) * self

/* Write to the other map, which is seen with changes. */
static bool write_there(SELF, uint32_t access, uint32_t wrong_key, size_t beyond)
{
	struct foreign_memory m;
	const void *desc;
	size_t len;

	if (bed_mmap(self->b.mem + EXTRA, 4096, access, self->dev, NULL, &self->extra) ||
	    doca_mmap_export_rdma(self->extra, self->dev, &desc, &len))
		return false;
	memcpy(&m, desc, sizeof(m));
	if (foreign_mmap(self->dev, m.address, m.bytes + beyond, m.key ^ wrong_key,
			 DOCA_ACCESS_FLAG_RDMA_WRITE, &self->peers))
		return false;
	self->bufs[0] = a_buf(self->a.inv, self->a.mmap, self->a.mem, 4096, 0);
	self->bufs[1] = a_buf(self->a.inv, self->peers, self->b.mem + EXTRA + beyond, 0, 4096);
	return true;
}

static bool submit_bad(SELF, enum rdma_kind kind)
{
	self->bad =
		rdma_submit(&self->a, kind, self->a.connection, self->bufs[0], self->bufs[1], NR);
	return self->bad;
}

static bool wrong_key(SELF)
{
	return write_there(self, RDMA_ALL, 1, 0) && submit_bad(self, RDMA_WRITE);
}

static bool beyond_the_end(SELF)
{
	return write_there(self, RDMA_ALL, 0, 4096) && submit_bad(self, RDMA_WRITE);
}

static bool read_only_map(SELF)
{
	return write_there(self, DOCA_ACCESS_FLAG_RDMA_READ, 0, 0) && submit_bad(self, RDMA_WRITE);
}

static bool stopped_map(SELF)
{
	return write_there(self, RDMA_ALL, 0, 0) && !doca_mmap_stop(self->extra) &&
	       submit_bad(self, RDMA_WRITE);
}

/* The map permits it, and the context does not. */
static bool permissions(SELF)
{
	return write_there(self, RDMA_ALL, 0, 0) && submit_bad(self, RDMA_WRITE);
}

static bool message_too_long(SELF)
{
	self->bufs[0] = a_buf(self->a.inv, self->a.mmap, self->a.mem, 4096, 0);
	self->bufs[1] = a_buf(self->b.inv, self->b.mmap, self->b.mem, 0, 4095);
	self->receive = rdma_receive(&self->b, self->bufs[1], RECEIVE);
	return self->receive && submit_bad(self, RDMA_SEND);
}

static bool no_receive(SELF)
{
	return submit_bad(self, RDMA_SEND_IMM);
}

/* The library does not even ask the device; the order is the same. */
static bool not_a_word(SELF)
{
	struct doca_rdma_task_atomic_fetch_add *add;
	const union doca_data data = { .u64 = NR };

	self->bufs[0] = a_buf(self->a.inv, self->a.mmap, self->a.mem, 0, 8);
	self->bufs[1] = a_buf(self->a.inv, self->a.peers, self->b.mem + 4, 8, 0);
	if (doca_rdma_task_atomic_fetch_add_allocate_init(
		    self->a.rdma, self->a.connection, self->bufs[1], self->bufs[0], 1, data, &add))
		return false;
	self->bad = doca_rdma_task_atomic_fetch_add_as_task(add);
	return !doca_task_submit(self->bad);
}

static bool peer_stopped(SELF)
{
	return !doca_ctx_stop(self->b.ctx) && submit_bad(self, RDMA_SEND);
}

static bool link_down(SELF)
{
	return !bed_shell("ip link set " NETDEV " down") && submit_bad(self, RDMA_SEND);
}

FIXTURE_VARIANT(rdma_failures)
{
	bool (*provoke)(SELF);
	doca_error_t code;
	uint32_t permissions; /* the responder's; all by default */
	bool all; /* no connection of either side goes on */
	bool requested; /* the responder does not permit it: newer kernels tell it */
	bool tries; /* the device tries for seconds */
	bool apart; /* on a device of its own */
};

#define ROW(name, ...)                           \
	FIXTURE_VARIANT_ADD(rdma_failures, name) \
	{                                        \
		.provoke = name, __VA_ARGS__     \
	}

ROW(wrong_key, .code = DOCA_ERROR_NOT_PERMITTED, .requested = true);
ROW(beyond_the_end, .code = DOCA_ERROR_NOT_PERMITTED, .requested = true);
ROW(read_only_map, .code = DOCA_ERROR_NOT_PERMITTED, .requested = true);
ROW(stopped_map, .code = DOCA_ERROR_NOT_PERMITTED, .requested = true);
ROW(permissions, .code = DOCA_ERROR_INVALID_VALUE, .permissions = DOCA_ACCESS_FLAG_RDMA_READ,
    .requested = true);
ROW(message_too_long, .code = DOCA_ERROR_IO_FAILED);
ROW(no_receive, .code = DOCA_ERROR_TIME_OUT);
ROW(not_a_word, .code = DOCA_ERROR_INVALID_VALUE);
ROW(peer_stopped, .code = DOCA_ERROR_CONNECTION_RESET, .all = true, .tries = true);
ROW(link_down, .code = DOCA_ERROR_IO_FAILED, .all = true, .apart = true);

static bool connect_sides(SELF)
{
	return !rdma_connect_both(self->a.rdma, self->b.rdma, &self->a.connection,
				  &self->b.connection) &&
	       !rdma_connect_both(self->a.rdma, self->b.rdma, &self->beside[0], &self->beside[1]);
}

#define NO_DEVICE "rdma link delete " DEVICE
#define NO_NETDEV "ip link delete " NETDEV

/* Drop first what an ended case has left. Return false if there are no such interfaces. */
static bool make_device(void)
{
	bed_shell("(" NO_DEVICE "; " NO_NETDEV ") 2>/dev/null");
	if (bed_shell("ip link add " NETDEV " type dummy"))
		return false;
	bed_shell("ip link set " NETDEV " up && rdma link add " DEVICE " type rxe netdev " NETDEV);
	return true;
}

FIXTURE_SETUP(rdma_failures)
{
	memset(&ended, 0, sizeof(ended));
	if (variant->apart && !make_device())
		SKIP_SETUP("needs a dummy network interface");
	self->dev = bed_open_dev(variant->apart ? DEVICE : "rxe0");
	if (!self->dev && !variant->apart)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_NE(NULL, self->dev);
	ASSERT_OK(rdma_make_both(&self->a, &self->b, self->dev, LENGTH));
	self->pe = self->a.pe;
	ASSERT_OK(rdma_prepare(&self->a, -1, RDMA_ALL));
	ASSERT_OK(doca_rdma_set_rnr_retry_count(self->a.rdma, 1));
	ASSERT_OK(doca_ctx_start(self->a.ctx));
	ASSERT_OK(rdma_start(&self->b, -1, variant->permissions ?: RDMA_ALL));
	ASSERT_OK(rdma_share(&self->b, &self->a));
	ASSERT_TRUE(connect_sides(self));
}

FIXTURE_TEARDOWN(rdma_failures)
{
	if (self->peers)
		EXPECT_OK(doca_mmap_destroy(self->peers));
	if (self->extra)
		EXPECT_OK(doca_mmap_destroy(self->extra));
	rdma_drop(_metadata, &self->a);
	rdma_drop(_metadata, &self->b);
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_dev_close(self->dev));
	if (variant->apart)
		EXPECT_EQ(0, bed_shell(NO_DEVICE " && " NO_NETDEV));
}

/* A task of one connection that nothing is wrong with. */
struct good {
	struct doca_task *task;
	struct doca_buf *src, *dst;
};

static bool submit_good(SELF, struct good *good, struct doca_rdma_connection *connection,
			uint64_t number)
{
	good->src = a_buf(self->a.inv, self->a.peers, self->b.mem + 8 * number, 8, 0);
	good->dst = a_buf(self->a.inv, self->a.mmap, self->a.mem + 8 * number, 0, 8);
	good->task = rdma_submit(&self->a, RDMA_READ, connection, good->src, good->dst, number);
	return good->task;
}

static void expect_good(struct __test_metadata *_metadata, SELF,
			struct doca_rdma_connection *connection)
{
	struct good good;

	memset(&ended, 0, sizeof(ended));
	memset(self->a.mem, 0, LENGTH);
	bed_fill(self->b.mem, LENGTH / 2, 7);
	ASSERT_TRUE(submit_good(self, &good, connection, 1));
	ASSERT_TRUE(rdma_await(self->pe, false, 1));
	EXPECT_EQ(0, ended.bad);
	EXPECT_EQ(0, memcmp(self->a.mem + 8, self->b.mem + 8, 8));
	put(good.task, good.src, good.dst);
}

static bool tells_of_bad_requests(void)
{
	struct utsname name;

	return !uname(&name) && strncmp(name.release, "6.1.", 4);
}

static bool both_idle(SELF)
{
	return bed_is_idle(self->a.ctx) && bed_is_idle(self->b.ctx);
}

TEST_F(rdma_failures, order)
{
	struct good good[2 * NR + 1];
	uint64_t i;

	expect_good(_metadata, self, self->a.connection);
	memset(&ended, 0, sizeof(ended));
	for (i = 0; i < NR; i++)
		ASSERT_TRUE(variant->all || submit_good(self, &good[i], self->a.connection, i));
	ASSERT_TRUE(variant->provoke(self));
	for (i = NR + 1; i < 2 * NR + 1; i++)
		ASSERT_TRUE(submit_good(self, &good[i], self->a.connection, i));

	i = variant->all ? NR : 0;
	ASSERT_TRUE(rdma_await(self->pe, false, 2 * NR + 1 - i + !!self->receive));
	for (unsigned int at = 0; at < ended.nr; at++) {
		if (ended.log[at].task == RECEIVE) {
			EXPECT_ERR(IO_FAILED, ended.log[at].status);
			continue;
		}
		EXPECT_EQ(i, ended.log[at].task);
		EXPECT_EQ(i < NR  ? DOCA_SUCCESS :
			  i == NR ? variant->code :
				    DOCA_ERROR_SHUTDOWN,
			  ended.log[at].status);
		i++;
	}
	EXPECT_EQ(2 * NR + 1, i);
	for (i = 0; i < 2 * NR + 1; i++)
		if (i == NR)
			put(self->bad, self->bufs[0], self->bufs[1]);
		else if (i > NR || !variant->all)
			put(good[i].task, good[i].src, good[i].dst);
	if (self->receive)
		doca_task_free(doca_rdma_task_receive_as_task(self->receive));

	if (!variant->all)
		expect_good(_metadata, self, self->beside[0]);
	if (variant->apart)
		ASSERT_EQ(0, bed_shell("ip link set " NETDEV " up"));
	doca_ctx_stop(self->a.ctx);
	doca_ctx_stop(self->b.ctx);
	ASSERT_TRUE(AWAIT_BY(doca_pe_progress(self->pe), both_idle(self)));
	ASSERT_OK(doca_ctx_start(self->a.ctx));
	ASSERT_OK(doca_ctx_start(self->b.ctx));
	ASSERT_TRUE(connect_sides(self));
	expect_good(_metadata, self, self->a.connection);
}

/* Without another connection the context stops, and the responder's, too, if the device tells. */
TEST_F(rdma_failures, stop)
{
	if (variant->tries && by_day())
		SKIP(return, "for the night: the device tries again for seconds");
	EXPECT_OK(doca_rdma_connection_disconnect(self->beside[0]));
	EXPECT_OK(doca_rdma_connection_disconnect(self->beside[1]));
	expect_good(_metadata, self, self->a.connection);
	memset(&ended, 0, sizeof(ended));
	ASSERT_TRUE(variant->provoke(self));
	ASSERT_TRUE(rdma_await(self->pe, false, 1 + !!self->receive));
	EXPECT_EQ(variant->code, ended.status);
	put(self->bad, self->bufs[0], self->bufs[1]);
	if (self->receive)
		doca_task_free(doca_rdma_task_receive_as_task(self->receive));
	EXPECT_TRUE(AWAIT_BY(doca_pe_progress(self->pe), bed_is_idle(self->a.ctx)));
	if (self->receive || (variant->requested && tells_of_bad_requests())) {
		EXPECT_TRUE(AWAIT_BY(doca_pe_progress(self->pe), both_idle(self)));
	} else if (variant->requested) {
		EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_ctx_state(self->b.ctx));
	}
}

TEST_HARNESS_MAIN
