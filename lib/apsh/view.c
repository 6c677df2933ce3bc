// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/log.h"

#include "snapshot.h"
#include "store.h"
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
		explicit_bzero(v->ids, v->max_ids * sizeof(*v->ids));
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

/* By address, so that what is near is read at once, if all between may be read. */
static bool read_ranges(struct view *v, struct source_range *r, u32 nr)
{
	for (u32 i = 0; i + 1 < nr; i++) {
		u64 end = r[i].pa + r[i].len;

		r[i].on = r[i + 1].pa > end &&
			  r[i + 1].pa - end <= sizeof(v->source->unwanted) &&
			  regions_have(v->regions, end, r[i + 1].pa - end);
	}
	return read_source(v, r, nr);
}

/* What may not be read is absent, too. */
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
		read_ranges(v, r, nr);
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

/* NULL if nothing can be read any more. What was read before takes time as well. */
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

bool view_page(struct view *v, u64 pa, void *to)
{
	struct source_range r = { .pa = pa, .len = PAGE, .to = to };

	if (v->error)
		return false;
	if (!regions_have(v->regions, pa, PAGE)) {
		v->stats.absent++;
		return false;
	}
	v->streamed += PAGE;
	if (over_budget(v) || now_ms() > v->deadline) {
		v->error = VIEW_BUDGET;
		return false;
	}
	v->stats.granules += PAGE / GRANULE;
	v->stats.bytes += PAGE;
	if (!read_source(v, &r, 1))
		return false;
	v->stats.absent += r.absent;
	return !r.absent;
}

/* Of the image and of the direct map no tables are needed. */
static bool translate_kernel(struct view *v, u64 va, u64 *pa, u64 *left)
{
	const struct kernel *k = v->kernel;
	u64 text = k->map.symbols[S__text] + k->delta;
	u64 direct = k->levels == 5 ? 1ULL << 52 : 1ULL << 46;

	if (va >= text && va < START_KERNEL_MAP + KERNEL_IMAGE_SIZE) {
		*pa = va - text + k->text_pa;
		*left = START_KERNEL_MAP + KERNEL_IMAGE_SIZE - va;
		return true;
	}
	if (k->page_offset && va >= k->page_offset &&
	    va - k->page_offset < direct) {
		*pa = va - k->page_offset;
		*left = direct - *pa;
		return true;
	}
	if (va < 1ULL << 63 || !k->levels)
		return false;
	return x86_64_walk(v, k->root, k->levels, va, pa, left);
}

bool view_translate(struct view *v, const struct space *as, u64 va, u64 *pa,
		    u64 *left)
{
	if (v->error)
		return false;
	if (!as)
		return translate_kernel(v, va, pa, left);
	*left = -va; /* the rest is no process's */
	if (!as->root || va >> (v->kernel->levels == 5 ? 56 : 47))
		return false;
	return x86_64_walk(v, as->root, v->kernel->levels, va, pa, left);
}

bool view_none(struct view *v, const struct space *as, u64 va)
{
	return !v->error && as->root &&
	       x86_64_none(v, as->root, v->kernel->levels, va) && !v->error;
}

void view_want(struct view *v, const struct space *as, u64 va, size_t len)
{
	u64 pa, left, end;

	if (!len || __builtin_add_overflow(va, len - 1, &end))
		return;
	while (len && view_translate(v, as, va, &pa, &left)) {
		u64 n = left < len ? left : len;

		for (u64 at = pa & ~(u64)(GRANULE - 1); at < pa + n;
		     at += GRANULE)
			wanted(v, at);
		va += n;
		len -= n;
	}
}

bool view_read(struct view *v, const struct space *as, u64 va, void *to,
	       size_t len)
{
	size_t done = 0;
	u64 end, pa, left;

	memset(to, 0, len);
	if (!len || __builtin_add_overflow(va, len - 1, &end))
		return !len;
	while (done < len) {
		size_t n = len - done;

		if (!view_translate(v, as, va + done, &pa, &left) || v->error)
			break;
		if (n > left)
			n = left;
		if (!view_physical(v, pa, (u8 *)to + done, n))
			break;
		done += n;
	}
	if (done == len)
		return true;
	memset(to, 0, len);
	return false;
}

bool view_read_field(struct view *v, u64 object, enum field f, void *to,
		     size_t len)
{
	memset(to, 0, len);
	return object && has(v, f) &&
	       view_read(v, NULL, object + offset_of_field(v, f), to, len);
}

u64 view_field(struct view *v, u64 object, enum field f)
{
	u32 size = size_of_field(v, f);
	u64 value = 0;

	if (size > sizeof(value) || !size)
		size = sizeof(value);
	view_read_field(v, object, f, &value, size);
	return value;
}

void view_want_field(struct view *v, u64 object, enum field f)
{
	if (object && has(v, f))
		view_want(v, NULL, object + offset_of_field(v, f),
			  size_of_field(v, f));
}

void view_identity_was(struct view *v, u64 va, const void *was, size_t len,
		       struct object *object)
{
	struct identity id = { .len = (u32)len, .object = object };
	u64 left;

	/* what is not there cannot change */
	if (v->error || len > sizeof(id.was) ||
	    !view_translate(v, NULL, va, &id.pa, &left) || left < len ||
	    !view_physical(v, id.pa, id.was, len))
		return;
	memcpy(id.was, was, len);
	if (v->nr_ids == v->max_ids) {
		u32 max = v->max_ids ? 2 * v->max_ids : 256;
		struct identity *ids = reallocarray(v->ids, max, sizeof(*ids));

		if (!ids) {
			v->error = VIEW_NO_MEMORY;
			return;
		}
		v->ids = ids;
		v->max_ids = max;
	}
	v->ids[v->nr_ids++] = id;
}

void view_identity(struct view *v, u64 va, size_t len, struct object *object)
{
	u8 was[sizeof(v->ids->was)];

	if (len <= sizeof(was) && view_read(v, NULL, va, was, len))
		view_identity_was(v, va, was, len, object);
}

static int by_place(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static u32 compare(struct view *v, const struct source_range *r)
{
	u32 changed = 0;

	for (u32 i = 0; i < v->nr_ids; i++) {
		const struct identity *id = &v->ids[i];

		if (!r[i].absent && !memcmp(r[i].to, id->was, id->len))
			continue;
		changed++;
		if (id->object)
			id->object->changed = true;
		else
			v->changed = true;
	}
	return changed;
}

u32 view_verify(struct view *v)
{
	struct source_range *r = calloc(v->nr_ids + 1, sizeof(*r));
	u8(*now)[sizeof(v->ids->was)] = calloc(v->nr_ids + 1, sizeof(*now));
	u32 changed = 0;

	if (!r || !now)
		v->error = VIEW_NO_MEMORY;
	if (v->nr_ids)
		qsort(v->ids, v->nr_ids, sizeof(*v->ids), by_place);
	for (u32 i = 0; i < v->nr_ids && !v->error; i++) {
		r[i] = (struct source_range){ .pa = v->ids[i].pa,
					      .len = v->ids[i].len,
					      .to = now[i] };
		v->stats.bytes += r[i].len;
	}
	if (v->nr_ids && !v->error && read_ranges(v, r, v->nr_ids))
		changed = compare(v, r);
	if (now)
		explicit_bzero(now, v->nr_ids * sizeof(*now));
	free(now);
	free(r);
	return changed;
}
