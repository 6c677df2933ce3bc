// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Operations in flight whose memory, queue, file or device is taken away, by any caller and
 * at any time.
 */
#include <poll.h>

#include "selftests/lib/rounds.h"

#include "flights_bed.h"

/* A call that takes memory away must not return before the memory is free. */
static void expect_to_wait_for_flights(struct program *p, int (*make)(int fd, u32 id), int fd,
				       u32 id)
{
	struct call *call;

	start(p, "ds");
	call = begin_call(make, fd, id);
	/* The call that retires the key recalls the operation that can be recalled. */
	expect_state(p, 1, 1);
	expect_status(p, 1, DOCA_STATUS_BAD_KEY);
	expect_to_wait(call);
	EXPECT(!is_inverted());
	ring(1);
	end_call(call);
	EXPECT(is_inverted());
	expect_state(p, 2, 0);
	expect_status(p, 0, DOCA_STATUS_SUCCESS);
}

TEST(unmapping_waits_for_what_is_in_flight)
{
	struct program p;

	slow_open(&p, 4);
	expect_to_wait_for_flights(&p, mem_unmap, p.fd, p.key);
	slow_close(&p);
}

TEST(revoking_waits_for_what_others_have_in_flight)
{
	struct doca_mem_import import;
	struct program owner, p;
	struct doca_blob blob;
	u32 id;

	slow_open(&owner, 1);
	slow_open(&p, 4);
	ASSERT(!mem_export(owner.fd, owner.key, 0, &blob, &id));
	ASSERT(!mem_import(p.fd, p.device, &blob, &import));
	p.key = import.out_key;
	expect_to_wait_for_flights(&p, export_revoke, owner.fd, id);
	program_close(&p);
	slow_close(&owner);
}

/* Operations with another key do not concern it. */
TEST(unmapping_waits_for_nothing_else)
{
	struct program p;
	struct call *call;
	u32 first;

	slow_open(&p, 4);
	first = p.key;
	map_memory(&p);
	start(&p, "d");
	call = begin_call(mem_unmap, p.fd, first);
	end_call(call);
	expect_state(&p, 0, 1);
	ring(1);
	expect_state(&p, 1, 0);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	slow_close(&p);
}

/* Return true if the user's limit leaves room for another queue. */
static bool has_room(struct program *p, u64 bytes)
{
	bool has;
	int fd;

	EXPECT(inproc_set_param("max_ring_bytes", bytes));
	has = !make_queue(p, slow_queue(4), &fd);
	if (has)
		close(fd);
	EXPECT(inproc_set_param("max_ring_bytes", 256 << 20));
	return has;
}

/* Memory, places and their charges stay until the provider has let go. */
TEST(closing_a_queue_waits_for_nobody)
{
	struct program p;
	u64 bytes;

	slow_open(&p, 4);
	bytes = doca_ring_bytes(&p.queue->ring) + p.queue->pool->bytes;
	start(&p, "dds");
	close_queue(&p);
	EXPECT_EQ(slow_clock_nr(), 2);
	ring(1);
	EXPECT(!has_room(&p, bytes));
	ring(1);
	EXPECT(until(has_room(&p, bytes)));
	slow_close(&p);
}

TEST(closing_the_file_waits_for_nobody)
{
	struct program p;

	slow_open(&p, 4);
	start(&p, "ds");
	program_close(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	finish_works(doca_retire_wq);
	finish_works(doca_unpin_wq);
	EXPECT(inproc_pinned());
	EXPECT(!is_inverted());
	ring(1);
	EXPECT(is_inverted());
	EXPECT(until(!inproc_pinned()));
}

/* Like the end of the address space. */
TEST(a_queue_that_is_killed_lets_what_has_come_back_go)
{
	struct program p;

	slow_open(&p, 4);
	start(&p, "sd");
	doca_run_lock(p.queue->run);
	ring(1); /* nobody has handled it yet */
	doca_run_unlock(p.queue->run);
	doca_file_kill_queues(p.file);
	EXPECT_EQ(slow_clock_nr(), 1);
	ring(1);
	slow_close(&p);
}

TEST(removing_the_device_recalls)
{
	struct program p;

	slow_open(&p, 1);
	p.device = inproc_add_device("other");
	ASSERT(p.device);
	open_queue(&p, slow_queue(4));
	map_memory(&p);
	start(&p, "sdN");
	inproc_remove_device(p.device);
	expect_state(&p, 2, 1);
	expect_status(&p, 0, DOCA_STATUS_CANCELED);
	expect_status(&p, 2, DOCA_STATUS_CANCELED);
	ring(1);
	expect_state(&p, 3, 0);
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
	ring(DOCA_MAX_OPS);
	/* Others wait for some of them only. */
	EXPECT(doca_queue_end_waits(p.queue) <= DOCA_WAIT_POLLS);
	EXPECT(doca_queue_is_due(p.queue));
	doca_run_unlock(p.queue->run);
	expect_state(&p, DOCA_MAX_OPS, 0);
	slow_close(&p);
}

static struct doca_queue_create with_worker(struct program *p, u32 nr_ops)
{
	struct doca_queue_create create = slow_queue(nr_ops);

	EXPECT(!worker_create(p->fd, 0, &create.worker_id));
	return create;
}

TEST(a_worker_sleeps_until_they_come_back)
{
	struct pollfd pfd = { .events = POLLIN };
	struct program p;
	u32 i;

	slow_open(&p, 1);
	open_queue(&p, with_worker(&p, 1));
	pfd.fd = p.queue_fd;
	for (i = 2; i <= 200; i += 2) {
		put_all(&p, "sn");
		WRITE_ONCE(p.queue->ring.u->notify_at, i);
		smp_mb();
		execute(&p);
		EXPECT(until(slow_clock_ring()));
		EXPECT_EQ(poll(&pfd, 1, PATIENCE_MS), 1);
		EXPECT_EQ(done(&p), i);
		smp_store_release(&p.queue->ring.u->cq_head, i);
	}
	slow_close(&p);
}

static void *ring_main(void *stop)
{
	while (!READ_ONCE(*(bool *)stop))
		if (!slow_clock_ring())
			sched_yield();
	return NULL;
}

static void take_away_at_random(bool worker)
{
	struct call *call = NULL;
	struct program p;
	u32 i, nr_ops;

	slow_open(&p, 1);
	nr_ops = 1 + random() % 8;
	open_queue(&p, worker ? with_worker(&p, nr_ops) : slow_queue(nr_ops));
	for (i = 0; i < 32; i++) {
		struct doca_sqe sqe = slow_entry(&p, random() % 2 * DOCA_SLOW_DEAF);

		sqe.flags = random() % 8 ? 0 : DOCA_SQE_DRAIN;
		sqe.op[0] = random() % 4;
		sqe.src.address += i * SOME;
		sqe.dst.address += i * SOME;
		put(&p, sqe);
	}
	execute(&p);
	if (random() % 2)
		call = begin_call(mem_unmap, p.fd, p.key);
	if (random() % 4 == 0)
		ASSERT(!queue_stop(p.queue_fd));
	if (random() % 2) {
		execute(&p);
		if (!call)
			EXPECT(until(done(&p) == 32));
	}
	close_queue(&p);
	if (call)
		end_call(call);
	program_close(&p);
	EXPECT(until(!inproc_pinned()));
}

/* Some threads take things away while others bring operations back. */
TEST(all_at_once)
{
	bool stop = false;
	pthread_t ringer;
	u32 i;

	srandom(1);
	ASSERT(!pthread_create(&ringer, NULL, ring_main, &stop));
	for (i = 0; i < rounds(50); i++)
		take_away_at_random(i % 2);
	WRITE_ONCE(stop, true);
	pthread_join(ringer, NULL);
}
