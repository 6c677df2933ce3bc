// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/log.h"

#include "../store.h"
#include "view.h"

LOG_SOURCE("APSH");

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

void view_begin(struct view *v, struct source *source,
		const struct regions *regions, const struct kernel *kernel,
		const struct view_budget *budget)
{
	memset(v, 0, sizeof(*v));
	v->source = source;
	v->rounds_before = source->rounds;
	v->stats.drawn_out = source->drawn_out;
	v->regions = regions;
	v->kernel = kernel;
	v->budget = *budget;
	v->deadline = now_ms() + budget->ms;
	v->store = store_new();
	if (!v->store)
		v->error = VIEW_NO_MEMORY;
}

void view_end(struct view *v)
{
	store_free(v->store);
	if (v->ids)
		explicit_bzero(v->ids, v->nr_ids * sizeof(*v->ids));
	free(v->ids);
	v->store = NULL;
	v->ids = NULL;
}

void view_broken(struct view *v, u64 misses, const char *what, u64 va)
{
	if (v->misses != misses)
		return;
	v->stats.broken++;
	LOG_DBG("%s at %#lx is broken", what, va);
}

static int by_address(const void *a, const void *b)
{
	const struct source_range *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static bool read_source(struct view *v, struct source_range *r, u32 nr)
{
	int err = source_read(v->source, r, nr);

	if (err)
		v->error = err == -ENOMEM ? VIEW_NO_MEMORY : VIEW_LOST;
	v->stats.rounds = v->source->rounds - v->rounds_before;
	return !v->error;
}

/* Join ranges, sorted by address, if the bytes between them may be read. */
bool view_ranges(struct view *v, struct source_range *r, u32 nr)
{
	for (u32 i = 0; i + 1 < nr; i++) {
		u64 end = r[i].pa + r[i].len;

		r[i].on = r[i + 1].pa > end &&
			  r[i + 1].pa - end <= sizeof(v->source->unwanted) &&
			  regions_have(v->regions, end, r[i + 1].pa - end);
	}
	return read_source(v, r, nr);
}

/* Memory that may not be read is absent, too. */
static bool fetch(struct view *v, struct granule *list, u32 nr_all)
{
	struct source_range *r = calloc(nr_all, sizeof(*r));
	u32 nr = 0;

	if (!r) {
		v->error = VIEW_NO_MEMORY;
		return false;
	}
	for (u32 i = 0; i < nr_all; i++) {
		list[i].absent = true;
		list[i].pending = false;
		if (regions_have(v->regions, list[i].pa, GRANULE))
			r[nr++] = (struct source_range){ .pa = list[i].pa,
							 .len = GRANULE,
							 .to = list[i].data };
	}
	v->stats.granules += nr;
	v->stats.bytes += (u64)nr * GRANULE;
	qsort(r, nr, sizeof(r[0]), by_address);
	if (nr)
		view_ranges(v, r, nr);
	for (u32 i = 0; i < nr && !v->error; i++) {
		struct granule *g = store_find(v->store, r[i].pa);

		g->absent = r[i].absent;
	}
	free(r);
	return !v->error;
}

static u64 used_bytes(const struct view *v)
{
	return (u64)store_count(v->store) * GRANULE + v->streamed;
}

static bool over_budget(const struct view *v)
{
	return used_bytes(v) > v->budget.bytes;
}

struct view_budget view_left(const struct view *v)
{
	u64 now = now_ms(), used = used_bytes(v);

	return (struct view_budget){
		.bytes = used < v->budget.bytes ? v->budget.bytes - used : 0,
		.ms = now < v->deadline ? v->deadline - now : 0,
	};
}

bool view_may_repeat(const struct view *v)
{
	struct view_budget left = view_left(v);

	return left.bytes >= used_bytes(v) && left.ms &&
	       left.ms >= v->budget.ms - left.ms;
}

bool view_on_time(struct view *v)
{
	if (!v->error && now_ms() > v->deadline)
		v->error = VIEW_BUDGET;
	return !v->error;
}

int view_seconds_left(const struct view *v)
{
	u64 now = now_ms();

	return v->deadline > now ? (int)((v->deadline - now) / 1000) + 1 : 1;
}

bool view_flush(struct view *v)
{
	struct granule *list;
	u32 nr;

	if (v->error)
		return false;
	list = store_pending(v->store, &nr);
	if (!nr)
		return true;
	if (over_budget(v) || now_ms() > v->deadline) {
		v->error = VIEW_BUDGET;
		return false;
	}
	if (!fetch(v, list, nr))
		return false;
	store_settle(v->store);
	return true;
}

/* Return NULL if nothing can be read any more. Memory that was read before takes time as well. */
static struct granule *wanted(struct view *v, u64 pa)
{
	struct granule *g;

	if (v->error || (!(++v->asked & 1023) && !view_on_time(v)))
		return NULL;
	g = store_find(v->store, pa);
	if (g)
		return g;
	if (over_budget(v)) {
		v->error = VIEW_BUDGET;
		return NULL;
	}
	g = store_add(v->store, pa);
	if (!g)
		v->error = VIEW_NO_MEMORY;
	return g;
}

void view_want_physical(struct view *v, u64 pa, u64 len)
{
	for (u64 at = pa & ~(u64)(GRANULE - 1); at < pa + len; at += GRANULE)
		wanted(v, at);
}

/* Each page counts once. */
static void miss(struct view *v, struct granule *g)
{
	u64 page = g->pa & ~(PAGE - 1);
	const struct granule *other;

	v->misses++;
	if (g->missed)
		return;
	g->missed = true;
	for (u64 at = page; at < page + PAGE; at += GRANULE) {
		other = store_find(v->store, at);
		if (other && other != g && other->missed)
			return;
	}
	v->stats.absent++;
}

static bool read_granule(struct view *v, u64 pa, void *to, size_t len)
{
	u64 start = pa & ~(u64)(GRANULE - 1);
	struct granule *g = wanted(v, start);

	if (g && g->pending) {
		if (!view_flush(v))
			return false;
		g = store_find(v->store, start);
	}
	if (!g)
		return false;
	if (g->absent) {
		miss(v, g);
		return false;
	}
	memcpy(to, g->data + (pa - start), len);
	return true;
}

bool view_physical(struct view *v, u64 pa, void *to, size_t len)
{
	size_t done = 0;

	while (done < len) {
		u64 at = pa + done;
		size_t n = GRANULE - (at & (GRANULE - 1));

		if (n > len - done)
			n = len - done;
		if (at < pa || at > PHYSICAL_MASK ||
		    !read_granule(v, at, (u8 *)to + done, n)) {
			memset(to, 0, len);
			return false;
		}
		done += n;
	}
	return true;
}

static bool stream(struct view *v, u64 pa, void *to, u32 len)
{
	struct source_range r = { .pa = pa, .len = len, .to = to };

	if (v->error)
		return false;
	if (!regions_have(v->regions, pa, len)) {
		v->stats.absent++;
		return false;
	}
	v->streamed += len;
	if (over_budget(v) || now_ms() > v->deadline) {
		v->error = VIEW_BUDGET;
		return false;
	}
	v->stats.granules += len / GRANULE;
	v->stats.bytes += len;
	if (!read_source(v, &r, 1))
		return false;
	v->stats.absent += r.absent;
	return !r.absent;
}

bool view_page(struct view *v, u64 pa, void *to)
{
	return stream(v, pa, to, PAGE);
}

bool view_granule(struct view *v, u64 pa, void *to)
{
	return stream(v, pa, to, GRANULE);
}
