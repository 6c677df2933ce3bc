// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Where the pages of a saved state of QEMU are. */
#include <stdlib.h>

#include "core/base/log.h"

#include "qevm.h"

LOG_SOURCE("APSH");

/*
 * 128 MiB of them: a run takes 16 bytes; a page of a stream, 9 or more. While they are
 * settled there are two lists, each with room to grow: 327 MiB were measured at most.
 */
enum { MAX_RUNS = 1 << 23 };

static u64 step(const struct qevm *q, enum qevm_kind kind)
{
	return (1ULL << q->shift) + (kind == QEVM_STREAM ? 8 : 0);
}

u64 qevm_place_of(const struct qevm *q, const struct qevm_run *run, u64 page)
{
	return run->at + (page - run->page) * step(q, run->kind);
}

static bool follows(const struct qevm *q, const struct qevm_run *a,
		    const struct qevm_run *b)
{
	u64 end = (u64)a->page + a->nr;

	if (b->page != end || a->kind != b->kind || a->fill != b->fill ||
	    (u64)a->nr + b->nr > UINT32_MAX)
		return false;
	return a->kind == QEVM_FILL || b->at == qevm_place_of(q, a, end);
}

doca_error_t qevm_add(struct qevm *q, const char *path, struct qevm_run run)
{
	struct qevm_run *last = q->nr ? &q->runs[q->nr - 1] : NULL;

	if (last && follows(q, last, &run)) {
		last->nr += run.nr;
		return DOCA_SUCCESS;
	}
	if (q->nr == MAX_RUNS)
		return FAIL(NOT_SUPPORTED,
			    "%s: its pages are in more than %d pieces: save "
			    "the machine while it is stopped, or " QEVM_DUMP,
			    path, MAX_RUNS);
	if (q->nr == q->max) {
		u32 max = q->max ? 2 * q->max : 1024;
		struct qevm_run *runs =
			reallocarray(q->runs, max, sizeof(*runs));

		if (!runs)
			return OUT_OF_MEMORY("the pages of a saved state");
		q->runs = runs;
		q->max = max;
	}
	q->runs[q->nr++] = run;
	return DOCA_SUCCESS;
}

/* Return the first page of [page, end) whose bit is that, or @end. */
static u64 find_bit(const u64 *bits, u64 page, u64 end, bool set)
{
	while (page < end) {
		u64 word = (set ? bits[page / 64] : ~bits[page / 64]) >>
			   page % 64;

		if (word) {
			page += (u64)__builtin_ctzll(word);
			break;
		}
		page += 64 - page % 64;
	}
	return page < end ? page : end;
}

static void set_bits(u64 *bits, u64 page, u64 end)
{
	while (page < end) {
		u64 nr = 64 - page % 64;

		if (nr > end - page)
			nr = end - page;
		bits[page / 64] |= UINT64_MAX >> (64 - nr) << page % 64;
		page += nr;
	}
}

/* Add those of a run's pages that no later run has. */
static doca_error_t add_first(struct qevm *to, const char *path,
			      const struct qevm_run *run, u64 *bits, u64 *pages)
{
	u64 last = (u64)run->page + run->nr, end;
	doca_error_t ret = DOCA_SUCCESS;

	for (u64 page = run->page; ret == DOCA_SUCCESS; page = end) {
		struct qevm_run part = *run;

		page = find_bit(bits, page, last, false);
		if (page == last)
			break;
		end = find_bit(bits, page, last, true);
		set_bits(bits, page, end);
		*pages += end - page;
		part.page = (u32)page;
		part.nr = (u32)(end - page);
		if (run->kind != QEVM_FILL)
			part.at = qevm_place_of(to, run, page);
		ret = qevm_add(to, path, part);
	}
	return ret;
}

static int by_page(const void *left, const void *right)
{
	const struct qevm_run *a = left, *b = right;

	return a->page < b->page ? -1 : a->page > b->page;
}

/* Return the end of the pages that there are: the length of a block is a claim. */
static u64 end_of(const struct qevm *q)
{
	u64 end = 0;

	for (u32 i = 0; i < q->nr; i++)
		if ((u64)q->runs[i].page + q->runs[i].nr > end)
			end = (u64)q->runs[i].page + q->runs[i].nr;
	return end;
}

doca_error_t qevm_settle(struct qevm *q, const char *path, u64 *pages)
{
	struct qevm to = { .shift = q->shift, .memory = q->memory };
	u64 *bits = calloc(end_of(q) / 64 + 1, sizeof(*bits));
	doca_error_t ret = bits ? DOCA_SUCCESS :
				  OUT_OF_MEMORY("the pages of a saved state");

	*pages = 0;
	for (u32 i = q->nr; i-- > 0 && ret == DOCA_SUCCESS;)
		ret = add_first(&to, path, &q->runs[i], bits, pages);
	free(bits);
	free(q->runs);
	*q = to;
	if (ret == DOCA_SUCCESS && q->nr)
		qsort(q->runs, q->nr, sizeof(*q->runs), by_page);
	return ret;
}

const struct qevm_run *qevm_find(const struct qevm *q, u64 page)
{
	u32 low = 0, high = q->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if ((u64)q->runs[mid].page + q->runs[mid].nr <= page)
			low = mid + 1;
		else
			high = mid;
	}
	return low < q->nr ? &q->runs[low] : NULL;
}
