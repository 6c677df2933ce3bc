// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Operations in flight: of SLOW, which the test has come back when it likes, and as a
 * provider does that, from wherever it is.
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <linux/mutex.h>

#include "flight.h"
#include "looker.h"
#include "memory.h"
#include "ops/slow.h"
#include "program.h"
#include "slow_clock.h"

#define SLOW BIT_ULL(DOCA_OP_SLOW)
#define ALL (DOCA_OP_DEFAULT | SLOW)
#define SOME 64 /* bytes */

static struct doca_queue_create slow_queue(struct program *p, u32 nr_ops)
{
	return (struct doca_queue_create){
		.size = sizeof(struct doca_queue_create),
		.device_id = p->device,
		.sq_entries = ENTRIES,
		.cq_entries = ENTRIES,
		.nr_waits = 4,
		.opcodes = ALL,
		.nr_ops = nr_ops,
	};
}

/* In place of the queue that a program has. */
static void open_queue(struct program *p, struct doca_queue_create create)
{
	close(p->queue_fd);
	ASSERT(!ioctl(p->fd, DOCA_QUEUE_CREATE, &create));
	p->queue_fd = create.out_fd;
	p->queue =
		list_entry(p->file->queues.prev, struct doca_queue, file_node);
	p->tail = 0;
}

static void slow_open(struct program *p, u32 nr_ops)
{
	u32 i;

	program_open(p);
	open_queue(p, slow_queue(p, nr_ops));
	for (i = 0; i < LENGTH; i++) {
		mem[0][i] = i * 7 + 1;
		mem[1][i] = 0;
	}
}

static void slow_close(struct program *p)
{
	int i;

	program_close(p);
	EXPECT_EQ(slow_clock_nr(), 0);
	for (i = 0; i < 5000 && engine_pinned(); i++)
		usleep(1000);
	EXPECT_EQ(engine_pinned(), 0);
}

/* An executor may be looking at the lap of the entry meanwhile. */
static void put(struct program *p, struct doca_sqe sqe)
{
	u32 index = p->tail++;
	struct doca_sqe *at = &p->queue->ring.sq[index % ENTRIES];

	at->opcode = sqe.opcode;
	at->flags = sqe.flags;
	at->aux = 0;
	at->user_data = index;
	at->src = sqe.src;
	at->dst = sqe.dst;
	at->op[0] = sqe.op[0];
	at->op[1] = sqe.op[1];
	smp_store_release(&at->lap, DOCA_RING_LAP(index, ilog2(ENTRIES)));
}

static struct doca_sqe slow_entry(struct program *p, u64 how)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_SLOW,
		.src = { p->key, SOME, (uintptr_t)mem[0] },
		.dst = { p->key, SOME, (uintptr_t)mem[1] },
		.op = { 1, how },
	};
}

static void put_slow(struct program *p, u64 how)
{
	put(p, slow_entry(p, how));
}

static void put_nop(struct program *p, u16 flags)
{
	put(p, (struct doca_sqe){ .opcode = DOCA_OP_NOP, .flags = flags });
}

/* A wait for what the memory does not become by itself. */
static void put_wait(struct program *p, u16 flags)
{
	put(p, (struct doca_sqe){
		       .opcode = DOCA_OP_SYNC_WAIT_EQ,
		       .flags = flags,
		       .src = { p->key, sizeof(u64), (uintptr_t)mem[0] },
		       .op = { 1, U64_MAX } });
}

static u32 done(struct program *p)
{
	return smp_load_acquire(&p->queue->ring.k->cq_tail);
}

/* That many, and by and by if others execute. */
static void expect_done(struct program *p, u32 nr)
{
	int i;

	for (i = 0; i < 5000 && done(p) != nr; i++)
		usleep(1000);
	EXPECT_EQ(done(p), nr);
}

/* All that can be done, by the caller. */
static void execute(struct program *p)
{
	struct doca_queue_enter enter = {
		.size = sizeof(enter),
		.max_entries = ENTRIES,
	};

	ASSERT(!ioctl(p->queue_fd, DOCA_QUEUE_ENTER, &enter));
}

/* As somebody in the section sees it. */
static bool has_work(struct program *p)
{
	bool has;

	doca_run_lock(p->queue->run);
	has = doca_queue_has_work(p->queue);
	doca_run_unlock(p->queue->run);
	return has;
}

static struct doca_cqe completion(struct program *p, u32 index)
{
	return p->queue->ring.cq[index % ENTRIES];
}

/* Of whichever place in the ring. */
static struct doca_cqe completion_of(struct program *p, u64 user_data)
{
	struct doca_cqe found = { .status = 0xffff };
	u32 i, nr = 0;

	for (i = 0; i < done(p); i++) {
		if (completion(p, i).user_data != user_data)
			continue;
		found = completion(p, i);
		nr++;
	}
	EXPECT_EQ(nr, 1);
	return found;
}

static void expect_status(struct program *p, u64 user_data, u32 status)
{
	EXPECT_EQ(completion_of(p, user_data).status, status);
}

static bool is_inverted(void)
{
	u32 i;

	for (i = 0; i < SOME; i++)
		if (mem[1][i] != (char)~mem[0][i])
			return false;
	return true;
}

static void stop_queue(struct program *p)
{
	struct doca_queue_stop stop = { .size = sizeof(stop) };

	ASSERT(!ioctl(p->queue_fd, DOCA_QUEUE_STOP, &stop));
}

TEST(an_operation_comes_back_from_elsewhere)
{
	struct doca_cqe cqe;
	struct program p;
	int i;

	slow_open(&p, 4);
	for (i = 0; i < 2; i++) {
		put_slow(&p, 0);
		execute(&p);
		EXPECT_EQ(done(&p), i);
		EXPECT_EQ(slow_clock_nr(), 1);
		EXPECT(!has_work(&p));
		EXPECT(slow_clock_ring());
		expect_done(&p, i + 1);
		cqe = completion(&p, i);
		EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(cqe.user_data, i);
		EXPECT_EQ(cqe.length, SOME);
		/* Counted in what the operations of the queue have together. */
		EXPECT_EQ(cqe.result[0], i + 1);
		EXPECT(is_inverted());
		EXPECT_EQ(p.queue->pool->nr, 0);
	}
	slow_close(&p);
}

TEST(one_may_end_while_it_is_started)
{
	struct doca_sqe sqe;
	struct program p;

	slow_open(&p, 4);
	sqe = slow_entry(&p, 0);
	sqe.op[0] = 0;
	put(&p, sqe);
	execute(&p);
	expect_done(&p, 1);
	expect_status(&p, 0, DOCA_STATUS_SUCCESS);
	EXPECT(is_inverted());
	put_slow(&p, DOCA_SLOW_REFUSE);
	execute(&p);
	expect_done(&p, 2);
	expect_status(&p, 1, DOCA_STATUS_FAILED);
	EXPECT_EQ(p.queue->pool->nr, 0);
	slow_close(&p);
}

TEST(what_is_behind_does_not_wait)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, 0);
	put_nop(&p, 0);
	put_slow(&p, 0);
	execute(&p);
	expect_done(&p, 1);
	EXPECT_EQ(completion(&p, 0).user_data, 1);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	slow_close(&p);
}

TEST(with_one_place_order_is_kept)
{
	struct program p;
	u32 nr, i;

	for (nr = 0; nr < 2; nr++) {
		slow_open(&p, nr);
		put_slow(&p, 0);
		put_nop(&p, 0);
		put_slow(&p, 0);
		put_nop(&p, 0);
		execute(&p);
		EXPECT_EQ(done(&p), 0);
		EXPECT_EQ(slow_clock_nr(), 1);
		/* Nothing that anybody would stay awake for. */
		EXPECT(!has_work(&p));
		EXPECT(slow_clock_ring());
		expect_done(&p, 2);
		EXPECT_EQ(slow_clock_nr(), 1);
		EXPECT(slow_clock_ring());
		expect_done(&p, 4);
		for (i = 0; i < 4; i++)
			EXPECT_EQ(completion(&p, i).user_data, i);
		slow_close(&p);
	}
}

TEST(a_full_pool_holds_the_next_up)
{
	struct program p;

	slow_open(&p, 2);
	put_slow(&p, 0);
	put_slow(&p, 0);
	put_slow(&p, 0);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	EXPECT_EQ(slow_clock_nr(), 2);
	EXPECT(!has_work(&p));
	EXPECT(slow_clock_ring());
	expect_done(&p, 2);
	EXPECT_EQ(slow_clock_nr(), 2);
	expect_status(&p, 3, DOCA_STATUS_SUCCESS);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	slow_close(&p);
}

TEST(an_entry_drains)
{
	struct doca_sqe sqe;
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	EXPECT(!has_work(&p));
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);

	/* One that takes long itself: what is behind waits for that. */
	sqe = slow_entry(&p, 0);
	sqe.flags = DOCA_SQE_DRAIN;
	put_slow(&p, 0);
	put(&p, sqe);
	put_slow(&p, 0);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 5);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 6);
	slow_close(&p);
}

TEST(an_entry_drains_waits)
{
	struct program p;

	slow_open(&p, 4);
	put_wait(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 0);
	WRITE_ONCE(*(u64 *)mem[0], 1);
	expect_done(&p, 3);
	EXPECT_EQ(completion(&p, 1).user_data, 1);

	/* A wait that drains is waited for as well. */
	WRITE_ONCE(*(u64 *)mem[0], 0);
	put_wait(&p, DOCA_SQE_DRAIN);
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(done(&p), 3);
	WRITE_ONCE(*(u64 *)mem[0], 1);
	expect_done(&p, 5);
	EXPECT_EQ(completion(&p, 3).user_data, 3);
	slow_close(&p);
}

/* One that is larger than a step, and those around it. */
TEST(copies_drain)
{
	struct doca_sqe copy;
	struct program p;
	u32 i;

	slow_open(&p, 4);
	copy = (struct doca_sqe){
		.opcode = DOCA_OP_MEMCPY,
		.flags = DOCA_SQE_DRAIN,
		.src = { p.key, LENGTH, (uintptr_t)mem[0] },
		.dst = { p.key, LENGTH, (uintptr_t)mem[1] },
	};
	put_nop(&p, 0);
	put(&p, copy);
	put_nop(&p, DOCA_SQE_DRAIN);
	put(&p, copy);
	put_nop(&p, 0);
	execute(&p);
	expect_done(&p, 5);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(completion(&p, i).user_data, i);
		EXPECT_EQ(completion(&p, i).status, DOCA_STATUS_SUCCESS);
	}
	EXPECT(!memcmp(mem[0], mem[1], LENGTH));
	slow_close(&p);
}

TEST(a_stop_recalls_what_is_in_flight)
{
	struct program p;
	u32 i;

	slow_open(&p, 2);
	put_slow(&p, 0);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_slow(&p, 0); /* is held */
	put_nop(&p, 0);
	execute(&p);
	EXPECT_EQ(slow_clock_nr(), 2);
	stop_queue(&p);
	execute(&p);
	expect_done(&p, 3);
	EXPECT_EQ(slow_clock_nr(), 1);
	EXPECT(slow_clock_ring());
	expect_done(&p, 4);
	for (i = 0; i < 4; i++)
		expect_status(&p, i,
			      i == 1 ? DOCA_STATUS_SUCCESS :
				       DOCA_STATUS_CANCELED);
	EXPECT_EQ(p.queue->stats.errors, 0);
	slow_close(&p);
}

TEST(a_soft_failure_is_of_its_entry)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, DOCA_STATUS_TAG);
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	EXPECT(slow_clock_ring());
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	expect_status(&p, 0, DOCA_STATUS_TAG);
	expect_status(&p, 1, DOCA_STATUS_SUCCESS);
	expect_status(&p, 2, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(p.queue->state, DOCA_QUEUE_RUN);
	slow_close(&p);
}

TEST(a_hard_failure_recalls_the_others)
{
	struct program p;

	slow_open(&p, 4);
	put_slow(&p, DOCA_STATUS_RESET);
	put_slow(&p, 0);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	EXPECT(slow_clock_ring());
	expect_done(&p, 3);
	expect_status(&p, 0, DOCA_STATUS_RESET);
	expect_status(&p, 1, DOCA_STATUS_CANCELED);
	expect_status(&p, 2, DOCA_STATUS_CANCELED);
	EXPECT_EQ(slow_clock_nr(), 0);
	slow_close(&p);
}

static void expect_only(struct program *p, u64 opcodes, u16 opcode)
{
	struct doca_queue_create create = slow_queue(p, 1);
	struct doca_sqe sqe = { .opcode = opcode };

	create.opcodes = opcodes;
	open_queue(p, create);
	if (opcode == DOCA_OP_MEMCPY) {
		sqe.src = (struct doca_seg){ p->key, SOME, (uintptr_t)mem[0] };
		sqe.dst = (struct doca_seg){ p->key, SOME, (uintptr_t)mem[1] };
	}
	put(p, sqe);
	execute(p);
	EXPECT_EQ(completion(p, 0).status, DOCA_STATUS_BAD_OPCODE);
}

TEST(a_queue_executes_what_its_creation_has_named)
{
	struct program p;

	slow_open(&p, 1);
	expect_only(&p, SLOW, DOCA_OP_NOP);
	expect_only(&p, SLOW, DOCA_OP_MEMCPY);
	expect_only(&p, 0, DOCA_OP_SLOW);
	EXPECT(!p.queue->pool);
	EXPECT_EQ(mem[1][0], 0);
	slow_close(&p);
}

static int refused(struct program *p, struct doca_queue_create create)
{
	return ioctl(p->fd, DOCA_QUEUE_CREATE, &create) ? errno : 0;
}

TEST(queues_that_are_refused)
{
	struct doca_queue_create create;
	unsigned long limit = 1 << 20;
	struct program p;

	slow_open(&p, DOCA_MAX_OPS);
	create = slow_queue(&p, DOCA_MAX_OPS + 1);
	EXPECT_EQ(refused(&p, create), EINVAL);
	create = slow_queue(&p, 1);
	create.opcodes |= BIT_ULL(DOCA_OP_LAST);
	EXPECT_EQ(refused(&p, create), EOPNOTSUPP);
	create = slow_queue(&p, 1);
	create.nr_sessions = 1;
	EXPECT_EQ(refused(&p, create), EOPNOTSUPP);
	/* Places count as rings do. */
	EXPECT(engine_set_param("max_ring_bytes", limit));
	EXPECT_EQ(refused(&p, slow_queue(&p, DOCA_MAX_OPS)), EDQUOT);
	EXPECT(engine_set_param("max_ring_bytes", 256 << 20));
	open_queue(&p, slow_queue(&p, DOCA_MAX_OPS));
	slow_close(&p);
}

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
	/* The one that can be is recalled, by whoever retires the key. */
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

	EXPECT(engine_set_param("max_ring_bytes", bytes));
	has = !ioctl(p->fd, DOCA_QUEUE_CREATE, &create);
	if (has)
		close(create.out_fd);
	EXPECT(engine_set_param("max_ring_bytes", 256 << 20));
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
	EXPECT(engine_pinned());
	EXPECT(!is_inverted());
	EXPECT(slow_clock_ring());
	EXPECT(is_inverted());
	for (i = 0; i < 5000 && engine_pinned(); i++)
		usleep(1000);
	EXPECT_EQ(engine_pinned(), 0);
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
	device = engine_add_device("other");
	ASSERT(device);
	p.device = device;
	open_queue(&p, slow_queue(&p, 4));
	map_memory(&p);
	put_slow(&p, 0);
	put_slow(&p, DOCA_SLOW_DEAF);
	put_nop(&p, DOCA_SQE_DRAIN);
	execute(&p);
	engine_remove_device(device);
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
	EXPECT(doca_queue_end_waits(p.queue) <= DOCA_WAIT_LOOKS);
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

/* Whoever takes things away and whoever brings them back, at the same time. */
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
		for (i = 0; i < 5000 && engine_pinned(); i++)
			usleep(1000);
		EXPECT_EQ(engine_pinned(), 0);
	}
	WRITE_ONCE(stop, true);
	pthread_join(ringer, NULL);
}
