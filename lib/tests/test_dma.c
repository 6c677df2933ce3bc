// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DMA: the memcpy task, from buffers to buffers. */
#include "bed.h"

#define DEV_INFO (&fake_dev.info)

TEST(output_is_appended_and_the_data_length_grows)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	set_up_started(false, 4);
	src = source(0, 100);
	dst = room(0, 300);
	task = new_task(src, dst, 42);
	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(bed.user_data, 42);
	EXPECT_EQ(bed.status, DOCA_SUCCESS);
	EXPECT(copied(0, 0, 100));
	EXPECT_EQ(data_len(dst), 100);

	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 100, 100));
	EXPECT_EQ(data_len(dst), 200);
	EXPECT_EQ(data_len(src), 100);

	free_task_and_bufs(task);
	stop_and_tear_down();
}

/* Make a list of buffers of these lengths, with gaps between them. */
static struct doca_buf *chain(struct doca_buf *(*get)(size_t, size_t), const size_t *len, size_t n)
{
	struct doca_buf *head = NULL, *next;
	size_t off = 0;

	for (size_t i = 0; i < n; off += len[i++] + 50) {
		next = get(off, len[i]);
		if (head)
			OK(doca_buf_chain_list(head, next));
		else
			head = next;
	}
	return head;
}

static size_t contents(struct doca_buf *buf, char *out)
{
	size_t n = 0;
	void *data;

	while (buf) {
		OK(doca_buf_get_data(buf, &data));
		memcpy(out + n, data, data_len(buf));
		n += data_len(buf);
		OK(doca_buf_get_next_in_list(buf, &buf));
	}
	return n;
}

static void copy_list(const size_t *in, size_t nr_in, const size_t *out, size_t nr_out,
		      size_t total)
{
	static char want[MEM_SIZE], got[MEM_SIZE];
	struct doca_buf *src = chain(source, in, nr_in);
	struct doca_buf *dst = chain(room, out, nr_out);
	struct doca_dma_task_memcpy *task = new_task(src, dst, 0);

	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(contents(src, want), total);
	EXPECT_EQ(contents(dst, got), total);
	EXPECT(!memcmp(want, got, total));
	free_task_and_bufs(task);
}

TEST(lists_are_gathered_and_scattered)
{
	static const size_t in[] = { 10, 0, 1, 200, 0, 89 };
	static const size_t out[] = { 0, 150, 3, 0, 500 };
	static const size_t one[] = { 0, 300, 0 };
	static const size_t exact[] = { 100, 200 };
	size_t many[FAKE_LIST_MAX];

	for (int i = 0; i < FAKE_LIST_MAX; i++)
		many[i] = 1 + i % 5;
	set_up_started(false, 2);
	copy_list(in, 6, out, 5, 300);
	copy_list(in, 6, one, 3, 300);
	copy_list(one, 3, exact, 2, 300);
	copy_list(one + 1, 1, out, 5, 300);
	copy_list(many, FAKE_LIST_MAX, many, FAKE_LIST_MAX, 190);
	stop_and_tear_down();
}

TEST(every_task_has_room_for_the_longest_lists)
{
	size_t ones[FAKE_LIST_MAX];
	struct doca_buf *src;

	for (int i = 0; i < FAKE_LIST_MAX; i++)
		ones[i] = 1;
	set_up_started(true, 5);
	src = chain(source, ones, FAKE_LIST_MAX);
	for (int i = 0; i < 5; i++)
		OK(doca_task_submit(as_task(new_task(src, room(i * FAKE_LIST_MAX, 64), i))));
	fake_work(5);
	EXPECT_EQ(drain(bed.pe), 5);
	EXPECT_STR(took(), "SSSSS");
	for (int i = 0; i < 5 * FAKE_LIST_MAX; i++)
		EXPECT_EQ(bed.mem[MEM_SIZE / 2 + i], bed.mem[i % FAKE_LIST_MAX * 51]);
	OK(doca_buf_dec_refcount(src, NULL));
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	free_all_tasks();
	stop_and_tear_down();
}

/* Submit, and see the task fail and the context stop and restart. */
static void fails_with(const struct doca_buf *src, struct doca_buf *dst, doca_error_t error)
{
	struct doca_dma_task_memcpy *task = new_task(src, dst, 1);

	logged();
	ERR(doca_task_try_submit(as_task(task)), INVALID_VALUE);
	EXPECT(strstr(logged(), "memcpy task"));
	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(bed.status, error);
	if (dst)
		EXPECT_EQ(data_len(dst), 0);
	doca_task_free(as_task(task));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "si");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	if (src)
		put(src);
	if (dst)
		put(dst);
}

TEST(errors_of_size_and_range_are_asynchronous)
{
	size_t ones[FAKE_LIST_MAX + 1];

	for (int i = 0; i <= FAKE_LIST_MAX; i++)
		ones[i] = 1;
	set_up_started(false, 2);
	fails_with(source(0, 100), room(0, 99), DOCA_ERROR_INVALID_VALUE);
	fails_with(NULL, room(0, 100), DOCA_ERROR_INVALID_VALUE);
	fails_with(source(0, 100), NULL, DOCA_ERROR_INVALID_VALUE);
	fails_with(chain(source, ones, FAKE_LIST_MAX + 1), room(0, 100), DOCA_ERROR_INVALID_VALUE);
	fails_with(source(0, 10), chain(room, ones, FAKE_LIST_MAX + 1), DOCA_ERROR_INVALID_VALUE);
	stop_and_tear_down();
}

TEST(a_source_without_data_fails)
{
	static const size_t none[] = { 0, 0, 0 };

	set_up_started(false, 2);
	fails_with(source(0, 0), room(0, 100), DOCA_ERROR_INVALID_VALUE);
	EXPECT(strstr(logged(), "the source has no data"));
	fails_with(room(0, 100), room(200, 100), DOCA_ERROR_INVALID_VALUE);
	fails_with(chain(source, none, 3), room(0, 100), DOCA_ERROR_INVALID_VALUE);
	fails_with(source(0, 0), chain(room, none, 3), DOCA_ERROR_INVALID_VALUE);
	stop_and_tear_down();
}

/* Make a buffer of the middle 100 bytes of 300, with data elsewhere in the memory. */
static struct doca_buf *astray(ptrdiff_t offset, size_t len)
{
	struct doca_buf *buf = source(1000, 100);

	OK(doca_buf_set_data(buf, bed.mem + 1000 + offset, len));
	return buf;
}

TEST(data_outside_of_its_buffer_fails)
{
	static const size_t two[] = { 10, 10 };
	struct doca_buf *head, *dst;

	set_up_started(false, 2);
	fails_with(astray(-1, 100), room(0, 200), DOCA_ERROR_INVALID_VALUE);
	fails_with(astray(1, 100), room(0, 200), DOCA_ERROR_INVALID_VALUE);
	fails_with(astray(0, 101), room(0, 200), DOCA_ERROR_INVALID_VALUE);
	fails_with(astray(200, 10), room(0, 200), DOCA_ERROR_INVALID_VALUE);
	fails_with(astray(50, SIZE_MAX), room(0, 200), DOCA_ERROR_INVALID_VALUE);
	head = chain(source, two, 2);
	OK(doca_buf_chain_list(head, astray(-10, 10)));
	fails_with(head, room(0, 200), DOCA_ERROR_INVALID_VALUE);
	dst = room(1000, 100);
	OK(doca_buf_set_data(dst, bed.mem + MEM_SIZE / 2 + 900, 0));
	fails_with(source(0, 50), dst, DOCA_ERROR_INVALID_VALUE);
	stop_and_tear_down();
}

/* Released buffers are not used, even without debug mode, in which their memory is unknown. */
static void released(bool src, bool dst)
{
	struct doca_dma_task_memcpy *task;

	task = new_task(source(0, 100), room(0, 100), 1);
	if (src)
		put(doca_dma_task_memcpy_get_src(task));
	if (dst)
		put(doca_dma_task_memcpy_get_dst(task));
	logged();
	ERR(doca_task_try_submit(as_task(task)), INVALID_VALUE);
	EXPECT(strstr(logged(), "was released"));
	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	if (!src)
		put(doca_dma_task_memcpy_get_src(task));
	if (!dst)
		put(doca_dma_task_memcpy_get_dst(task));
	doca_task_free(as_task(task));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "si");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
}

TEST(released_buffers_fail)
{
	set_up_started(false, 2);
	released(true, false);
	released(false, true);
	released(true, true);
	stop_and_tear_down();
}

TEST(memory_of_another_device_fails_the_task)
{
	static struct doca_dev other = {
		.info = { .id = FAKE_OTHER_ID, .name = "fake1" },
		.opens = 1,
		.refs = 1,
	};
	struct doca_mmap *mmap;
	struct doca_buf *src;
	static char mem[64];

	set_up_started(false, 1);
	fake_add_dev(&other);
	mmap = new_mmap(mem, sizeof(mem), &other);
	OK(doca_mmap_start(mmap));
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, mmap, mem, 64, &src));
	fails_with(src, room(0, 64), DOCA_ERROR_INVALID_VALUE);
	OK(doca_mmap_destroy(mmap));
	stop_and_tear_down();
}

TEST(a_submission_is_made_of_the_buffers_as_they_are_then)
{
	struct doca_buf *src, *dst;
	struct doca_dma_task_memcpy *task;

	set_up_started(false, 1);
	src = source(0, 100);
	dst = room(0, 100);
	task = new_task(source(200, 1), room(200, 1), 0);
	put(doca_dma_task_memcpy_get_src(task));
	put(doca_dma_task_memcpy_get_dst(task));
	doca_dma_task_memcpy_set_src(task, src);
	doca_dma_task_memcpy_set_dst(task, dst);
	EXPECT(doca_dma_task_memcpy_get_src(task) == src);
	EXPECT(doca_dma_task_memcpy_get_dst(task) == dst);
	OK(doca_buf_set_data(src, bed.mem + 10, 20));
	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(10, 0, 20));
	EXPECT_EQ(data_len(dst), 20);
	OK(doca_buf_reset_data_len(dst));
	OK(doca_buf_set_data(src, bed.mem + 50, 30));
	OK(doca_task_submit(as_task(task)));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(50, 0, 30));
	EXPECT_EQ(data_len(dst), 30);
	free_task_and_bufs(task);
	stop_and_tear_down();
}

TEST(buffers_of_a_task_in_flight_cannot_be_changed)
{
	struct doca_buf *src, *other;
	struct doca_dma_task_memcpy *task;

	set_up_started(true, 1);
	src = source(0, 100);
	other = source(0, 100);
	task = new_task(src, room(0, 100), 0);
	OK(doca_task_submit(as_task(task)));
	doca_dma_task_memcpy_set_src(task, other);
	EXPECT_LOGGED("in flight");
	doca_dma_task_memcpy_set_dst(task, other);
	EXPECT_LOGGED("in flight");
	EXPECT(doca_dma_task_memcpy_get_src(task) == src);
	put(other);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	free_task_and_bufs(task);
	stop_and_tear_down();
}

TEST(a_buffer_released_in_flight_lives_until_the_task_is_done)
{
	struct doca_dma_task_memcpy *task;

	set_up_started(true, 1);
	task = new_task(source(0, 100), room(0, 100), 0);
	OK(doca_task_submit(as_task(task)));
	put(doca_dma_task_memcpy_get_src(task));
	put(doca_dma_task_memcpy_get_dst(task));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS - 2);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 0, 100));
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	doca_task_free(as_task(task));
	stop_and_tear_down();
}

TEST(one_buffer_may_feed_many_tasks)
{
	struct doca_buf *src, *dst[8];

	set_up_started(true, 8);
	src = source(0, 100);
	for (int i = 0; i < 8; i++) {
		dst[i] = room(i * 100, 100);
		OK(doca_task_submit(as_task(new_task(src, dst[i], i))));
	}
	fake_work(8);
	EXPECT_EQ(drain(bed.pe), 8);
	for (int i = 0; i < 8; i++) {
		EXPECT(copied(0, i * 100, 100));
		EXPECT_EQ(data_len(dst[i]), 100);
	}
	put(src);
	free_all_tasks();
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(settings_are_checked)
{
	struct doca_dma *dma = NULL;

	set_up(false, 1);
	OK(doca_dma_create(&fake_dev, &dma));
	ERR(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 0), INVALID_VALUE);
	ERR(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 513), INVALID_VALUE);
	OK(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 512));
	OK(doca_dma_destroy(dma));

	OK(doca_ctx_start(bed.ctx));
	ERR(doca_dma_task_memcpy_set_conf(bed.dma, on_done, on_failed, 1), BAD_STATE);
	ERR(doca_dma_destroy(bed.dma), IN_USE);
	stop_and_tear_down();
}

TEST(capabilities_are_those_of_the_kernel)
{
	uint32_t n = 0;
	uint64_t size = 0;

	set_up(false, 1);
	OK(doca_dma_cap_task_memcpy_is_supported(DEV_INFO));
	OK(doca_dma_cap_task_memcpy_get_max_buf_size(DEV_INFO, &size));
	EXPECT_EQ(size, FAKE_MAX_LENGTH);
	OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(DEV_INFO, &n));
	EXPECT_EQ(n, FAKE_LIST_MAX);
	OK(doca_dma_cap_get_max_num_tasks(bed.dma, &n));
	EXPECT_EQ(n, 512);

	tear_down();
}

TEST(try_submit_knows_the_limit)
{
	struct doca_query small = caps;
	struct doca_task *task;

	set_up(false, 1);
	small.out_max_length = 4096;
	fake.caps = &small;
	OK(doca_dma_destroy(bed.dma));
	bed.dma = new_dma(1);
	bed.ctx = doca_dma_as_ctx(bed.dma);
	OK(doca_pe_connect_ctx(bed.pe, bed.ctx));
	OK(doca_ctx_start(bed.ctx));
	bed.on_task = free_in_callback;
	task = new_copy(0, 4097);
	FAILS(doca_task_try_submit(task), INVALID_VALUE,
	      "4097 bytes, more than one task may have, 4096");
	OK(doca_buf_set_data_len((struct doca_buf *)doca_dma_task_memcpy_get_src(
					 (struct doca_dma_task_memcpy *)task),
				 4096));
	OK(doca_task_try_submit(task));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(copied(0, 0, 4096));
	stop_and_tear_down();
}

TEST(a_gpu_is_not_supported_and_the_log_says_why)
{
	struct doca_gpu_dma *gpu;

	set_up(false, 1);
	FAILS(doca_dma_get_gpu_handle(bed.dma, &gpu), NOT_SUPPORTED, "GPU");
	tear_down();
}
