// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA between two contexts over soft-RoCE: each kind of task moves data of all sizes, in lists and
 * over many connections, polled and by events.
 */
#include <pthread.h>

#include "../lib/rounds.h"
#include "rdma_tasks.h"

#define LONG (8 << 20) /* soft-RoCE of Linux 6.1 moves no more */
#define REGION (1 << 30) /* its regions have no more */
#define LENGTH (LONG + (1 << 20))
#define NR_CONNECTIONS 64 /* as many as there are by default */

FIXTURE(rdma)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct rdma_side a, b; /* requester and responder */
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

FIXTURE_SETUP(rdma)
{
	memset(&ended, 0, sizeof(ended));
	self->waits = variant->waits;
	self->pins = pins_held();
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	ASSERT_OK(rdma_make_both(&self->a, &self->b, self->dev, LENGTH));
	self->pe = self->a.pe;
	ASSERT_OK(rdma_start(&self->a, -1, RDMA_ALL));
	ASSERT_OK(rdma_start(&self->b, -1, RDMA_ALL));
	ASSERT_OK(rdma_share(&self->a, &self->b));
	ASSERT_OK(rdma_share(&self->b, &self->a));
	ASSERT_OK(rdma_connect_both(self->a.rdma, self->b.rdma, &self->a.connection,
				    &self->b.connection));
}

FIXTURE_TEARDOWN(rdma)
{
	rdma_drop(_metadata, &self->a);
	rdma_drop(_metadata, &self->b);
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

static bool await_ends(FIXTURE_DATA(rdma) * self, unsigned int nr)
{
	return rdma_await(self->pe, self->waits, nr);
}

#define UNTOUCHED 0x5a

/* All bytes of a side are as they were; so many are looked at. */
static bool is_untouched(const struct rdma_side *side, size_t len)
{
	return side->mem[0] == UNTOUCHED && !memcmp(side->mem, side->mem + 1, len - 1);
}

static void expect_message(struct __test_metadata *_metadata, FIXTURE_DATA(rdma) * self,
			   struct doca_rdma_task_receive *receive, enum rdma_kind kind, size_t len)
{
	enum doca_rdma_opcode opcode = kind == RDMA_SEND     ? DOCA_RDMA_OPCODE_RECV_SEND :
				       kind == RDMA_SEND_IMM ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM :
							       DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;

	EXPECT_EQ(opcode, doca_rdma_task_receive_get_result_opcode(receive));
	EXPECT_EQ(len, doca_rdma_task_receive_get_result_len(receive));
	EXPECT_TRUE(self->b.connection ==
		    doca_rdma_task_receive_get_result_rdma_connection(receive));
	if (kind != RDMA_SEND)
		EXPECT_EQ(len, doca_rdma_task_receive_get_result_immediate_data(receive));
}

/*
 * Move bytes by a task of this kind between lists of so many buffers; memory of a peer is a single
 * one. What lies between and behind them stays as it was.
 */
static void move(struct __test_metadata *_metadata, FIXTURE_DATA(rdma) * self, enum rdma_kind kind,
		 size_t len, unsigned int nr_here, unsigned int nr_there)
{
	static char was[LENGTH], is[LENGTH];
	const size_t used = len + RDMA_LIST * RDMA_GAP + 4096;
	const bool message = kind == RDMA_SEND || kind == RDMA_SEND_IMM, reads = kind == RDMA_READ;
	struct rdma_side *from = reads ? &self->b : &self->a, *to = reads ? &self->a : &self->b;
	struct rdma_pieces here = rdma_cut(len, nr_here), there = rdma_cut(len, nr_there);
	struct doca_rdma_task_receive *receive = NULL;
	struct doca_buf *local = NULL, *remote = NULL;
	struct doca_task *task;

	memset(&ended, 0, sizeof(ended));
	bed_fill(from->mem, used, 31 * kind + len);
	memset(to->mem, UNTOUCHED, used);
	if (len || reads) {
		local = rdma_list(&self->a, self->a.mmap, self->a.mem, &here, !reads);
		remote = rdma_list(&self->a, message ? self->b.mmap : self->a.peers, self->b.mem,
				   &there, reads);
		ASSERT_TRUE(local && remote);
	}
	if (rdma_takes_receive(kind)) {
		receive = rdma_receive(&self->b, message ? remote : NULL, 0);
		ASSERT_NE(NULL, receive);
	}
	task = rdma_submit(&self->a, kind, self->a.connection, reads ? remote : local,
			   reads ? local : remote, len);
	ASSERT_NE(NULL, task);
	ASSERT_TRUE(await_ends(self, receive ? 2 : 1));
	ASSERT_EQ(0, ended.bad);
	if (receive) {
		expect_message(_metadata, self, receive, kind, len);
		doca_task_free(doca_rdma_task_receive_as_task(receive));
	}
	rdma_gather(was, from->mem, reads ? &there : &here, 0);
	rdma_gather(is, to->mem, reads ? &here : &there, UNTOUCHED);
	EXPECT_EQ(0, memcmp(was, is, len));
	EXPECT_TRUE(is_untouched(to, used));
	put(task, local, remote);
}

/*
 * One byte beside the MTU needs a packet more, or does not. By day no more than 1 MiB, and by
 * events, which do not tell sizes from each other, the smallest and two packets.
 */
TEST_F_TIMEOUT(rdma, sizes, 120)
{
	static const size_t sizes[] = { 0, 1025, 1, 8, 1023, 1024, 65536, 1 << 20, LONG };
	size_t i, nr = sizeof(sizes) / sizeof(sizes[0]);
	enum rdma_kind kind;

	if (by_day())
		nr = self->waits ? 2 : nr - 1;
	for (kind = 0; kind < RDMA_KINDS; kind++)
		for (i = 0; i < nr; i++)
			move(_metadata, self, kind, sizes[i], 1, 1);
}

TEST_F(rdma, lists)
{
	const struct doca_devinfo *info = doca_dev_as_devinfo(self->dev);
	uint32_t lengths[] = { 2, 3, 0 }, there;
	enum rdma_kind kind;
	int i;

	ASSERT_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		info, DOCA_RDMA_TRANSPORT_TYPE_RC, &there));
	ASSERT_OK(doca_rdma_cap_get_max_send_buf_list_len(info, &lengths[2]));
	ASSERT_LT(1, there);
	ASSERT_GE(RDMA_LIST, lengths[2]);
	for (kind = 0; kind < RDMA_KINDS; kind++)
		for (i = 0; i < 3; i++)
			move(_metadata, self, kind, 20000 + i, lengths[i],
			     kind == RDMA_SEND || kind == RDMA_SEND_IMM ? there - i : 1);
}

#define PERIOD (LONG + (3 << 12)) /* other than of what is moved there */

/* Map a few pages again and again: all of it is memory, but there need not be as much. */
static char *map_again(size_t len, size_t period, char with)
{
	char *mem = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = memfd_create("again", 0);
	size_t at;

	if (mem == MAP_FAILED || fd < 0 || ftruncate(fd, period))
		return NULL;
	for (at = 0; at < len; at += period)
		if (mmap(mem + at, len - at < period ? len - at : period, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return NULL;
	close(fd);
	bed_fill(mem, len < period ? len : period, with);
	return mem;
}

/*
 * By day not all that newer kernels can move. Regions have a GiB at most, whatever soft-RoCE
 * moves, which takes 16 bytes for each page from kmalloc(). The last period is what all far memory
 * has.
 */
TEST_F_TIMEOUT(rdma, longest, 600)
{
	struct rdma_side far = self->b, near = self->a;
	struct doca_buf *src, *dst;
	struct doca_task *task;
	uint32_t max = 0, last;
	size_t room;

	ASSERT_OK(doca_rdma_cap_get_max_message_size(doca_dev_as_devinfo(self->dev), &max));
	if (max > (by_day() ? LONG : REGION - 4096))
		max = by_day() ? LONG : REGION - 4096;
	last = max < PERIOD ? max : PERIOD;
	room = (size_t)max + 4096;
	near.mem = map_again(room, LONG, 1);
	far.mem = map_again(room, PERIOD, 2);
	ASSERT_TRUE(near.mem && far.mem);
	ASSERT_OK(bed_mmap(near.mem, room, RDMA_ALL, self->dev, NULL, &near.mmap));
	ASSERT_OK(bed_mmap(far.mem, room, RDMA_ALL, self->dev, NULL, &far.mmap));
	ASSERT_OK(rdma_share(&far, &near));
	src = a_buf(near.inv, near.mmap, near.mem, max, 4096);
	dst = a_buf(near.inv, near.peers, far.mem, 0, room);
	task = rdma_submit(&near, RDMA_WRITE, near.connection, src, dst, 0);
	ASSERT_NE(NULL, task);
	/* As long as it takes. */
	while (!ended.nr)
		doca_pe_progress(self->pe);
	EXPECT_EQ(0, ended.bad);
	EXPECT_EQ(0, memcmp(near.mem + max - last, far.mem + max - last, last));
	put(task, src, dst);
	EXPECT_OK(doca_mmap_destroy(near.peers));
	EXPECT_OK(doca_mmap_destroy(near.mmap));
	EXPECT_OK(doca_mmap_destroy(far.mmap));
	munmap(near.mem, room);
	munmap(far.mem, room);
}

/* Each has data of its own, and messages come by the connection that they were sent by. */
TEST_F(rdma, connections)
{
	struct doca_rdma_connection *here[NR_CONNECTIONS], *there[NR_CONNECTIONS], *more;
	struct doca_rdma_task_receive *receives[NR_CONNECTIONS];
	struct doca_buf *src[NR_CONNECTIONS], *dst[NR_CONNECTIONS];
	struct doca_task *tasks[NR_CONNECTIONS];
	const size_t len = 4096;
	const void *desc;
	uint64_t seen = 0;
	size_t size;
	int i;

	here[0] = self->a.connection;
	there[0] = self->b.connection;
	for (i = 1; i < NR_CONNECTIONS; i++)
		ASSERT_OK(rdma_connect_both(self->a.rdma, self->b.rdma, &here[i], &there[i]));
	EXPECT_ERR(FULL, doca_rdma_export(self->a.rdma, &desc, &size, &more));
	for (i = 0; i < NR_CONNECTIONS; i++) {
		bed_fill(self->a.mem + i * len, len, i);
		receives[i] = rdma_receive(&self->b, NULL, i);
		ASSERT_NE(NULL, receives[i]);
	}
	for (i = 0; i < NR_CONNECTIONS; i++) {
		src[i] = a_buf(self->a.inv, self->a.mmap, self->a.mem + i * len, len, 0);
		dst[i] = a_buf(self->a.inv, self->a.peers, self->b.mem + i * len, 0, len);
		tasks[i] = rdma_submit(&self->a, RDMA_WRITE_IMM, here[i], src[i], dst[i], i);
		ASSERT_NE(NULL, tasks[i]);
	}
	ASSERT_TRUE(await_ends(self, 2 * NR_CONNECTIONS));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(0, memcmp(self->a.mem, self->b.mem, NR_CONNECTIONS * len));
	for (i = 0; i < NR_CONNECTIONS; i++) {
		uint32_t from = doca_rdma_task_receive_get_result_immediate_data(receives[i]);

		ASSERT_GT(NR_CONNECTIONS, from);
		seen |= 1ull << from;
		EXPECT_TRUE(there[from] ==
			    doca_rdma_task_receive_get_result_rdma_connection(receives[i]));
		doca_task_free(doca_rdma_task_receive_as_task(receives[i]));
		put(tasks[i], src[i], dst[i]);
	}
	EXPECT_EQ(-1ull, seen);
}

TEST_F(rdma, atomic_operations)
{
	struct doca_rdma_task_atomic_fetch_add *add;
	struct doca_rdma_task_atomic_cmp_swp *swap;
	uint64_t *word = (uint64_t *)self->b.mem, *result = (uint64_t *)self->a.mem;
	struct doca_buf *peers, *local;

	*word = 40;
	peers = a_buf(self->a.inv, self->a.peers, self->b.mem, 8, 0);
	local = a_buf(self->a.inv, self->a.mmap, self->a.mem, 0, 24);
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
	/* It is not 42 any more. */
	ASSERT_OK(doca_task_submit(doca_rdma_task_atomic_cmp_swp_as_task(swap)));
	ASSERT_TRUE(await_ends(self, 3));
	ASSERT_EQ(0, ended.bad);
	EXPECT_EQ(7, *word);
	EXPECT_EQ(7, result[2]);
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
	src = a_buf(self->a.inv, self->a.mmap, self->a.mem, 8, 0);
	result = a_buf(self->a.inv, self->a.mmap, self->a.mem + 8, 0, 8);
	dst = a_buf(self->a.inv, self->a.mmap, self->a.mem + 16, 0, 8);
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		self->a.rdma, self->a.connection, peers, src, none, &set));
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		self->a.rdma, self->a.connection, peers, result, 2, none, &add));
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(
		self->a.rdma, self->a.connection, peers, dst, none, &get));
	ASSERT_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set)));
	ASSERT_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add)));
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

/* The peer connects after the device has given the requester's tasks up, at night twice. */
TEST_F(rdma, late_peer)
{
	const void *of_a, *of_b;
	struct doca_rdma_task_receive *receive[4];
	struct doca_rdma_task_send *send[4];
	size_t len_a, len_b;
	long given_up = rdma_counter("retry_exceeded_err");
	int i;

	ASSERT_OK(doca_rdma_export(self->a.rdma, &of_a, &len_a, &self->a.connection));
	ASSERT_OK(doca_rdma_export(self->b.rdma, &of_b, &len_b, &self->b.connection));
	ASSERT_OK(doca_rdma_connect(self->a.rdma, of_b, len_b, self->a.connection));
	for (i = 0; i < 4; i++) {
		ASSERT_OK(doca_rdma_task_send_allocate_init(self->a.rdma, self->a.connection, NULL,
							    none, &send[i]));
		ASSERT_OK(doca_task_submit(doca_rdma_task_send_as_task(send[i])));
	}
	ASSERT_TRUE(AWAIT_BY(doca_pe_progress(self->pe),
			     rdma_counter("retry_exceeded_err") > given_up + !by_day()));
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

TEST_HARNESS_MAIN
