// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Operations in flight whose memory, queue, file or device is taken away, by any caller and
 * at any time.
 */
#include "flights_bed.h"

struct call {
	struct program *p;
	pthread_t thread;
	bool returned;
	int rc;
};

static void *unmap_main(void *arg)
{
	struct call *call = arg;
	struct doca_mem_unmap unmap = {
		.size = sizeof(unmap),
		.key = call->p->key,
	};

	call->rc = ioctl(call->p->fd, DOCA_MEM_UNMAP, &unmap);
	WRITE_ONCE(call->returned, true);
	return NULL;
}

static void *revoke_main(void *arg)
{
	struct call *call = arg;
	struct doca_export_revoke revoke = {
		.size = sizeof(revoke),
		.export_id = call->rc,
	};

	call->rc = ioctl(call->p->fd, DOCA_EXPORT_REVOKE, &revoke);
	WRITE_ONCE(call->returned, true);
	return NULL;
}

static void begin_call(struct call *call, void *(*run)(void *arg))
{
	ASSERT(!pthread_create(&call->thread, NULL, run, call));
}

static void end_call(struct call *call)
{
	pthread_join(call->thread, NULL);
	EXPECT(call->returned);
	EXPECT_EQ(call->rc, 0);
}

/* What is in flight is called back, and only then may the memory be anybody's. */
TEST(unmapping_waits_for_what_is_in_flight)
{
	struct call call = {};
	struct program p;

	slow_open(&p, 4);
	call.p = &p;
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0);
	execute(&p);
	begin_call(&call, unmap_main);
	/* The operation that can be recalled is, by the call that retires the key. */
	expect_done(&p, 1);
	expect_status(&p, 1, DOCA_STATUS_BAD_KEY);
	usleep(20000);
	EXPECT(!READ_ONCE(call.returned));
	EXPECT(!is_inverted());
	EXPECT(slow_clock_ring());
	while (slow_clock_ring())
		;
	end_call(&call);
	EXPECT(is_inverted());
	expect_done(&p, 2);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	slow_close(&p);
}

/* What goes on with another key is none of its business. */
TEST(unmapping_waits_for_nothing_else)
{
	struct call call = {};
	struct program p;
	u32 first;

	slow_open(&p, 4);
	call.p = &p;
	first = p.key;
	map_memory(&p);
	put_slow(&p, DOCA_SLOW_DEAF);
	execute(&p);
	p.key = first;
	begin_call(&call, unmap_main);
	end_call(&call);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 1);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	slow_close(&p);
}

/* Have @p work on the owner's memory, by an export of it. */
static void import(struct program *p, struct program *owner, int *export_id)
{
	struct doca_blob blob;
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)mem,
		.length = sizeof(mem),
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE |
			  DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = owner->device,
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	};
	struct doca_mem_export export = {
		.size = sizeof(export),
		.blob_size = sizeof(blob),
		.blob = (uintptr_t)&blob,
	};
	struct doca_mem_import import = {
		.size = sizeof(import),
		.device_id = p->device,
		.blob_size = sizeof(blob),
		.blob = (uintptr_t)&blob,
	};

	ASSERT(!ioctl(owner->fd, DOCA_MEM_REG, &reg));
	map.mem_id = reg.out_mem_id;
	ASSERT(!ioctl(owner->fd, DOCA_MEM_MAP, &map));
	export.key = map.out_key;
	ASSERT(!ioctl(owner->fd, DOCA_MEM_EXPORT, &export));
	ASSERT(!ioctl(p->fd, DOCA_MEM_IMPORT, &import));
	*export_id = export.out_export_id;
	p->key = import.out_key;
}

TEST(revoking_waits_for_what_others_have_in_flight)
{
	struct program owner, p;
	struct call call = {};

	slow_open(&owner, 1);
	slow_open(&p, 4);
	import(&p, &owner, &call.rc);
	call.p = &owner;
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0);
	execute(&p);
	begin_call(&call, revoke_main);
	expect_done(&p, 1);
	expect_status(&p, 1, DOCA_STATUS_BAD_KEY);
	usleep(20000);
	EXPECT(!READ_ONCE(call.returned));
	EXPECT(slow_clock_ring());
	while (slow_clock_ring())
		;
	end_call(&call);
	program_close(&p);
	slow_close(&owner);
}

/* Whether the user has room for a queue besides, of those bytes. */
static bool has_room(struct program *p, u64 bytes)
{
	struct doca_queue_create create = slow_queue(p, 4);
	bool has;

	EXPECT(inproc_set_param("max_ring_bytes", bytes));
	has = !ioctl(p->fd, DOCA_QUEUE_CREATE, &create);
	if (has)
		close(create.out_fd);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	return has;
}

/* Memory, places and what they are charged for stay until the provider has let go. */
TEST(closing_a_queue_waits_for_nobody)
{
	struct program p;
	u64 bytes;
	int i;

	slow_open(&p, 4);
	bytes = doca_ring_bytes(&p.queue->ring) + p.queue->pool->bytes;
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0);
	execute(&p);
	close(p.queue_fd);
	p.queue_fd = -1;
	EXPECT_EQ(slow_clock_nr(), 2);
	EXPECT(slow_clock_ring());
	EXPECT(!has_room(&p, bytes));
	EXPECT(slow_clock_ring());
	for (i = 0; i < 5000 && !has_room(&p, bytes); i++)
		usleep(1000);
	EXPECT(i < 5000);
	slow_close(&p);
}

TEST(closing_the_file_waits_for_nobody)
{
	struct program p;
	int i;

	slow_open(&p, 4);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0);
	execute(&p);
	program_close(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	usleep(20000);
	EXPECT(inproc_pinned());
	EXPECT(!is_inverted());
	EXPECT(slow_clock_ring());
	EXPECT(is_inverted());
	for (i = 0; i < 5000 && inproc_pinned(); i++)
		usleep(1000);
	EXPECT_EQ(inproc_pinned(), 0);
}
/* As the end of the address space does it. */
TEST(a_queue_that_is_killed_lets_what_has_come_back_go)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, 0);
	put_slow(&p, DOCA_SLOW_DEAF);
	execute(&p);
	doca_run_lock(p.queue->run);
	EXPECT(slow_clock_ring()); /* and nobody has looked at it yet */
	doca_run_unlock(p.queue->run);
	doca_file_kill_queues(p.file);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	slow_close(&p);
}

TEST(removing_the_device_recalls)
{
	struct program p;
	u32 device;

	slow_open(&p, 1);
	device = inproc_add_device("other");
	ASSERT(device);
	p.device = device;
	open_queue(&p, slow_queue(&p, 4));
	map_memory(&p);
	put_slow(&p, 0);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	inproc_remove_device(device);
	expect_done(&p, 2);
	expect_status(&p, 0, DOCA_STATUS_CANCELED);
	expect_status(&p, 2, DOCA_STATUS_CANCELED);
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	slow_close(&p);
}

TEST(many_come_back_at_once)
{
	struct program p;
	u32 i;

	slow_open(&p, DOCA_MAX_OPS);
	for (i = 0; i < DOCA_MAX_OPS; i++)
		put_slow(&p, 0);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), DOCA_MAX_OPS);
	doca_run_lock(p.queue->run);
	while (slow_clock_ring())
		;
	/* Others wait for no more than some of them. */
	EXPECT(doca_queue_end_waits(p.queue) <= DOCA_WAIT_POLLS);
	EXPECT(doca_queue_is_due(p.queue));
	doca_run_unlock(p.queue->run);
	expect_done(&p, DOCA_MAX_OPS);
	slow_close(&p);
}

static u32 make_worker(struct program *p)
{
	struct doca_worker_create create = { .size = sizeof(create) };

	EXPECT(!ioctl(p->fd, DOCA_WORKER_CREATE, &create));
	return create.out_worker_id;
}

TEST(a_worker_sleeps_until_they_come_back)
{
	struct doca_queue_create create;
	struct program p;
	struct pollfd pfd;
	u32 i;

	slow_open(&p, 1);
	create = slow_queue(&p, 1);
	create.worker_id = make_worker(&p);
	open_queue(&p, create);
	for (i = 0; i < 100; i++) {
		put_slow(&p, 0);
		put_nop(&p, 0);
		WRITE_ONCE(p.queue->ring.u->notify_at, 2 * i + 2);
		smp_mb();
		execute(&p);
		while (!slow_clock_ring())
			usleep(10);
		pfd = (struct pollfd){ .fd = p.queue_fd, .events = POLLIN };
		EXPECT_EQ(poll(&pfd, 1, 20000), 1);
		EXPECT_EQ(done(&p), 2 * i + 2);
		smp_store_release(&p.queue->ring.u->cq_head, 2 * i + 2);
	}
	slow_close(&p);
}

static void *ring_main(void *arg)
{
	while (!READ_ONCE(*(bool *)arg))
		if (!slow_clock_ring())
			usleep(10);
	return NULL;
}

/* Threads that take things away and threads that bring them back, at the same time. */
TEST(all_at_once)
{
	u64 until = local_clock() + 2 * NSEC_PER_SEC;
	struct doca_queue_create create;
	struct call call = {};
	bool stop = false;
	pthread_t ringer;
	struct program p;
	u32 i, round;

	srandom(1);
	ASSERT(!pthread_create(&ringer, NULL, ring_main, &stop));
	for (round = 0; local_clock() < until; round++) {
		slow_open(&p, 1);
		create = slow_queue(&p, 1 + random() % 8);
		if (round % 2)
			create.worker_id = make_worker(&p);
		open_queue(&p, create);
		call = (struct call){ .p = &p };
		for (i = 0; i < 32; i++) {
			struct doca_sqe sqe =
				slow_entry(&p, random() % 2 * DOCA_SLOW_DEAF);

			sqe.flags = random() % 8 ? 0 : DOCA_SQE_DRAIN;
			sqe.op[0] = random() % 4;
			sqe.src.address += i * SOME;
			sqe.dst.address += i * SOME;
			put(&p, sqe);
		}
		execute(&p);
		if (random() % 2)
			begin_call(&call, unmap_main);
		if (random() % 4 == 0)
			stop_queue(&p);
		if (random() % 2) {
			execute(&p);
			if (!call.thread)
				expect_done(&p, 32);
		}
		close(p.queue_fd);
		p.queue_fd = -1;
		if (call.thread)
			end_call(&call);
		program_close(&p);
		for (i = 0; i < 5000 && inproc_pinned(); i++)
			usleep(1000);
		EXPECT_EQ(inproc_pinned(), 0);
	}
	WRITE_ONCE(stop, true);
	pthread_join(ringer, NULL);
}
