// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Batches of tasks, executed by the kernel. No library of the Core offers them, so here
 * is one of the test's own, as a library is made: batches of copies of a page each.
 */
#include <poll.h>

#include "core/exec/batch.h"
#include "core/exec/library.h"
#include "core/memory/segs.h"

#include "probe.h"

#define BATCHES 8
#define MAX 16 /* tasks of a batch */
#define PAGES (BATCHES * MAX)
#define MEM ((size_t)PAGES * PROBE_LEN)

struct copy {
	struct doca_task task;
	struct doca_buf *src, *dst;
};

/* The library, and what its callbacks saw */
struct lib {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct batch_pool batches;
	struct doca_buf *src[PAGES], *dst[PAGES];
	unsigned int tasks, called, succeeded, to_idle;
	doca_error_t status; /* of the last batch that failed */
	unsigned int invalid, flushed; /* batches that failed: by a bad task, behind it */
	unsigned int resubmit; /* so often more */
};

FIXTURE(batch)
{
	struct lib lib;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	char *mem;
	long pins;
};

static struct copy *as_copy(const struct doca_task *task)
{
	return list_entry(task, struct copy, task);
}

static struct lib *lib_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct lib, ctx);
}

static doca_error_t copy_validate(const struct doca_task *task)
{
	return as_copy(task)->src ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void copy_submit(struct doca_task *task, struct doca_sqe *sqe,
			struct doca_seg *run, uint32_t first)
{
	struct segs segs = { .dev = task->ctx->dev, .run = run, .max = 1 };
	struct copy *copy = as_copy(task);

	(void)first;
	memset(sqe->op, 0, sizeof(sqe->op));
	sqe->opcode = DOCA_OP_MEMCPY;
	sqe->aux = 0;
	sqe->flags = segs_from_source(&segs, copy->src, &sqe->src) |
		     segs_from_destination(&segs, copy->dst, &sqe->dst);
}

static bool copy_unkeyed(const struct doca_task *task)
{
	const struct doca_dev *dev = task->ctx->dev;
	const struct copy *copy = as_copy(task);

	return segs_source_unkeyed(copy->src, dev) ||
	       segs_unkeyed(copy->dst, dev);
}

static void copy_finish(struct doca_task *task, uint32_t length,
			uint64_t result)
{
	(void)length;
	(void)result;
	lib_of(task->ctx)->tasks++;
}

static void copy_call(struct doca_task *task)
{
	(void)task;
	abort(); /* it is not called, for its batch is */
}

static const struct task_type copy_type = {
	.size = sizeof(struct copy),
	.validate = copy_validate,
	.finish = copy_finish,
	.done = copy_call,
	.failed = copy_call,
	.ring = { .prepare = copy_submit, .unkeyed = copy_unkeyed },
};

static const struct task_type *const lib_tasks[] = { &copy_type };

static const struct ctx_type lib_type = {
	CTX_OBJECT(lib, lib_tasks),
	.name = "lib",
};

static void batch_call(struct doca_task_batch *batch)
{
	struct lib *lib = lib_of(doca_task_batch_get_ctx(batch));
	doca_error_t status = doca_task_batch_get_status(batch);

	lib->called++;
	lib->invalid += status == DOCA_ERROR_INVALID_VALUE;
	lib->flushed += status == DOCA_ERROR_SHUTDOWN;
	if (status)
		lib->status = status;
	else
		lib->succeeded++;
	if (!status && lib->resubmit) {
		lib->resubmit--;
		if (!doca_task_batch_submit(batch))
			return;
	}
	doca_task_batch_free(batch);
}

static const struct batch_type batch_type = { .call = batch_call };

static void lib_state(const union doca_data user_data, struct doca_ctx *ctx,
		      enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data;
	(void)prev;
	lib_of(ctx)->to_idle += next == DOCA_CTX_STATE_IDLE;
}

static doca_error_t lib_create(struct lib *lib, struct doca_dev *dev,
			       struct doca_pe *pe)
{
	doca_error_t rc;

	lib->batches.type = &batch_type;
	lib->batches.num = BATCHES;
	lib->batches.max_tasks = MAX;
	doca_priv_ctx_init(&lib->ctx, &lib_type, dev);
	lib->pools[0].batches = &lib->batches;
	rc = doca_ctx_set_state_changed_cb(&lib->ctx, lib_state);
	return rc ?: doca_pe_connect_ctx(pe, &lib->ctx);
}

FIXTURE_SETUP(batch)
{
	struct lib *lib = &self->lib;
	int i;

	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, 2 * MEM, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->mem);
	bed_fill(self->mem, MEM, 3);
	ASSERT_OK(bed_mmap(self->mem, 2 * MEM,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(doca_buf_inventory_create(2 * PAGES, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	for (i = 0; i < PAGES; i++) {
		char *page = self->mem + i * PROBE_LEN;

		ASSERT_OK(doca_buf_inventory_buf_get_by_data(
			self->inv, self->mmap, page, PROBE_LEN, &lib->src[i]));
		ASSERT_OK(doca_buf_inventory_buf_get_by_addr(
			self->inv, self->mmap, page + MEM, PROBE_LEN,
			&lib->dst[i]));
	}
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(lib_create(lib, self->dev, self->pe));
	ASSERT_OK(doca_ctx_start(&lib->ctx));
}

FIXTURE_TEARDOWN(batch)
{
	struct lib *lib = &self->lib;
	int i;

	EXPECT_OK(doca_ctx_stop(&lib->ctx));
	EXPECT_OK(doca_priv_ctx_fini(&lib->ctx));
	for (i = 0; i < PAGES; i++) {
		EXPECT_OK(doca_buf_dec_refcount(lib->src[i], NULL));
		EXPECT_OK(doca_buf_dec_refcount(lib->dst[i], NULL));
	}
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	munmap(self->mem, 2 * MEM);
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Number @n, of @nr tasks; that with number @bad, if there is, writes to nowhere. */
static doca_error_t submit(struct lib *lib, unsigned int n, unsigned int nr,
			   unsigned int bad)
{
	struct doca_task_batch *batch;
	union doca_data data = { .u64 = n };
	doca_error_t rc;
	unsigned int i;

	rc = doca_priv_batch_alloc(&lib->ctx, &lib->pools[0], nr, data, &batch);
	if (rc)
		return rc;
	for (i = 0; i < nr; i++) {
		struct copy *copy = as_copy(batch_task(batch, i));

		copy->src = i == bad ? NULL : lib->src[n * MAX + i];
		copy->dst = lib->dst[n * MAX + i];
	}
	rc = doca_task_batch_submit(batch);
	if (rc)
		doca_task_batch_free(batch);
	return rc;
}

#define NONE MAX
#define UNTIL(self, condition) BED_UNTIL(self, condition)

TEST_F(batch, one_callback_for_all_of_its_tasks)
{
	struct lib *lib = &self->lib;
	size_t inflight = 0;
	int i;

	for (i = 0; i < BATCHES; i++)
		ASSERT_OK(submit(lib, i, MAX, NONE));
	EXPECT_OK(doca_ctx_get_num_inflight_tasks(&lib->ctx, &inflight));
	EXPECT_EQ(PAGES, inflight);
	EXPECT_ERR(NO_MEMORY, submit(lib, 0, 1, NONE));
	EXPECT_TRUE(UNTIL(self, lib->called == BATCHES));
	EXPECT_EQ(BATCHES, lib->succeeded);
	EXPECT_EQ(PAGES, lib->tasks);
	EXPECT_EQ(0, memcmp(self->mem, self->mem + MEM, MEM));
	EXPECT_EQ(0, doca_pe_progress(self->pe));
	EXPECT_OK(doca_ctx_get_num_inflight_tasks(&lib->ctx, &inflight));
	EXPECT_EQ(0, inflight);
}

/* Of any number of tasks, and again from the callback */
TEST_F(batch, submitted_again_in_its_callback)
{
	struct lib *lib = &self->lib;
	unsigned int i;

	for (i = 0; i < BATCHES; i++)
		ASSERT_OK(submit(lib, i, 1 + i * 2, NONE));
	EXPECT_TRUE(UNTIL(self, lib->called == BATCHES));
	EXPECT_EQ(BATCHES * BATCHES, lib->tasks);
	lib->resubmit = 500;
	ASSERT_OK(submit(lib, 0, MAX, NONE));
	EXPECT_TRUE(UNTIL(self, lib->called == BATCHES + 501));
	EXPECT_EQ(BATCHES + 501, lib->succeeded);
	EXPECT_EQ(BATCHES * BATCHES + 501 * MAX, lib->tasks);
}

TEST_F(batch, one_wake_up_for_all_of_its_tasks)
{
	struct lib *lib = &self->lib;
	doca_notification_handle_t fd;
	struct pollfd p = { .events = POLLIN };
	int i;

	ASSERT_OK(doca_pe_get_notification_handle(self->pe, &fd));
	p.fd = fd;
	for (i = 0; i < 100; i++) {
		ASSERT_OK(doca_pe_request_notification(self->pe));
		ASSERT_OK(submit(lib, i % BATCHES, MAX, NONE));
		while (lib->called == i) {
			ASSERT_EQ(1, poll(&p, 1, 20000));
			ASSERT_OK(doca_pe_clear_notification(self->pe, fd));
			while (doca_pe_progress(self->pe))
				;
			if (lib->called == i)
				ASSERT_OK(doca_pe_request_notification(
					self->pe));
		}
		ASSERT_EQ(i + 1, lib->called);
	}
	EXPECT_EQ(100, lib->succeeded);
}

/* The tasks before the bad one are done; all batches are called back, once, in any order. */
TEST_F(batch, a_bad_task_fails_its_batch_and_stops_the_context)
{
	struct lib *lib = &self->lib;
	int i;

	ASSERT_OK(submit(lib, 0, MAX, NONE));
	ASSERT_OK(submit(lib, 1, MAX, 5));
	for (i = 2; i < BATCHES; i++)
		ASSERT_OK(submit(lib, i, MAX, NONE));
	EXPECT_TRUE(UNTIL(self, lib->to_idle));
	EXPECT_EQ(1, lib->succeeded);
	EXPECT_EQ(BATCHES, lib->called);
	EXPECT_EQ(PAGES, lib->tasks);
	EXPECT_EQ(1, lib->invalid);
	EXPECT_EQ(BATCHES - 2, lib->flushed);
	EXPECT_EQ(0, memcmp(self->mem, self->mem + MEM,
			    (MAX + 5) * PROBE_LEN));
	EXPECT_EQ(0, self->mem[MEM + (MAX + 6) * PROBE_LEN + 1]);

	ASSERT_OK(doca_ctx_start(&lib->ctx));
	ASSERT_OK(submit(lib, 2, MAX, NONE));
	EXPECT_TRUE(UNTIL(self, lib->called == BATCHES + 1));
	EXPECT_EQ(2, lib->succeeded);
}

TEST_F(batch, stop_flushes_batches_in_flight)
{
	struct lib *lib = &self->lib;
	int i;

	for (i = 0; i < BATCHES; i++)
		ASSERT_OK(submit(lib, i, MAX, NONE));
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(&lib->ctx));
	EXPECT_TRUE(UNTIL(self, lib->to_idle));
	EXPECT_EQ(BATCHES, lib->called);
	EXPECT_EQ(PAGES, lib->tasks);
	if (lib->succeeded < BATCHES)
		EXPECT_ERR(SHUTDOWN, lib->status);
	EXPECT_EQ(0, memcmp(self->mem, self->mem + MEM,
			    lib->succeeded * MAX * PROBE_LEN));
}

TEST_HARNESS_MAIN
