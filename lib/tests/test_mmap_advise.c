// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Advice on memory: the context, its tasks, and their requirements. */
#include <doca_mmap_advise.h>

#include "bed.h"
#include "core/memory/mmap.h"

#define NR_TASKS 4

typedef struct doca_mmap_advise_task_invalidate_cache task_t;

static struct doca_mmap_advise *advise;
static task_t *last; /* the last one called back */

static void called(task_t *task, char c, union doca_data task_data, union doca_data ctx_data)
{
	record(c);
	last = task;
	bed.user_data = task_data.u64;
	EXPECT_EQ(ctx_data.u64, 5);
	bed.status =
		doca_task_get_status(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
}

static void done(task_t *task, union doca_data data, union doca_data ctx_data)
{
	called(task, 'S', data, ctx_data);
}

static void failed(task_t *task, union doca_data data, union doca_data ctx_data)
{
	called(task, 'E', data, ctx_data);
}

static struct doca_ctx *ctx(void)
{
	return doca_mmap_advise_as_ctx(advise);
}

/* Create everything without starting it. */
static void begin(bool workers)
{
	set_up(workers, 1);
	OK(doca_mmap_advise_create(&fake_dev, &advise));
	use_ctx(ctx());
	OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, done, failed, NR_TASKS));
	OK(doca_ctx_set_user_data(ctx(), (union doca_data){ .u64 = 5 }));
}

static void begin_started(bool workers)
{
	begin(workers);
	OK(doca_ctx_start(ctx()));
	EXPECT_STR(took(), "r");
}

static void end(void)
{
	OK(doca_mmap_advise_destroy(advise));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	tear_down();
}

static task_t *new_inv(struct doca_buf *buf, uint64_t data)
{
	task_t *task = NULL;

	OK(doca_mmap_advise_task_invalidate_cache_alloc_init(
		advise, buf, (union doca_data){ .u64 = data }, &task));
	return task;
}

static struct doca_task *base(task_t *task)
{
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(task);
}

static void let_go(task_t *task)
{
	struct doca_buf *buf = doca_mmap_advise_task_invalidate_cache_get_buf(task);

	doca_task_free(base(task));
	if (buf)
		put(buf);
}

TEST(capabilities)
{
	const struct doca_devinfo *info;
	uint64_t size = 0;

	begin(true);
	info = doca_dev_as_devinfo(&fake_dev);
	OK(doca_mmap_advise_cap_task_cache_invalidate_is_supported(info));
	OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(info, &size));
	EXPECT_EQ(size, FAKE_MAX_LENGTH);
	end();
}

TEST(configuration)
{
	begin(true);
	ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, done, failed, 0),
	    INVALID_VALUE);
	FAILS(doca_mmap_advise_task_invalidate_cache_set_conf(advise, done, failed, 1025),
	      INVALID_VALUE, "1024");
	OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, done, failed, 1024));
	OK(doca_ctx_start(ctx()));
	ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, done, failed, 1), BAD_STATE);
	ERR(doca_mmap_advise_destroy(advise), IN_USE);
	logged();
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(pool_and_states)
{
	union doca_data data = { 0 };
	task_t *tasks[NR_TASKS], *more;
	int i;

	begin(true);
	ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &more),
	    BAD_STATE);
	OK(doca_ctx_start(ctx()));
	for (i = 0; i < NR_TASKS; i++)
		tasks[i] = new_inv(NULL, i);
	ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &more),
	    NO_MEMORY);
	while (i--)
		let_go(tasks[i]);
	OK(doca_ctx_stop(ctx()));
	end();
}

/* The buffer's data at the submission is advised, in both modes. */
static void advised(bool workers)
{
	struct doca_buf *buf;
	task_t *task;

	begin_started(workers);
	buf = source(64, 512);
	task = new_inv(NULL, 9);
	doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
	EXPECT(doca_mmap_advise_task_invalidate_cache_get_buf(task) == buf);
	OK(doca_buf_set_data(buf, bed.mem + 100, 300));
	OK(doca_task_try_submit(base(task)));
	EXPECT_STR(took(), "");
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT(last == task);
	EXPECT_EQ(bed.user_data, 9);
	EXPECT_EQ(fake.invalidated.address, (uintptr_t)bed.mem + 100);
	EXPECT_EQ(fake.invalidated.length, 300);
	EXPECT_EQ(data_len(buf), 300);
	/* And again: the task is the program's. */
	OK(doca_task_submit(base(task)));
	fake_work(1);
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	let_go(task);
	OK(doca_ctx_stop(ctx()));
	end();
}

TEST(advised_by_a_worker_or_a_call)
{
	advised(true);
	advised(false);
}

static struct doca_buf *nothing(void)
{
	return NULL;
}

static struct doca_buf *list(void)
{
	struct doca_buf *head = source(0, 8);

	OK(doca_buf_chain_list(head, source(16, 8)));
	return head;
}

static struct doca_mmap *odd; /* violates a requirement */

static struct doca_buf *of_odd(void)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_data(bed.inv, odd, bed.mem, 8, &buf));
	return buf;
}

static struct doca_buf *without_device(void)
{
	odd = new_mmap(bed.mem, MEM_SIZE, NULL);
	OK(doca_mmap_start(odd));
	return of_odd();
}

static struct doca_buf *empty(void)
{
	return room(0, 8);
}

static struct doca_buf *astray(void)
{
	struct doca_buf *buf = source(0, 8);

	OK(doca_buf_set_data(buf, bed.mem + 4, 8));
	return buf;
}

static const struct {
	struct doca_buf *(*make)(void);
	const char *why;
} bad[] = {
	{ nothing, "the buffer is missing" },	{ list, "is a list" },
	{ without_device, "lacks the device" }, { empty, "the buffer has no data" },
	{ astray, "is not within its memory" },
};

/* try_submit() refuses them at once; submit() lets the task fail, and flushes the rest. */
TEST(bad_tasks)
{
	task_t *task, *good;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin_started(true);
		task = new_inv(bad[i].make(), i);
		good = new_inv(source(0, 8), 7);
		FAILS(doca_task_try_submit(base(task)), INVALID_VALUE, bad[i].why);
		OK(doca_task_submit(base(task)));
		OK(doca_task_submit(base(good)));
		fake_work(2);
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
		EXPECT_STR(took(), "E");
		EXPECT(last == task);
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_STR(took(), "sE");
		EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
		let_go(task);
		let_go(good);
		drain(bed.pe);
		EXPECT_STR(took(), "i");
		logged();
		if (odd)
			OK(doca_mmap_destroy(odd));
		odd = NULL;
		end();
	}
}

TEST(not_of_memory_that_may_not_be_written)
{
	task_t *task;

	begin_started(true);
	task = new_inv(source(0, 8), 0);
	bed.mmap->writable = false;
	FAILS(doca_task_try_submit(base(task)), INVALID_VALUE, "does not allow writes");
	bed.mmap->writable = true;
	let_go(task);
	OK(doca_ctx_stop(ctx()));
	end();
}
