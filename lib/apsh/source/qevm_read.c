// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reading the memory in a saved state of QEMU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

#include "file.h"
#include "qevm.h"

LOG_SOURCE("APSH");

/* It was there when the file was opened. */
static bool read_file(struct source *s, u64 at, void *to, u64 len)
{
	bool there = source_pread(s, to, len, at);

	if (!there && !s->error && !s->lacks) {
		s->lacks = true;
		LOG_WARN("pages of the saved state are behind its end, which "
			 "was further behind when it was opened, and are "
			 "left out");
	}
	return there;
}

/* Read from one page, of the machine's memory. */
static bool read_page(struct source *s, u64 at, void *to, u64 len)
{
	const struct qevm *q = s->qevm;
	u64 page = at >> q->shift, skip = at - (page << q->shift);
	const struct qevm_run *run = qevm_find(q, page);

	if (!run || run->page > page)
		return false;
	if (run->kind == QEVM_FILL)
		memset(to, run->fill, len);
	return run->kind == QEVM_FILL ||
	       read_file(s, qevm_place_of(q, run, page) + skip, to, len);
}

static bool read_range(struct source *s, const struct source_range *r)
{
	u64 size = 1ULL << s->qevm->shift, n;

	for (u64 done = 0; done < r->len; done += n) {
		u64 pa = r->pa + done, at;
		const struct segment *seg = source_segment(s, pa);

		if (!seg || pa < seg->pa)
			return false;
		at = seg->offset + (pa - seg->pa);
		n = size - at % size;
		if (n > seg->pa + seg->len - pa)
			n = seg->pa + seg->len - pa;
		if (n > r->len - done)
			n = r->len - done;
		if (!read_page(s, at, (u8 *)r->to + done, n))
			return false;
	}
	return true;
}

static int read_qevm(struct source *s, struct source_range *r, unsigned int nr)
{
	s->rounds++;
	for (unsigned int i = 0; i < nr; i++) {
		r[i].absent = !read_range(s, &r[i]);
		if (r[i].absent)
			memset(r[i].to, 0, r[i].len);
	}
	return s->error ? -EIO : 0;
}

/* Find pages that are in the file, from @at of the machine's memory on. */
static bool next_pages(const struct qevm *q, u64 *at, u64 *len)
{
	const struct qevm_run *run = qevm_find(q, *at >> q->shift);
	const struct qevm_run *end;
	u64 last;

	if (!run)
		return false;
	end = q->runs + q->nr;
	while (run < end && run->kind == QEVM_FILL)
		run++;
	if (run == end)
		return false;
	if ((u64)run->page << q->shift > *at)
		*at = (u64)run->page << q->shift;
	do {
		last = (u64)run->page + run->nr;
		run++;
	} while (run < end && run->page == last && run->kind != QEVM_FILL);
	*len = (last << q->shift) - *at;
	return true;
}

static bool next_data(struct source *s, u64 *pa, u64 *len)
{
	const struct segment *seg;

	while ((seg = source_segment(s, *pa))) {
		u64 skip = *pa > seg->pa ? *pa - seg->pa : 0;
		u64 at = seg->offset + skip, end = seg->offset + seg->len;

		if (!next_pages(s->qevm, &at, len) || at >= end) {
			*pa = seg->pa + seg->len;
			continue;
		}
		*pa = seg->pa + (at - seg->offset);
		if (*len > end - at)
			*len = end - at;
		return true;
	}
	return false;
}

static void close_qevm(struct source *s)
{
	if (s->qevm)
		free(s->qevm->runs);
	free(s->qevm);
	source_file_close(s);
}

const struct source_ops source_qevm_ops = {
	.open = NULL, /* source_open() finds the kind by itself */
	.read = read_qevm,
	.next_data = next_data,
	.close = close_qevm,
};
