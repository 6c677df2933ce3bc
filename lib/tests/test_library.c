// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What a library of tasks may be, and those of today are not: two types of task in a
 * context, with limits of their own, of which one cannot go the short way, though it has a
 * source and a destination; and something to be made ready and given back.
 */
#include "bed.h"
#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

LOG_SOURCE("TEST");

enum { PAIR_MARK, PAIR_COPY, PAIR_TASKS };

#define MARK 42 /* in each entry of a mark task */
#define MARK_MAX 16 /* bytes */
#define MARKS 3

struct pair {
	struct doca_ctx ctx;
	struct task_pool pools[PAIR_TASKS];
	unsigned int marks; /* entries made of mark tasks */
	unsigned int copies;
};

struct pair_task_mark {
	struct doca_task task;
	uint64_t mark;
};

struct pair_task_copy {
	struct doca_task task;
};

typedef void (*pair_task_mark_completion_cb_t)(struct pair_task_mark *task,
					       union doca_data task_user_data,
					       union doca_data ctx_user_data);
typedef void (*pair_task_copy_completion_cb_t)(struct pair_task_copy *task,
					       union doca_data task_user_data,
					       union doca_data ctx_user_data);

static struct {
	struct pair *pair;
	doca_error_t init; /* what init() and fini() say */
	doca_error_t fini;
	int inits, finis;
} own;

static doca_error_t pair_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	return doca_priv_task_check(task, &bytes);
}

static void pair_finish(struct doca_task *task, uint32_t length,
			uint64_t result)
{
	(void)result;
	task_finish_bufs(task, length);
}

static void mark_limit(struct task_limits *limits)
{
	limits->length = MARK_MAX;
	limits->tasks = MARKS;
}

static void mark_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	struct pair *pair = list_entry(task->ctx, struct pair, ctx);

	task_prepare_bufs(task, sqe, run, first);
	EXPECT_EQ(list_entry(task, struct pair_task_mark, task)->mark, MARK);
	pair->marks++;
}

static void copy_prepare(struct doca_task *task, struct doca_sqe *sqe,
			 struct doca_seg *run, uint32_t first)
{
	struct pair *pair = list_entry(task->ctx, struct pair, ctx);

	task_prepare_bufs(task, sqe, run, first);
	pair->copies++;
}

DEFINE_TASK(pair_task_mark)
DEFINE_TASK(pair_task_copy)

static const struct task_type mark_type = {
	TASK_OBJECT(pair_task_mark),
	.name = "mark",
	.src = { .name = "source", .data = true },
	.dst = { .name = "destination", .writes = true },
	.limit = mark_limit,
	.validate = pair_validate,
	.finish = pair_finish,
	.ring = { .opcode = DOCA_OP_MEMCPY, .prepare = mark_prepare },
};

static const struct task_type copy_type = {
	TASK_OBJECT(pair_task_copy),
	.name = "copy",
	.src = { .name = "source", .list = true, .data = true },
	.dst = { .name = "destination", .list = true, .writes = true },
	.validate = pair_validate,
	.finish = pair_finish,
	.ring = {
		.opcode = DOCA_OP_MEMCPY,
		.plain = true,
		.prepare = copy_prepare,
	},
};

static const struct task_type *const tasks[PAIR_TASKS] = { &mark_type,
							   &copy_type };

static doca_error_t pair_init(struct doca_ctx *ctx)
{
	(void)ctx;
	own.inits += own.init == DOCA_SUCCESS;
	return own.init;
}

static doca_error_t pair_fini(struct doca_ctx *ctx)
{
	(void)ctx;
	own.finis += own.fini == DOCA_SUCCESS;
	return own.fini;
}

static const struct ctx_type pair_type = {
	CTX_OBJECT(pair, tasks),
	.name = "pair",
	.init = pair_init,
	.fini = pair_fini,
};

DEFINE_CREATE(pair_create, pair)
DEFINE_DESTROY(pair_destroy, pair)
DEFINE_AS_CTX(pair_as_ctx, pair)
DEFINE_SET_CONF(mark_set_conf, pair, PAIR_MARK, pair_task_mark)
DEFINE_SET_CONF(copy_set_conf, pair, PAIR_COPY, pair_task_copy)
DEFINE_CAP_LIMIT(mark_max, mark_type, uint64_t, length)
DEFINE_CAP_LIMIT(copy_max, copy_type, uint64_t, length)
DEFINE_ALLOC_SRC_DST(mark_alloc, pair, PAIR_MARK, pair_task_mark)
DEFINE_ALLOC_SRC_DST(copy_alloc, pair, PAIR_COPY, pair_task_copy)
DEFINE_TASK_SET(mark_set, pair_task_mark, uint64_t, mark)
DEFINE_TASK_GET(mark_get, pair_task_mark, uint64_t, mark)

static void mark_done(struct pair_task_mark *task, union doca_data data,
		      union doca_data ctx_data)
{
	(void)task, (void)data, (void)ctx_data;
	record('m');
}

static void copy_done(struct pair_task_copy *task, union doca_data data,
		      union doca_data ctx_data)
{
	(void)task, (void)data, (void)ctx_data;
	record('c');
}

static struct doca_ctx *ctx(void)
{
	return pair_as_ctx(own.pair);
}

static void begin(uint32_t marks, uint32_t copies)
{
	set_up(false, 1);
	memset(&own, 0, sizeof(own));
	OK(pair_create(&fake_dev, &own.pair));
	OK(doca_pe_connect_ctx(bed.pe, ctx()));
	if (marks)
		OK(mark_set_conf(own.pair, mark_done, mark_done, marks));
	if (copies)
		OK(copy_set_conf(own.pair, copy_done, copy_done, copies));
}

static void end(void)
{
	EXPECT_EQ(own.inits, 1);
	OK(pair_destroy(own.pair));
	EXPECT_EQ(own.finis, 1);
	tear_down();
}

static void put_both(struct doca_task *task)
{
	put(task_src(task));
	put(task_dst(task));
	doca_task_free(task);
}

static void submit_both(struct doca_task *a, struct doca_task *b)
{
	OK(doca_task_submit(a));
	OK(doca_task_submit(b));
	EXPECT_EQ(drain(bed.pe), 2);
}

/* Although its buffers are as those of a task that can go the short way. */
TEST(a_task_with_more_to_say_is_prepared_each_time)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;
	struct pair_task_copy *copied;

	begin(1, 1);
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, 8), room(0, 100), none, &marked));
	OK(copy_alloc(own.pair, source(8, 8), room(100, 100), none, &copied));
	mark_set(marked, MARK);
	EXPECT_EQ(mark_get(marked), MARK);
	for (int i = 1; i <= 3; i++) {
		submit_both(&marked->task, &copied->task);
		submit_both(&copied->task, &marked->task);
		EXPECT_EQ(own.pair->marks, 2 * i);
	}
	EXPECT_STR(took(), "mccmmccmmccm");
	EXPECT_EQ(data_len(task_dst(&marked->task)), 6 * 8);
	EXPECT_EQ(data_len(task_dst(&copied->task)), 6 * 8);
	EXPECT(!memcmp(bed.mem, bed.mem + MEM_SIZE / 2 + 5 * 8, 8));
	put_both(&marked->task);
	put_both(&copied->task);
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(a_task_in_flight_keeps_its_values)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;

	begin(1, 0);
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, 8), room(0, 100), none, &marked));
	mark_set(marked, MARK);
	OK(doca_task_submit(&marked->task));
	logged();
	mark_set(marked, MARK + 1);
	EXPECT_LOGGED("cannot be changed: it is in flight");
	EXPECT_EQ(mark_get(marked), MARK);
	EXPECT_EQ(drain(bed.pe), 1);
	put_both(&marked->task);
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(each_type_has_limits_of_its_own)
{
	union doca_data none = { 0 };
	struct pair_task_mark *marked;
	uint64_t bytes = 0;

	begin(0, 0);
	OK(mark_max(&fake_dev.info, &bytes));
	EXPECT_EQ(bytes, MARK_MAX);
	OK(copy_max(&fake_dev.info, &bytes));
	EXPECT_EQ(bytes, FAKE_MAX_LENGTH);
	logged();
	ERR(mark_set_conf(own.pair, mark_done, mark_done, MARKS + 1),
	    INVALID_VALUE);
	EXPECT_LOGGED("4 mark tasks are more than one pair may have, 3");
	OK(mark_set_conf(own.pair, mark_done, mark_done, MARKS));
	OK(doca_ctx_start(ctx()));
	OK(mark_alloc(own.pair, source(0, MARK_MAX + 1), room(0, 100), none,
		      &marked));
	logged();
	ERR(doca_task_try_submit(&marked->task), INVALID_VALUE);
	EXPECT_LOGGED("17 bytes, more than one task may have, 16");
	put_both(&marked->task);
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(all_tasks_together_must_fit_the_queue)
{
	const uint32_t max = caps.out_max_queue_segments / (2 * FAKE_LIST_MAX);

	begin(1, max);
	logged();
	ERR(doca_ctx_start(ctx()), INVALID_VALUE);
	EXPECT_LOGGED("513 tasks with lists are more than it may have, 512");
	OK(copy_set_conf(own.pair, copy_done, copy_done, max - 1));
	OK(doca_ctx_start(ctx()));
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(a_context_needs_tasks)
{
	begin(0, 0);
	logged();
	ERR(doca_ctx_start(ctx()), INVALID_VALUE);
	EXPECT_LOGGED("call pair_task_..._set_conf()");
	end();
}

TEST(what_cannot_be_made_ready_is_not_created)
{
	uint32_t refs;

	set_up(false, 1);
	refs = fake_dev.refs;
	memset(&own, 0, sizeof(own));
	own.init = DOCA_ERROR_IO_FAILED;
	ERR(pair_create(&fake_dev, &own.pair), IO_FAILED);
	EXPECT_EQ(own.finis, 0);
	EXPECT_EQ(fake_dev.refs, refs);
	tear_down();
}

TEST(what_cannot_be_given_back_stays)
{
	begin(1, 0);
	own.fini = DOCA_ERROR_IN_USE;
	ERR(pair_destroy(own.pair), IN_USE);
	OK(doca_ctx_start(ctx()));
	OK(doca_ctx_stop(ctx()));
	own.fini = DOCA_SUCCESS;
	end();
}
