/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The library that test_library.c describes. */
#ifndef DOCA_TESTS_PAIR_H
#define DOCA_TESTS_PAIR_H

#include "bed.h"
#include "core/exec/batch.h"
#include "core/device/caps.h"
#include "core/exec/library.h"
#include "core/exec/task_bufs.h"
#include "fault.h"

LOG_SOURCE("TEST");

enum { PAIR_MARK, PAIR_COPY, PAIR_BATCH, PAIR_TASKS };
#define MARK 42 /* value in each entry of a mark task */
#define MARK_MAX 16 /* bytes */
#define MARKS 3
#define LEN 8 /* bytes of each task of a batch */
#define MAX 16 /* tasks of a batch */

struct pair {
	struct doca_ctx ctx;
	struct task_pool pools[PAIR_TASKS];
	unsigned int marks; /* entries made of mark tasks */
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
	doca_error_t init; /* results of init() and fini() */
	doca_error_t fini;
	int inits, finis;

	struct batch_pool batches;
	struct doca_buf *whole, *room; /* for all tasks of batches */
	struct doca_task_batch *last; /* the last one called back */
	doca_error_t status;
	void (*on_batch)(struct doca_task_batch *batch);
	uint32_t sessions; /* sessions to ask for */
	bool queue_fails; /* the hook fails */
} own;

static doca_error_t pair_validate(const struct doca_task *task)
{
	struct task_bytes bytes;

	return doca_priv_task_check(task, &bytes);
}

static void pair_finish(struct doca_task *task, uint32_t length, const uint64_t *result)
{
	(void)result;
	task_finish_bufs(task, length);
	if (own.batches.num)
		record('.');
}

static void mark_limit(struct task_limits *limits)
{
	limits->length = MARK_MAX;
	limits->tasks = MARKS;
}

static void mark_prepare(struct doca_task *task, struct doca_sqe *sqe, struct doca_seg *run,
			 uint32_t first)
{
	struct pair *pair = list_entry(task->ctx, struct pair, ctx);

	task_prepare_bufs(task, sqe, run, first);
	EXPECT_EQ(list_entry(task, struct pair_task_mark, task)->mark, MARK);
	pair->marks++;
}

static CTX_OBJECT_TYPE(pair);

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
		.prepare = task_prepare_bufs,
	},
};

static const struct task_type *const tasks[PAIR_TASKS] = { &mark_type, &copy_type, &copy_type };

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

static doca_error_t pair_queue(const struct doca_ctx *ctx, struct driver_queue_attr *attr)
{
	EXPECT_EQ(attr->opcodes, 1 << DOCA_OP_MEMCPY);
	EXPECT(attr->entries >= ctx->nr_tasks);
	attr->sessions = own.sessions;
	if (own.queue_fails)
		return FAIL(INITIALIZATION, "there is no such queue");
	return DOCA_SUCCESS;
}

static const struct ctx_type pair_type = {
	CTX_OBJECT(pair, tasks), .name = "pair",    .queue = pair_queue,
	.init = pair_init,	 .fini = pair_fini,
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

static void mark_done(struct pair_task_mark *task, union doca_data data, union doca_data ctx_data)
{
	(void)task, (void)data, (void)ctx_data;
	record('m');
}

static void copy_done(struct pair_task_copy *task, union doca_data data, union doca_data ctx_data)
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
	OK(doca_ctx_stop(ctx()));
	EXPECT_EQ(own.inits, 1);
	OK(pair_destroy(own.pair));
	EXPECT_EQ(own.finis, 1);
	tear_down();
}

static void batch_call(struct doca_task_batch *batch)
{
	own.last = batch;
	own.status = doca_task_batch_get_status(batch);
	record(own.status == DOCA_SUCCESS ? 'S' : 'E');
	if (own.on_batch)
		own.on_batch(batch);
}

/* Start a context with one task and @num batches. */
static void begin_batches(bool workers, uint16_t num)
{
	static const struct batch_type type = { .call = batch_call };

	set_up(workers, 1);
	memset(&own, 0, sizeof(own));
	OK(pair_create(&fake_dev, &own.pair));
	OK(copy_set_conf(own.pair, copy_done, copy_done, 1));
	own.batches.type = &type;
	own.batches.num = num;
	own.batches.max_tasks = batch_max_tasks(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16);
	own.pair->pools[PAIR_BATCH].batches = &own.batches;
	own.whole = source(0, LEN);
	own.room = room(0, MEM_SIZE / 2);
	use_ctx(ctx());
	OK(doca_ctx_set_user_data(ctx(), (union doca_data){ .u64 = 77 }));
	OK(doca_ctx_start(ctx()));
	EXPECT_STR(took(), "r");
}

static void end_batches(void)
{
	OK(doca_ctx_stop(ctx()));
	put(own.whole);
	put(own.room);
	end();
}

static doca_error_t alloc_batch(uint16_t n, struct doca_task_batch **batch)
{
	return doca_priv_batch_alloc(ctx(), &own.pair->pools[PAIR_BATCH], n,
				     (union doca_data){ .u64 = n }, batch);
}

static struct doca_task_batch *new_batch(uint16_t n)
{
	struct doca_task_batch *batch = NULL;

	OK(alloc_batch(n, &batch));
	for (uint16_t i = 0; batch && i < n; i++) {
		task_set_src(batch_task(batch, i), own.whole);
		task_set_dst(batch_task(batch, i), own.room);
	}
	return batch;
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

#endif /* DOCA_TESTS_PAIR_H */
