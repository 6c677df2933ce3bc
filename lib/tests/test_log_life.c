// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The log of a run that succeeds, and of one that fails. */
#include "sync_bed.h"

static unsigned int count(const char *text, const char *words)
{
	unsigned int n = 0;

	while ((text = strstr(text, words))) {
		text += strlen(words);
		n++;
	}
	return n;
}

/* Expect these lines in this order, with any others between them. */
#define EXPECT_STORY(...)                                                                       \
	do {                                                                                    \
		static const char *const story_[] = { __VA_ARGS__ };                            \
		const char *text_ = logged(), *at_ = text_;                                     \
                                                                                                \
		for (size_t i_ = 0; at_ && i_ < sizeof(story_) / 8; i_++) {                     \
			at_ = strstr(at_, story_[i_]);                                          \
			if (!at_)                                                               \
				KTAP_SAY_("no \"%s\" in its place in:\n%s", story_[i_], text_); \
		}                                                                               \
	} while (0)

static void set_level(uint32_t level)
{
	OK(doca_log_level_set_global_sdk_limit(level));
}

static void copy_once(void)
{
	OK(doca_task_submit(new_copy(0, 32)));
	bed.on_task = free_in_callback;
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 0, 32));
}

TEST(a_run_that_succeeds_is_silent_by_default)
{
	struct doca_sync_event *event;

	set_up(false, 2);
	set_level(DOCA_LOG_LEVEL_WARNING);
	OK(doca_ctx_start(bed.ctx));
	copy_once();
	OK(doca_ctx_stop(bed.ctx));
	event = new_event();
	OK(doca_sync_event_start(event));
	stop_and_destroy(event);
	EXPECT_SILENT();
	tear_down();
}

TEST(what_may_be_null_is_silent)
{
	set_up(false, 1);
	doca_task_free(doca_dma_task_memcpy_as_task(NULL));
	doca_task_batch_free(NULL);
	doca_ctx_flush_tasks(NULL);
	OK(doca_dev_close(NULL));
	EXPECT(!doca_dev_as_devinfo(NULL));
	EXPECT_SILENT();
	tear_down();
}

TEST(debug_tells_the_life_of_a_run_that_succeeds)
{
	struct doca_mmap *mmap;

	set_up(false, 2);
	set_level(DOCA_LOG_LEVEL_DEBUG);
	logged();
	mmap = new_mmap(bed.mem, MEM_SIZE, &fake_dev);
	OK(doca_mmap_start(mmap));
	EXPECT_STORY("is created", "is started: 65536 bytes at", "registered for 1 devices");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STORY("[DBG]", "DMA ", "is running");
	copy_once();
	EXPECT_SILENT();
	OK(doca_ctx_stop(bed.ctx));
	EXPECT_STORY("is stopping", "is idle");
	OK(doca_mmap_destroy(mmap));
	EXPECT_STORY("mmap ", "is stopped", "is destroyed");
	tear_down();
}

TEST(trace_tells_of_each_task)
{
	set_up(false, 2);
	set_level(DOCA_LOG_LEVEL_TRACE);
	OK(doca_ctx_start(bed.ctx));
	for (int i = 0; i < 3; i++) {
		logged();
		copy_once();
		EXPECT_STORY("[TRC]", "is submitted", "is done: success");
	}
	OK(doca_ctx_stop(bed.ctx));
	/* the level is read at the next start */
	set_level(DOCA_LOG_LEVEL_DEBUG);
	OK(doca_ctx_start(bed.ctx));
	set_level(DOCA_LOG_LEVEL_TRACE);
	logged();
	copy_once();
	EXPECT_SILENT();
	stop_and_tear_down();
}

/* The destination of the first is too short. */
TEST(a_failed_task_is_one_line_however_many_are_flushed)
{
	const char *text;

	set_up(false, 64);
	set_level(DOCA_LOG_LEVEL_WARNING);
	OK(doca_ctx_start(bed.ctx));
	logged();
	bed.on_task = free_in_callback;
	OK(doca_task_submit(as_task(new_task(source(0, 64), room(0, 8), 0))));
	submit_many(63);
	drain(bed.pe);
	EXPECT_EQ(count(took(), "E"), 64);
	text = logged();
	EXPECT_EQ(count(text, "\n"), 1);
	EXPECT_EQ(count(text, "[ERR]"), 1);
	EXPECT(strstr(text, "the destination is shorter than the source"));
	EXPECT(strstr(text, "with it 63 more tasks"));
	stop_and_tear_down();
}

TEST(what_is_repeated_warns_once_until_the_next_start)
{
	struct doca_buf_inventory *inv;
	struct doca_buf *buf, *none;

	set_up(false, 1);
	set_level(DOCA_LOG_LEVEL_WARNING);
	OK(doca_buf_inventory_create(1, &inv));
	for (int i = 0; i < 2; i++) {
		OK(doca_buf_inventory_start(inv));
		OK(doca_buf_inventory_buf_get_by_data(inv, bed.mmap, bed.mem, 1, &buf));
		logged();
		for (int k = 0; k < 1000; k++)
			ERR(doca_buf_inventory_buf_get_by_data(inv, bed.mmap, bed.mem, 1, &none),
			    NO_MEMORY);
		EXPECT_LOGGED("is empty: all of its 1 buffers are in use");
		put(buf);
		OK(doca_buf_inventory_stop(inv));
	}
	OK(doca_buf_inventory_destroy(inv));
	tear_down();
}

/* A callback that submits again, as many do, notices that the context stops. */
static void submit_again(struct doca_dma_task_memcpy *task)
{
	ERR(doca_task_submit(as_task(task)), BAD_STATE);
	free_task_and_bufs(task);
}

TEST(submission_to_a_context_that_stops_warns_once)
{
	const char *text;

	set_up(false, 16);
	set_level(DOCA_LOG_LEVEL_WARNING);
	OK(doca_ctx_start(bed.ctx));
	submit_many(16);
	bed.on_task = submit_again;
	logged();
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	drain(bed.pe);
	text = logged();
	EXPECT_EQ(count(text, "\n"), 1);
	EXPECT_EQ(count(text, "it is stopping"), 1);
	took();
	stop_and_tear_down();
}
