/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The bed of tests: memory with buffers, an engine with a DMA context on the fake device,
 * and a record of callbacks.
 */
#ifndef DOCA_TESTS_BED_H
#define DOCA_TESTS_BED_H

#include <stdio.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "fake_driver.h"
#include "ktap.h"
#include "logged.h"

#define MEM_SIZE 65536
#define MAX_TASKS 512

static struct bed {
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	char mem[MEM_SIZE];

	/* The record: S success, E error; r s i running, stopping, idle. */
	char log[4096];
	size_t n;
	doca_error_t status; /* status of the last task */
	uint64_t user_data; /* user data of the last task */
	struct doca_dma_task_memcpy *task; /* the last task */
	struct doca_dma_task_memcpy *all[MAX_TASKS]; /* since the start */
	unsigned int nr_all;

	/* Called by callbacks after recording. */
	void (*on_task)(struct doca_dma_task_memcpy *task);
	void (*on_state)(struct doca_ctx *ctx, enum doca_ctx_states state);
} bed;

static inline void record(char c)
{
	if (bed.n < sizeof(bed.log) - 1)
		bed.log[bed.n++] = c;
}

/* Return the record since the last call. */
static inline const char *took(void)
{
	static char text[sizeof(bed.log)];

	memcpy(text, bed.log, bed.n);
	text[bed.n] = '\0';
	bed.n = 0;
	return text;
}

static inline void on_task(struct doca_dma_task_memcpy *task, char c, union doca_data task_data)
{
	record(c);
	bed.task = task;
	bed.user_data = task_data.u64;
	bed.status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
	if (bed.on_task)
		bed.on_task(task);
}

static inline void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
			   union doca_data ctx_data)
{
	(void)ctx_data;
	on_task(task, 'S', task_data);
}

static inline void on_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
			     union doca_data ctx_data)
{
	(void)ctx_data;
	on_task(task, 'E', task_data);
}

static inline void on_state(const union doca_data user_data, struct doca_ctx *ctx,
			    enum doca_ctx_states prev, enum doca_ctx_states next)
{
	enum doca_ctx_states now;

	(void)user_data, (void)prev;
	OK(doca_ctx_get_state(ctx, &now));
	EXPECT_EQ(now, next);
	record("i.rs"[next]);
	if (bed.on_state)
		bed.on_state(ctx, next);
}

static inline enum doca_ctx_states state(void)
{
	enum doca_ctx_states now = -1;

	OK(doca_ctx_get_state(bed.ctx, &now));
	return now;
}

static inline size_t inflight(void)
{
	size_t n = -1;

	OK(doca_ctx_get_num_inflight_tasks(bed.ctx, &n));
	return n;
}

/* Progress until nothing happens. Return how often something did. */
static inline unsigned int drain(struct doca_pe *pe)
{
	unsigned int n = 0;

	while (doca_pe_progress(pe))
		n++;
	return n;
}

/* Return the descriptor; the fake driver finds waiting programs by it. */
static inline int handle(void)
{
	doca_notification_handle_t fd = -1;

	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	return fd;
}

/* Make a map that can be started, with default permissions; without a device if that is NULL. */
static inline struct doca_mmap *new_mmap(void *addr, size_t len, struct doca_dev *dev)
{
	struct doca_mmap *mmap = NULL;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, addr, len));
	if (dev)
		OK(doca_mmap_add_dev(mmap, dev));
	return mmap;
}

static inline struct doca_buf_inventory *new_inventory(size_t n)
{
	struct doca_buf_inventory *inv = NULL;

	OK(doca_buf_inventory_create(n, &inv));
	OK(doca_buf_inventory_start(inv));
	return inv;
}

static inline void arm(void)
{
	OK(doca_pe_request_notification(bed.pe));
}

static inline void clear(void)
{
	OK(doca_pe_clear_notification(bed.pe, 0));
}

/* Return true if a wait for the engine would end. */
static inline bool wakes(void)
{
	return fake_readable(handle());
}

/* Begin a wait, which does not end at once. */
static inline void begin_wait(void)
{
	arm();
	EXPECT(!wakes());
}

/* A wait ends, and is cleared. */
static inline void woken(void)
{
	EXPECT(wakes());
	clear();
}

static inline struct doca_dma *new_dma(uint32_t tasks)
{
	struct doca_dma *dma = NULL;

	OK(doca_dma_create(&fake_dev, &dma));
	OK(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, tasks));
	OK(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), on_state));
	return dma;
}

/* Create everything, without starting it. */
static inline void set_up(bool workers, uint32_t tasks)
{
	memset(&bed, 0, sizeof(bed));
	fake_reset(workers);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO));
	for (size_t i = 0; i < MEM_SIZE / 2; i++)
		bed.mem[i] = 'A' + i % 23;
	bed.mmap = new_mmap(bed.mem, MEM_SIZE, &fake_dev);
	OK(doca_mmap_start(bed.mmap));
	bed.inv = new_inventory(2 * MAX_TASKS);
	OK(doca_pe_create(&bed.pe));
	bed.dma = new_dma(tasks);
	bed.ctx = doca_dma_as_ctx(bed.dma);
	OK(doca_pe_connect_ctx(bed.pe, bed.ctx));
}

/* Replace the DMA context by another one. */
static inline void use_ctx(struct doca_ctx *ctx)
{
	OK(doca_dma_destroy(bed.dma));
	bed.dma = NULL;
	bed.ctx = ctx;
	OK(doca_ctx_set_state_changed_cb(ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, ctx));
}

/* Define a case that runs with workers, and without. */
#define WORKERS_TEST(id)                             \
	static void with_workers_##id(bool workers); \
	TEST(id)                                     \
	{                                            \
		with_workers_##id(true);             \
		with_workers_##id(false);            \
	}                                            \
	static void with_workers_##id(bool workers)

static inline void set_up_started(bool workers, uint32_t tasks)
{
	set_up(workers, tasks);
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
}

/* The context must be idle or destroyed. */
static inline void tear_down(void)
{
	if (bed.dma)
		OK(doca_dma_destroy(bed.dma));
	if (bed.pe)
		OK(doca_pe_destroy(bed.pe));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_mmap_destroy(bed.mmap));
	EXPECT_EQ(fake.workers_made, fake.workers_gone);
	EXPECT_EQ(fake.queues, 0);
	EXPECT_EQ(fake.refs, 0);
	logged();
}

/* In the child of a fork: worker and driver belong to the parent. */
static inline void forget_parent(void)
{
	fake.workers_gone++;
	fake.refs = 0;
}

/* Make a buffer with data of the first half of the memory. */
static inline struct doca_buf *source(size_t off, size_t len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, bed.mem + off, len, &buf));
	return buf;
}

/* Make a buffer with room in the second half. */
static inline struct doca_buf *room(size_t off, size_t len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_addr(bed.inv, bed.mmap, bed.mem + MEM_SIZE / 2 + off, len,
					      &buf));
	return buf;
}

static inline void put(const struct doca_buf *buf)
{
	OK(doca_buf_dec_refcount((struct doca_buf *)buf, NULL));
}

static inline struct doca_dma_task_memcpy *new_task(const struct doca_buf *src,
						    struct doca_buf *dst, uint64_t data)
{
	struct doca_dma_task_memcpy *task = NULL;

	OK(doca_dma_task_memcpy_alloc_init(bed.dma, src, dst, (union doca_data){ .u64 = data },
					   &task));
	if (task && bed.nr_all < MAX_TASKS)
		bed.all[bed.nr_all++] = task;
	return task;
}

/* Free everything that new_task() gave, and the destinations. */
static inline void free_all_tasks(void)
{
	while (bed.nr_all) {
		struct doca_dma_task_memcpy *task = bed.all[--bed.nr_all];

		put(doca_dma_task_memcpy_get_dst(task));
		doca_task_free(doca_dma_task_memcpy_as_task(task));
	}
}

static inline struct doca_task *as_task(struct doca_dma_task_memcpy *task)
{
	return doca_dma_task_memcpy_as_task(task);
}

static inline struct doca_task *new_copy(size_t off, size_t len)
{
	return doca_dma_task_memcpy_as_task(new_task(source(off, len), room(off, len), off));
}

/* A copy that fails, because the destination is too short. */
static inline struct doca_task *bad_copy(void)
{
	return as_task(new_task(source(0, 8), room(0, 4), 0));
}

static inline void free_task_and_bufs(struct doca_dma_task_memcpy *task)
{
	put(doca_dma_task_memcpy_get_src(task));
	put(doca_dma_task_memcpy_get_dst(task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* Copy into the same room again. */
static inline void empty_dst(const struct doca_dma_task_memcpy *task)
{
	OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
}

static inline void run_again(struct doca_dma_task_memcpy *task)
{
	empty_dst(task);
	OK(doca_task_submit(as_task(task)));
}

static inline char *head_of(const struct doca_buf *buf)
{
	void *head = NULL;

	OK(doca_buf_get_head(buf, &head));
	return head;
}

static inline char *data_of(const struct doca_buf *buf)
{
	void *data = NULL;

	OK(doca_buf_get_data(buf, &data));
	return data;
}

static inline size_t len_of(const struct doca_buf *buf)
{
	size_t len = -1;

	OK(doca_buf_get_len(buf, &len));
	return len;
}

static inline size_t data_len(const struct doca_buf *buf)
{
	size_t len = -1;

	OK(doca_buf_get_data_len(buf, &len));
	return len;
}

static inline bool copied(size_t from, size_t to, size_t len)
{
	return !memcmp(bed.mem + from, bed.mem + MEM_SIZE / 2 + to, len);
}

static inline uint16_t refcount(const struct doca_buf *buf)
{
	uint16_t n = 0;

	OK(doca_buf_get_refcount(buf, &n));
	return n;
}

static inline uint32_t bufs_of(const struct doca_mmap *mmap)
{
	uint32_t n = -1;

	OK(doca_mmap_get_num_bufs(mmap, &n));
	return n;
}

static inline uint32_t free_bufs(void)
{
	uint32_t n = -1;

	OK(doca_buf_inventory_get_num_free_elements(bed.inv, &n));
	return n;
}

static inline void free_in_callback(struct doca_dma_task_memcpy *task)
{
	free_task_and_bufs(task);
}

static inline void stop_and_tear_down(void)
{
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

static inline void submit_many(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		OK(doca_task_submit(new_copy(i * 32, 32)));
}

static inline const char *repeat(char c, unsigned int n, const char *tail)
{
	static char text[1024];

	memset(text, c, n);
	strcpy(text + n, tail);
	return text;
}

#endif /* DOCA_TESTS_BED_H */
