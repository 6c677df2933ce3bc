// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA between two contexts over soft-RoCE: each kind of task moves data of all sizes, polled and
 * by events; what goes wrong on one side is told on both, in bounded time.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/utsname.h>

#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "bed.h"
#include "task_bufs.h"

#define LENGTH (1 << 20)
#define ALL                                                               \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)
#define NR_TASKS 64

/* One side, with memory of its own; @peers is the other side's. */
struct side {
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_rdma_connection *connection;
	struct doca_mmap *mmap, *peers;
	char *mem;
};

FIXTURE(rdma)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct side a, b; /* requester and responder */
	bool waits; /* for events, instead of polling */
	long pins;
};

FIXTURE_VARIANT(rdma)
{
	bool waits;
};

FIXTURE_VARIANT_ADD(rdma, polls){
	.waits = false,
};

FIXTURE_VARIANT_ADD(rdma, waits){
	.waits = true,
};

static const union doca_data none;

/* Ends of tasks, since a test has set it to 0. */
static struct {
	unsigned int nr, bad;
	doca_error_t status; /* status of the first that has failed */
	struct doca_rdma_task_receive *receive;
} ended;

static void end(struct doca_task *task)
{
	doca_error_t status = doca_task_get_status(task);

	ended.nr++;
	if (status && !ended.bad++)
		ended.status = status;
}

#define END(kind)                                                                            \
	static void on_##kind(struct doca_rdma_task_##kind *task, union doca_data task_data, \
			      union doca_data ctx_data)                                      \
	{                                                                                    \
		(void)task_data, (void)ctx_data;                                             \
		end(doca_rdma_task_##kind##_as_task(task));                                  \
	}

END(send)
END(send_imm)
END(read)
END(write)
END(write_imm)
END(atomic_cmp_swp)
END(atomic_fetch_add)
END(remote_net_sync_event_get)
END(remote_net_sync_event_notify_set)
END(remote_net_sync_event_notify_add)

static void on_receive(struct doca_rdma_task_receive *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	ended.receive = task;
	end(doca_rdma_task_receive_as_task(task));
}

#define CONF(kind) doca_rdma_task_##kind##_set_conf(rdma, on_##kind, on_##kind, NR_TASKS)

static doca_error_t configure(struct doca_rdma *rdma)
{
	doca_error_t rc;

	if ((rc = CONF(receive)) || (rc = CONF(send)) || (rc = CONF(send_imm)) ||
	    (rc = CONF(read)) || (rc = CONF(write)) || (rc = CONF(write_imm)) ||
	    (rc = CONF(atomic_cmp_swp)) || (rc = CONF(atomic_fetch_add)) ||
	    (rc = CONF(remote_net_sync_event_get)) ||
	    (rc = CONF(remote_net_sync_event_notify_set)) ||
	    (rc = CONF(remote_net_sync_event_notify_add)))
		return rc;
	return doca_rdma_set_permissions(rdma, ALL);
}

static doca_error_t start(FIXTURE_DATA(rdma) * self, struct side *side)
{
	doca_error_t rc;

	side->mem = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((rc = bed_mmap(side->mem, LENGTH, ALL, self->dev, NULL, &side->mmap)) ||
	    (rc = doca_rdma_create(self->dev, &side->rdma)) || (rc = configure(side->rdma)))
		return rc;
	side->ctx = doca_rdma_as_ctx(side->rdma);
	rc = doca_pe_connect_ctx(self->pe, side->ctx);
	return rc ? rc : doca_ctx_start(side->ctx);
}

/* Give @to what @from has exported. */
static doca_error_t share(FIXTURE_DATA(rdma) * self, struct side *from, struct side *to)
{
	const void *desc;
	doca_error_t rc;
	size_t len;

	rc = doca_mmap_export_rdma(from->mmap, self->dev, &desc, &len);
	if (rc)
		return rc;
	return doca_mmap_create_from_export(NULL, desc, len, self->dev, &to->peers);
}

static doca_error_t connect_both(struct side *a, struct side *b)
{
	const void *of_a, *of_b;
	size_t len_a, len_b;
	doca_error_t rc;

	if ((rc = doca_rdma_export(a->rdma, &of_a, &len_a, &a->connection)) ||
	    (rc = doca_rdma_export(b->rdma, &of_b, &len_b, &b->connection)) ||
	    (rc = doca_rdma_connect(a->rdma, of_b, len_b, a->connection)))
		return rc;
	return doca_rdma_connect(b->rdma, of_a, len_a, b->connection);
}

FIXTURE_SETUP(rdma)
{
	memset(&ended, 0, sizeof(ended));
	self->waits = variant->waits;
	self->pins = pins_held();
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(doca_buf_inventory_create(4 * NR_TASKS, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	ASSERT_OK(start(self, &self->a));
	ASSERT_OK(start(self, &self->b));
	ASSERT_OK(share(self, &self->a, &self->b));
	ASSERT_OK(share(self, &self->b, &self->a));
	ASSERT_OK(connect_both(&self->a, &self->b));
	bed_fill(self->a.mem, LENGTH, 3);
}

static enum doca_ctx_states state_of(struct side *side)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(side->ctx, &state);
	return state;
}

/* Progress until so many tasks have ended, and wait for the engine where nothing happens. */
static bool await_ends(FIXTURE_DATA(rdma) * self, unsigned int nr)
{
	double until = bed_now() + 60;
	doca_notification_handle_t fd;

	if (doca_pe_get_notification_handle(self->pe, &fd))
		return false;
	while (ended.nr < nr && bed_now() < until) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (doca_pe_progress(self->pe) || !self->waits)
			continue;
		if (doca_pe_request_notification(self->pe) || poll(&p, 1, 60000) != 1 ||
		    doca_pe_clear_notification(self->pe, fd))
			return false;
	}
	return ended.nr >= nr;
}

static void stop(struct __test_metadata *_metadata, FIXTURE_DATA(rdma) * self, struct side *side)
{
	doca_ctx_stop(side->ctx);
	EXPECT_TRUE(AWAIT_BY(doca_pe_progress(self->pe), state_of(side) == DOCA_CTX_STATE_IDLE));
	EXPECT_OK(doca_rdma_destroy(side->rdma));
}

FIXTURE_TEARDOWN(rdma)
{
	stop(_metadata, self, &self->a);
	stop(_metadata, self, &self->b);
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	EXPECT_OK(doca_mmap_destroy(self->a.peers));
	EXPECT_OK(doca_mmap_destroy(self->b.peers));
	EXPECT_OK(doca_mmap_destroy(self->a.mmap));
	EXPECT_OK(doca_mmap_destroy(self->b.mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	munmap(self->a.mem, LENGTH);
	munmap(self->b.mem, LENGTH);
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* 64 KiB and more are several packets; one beside the MTU needs one more, or does not. */
static const size_t sizes[] = { 1, 8, 1023, 1024, 1025, 65536, LENGTH / 2 };
#define NR_SIZES (sizeof(sizes) / sizeof(sizes[0]))

TEST_F(rdma, messages)
{
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_send *send;
	struct doca_buf *src, *dst;
	size_t i;

	for (i = 0; i < NR_SIZES; i++) {
		ended.nr = 0;
		memset(self->b.mem, 0, LENGTH);
		dst = a_buf(self->inv, self->b.mmap, self->b.mem, 0, sizes[i]);
		src = a_buf(self->inv, self->a.mmap, self->a.mem + i, sizes[i], 0);
		ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, dst, none, &receive));
		ASSERT_OK(doca_rdma_task_send_allocate_init(self->a.rdma, self->a.connection, src,
							    none, &send));
		ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
		ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
		ASSERT_TRUE(await_ends(self, 2));
		ASSERT_EQ(0, ended.bad);
		EXPECT_EQ(0, memcmp(self->a.mem + i, self->b.mem, sizes[i]));
		EXPECT_EQ(sizes[i], doca_rdma_task_receive_get_result_len(receive));
		put(doca_rdma_task_receive_as_task(receive), dst, NULL);
		put(doca_rdma_task_send_as_task(send), src, NULL);
	}
}

TEST_F(rdma, writes_and_reads)
{
	struct doca_rdma_task_write *write;
	struct doca_rdma_task_read *read;
	struct doca_buf *src, *dst;
	size_t i;

	for (i = 0; i < NR_SIZES; i++) {
		ended.nr = 0;
		src = a_buf(self->inv, self->a.mmap, self->a.mem + i, sizes[i], 0);
		dst = a_buf(self->inv, self->a.peers, self->b.mem, 0, LENGTH);
		ASSERT_OK(doca_rdma_task_write_allocate_init(self->a.rdma, self->a.connection, src,
							     dst, none, &write));
		ASSERT_OK(doca_task_submit(doca_rdma_task_write_as_task(write)));
		ASSERT_TRUE(await_ends(self, 1));
		ASSERT_EQ(0, ended.bad);
		EXPECT_EQ(0, memcmp(self->a.mem + i, self->b.mem, sizes[i]));
		put(doca_rdma_task_write_as_task(write), src, dst);

		src = a_buf(self->inv, self->a.peers, self->b.mem, sizes[i], 0);
		dst = a_buf(self->inv, self->a.mmap, self->a.mem + LENGTH / 2, 0, LENGTH / 2);
		ASSERT_OK(doca_rdma_task_read_allocate_init(self->a.rdma, self->a.connection, src,
							    dst, none, &read));
		ASSERT_OK(doca_task_submit(doca_rdma_task_read_as_task(read)));
		ASSERT_TRUE(await_ends(self, 2));
		ASSERT_EQ(0, ended.bad);
		EXPECT_EQ(0, memcmp(self->a.mem + LENGTH / 2, self->b.mem, sizes[i]));
		EXPECT_EQ(sizes[i], doca_rdma_task_read_get_result_len(read));
		put(doca_rdma_task_read_as_task(read), src, dst);
		bed_fill(self->a.mem, LENGTH, 3 + i);
	}
}

TEST_F(rdma, immediate_data)
{
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_write_imm *write;
	struct doca_rdma_task_send_imm *send;
	struct doca_buf *src, *dst;

	ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, NULL, none, &receive));
	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	ASSERT_OK(doca_rdma_task_send_imm_allocate_init(self->a.rdma, self->a.connection, NULL,
							0x1234, none, &send));
	ASSERT_OK(doca_task_submit(doca_rdma_task_send_imm_as_task(send)));
	ASSERT_TRUE(await_ends(self, 2));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(0x1234, doca_rdma_task_receive_get_result_immediate_data(receive));
	EXPECT_EQ(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
		  doca_rdma_task_receive_get_result_opcode(receive));

	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	src = a_buf(self->inv, self->a.mmap, self->a.mem, 3000, 0);
	dst = a_buf(self->inv, self->a.peers, self->b.mem, 0, LENGTH);
	ASSERT_OK(doca_rdma_task_write_imm_allocate_init(self->a.rdma, self->a.connection, src, dst,
							 0x5678, none, &write));
	ASSERT_OK(doca_task_submit(doca_rdma_task_write_imm_as_task(write)));
	ASSERT_TRUE(await_ends(self, 4));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(0x5678, doca_rdma_task_receive_get_result_immediate_data(receive));
	EXPECT_EQ(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
		  doca_rdma_task_receive_get_result_opcode(receive));
	EXPECT_EQ(3000, doca_rdma_task_receive_get_result_len(receive));
	EXPECT_TRUE(self->b.connection ==
		    doca_rdma_task_receive_get_result_rdma_connection(receive));
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem, 3000));
	put(doca_rdma_task_send_imm_as_task(send), NULL, NULL);
	put(doca_rdma_task_write_imm_as_task(write), src, dst);
	put(doca_rdma_task_receive_as_task(receive), NULL, NULL);
}

TEST_F(rdma, atomic_operations)
{
	struct doca_rdma_task_atomic_fetch_add *add;
	struct doca_rdma_task_atomic_cmp_swp *swap;
	uint64_t *word = (uint64_t *)self->b.mem, *result = (uint64_t *)self->a.mem;
	struct doca_buf *peers, *local;

	*word = 40;
	peers = a_buf(self->inv, self->a.peers, self->b.mem, 8, 0);
	local = a_buf(self->inv, self->a.mmap, self->a.mem, 0, 16);
	ASSERT_OK(doca_rdma_task_atomic_fetch_add_allocate_init(self->a.rdma, self->a.connection,
								peers, local, 2, none, &add));
	ASSERT_OK(doca_task_submit(doca_rdma_task_atomic_fetch_add_as_task(add)));
	ASSERT_TRUE(await_ends(self, 1));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(42, *word);
	EXPECT_EQ(40, result[0]);
	ASSERT_OK(doca_rdma_task_atomic_cmp_swp_allocate_init(self->a.rdma, self->a.connection,
							      peers, local, 42, 7, none, &swap));
	ASSERT_OK(doca_task_submit(doca_rdma_task_atomic_cmp_swp_as_task(swap)));
	ASSERT_TRUE(await_ends(self, 2));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(7, *word);
	EXPECT_EQ(42, result[1]);
	put(doca_rdma_task_atomic_fetch_add_as_task(add), NULL, NULL);
	put(doca_rdma_task_atomic_cmp_swp_as_task(swap), peers, local);
}

/* The responder's thread, which makes no call but this one. */
static void *wait_for_more(void *event)
{
	return (void *)(intptr_t)doca_sync_event_wait_gt(event, 41, UINT64_MAX);
}

TEST_F(rdma, sync_events)
{
	struct doca_rdma_task_remote_net_sync_event_notify_set *set;
	struct doca_rdma_task_remote_net_sync_event_notify_add *add;
	struct doca_rdma_task_remote_net_sync_event_get *get;
	uint64_t *word = (uint64_t *)self->a.mem, value = 0;
	struct doca_sync_event_remote_net *peers;
	struct doca_buf *src, *result, *dst;
	struct doca_sync_event *event;
	void *waited = (void *)1;
	const uint8_t *desc;
	pthread_t thread;
	size_t size;

	ASSERT_OK(doca_sync_event_create(&event));
	ASSERT_OK(doca_sync_event_add_subscriber_location_cpu(event, self->dev));
	ASSERT_OK(doca_sync_event_add_publisher_location_remote_net(event));
	ASSERT_OK(doca_sync_event_start(event));
	ASSERT_OK(doca_sync_event_export_to_remote_net(event, &desc, &size));
	ASSERT_OK(doca_sync_event_remote_net_create_from_export(self->dev, desc, size, &peers));
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_for_more, event));

	word[0] = 40;
	src = a_buf(self->inv, self->a.mmap, self->a.mem, 8, 0);
	result = a_buf(self->inv, self->a.mmap, self->a.mem + 8, 0, 8);
	dst = a_buf(self->inv, self->a.mmap, self->a.mem + 16, 0, 8);
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		self->a.rdma, self->a.connection, peers, src, none, &set));
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		self->a.rdma, self->a.connection, peers, result, 2, none, &add));
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(
		self->a.rdma, self->a.connection, peers, dst, none, &get));
	ASSERT_OK(
		doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set)));
	ASSERT_OK(
		doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add)));
	ASSERT_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(get)));
	ASSERT_TRUE(await_ends(self, 3));
	ASSERT_EQ(0, ended.bad);
	ASSERT_EQ(0, pthread_join(thread, &waited));
	EXPECT_TRUE(!waited);
	EXPECT_EQ(40, word[1]);
	EXPECT_EQ(42, word[2]);
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(42, value);
	put(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set), src, NULL);
	put(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add), result, NULL);
	put(doca_rdma_task_remote_net_sync_event_get_as_task(get), dst, NULL);
	EXPECT_OK(doca_sync_event_remote_net_destroy(peers));
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
}

/* Return how often the device has given up, or -1. */
static long gave_up(void)
{
	FILE *f = fopen("/sys/class/infiniband/rxe0/ports/1/hw_counters/retry_exceeded_err", "r");
	long n = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%ld", &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

/* The peer connects after the requester's tasks have been given up by the device. */
TEST_F(rdma, late_peer)
{
	const void *of_a, *of_b;
	struct doca_rdma_task_receive *receive[4];
	struct doca_rdma_task_send *send[4];
	size_t len_a, len_b;
	long given_up = gave_up();
	int i;

	ASSERT_OK(doca_rdma_export(self->a.rdma, &of_a, &len_a, &self->a.connection));
	ASSERT_OK(doca_rdma_export(self->b.rdma, &of_b, &len_b, &self->b.connection));
	ASSERT_OK(doca_rdma_connect(self->a.rdma, of_b, len_b, self->a.connection));
	for (i = 0; i < 4; i++) {
		ASSERT_OK(doca_rdma_task_send_allocate_init(self->a.rdma, self->a.connection, NULL,
							    none, &send[i]));
		ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send[i])));
	}
	ASSERT_TRUE(AWAIT_BY(doca_pe_progress(self->pe), gave_up() > given_up + 1));
	EXPECT_EQ(0, ended.nr);
	for (i = 0; i < 4; i++) {
		ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, NULL, none,
							       &receive[i]));
		ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive[i])));
	}
	ASSERT_OK(doca_rdma_connect(self->b.rdma, of_a, len_a, self->b.connection));
	ASSERT_TRUE(await_ends(self, 8));
	EXPECT_EQ(0, ended.bad);
	EXPECT_EQ(8, ended.nr);
	for (i = 0; i < 4; i++) {
		doca_task_free(doca_rdma_task_send_as_task(send[i]));
		doca_task_free(doca_rdma_task_receive_as_task(receive[i]));
	}
}

/* Return true if soft-RoCE tells of requests that a peer may not make. */
static bool tells_of_bad_requests(void)
{
	struct utsname name;

	return !uname(&name) && strncmp(name.release, "6.1.", 4);
}

/* The exporter has stopped its map: the task fails, and those behind it. */
TEST_F(rdma, stopped_map)
{
	struct doca_rdma_task_write *write;
	struct doca_buf *src, *dst;

	src = a_buf(self->inv, self->a.mmap, self->a.mem, 8, 0);
	dst = a_buf(self->inv, self->a.peers, self->b.mem, 0, LENGTH);
	ASSERT_OK(doca_mmap_stop(self->b.mmap));
	ASSERT_OK(doca_rdma_task_write_allocate_init(self->a.rdma, self->a.connection, src, dst,
						     none, &write));
	ASSERT_OK(doca_task_submit(doca_rdma_task_write_as_task(write)));
	ASSERT_TRUE(await_ends(self, 1));
	EXPECT_EQ(DOCA_ERROR_NOT_PERMITTED, ended.status);
	put(doca_rdma_task_write_as_task(write), src, dst);
	EXPECT_TRUE(
		AWAIT_BY(doca_pe_progress(self->pe), state_of(&self->a) == DOCA_CTX_STATE_IDLE));
	if (!tells_of_bad_requests()) {
		EXPECT_EQ(DOCA_CTX_STATE_RUNNING, state_of(&self->b));
		return;
	}
	EXPECT_TRUE(
		AWAIT_BY(doca_pe_progress(self->pe), state_of(&self->b) == DOCA_CTX_STATE_IDLE));
}

/* A peer that has gone does not answer; a stop ends receives that nobody sends to. */
TEST_F(rdma, ends)
{
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_send *send;

	ASSERT_OK(doca_rdma_task_receive_allocate_init(self->b.rdma, NULL, none, &receive));
	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	ASSERT_OK(doca_rdma_task_send_allocate_init(self->a.rdma, self->a.connection, NULL, none,
						    &send));
	ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
	ASSERT_TRUE(await_ends(self, 2));
	ASSERT_EQ(0, ended.bad);
	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	EXPECT_EQ(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(self->b.ctx));
	ASSERT_TRUE(await_ends(self, 3));
	EXPECT_EQ(DOCA_ERROR_SHUTDOWN, ended.status);
	doca_task_free(doca_rdma_task_receive_as_task(receive));
	EXPECT_TRUE(
		AWAIT_BY(doca_pe_progress(self->pe), state_of(&self->b) == DOCA_CTX_STATE_IDLE));
	ended.bad = 0;
	ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
	ASSERT_TRUE(await_ends(self, 4));
	EXPECT_EQ(DOCA_ERROR_CONNECTION_RESET, ended.status);
	doca_task_free(doca_rdma_task_send_as_task(send));
}

TEST_HARNESS_MAIN
