// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Stops of contexts: by request, after a failed task, and without their device. */
#include "bed.h"

TEST(after_a_failed_task_255_submits_succeed_and_are_flushed)
{
	set_up_started(true, 256);
	bed.on_task = free_in_callback;
	OK(doca_task_submit(new_copy(0, 8)));
	OK(doca_task_submit(bad_copy()));
	fake_work(2);
	for (int i = 0; i < 254; i++)
		OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(state(), DOCA_CTX_STATE_RUNNING);
	fake_work(-1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("has 8 bytes, the destination room for 4, and");
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(state(), DOCA_CTX_STATE_STOPPING);
	EXPECT_STR(took(), "SEs");
	EXPECT_EQ(drain(bed.pe), 255);
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_STR(took(), repeat('E', 254, "i"));
	EXPECT_EQ(fake.stops, 0);
	EXPECT_SILENT();

	OK(doca_ctx_start(bed.ctx));
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "rS");
	stop_and_tear_down();
}

TEST(nothing_is_submitted_or_allocated_while_stopping)
{
	struct doca_dma_task_memcpy *more;
	struct doca_task *held;

	set_up_started(true, 3);
	held = new_copy(0, 8);
	OK(doca_task_submit(bad_copy()));
	bed.on_task = free_in_callback;
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "Es");
	ERR(doca_task_submit(held), BAD_STATE);
	ERR(doca_task_try_submit(held), BAD_STATE);
	ERR(doca_dma_task_memcpy_alloc_init(bed.dma, NULL, NULL, (union doca_data){ 0 }, &more),
	    BAD_STATE);
	ERR(doca_ctx_start(bed.ctx), BAD_STATE);
	free_task_and_bufs(bed.all[0]);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "i");
	tear_down();
}

static void resubmit_always(struct doca_dma_task_memcpy *task)
{
	if (doca_task_submit(as_task(task)))
		free_task_and_bufs(task);
}

TEST(resubmitting_failed_tasks_comes_to_an_end)
{
	set_up_started(false, 1);
	bed.on_task = resubmit_always;
	OK(doca_task_submit(bad_copy()));
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "EsEi");
	tear_down();
}

TEST(stop_with_tasks_in_flight_flushes_them)
{
	set_up_started(true, 16);
	bed.on_task = free_in_callback;
	submit_many(14);
	OK(doca_task_submit_ex(new_copy(0, 8), 0));
	fake_work(5);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	EXPECT_EQ(state(), DOCA_CTX_STATE_STOPPING);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	EXPECT_EQ(fake.stops, 1);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 16);
	EXPECT_STR(took(), "sSSSSSEEEEEEEEEEi");
	EXPECT_EQ(bed.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	tear_down();
}

static unsigned int countdown;

static void stop_after_some(struct doca_dma_task_memcpy *task)
{
	free_task_and_bufs(task);
	if (!--countdown)
		ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
}

TEST(stop_in_a_callback_reaches_idle_through_progress)
{
	set_up_started(false, 16);
	bed.on_task = stop_after_some;
	countdown = 16;
	for (int i = 0; i < 16; i++)
		OK(doca_task_submit(new_copy(i * 8, 8)));
	EXPECT_EQ(drain(bed.pe), 17);
	EXPECT_STR(took(), "SSSSSSSSSSSSSSSSsi");
	tear_down();
}

TEST(stop_waits_for_tasks_that_are_allocated)
{
	set_up_started(true, 2);
	new_copy(0, 8);
	new_copy(0, 8);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	free_task_and_bufs(bed.all[0]);
	EXPECT_EQ(drain(bed.pe), 0);
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	free_task_and_bufs(bed.all[1]);
	EXPECT_STR(took(), "s");
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STR(took(), "i");
	EXPECT_EQ(drain(bed.pe), 0);
	tear_down();
}

static void free_on_stopping(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	(void)ctx;
	if (next == DOCA_CTX_STATE_STOPPING)
		free_task_and_bufs(bed.all[0]);
}

TEST(the_stopping_callback_may_free_the_last_task)
{
	set_up_started(true, 1);
	bed.on_state = free_on_stopping;
	new_copy(0, 8);
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STR(took(), "si");
	tear_down();
}

static void destroy_on_idle(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	(void)ctx;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	OK(doca_dma_destroy(bed.dma));
	bed.dma = NULL;
	ERR(doca_pe_destroy(bed.pe), IN_USE);
}

TEST(a_context_may_be_destroyed_in_its_idle_callback)
{
	set_up_started(true, 1);
	bed.on_state = destroy_on_idle;
	OK(doca_ctx_stop(bed.ctx));
	EXPECT(!bed.dma);
	tear_down();

	set_up_started(false, 4);
	bed.on_state = destroy_on_idle;
	bed.on_task = stop_after_some;
	countdown = 4;
	for (int i = 0; i < 4; i++)
		OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(drain(bed.pe), 5);
	EXPECT(!bed.dma);
	tear_down();
}

static unsigned int restarts;

static void restart_on_idle(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	if (next == DOCA_CTX_STATE_IDLE && restarts) {
		restarts--;
		OK(doca_ctx_start(ctx));
		OK(doca_task_submit(new_copy(0, 8)));
	}
}

TEST(a_context_may_be_restarted_in_its_idle_callback)
{
	set_up_started(false, 1);
	bed.on_state = restart_on_idle;
	bed.on_task = stop_after_some;
	countdown = 1;
	restarts = 1;
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	countdown = 1;
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "SsirSsi");
	tear_down();
}

TEST(a_context_without_state_callback_does_the_same)
{
	struct doca_dma *dma = NULL;
	struct doca_ctx *ctx;

	set_up(false, 1);
	OK(doca_dma_destroy(bed.dma));
	OK(doca_dma_create(&fake_dev, &dma));
	bed.dma = dma;
	bed.ctx = ctx = doca_dma_as_ctx(dma);
	OK(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 2));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
	OK(doca_ctx_start(ctx));
	bed.on_task = free_in_callback;
	OK(doca_task_submit(bad_copy()));
	OK(doca_task_submit(new_copy(0, 8)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(state(), DOCA_CTX_STATE_STOPPING);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	EXPECT_STR(took(), "EE");
	tear_down();
}

TEST(removal_of_the_device_stops_an_idle_context)
{
	set_up_started(true, 1);
	EXPECT_EQ(drain(bed.pe), 0);
	fake_remove_device();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "si");
	EXPECT_LOGGED("removed");
	ERR(doca_ctx_start(bed.ctx), INITIALIZATION);
	tear_down();
}

static void removal_with_tasks_in_flight(bool workers)
{
	set_up_started(workers, 8);
	bed.on_task = free_in_callback;
	fake.enter_budget = 2;
	submit_many(2);
	fake_work(2);
	for (int i = 0; i < 6; i++)
		OK(doca_task_submit_ex(new_copy(0, 8), 0));
	fake_remove_device();
	for (int i = 0; i < 20; i++) {
		fake_work(1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_STR(took(), "SSEsEEEEEi");
	tear_down();
}

TEST(removal_of_the_device_answers_every_task_once)
{
	removal_with_tasks_in_flight(true);
	removal_with_tasks_in_flight(false);
}

TEST(tasks_that_nobody_answers_are_failed_by_the_library)
{
	set_up_started(false, 8);
	bed.on_task = free_in_callback;
	submit_many(2);
	fake.enter_fails = true;
	submit_many(4);
	EXPECT_EQ(inflight(), 6);
	fake_remove_device();
	EXPECT_EQ(drain(bed.pe), 8);
	EXPECT_STR(took(), "SSEsEEEi");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	tear_down();
}

TEST(a_broken_queue_fails_its_tasks)
{
	set_up_started(true, 8);
	bed.on_task = free_in_callback;
	submit_many(5);
	fake_work(2);
	fake_break_queues();
	EXPECT_EQ(drain(bed.pe), 7);
	EXPECT_STR(took(), "SSEsEEi");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	fake_break_queues();
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "si");
	tear_down();
}

TEST(stop_of_a_removed_device_reaches_idle)
{
	set_up_started(true, 4);
	bed.on_task = free_in_callback;
	submit_many(3);
	fake_remove_device();
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 4);
	EXPECT_STR(took(), "sEEEi");
	tear_down();
}

TEST(a_completion_of_no_task_is_ignored)
{
	set_up_started(true, 4);
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	empty_dst(bed.task);
	OK(doca_task_submit(as_task(bed.task)));
	fake_stray_completion(3);
	fake_stray_completion(1ULL << 40);
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_LOGGED("not in flight");
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	free_task_and_bufs(bed.task);
	stop_and_tear_down();
}

/* After a task, progress looks for completions in another way. */
static void ignore_behind_a_task(uint64_t user_data)
{
	struct doca_dma_task_memcpy *first;

	set_up_started(true, 4);
	OK(doca_task_submit(new_copy(0, 8)));
	OK(doca_task_submit(new_copy(8, 8)));
	fake_work(1);
	fake_stray_completion(user_data);
	EXPECT_EQ(drain(bed.pe), 1);
	first = bed.task;
	EXPECT_EQ(drain(bed.pe), 0);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	free_task_and_bufs(first);
	free_task_and_bufs(bed.task);
	stop_and_tear_down();
}

TEST(a_completion_of_no_task_is_ignored_behind_that_of_a_task)
{
	ignore_behind_a_task(3);
	ignore_behind_a_task(4);
	ignore_behind_a_task(1ULL << 32 | 1);
}

TEST(a_task_says_why_it_failed)
{
	static const struct {
		uint32_t status;
		doca_error_t error;
	} table[] = {
		{ DOCA_STATUS_CANCELED, DOCA_ERROR_SHUTDOWN },
		{ DOCA_STATUS_BAD_OPCODE, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_BAD_ENTRY, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_BAD_KEY, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_BAD_RANGE, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_BAD_ACCESS, DOCA_ERROR_NOT_PERMITTED },
		{ DOCA_STATUS_BAD_LENGTH, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_BAD_ALIGN, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_BAD_WAIT, DOCA_ERROR_DRIVER },
		{ DOCA_STATUS_BAD_MEMORY, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_BAD_OBJECT, DOCA_ERROR_BAD_STATE },
		{ DOCA_STATUS_BAD_SESSION, DOCA_ERROR_BAD_STATE },
		{ DOCA_STATUS_FAILED, DOCA_ERROR_DRIVER },
		{ DOCA_STATUS_NOT_SUPPORTED, DOCA_ERROR_NOT_SUPPORTED },
		{ DOCA_STATUS_RESET, DOCA_ERROR_CONNECTION_RESET },
		{ 77, DOCA_ERROR_DRIVER },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		set_up_started(false, 1);
		fake.status = table[i].status;
		OK(doca_task_submit(new_copy(0, 32)));
		drain(bed.pe);
		EXPECT_STR(took(), "Es");
		EXPECT_EQ(doca_task_get_status(as_task(bed.task)), table[i].error);
		free_task_and_bufs(bed.task);
		drain(bed.pe);
		EXPECT_STR(took(), "i");
		tear_down();
	}
}

static struct doca_mmap *map_with(uint32_t access)
{
	struct doca_mmap *mmap = new_mmap(bed.mem, MEM_SIZE, &fake_dev);

	OK(doca_mmap_set_permissions(mmap, access));
	OK(doca_mmap_start(mmap));
	return mmap;
}

static struct doca_mmap *map_for_reading(void)
{
	return map_with(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
}

static struct doca_mmap *map_tracked_file(void)
{
	fake.reg_refuse = DOCA_ACCESS_LOCAL_WRITE;
	return map_with(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static struct doca_mmap *import_for_reading(void)
{
	struct doca_mmap *mmap = NULL;

	fake_imports(DOCA_ACCESS_LOCAL_READ);
	OK(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), &fake_dev, &mmap));
	return mmap;
}

/* An import has its exporter's permissions. */
TEST(a_task_that_may_not_write_says_what_is_missing)
{
	static const struct {
		struct doca_mmap *(*map)(void);
		const char *words;
	} cases[] = {
		{ map_for_reading, "lacks DOCA_ACCESS_FLAG_LOCAL_READ_WRITE" },
		{ import_for_reading, "exported without DOCA_ACCESS_FLAG_PCI_READ_WRITE" },
		{ map_tracked_file, "not allow writes: it maps a file, shared" },
	};
	struct doca_mmap *mmap;
	struct doca_buf *dst;
	void *addr;
	size_t len;

	for (int i = 0; i < 3; i++) {
		set_up_started(false, 1);
		mmap = cases[i].map();
		OK(doca_mmap_get_memrange(mmap, &addr, &len));
		OK(doca_buf_inventory_buf_get_by_addr(bed.inv, mmap, addr, 64, &dst));
		fake.status = DOCA_STATUS_BAD_ACCESS;
		OK(doca_task_submit(as_task(new_task(source(0, 8), dst, 0))));
		logged();
		drain(bed.pe);
		EXPECT_LOGGED(cases[i].words);
		free_task_and_bufs(bed.task);
		drain(bed.pe);
		took();
		OK(doca_mmap_destroy(mmap));
		tear_down();
	}
}

/* A task among others that succeed fails. @told: it is the first one of its context. */
static void fail_softly(uint32_t status, doca_error_t error, bool told)
{
	struct doca_task *tasks[3];

	logged();
	for (int i = 0; i < 3; i++) {
		tasks[i] = new_copy(32 * i, 32);
		OK(doca_task_submit(tasks[i]));
	}
	fake_work(1);
	fake.status = status;
	fake_work(2);
	drain(bed.pe);
	EXPECT_STR(took(), "SES");
	if (told)
		EXPECT_LOGGED("the context goes on");
	else
		EXPECT_SILENT();
	EXPECT_EQ(doca_task_get_status(tasks[1]), error);
	EXPECT_EQ(state(), DOCA_CTX_STATE_RUNNING);
	for (int i = 0; i < 3; i++)
		free_task_and_bufs(bed.all[i]);
	bed.nr_all = 0;
}

TEST(a_task_that_fails_by_its_data_fails_alone)
{
	static const struct {
		uint32_t status;
		doca_error_t error;
	} table[] = {
		{ DOCA_STATUS_DATA, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_CHECKSUM, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_TAG, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_NO_SPACE, DOCA_ERROR_INVALID_VALUE },
		{ DOCA_STATUS_NOT_CONNECTED, DOCA_ERROR_NOT_CONNECTED },
		{ DOCA_STATUS_NO_CONSUMER, DOCA_ERROR_NOT_CONNECTED },
		{ DOCA_STATUS_SOFT | 77, DOCA_ERROR_DRIVER },
	};

	set_up_started(true, 3);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		fail_softly(table[i].status, table[i].error, !i);
	stop_and_tear_down();
}
