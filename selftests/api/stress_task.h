/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Tasks of random sizes and lists, some of which are bad, and their expected results. */
#ifndef SELFTESTS_API_STRESS_TASK_H
#define SELFTESTS_API_STRESS_TASK_H

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>

#include "bed.h"

#define NR_STREAMS 4 /* contexts of a thread */
#define NR_SLOTS 16 /* tasks of a context, at most */
#define MAX_LIST 8
#define MAX_LEN 32768
#define SRC_SIZE (256 << 10)
#define GUARD 0x5a

/* A task, and its expected result. */
struct slot {
	struct doca_dma_task_memcpy *task; /* NULL: none in flight */
	char *dst;
	uint32_t len;
	uint32_t nr_src;
	const char *src[MAX_LIST];
	uint32_t src_len[MAX_LIST];
	doca_error_t expected;
};

struct stream {
	struct thread *thread;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inv;
	struct slot slots[NR_SLOTS];
	uint32_t nr_slots; /* until the context is stopped */
	uint32_t inflight;
	bool may_flush; /* the context was stopped, or has a bad task */
	enum doca_ctx_states state;
};

struct thread {
	pthread_t id;
	uint64_t random;
	bool events; /* waits instead of polling */
	struct doca_pe *pe;
	int epoll;
	struct stream streams[NR_STREAMS];
	struct stream *only; /* if not NULL, the stream has a single task in flight */
	char *src, *dst;
	struct doca_mmap *src_mmap, *dst_mmap;
	double heard; /* time of the last event */
	char why[160]; /* reason of the failure; empty: none */

	unsigned long tasks; /* number of tasks to submit */
	unsigned long submitted, succeeded, failed, flushed;
	unsigned long starts, stops, waits, slow;
};

static bool finished;

static inline bool over(void)
{
	return __atomic_load_n(&finished, __ATOMIC_RELAXED);
}

static inline bool thread_over(const struct thread *thread)
{
	return over() || thread->submitted >= thread->tasks;
}

/* Fail; the first failure ends all threads. */
static inline void fail(struct thread *thread, const char *format, ...)
{
	va_list args;

	__atomic_store_n(&finished, true, __ATOMIC_RELAXED);
	if (thread->why[0])
		return;
	va_start(args, format);
	vsnprintf(thread->why, sizeof(thread->why), format, args);
	va_end(args);
}

#define CHECK_OK(thread, call)                                                   \
	do {                                                                     \
		doca_error_t rc_ = call;                                         \
		if (rc_)                                                         \
			fail(thread, "%s: %s", #call, doca_error_get_name(rc_)); \
	} while (0)

/* Return a number from 0 to @n - 1, by xorshift. */
static inline uint32_t pick(struct thread *thread, uint32_t n)
{
	uint64_t x = thread->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	thread->random = x;
	return (x * 0x2545f4914f6cdd1dULL >> 32) % n;
}

static inline bool one_in(struct thread *thread, uint32_t n)
{
	return !pick(thread, n);
}

/* Cut @len into up to MAX_LIST pieces; return their number. */
static inline uint32_t cut(struct thread *thread, uint32_t len, uint32_t *pieces)
{
	uint32_t n = one_in(thread, 2) ? 1 : 1 + pick(thread, MAX_LIST), i;

	if (n > len)
		n = len;
	for (i = 0; i < n - 1; i++) {
		pieces[i] = 1 + pick(thread, len - (n - i - 1));
		len -= pieces[i];
	}
	pieces[i] = len;
	return n;
}

static inline struct doca_buf *append(struct stream *stream, struct doca_buf *list,
				      struct doca_mmap *mmap, const char *addr, uint32_t len,
				      bool data)
{
	struct doca_buf *buf = NULL;

	if (data)
		CHECK_OK(stream->thread, doca_buf_inventory_buf_get_by_data(
						 stream->inv, mmap, (void *)addr, len, &buf));
	else
		CHECK_OK(stream->thread, doca_buf_inventory_buf_get_by_addr(
						 stream->inv, mmap, (void *)addr, len, &buf));
	if (list && buf)
		CHECK_OK(stream->thread, doca_buf_chain_list(list, buf));
	return list ? list : buf;
}

static inline struct doca_buf *make_source(struct stream *stream, struct slot *slot)
{
	struct thread *thread = stream->thread;
	struct doca_buf *list = NULL;
	uint32_t i;

	slot->nr_src = cut(thread, slot->len, slot->src_len);
	for (i = 0; i < slot->nr_src; i++) {
		slot->src[i] = thread->src + pick(thread, SRC_SIZE - slot->src_len[i]);
		list = append(stream, list, thread->src_mmap, slot->src[i], slot->src_len[i], true);
	}
	return list;
}

/* Make a destination; a bad one may only be read, or is too short by a byte. */
static inline struct doca_buf *make_destination(struct stream *stream, struct slot *slot, bool bad)
{
	struct thread *thread = stream->thread;
	struct doca_mmap *mmap = thread->dst_mmap;
	uint32_t pieces[MAX_LIST], n, i;
	struct doca_buf *list = NULL;
	const char *addr = slot->dst;

	slot->expected = DOCA_SUCCESS;
	slot->dst[slot->len] = GUARD;
	n = cut(thread, slot->len, pieces);
	if (bad && pieces[n - 1] > 1 && one_in(thread, 2)) {
		slot->expected = DOCA_ERROR_INVALID_VALUE;
		pieces[n - 1]--;
	} else if (bad) {
		slot->expected = DOCA_ERROR_NOT_PERMITTED;
		mmap = thread->src_mmap;
		addr = thread->src;
	}
	for (i = 0; i < n; i++) {
		list = append(stream, list, mmap, addr, pieces[i], false);
		addr += pieces[i];
	}
	return list;
}

static inline doca_error_t submit(struct thread *thread, struct doca_task *task, bool bad)
{
	switch (pick(thread, 4)) {
	case 0:
		return doca_task_submit_ex(task, 0);
	case 1:
		if (!bad)
			return doca_task_try_submit(task);
	}
	return doca_task_submit(task);
}

static inline void slot_submit(struct stream *stream, struct slot *slot)
{
	union doca_data data = { .ptr = slot };
	struct thread *thread = stream->thread;
	bool bad = one_in(thread, 512);
	struct doca_buf *src, *dst;

	slot->len = 1 + pick(thread, one_in(thread, 4) ? MAX_LEN : 512);
	src = make_source(stream, slot);
	dst = make_destination(stream, slot, bad);
	CHECK_OK(thread, doca_dma_task_memcpy_alloc_init(stream->dma, src, dst, data, &slot->task));
	if (thread->why[0])
		return;
	stream->may_flush |= bad;
	stream->inflight++;
	thread->submitted++;
	CHECK_OK(thread, submit(thread, doca_dma_task_memcpy_as_task(slot->task), bad));
}

static inline bool slot_copied(const struct slot *slot)
{
	const char *dst = slot->dst;
	uint32_t i;

	for (i = 0; i < slot->nr_src; i++) {
		if (memcmp(dst, slot->src[i], slot->src_len[i]))
			return false;
		dst += slot->src_len[i];
	}
	return *dst == GUARD;
}

static inline size_t list_len(struct doca_buf *buf)
{
	size_t len = 0, sum = 0;

	for (; buf; doca_buf_get_next_in_list(buf, &buf)) {
		doca_buf_get_data_len(buf, &len);
		sum += len;
	}
	return sum;
}

/* Check that the task ended as expected. */
static inline void slot_judge(struct stream *stream, const struct slot *slot)
{
	struct thread *thread = stream->thread;
	doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(slot->task));

	if (status == DOCA_ERROR_SHUTDOWN && stream->may_flush) {
		thread->flushed++;
	} else if (status != slot->expected) {
		fail(thread, "a task of %u bytes came back with %s, not %s", slot->len,
		     doca_error_get_name(status), doca_error_get_name(slot->expected));
	} else if (status) {
		thread->failed++;
	} else {
		thread->succeeded++;
		if (!slot_copied(slot))
			fail(thread, "%u bytes were copied wrongly", slot->len);
		if (list_len(doca_dma_task_memcpy_get_dst(slot->task)) != slot->len)
			fail(thread, "not %u bytes are said to be copied", slot->len);
	}
}

#endif /* SELFTESTS_API_STRESS_TASK_H */
