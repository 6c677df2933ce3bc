// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Operations that do not end by themselves. */
#include <errno.h>

#include "selftests/lib/rounds.h"

#include "end.h"
#include "poison.h"
#include "program.h"
#include "until.h"

/* Copy @length bytes, one of which cannot be read. */
static void expect_poisoned(u32 length, u32 at)
{
	struct doca_cqe cqe;
	struct program p;

	program_open(&p);
	doca_poison_survivable = true;
	memset(mem[0], 'x', LENGTH);
	memset(mem[1], 0, LENGTH);
	inproc_poison = mem[0] + at;
	cqe = run(&p, copy_of(&p, length));
	EXPECT_EQ(cqe.status, DOCA_STATUS_BAD_MEMORY);
	EXPECT_EQ(cqe.length, at);
	EXPECT_EQ(strlen(mem[1]), at);
	EXPECT_EQ(p.queue->state, DOCA_QUEUE_FLUSH);

	/* The memory in front of the poison can be read, with and without poison. */
	inproc_poison = mem[0] + length;
	program_close(&p);
	program_open(&p);
	cqe = run(&p, copy_of(&p, length));
	EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(cqe.length, length);
	inproc_poison = NULL;
	program_close(&p);
}

TEST(poisoned_memory_fails_a_small_copy)
{
	expect_poisoned(64, 0);
	expect_poisoned(64, 63);
	expect_poisoned(SZ_64K, SZ_4K + 1);
}

TEST(poisoned_memory_fails_the_step_of_a_large_copy)
{
	expect_poisoned(SZ_64K + 1, SZ_64K);
	expect_poisoned(SZ_256K + 77, 5);
	expect_poisoned(SZ_256K + 77, SZ_256K + 1);
}

static u32 end_softly(struct doca_queue *queue, struct doca_op *op)
{
	return DOCA_STATUS_TAG;
}

static u32 end_hard(struct doca_queue *queue, struct doca_op *op)
{
	return DOCA_STATUS_RESET;
}

/* Check how an operation in progress ends, and the copy behind it. */
static void expect_ends(u32 (*step)(struct doca_queue *queue, struct doca_op *op), u32 status,
			u32 next, u32 state)
{
	const struct doca_op_type type = { .step = step };
	struct doca_queue *queue;
	struct doca_cqe cqe;
	struct program p;

	program_open(&p);
	queue = p.queue;
	/* As if an entry had been taken for it. */
	queue->ring.cq_room = ENTRIES - 1;
	queue->op.type = &type;
	execute(&p);
	EXPECT_EQ(completion(&p, 0).status, status);
	EXPECT_EQ(queue->stats.errors, 1);
	cqe = run(&p, copy_of(&p, 64));
	EXPECT_EQ(cqe.status, next);
	EXPECT_EQ(cqe.length, next ? 0 : 64);
	EXPECT_EQ(queue->state, state);
	EXPECT_EQ(queue->ring.k->state, state);
	program_close(&p);
}

TEST(a_soft_failure_ends_its_entry_alone)
{
	expect_ends(end_softly, DOCA_STATUS_TAG, DOCA_STATUS_SUCCESS, DOCA_QUEUE_RUN);
}

TEST(a_hard_failure_ends_those_behind_it)
{
	expect_ends(end_hard, DOCA_STATUS_RESET, DOCA_STATUS_CANCELED, DOCA_QUEUE_FLUSH);
}

static unsigned int canceled;

static u32 never_ends(struct doca_queue *queue, struct doca_op *op)
{
	return DOCA_STATUS_AGAIN;
}

static u32 cancel(struct doca_queue *queue, struct doca_op *op)
{
	BUG_ON(!queue->closed);
	canceled++;
	return DOCA_STATUS_CANCELED;
}

/* Only its own row can undo what it has begun. */
TEST(an_operation_at_work_is_canceled_by_the_end_of_its_queue)
{
	static const struct doca_op_type type = {
		.step = never_ends,
		.cancel = cancel,
	};
	struct doca_queue *queue;
	struct program p;

	canceled = 0;
	program_open(&p);
	queue = p.queue;
	mutex_lock(&queue->run->lock);
	queue->op.type = &type;
	mutex_unlock(&queue->run->lock);
	/* This closes the queue; then its descriptor is closed as well. */
	doca_file_kill_queues(p.file);
	EXPECT_EQ(canceled, 1);
	program_close(&p);
	EXPECT_EQ(canceled, 1);
}

/* Anybody may close the queue, and the thread that executes it may get no CPU. */
TEST(the_end_of_a_queue_is_left_to_the_thread_that_executes_it)
{
	static const struct doca_op_type type = {
		.step = never_ends,
		.cancel = cancel,
	};
	struct doca_queue *queue;
	struct program p;

	canceled = 0;
	program_open(&p);
	queue = p.queue;
	kref_get(&queue->ref);
	mutex_lock(&queue->run->lock);
	queue->op.type = &type;
	close_queue(&p);
	EXPECT(queue->closed);
	EXPECT_EQ(canceled, 0);
	doca_run_leave(queue->run);
	EXPECT_EQ(canceled, 1);
	doca_queue_put(queue);
	program_close(&p);
}

/* A closer that loses the CPU when it is done in the section. */
struct closer {
	struct doca_run_work work;
	struct doca_run *run;
	bool at_end;
	bool goes_on;
};

static void end_at_once(struct doca_run_work *work)
{
}

static void lose_cpu(struct doca_run_work *work)
{
	struct closer *closer = container_of(work, struct closer, work);

	WRITE_ONCE(closer->at_end, true);
	while (!READ_ONCE(closer->goes_on))
		sched_yield();
}

static void *closer_main(void *arg)
{
	struct closer *closer = arg;

	doca_run_do(closer->run, &closer->work);
	return NULL;
}

/* A program may have a descriptor left that the driver did not know of. */
TEST(calls_on_a_file_that_has_ended_fail)
{
	struct doca_query query = { .size = sizeof(query) };
	struct doca_queue_create create = {};
	struct program p;
	u32 id;
	int fd;

	program_open(&p);
	doca_file_kill(p.file);
	EXPECT_EQ(doca_call(p.fd, DOCA_QUERY, &query), -ENODEV);
	EXPECT_EQ(mem_reg(p.fd, mem, LENGTH, ACCESS_LOCAL, &id), -ENODEV);
	EXPECT_EQ(worker_create(p.fd, 0, &id), -ENODEV);
	EXPECT_EQ(make_queue(&p, create, &fd), -ENODEV);
	program_close(&p);
	EXPECT(until(!inproc_pinned()));
}

static bool stepped;

static void *executor_main(void *arg)
{
	struct doca_run *run = arg;

	mutex_lock(&run->lock);
	doca_run_yield(run);
	doca_run_leave(run);
	WRITE_ONCE(stepped, true);
	return NULL;
}

/* The closer may be another user, to whom the queue's descriptor was sent. */
TEST(an_executor_does_not_wait_for_those_who_close_queues)
{
	struct closer closer = { .work = { .func = end_at_once, .done = lose_cpu } };
	pthread_t threads[2];
	struct program p;

	program_open(&p);
	closer.run = p.queue->run;
	EXPECT(!pthread_create(&threads[0], NULL, closer_main, &closer));
	EXPECT(until(READ_ONCE(closer.at_end)));
	WRITE_ONCE(stepped, false);
	EXPECT(!pthread_create(&threads[1], NULL, executor_main, closer.run));
	EXPECT(until(READ_ONCE(stepped)));
	WRITE_ONCE(closer.goes_on, true);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	program_close(&p);
}

TEST(operations_that_can_be_dropped_are)
{
	static const struct doca_op_type type = { .step = never_ends };
	struct program p;

	program_open(&p);
	mutex_lock(&p.queue->run->lock);
	p.queue->op.type = &type;
	mutex_unlock(&p.queue->run->lock);
	close_queue(&p);
	program_close(&p);
}

/* The worker polls: it is in the section whenever a queue is closed. */
TEST(a_closed_queue_of_a_busy_worker_leaves_room_for_the_next)
{
	struct doca_queue_create create = {};
	struct program p;
	unsigned int i;
	int fd, none;

	program_open(&p);
	EXPECT(!worker_create(p.fd, DOCA_IDLE_NEVER, &create.worker_id));
	EXPECT(inproc_set_param("max_queues", 2)); /* the program has one */
	EXPECT(!make_queue(&p, create, &fd));
	EXPECT_EQ(make_queue(&p, create, &none), -EDQUOT);
	for (i = 0; i < rounds(300); i++) {
		close(fd);
		EXPECT(!make_queue(&p, create, &fd));
	}
	close(fd);
	EXPECT(inproc_set_param("max_queues", 1024));
	program_close(&p);
}
