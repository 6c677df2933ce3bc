// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Look for code in a process that is in none of its files. While the target runs, a frame may have
 * become another's since the tables were read, and an area another one. So it is looked at twice,
 * by two views, and only what is suspicious both times is reported.
 */
#include <stdlib.h>
#include <string.h>

#include "suspect.h"

LOG_SOURCE("APSH");

struct doca_apsh_injection_detect {
	struct object object;
	u32 pid;
	u64 area_start, area_end, start, end;
	const char *protection, *tag, *path;
};

/* Pages that follow each other in an area, and are suspicious for the same reason. */
struct page_run {
	u64 start, end;
	u32 area;
	enum verdict why;
};

struct look {
	struct call *c;
	struct area *areas;
	u32 nr_areas;
	struct page_run *runs; /* by address */
	u32 nr, max;
	const struct look
		*before; /* NULL: look at everything, else at its runs */
	u32 at; /* the first place of that one that is not behind */
	struct view_budget least; /* to be left for the other look */
	bool stopped;
};

static bool goes_on(struct look *l)
{
	struct view *v = &l->c->view;
	struct view_budget left = view_left(v);

	if (left.bytes < l->least.bytes || left.ms < l->least.ms ||
	    l->nr == limit_of(l->c, DOCA_APSH_VADS_LIMIT))
		l->stopped = true;
	l->c->cut |= l->nr == limit_of(l->c, DOCA_APSH_VADS_LIMIT);
	return !l->stopped && !v->error;
}

static bool goes_on_at(const struct page_run *last, const struct page_run *p)
{
	return last->end == p->start && last->area == p->area &&
	       (last->why == p->why ||
		(last->why == SUSPECT_ELF && p->why == SUSPECT_CODE));
}

static void add_run(struct look *l, struct page_run p)
{
	if (l->nr && goes_on_at(&l->runs[l->nr - 1], &p)) {
		l->runs[l->nr - 1].end = p.end;
		return;
	}
	if (l->nr == l->max) {
		u32 max = l->max ? 2 * l->max : 64;
		struct page_run *more =
			reallocarray(l->runs, max, sizeof(*more));

		if (!more) {
			l->c->view.error = VIEW_NO_MEMORY;
			return;
		}
		l->runs = more;
		l->max = max;
	}
	l->runs[l->nr++] = p;
}

/* Return how many bytes from there need no look, as they were not suspicious before. */
static u64 to_skip(struct look *l, u64 va)
{
	const struct look *b = l->before;

	if (!b)
		return 0;
	while (l->at < b->nr && b->runs[l->at].end <= va)
		l->at++;
	if (l->at == b->nr)
		return UINT64_MAX - va;
	return b->runs[l->at].start > va ? b->runs[l->at].start - va : 0;
}

static void judged(struct look *l, u32 area, u64 va, u64 len, enum verdict why)
{
	if (why == SUSPECT_UNKNOWN && !l->before)
		l->c->view.stats.unjudged++;
	else if (why >= SUSPECT_CODE)
		add_run(l, (struct page_run){ .start = va,
					      .end = va + len,
					      .area = area,
					      .why = why });
}

static void look_at_code(struct look *l, u32 i, const struct suspect *s)
{
	u64 end = s->a->end, va = s->a->start, left;

	for (; va < end && goes_on(l); va += left) {
		enum verdict why = SUSPECT_NOT;

		left = to_skip(l, va);
		if (left > end - va)
			left = end - va;
		if (!left)
			why = suspect_judge(s, va, &left);
		judged(l, i, va, left, why);
	}
	if (!l->before)
		l->c->view.stats.unjudged += (end - va) / PAGE;
}

/* The header of a program that was loaded by hand is data beside its code. */
static void look_at_data(struct look *l, u32 i, const struct suspect *s)
{
	u64 start = s->a->start;

	if (!to_skip(l, start))
		judged(l, i, start, PAGE, suspect_header(s));
}

static void look_at_area(struct look *l, u32 i)
{
	const struct area *a = &l->areas[i];
	struct suspect s;

	if (!suspect_begin(&s, l->c, a)) {
		if (!l->before)
			l->c->view.stats.unjudged += (a->end - a->start) / PAGE;
	} else if (a->flags & AREA_EXEC) {
		look_at_code(l, i, &s);
	} else if (goes_on(l)) {
		look_at_data(l, i, &s);
	}
}

static bool has_code(const struct look *l, u32 i)
{
	return l->areas[i].flags & AREA_EXEC &&
	       !area_is_special(l->c, &l->areas[i]);
}

/* Return the end of the areas without a file that follow each other, and if one has code. */
static u32 end_of_run(const struct look *l, u32 i, bool *code)
{
	const struct area *areas = l->areas;

	*code = has_code(l, i);
	if (areas[i].file)
		return i + 1;
	for (i++; i < l->nr_areas && !areas[i].file &&
		  areas[i].start == areas[i - 1].end;
	     i++)
		*code |= has_code(l, i);
	return i;
}

/* False if the view cannot go on. */
static bool look(struct look *l)
{
	struct view *v = &l->c->view;
	bool code = false;
	u32 end = 0;

	if (!areas_get(l->c, &l->areas, &l->nr_areas))
		return false;
	for (u32 i = 0; i < l->nr_areas && !v->error; i++) {
		if (i == end)
			end = end_of_run(l, i, &code);
		if (code || l->areas[i].flags & AREA_EXEC)
			look_at_area(l, i);
	}
	return !v->error;
}

static void look_end(struct look *l)
{
	free(l->areas);
	free(l->runs);
}

static u64 pages_of(const struct look *l)
{
	u64 bytes = 0;

	for (u32 i = 0; i < l->nr; i++)
		bytes += l->runs[i].end - l->runs[i].start;
	return bytes / PAGE;
}

static void add(const struct look *l, const struct page_run *p)
{
	static const char *const tags[] = {
		[SUSPECT_CODE] = "code",       [SUSPECT_ELF] = "elf",
		[SUSPECT_CHANGED] = "changed", [SUSPECT_COPIED] = "copied",
		[SUSPECT_VDSO] = "vdso",
	};
	const struct area *a = &l->areas[p->area];
	struct doca_apsh_injection_detect *o;
	char path[MAX_PATH], protection[5];
	struct call *c = l->c;

	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return;
	area_protection(a, protection);
	name_of_area(c, a, path);
	o->pid = c->process->pid;
	o->area_start = a->start;
	o->area_end = a->end;
	o->start = p->start;
	o->end = p->end;
	o->protection = snapshot_string(c->snap, protection);
	o->tag = snapshot_string(c->snap, tags[p->why]);
	o->path = snapshot_string(c->snap, path);
}

/* Have the second look's reads count, and its pages that are missing. */
static void merge(struct view *v, const struct view *again, u64 bytes)
{
	v->streamed += bytes;
	v->stats.bytes += again->stats.bytes;
	v->stats.granules += again->stats.granules;
	v->stats.broken += again->stats.broken;
	if (v->stats.absent < again->stats.absent)
		v->stats.absent = again->stats.absent;
	if (!v->error)
		v->error = again->error;
}

/* Tables, areas and pages are read anew. */
static void look_again(const struct look *before)
{
	struct call *c = before->c, again = *c;
	struct look l = { .c = &again, .before = before };
	struct view_budget left = view_left(&c->view);

	view_begin(&again.view, c->view.source, c->view.regions, c->view.kernel,
		   &left);
	if (look(&l))
		for (u32 i = 0; i < l.nr && !c->snap->no_memory; i++)
			add(&l, &l.runs[i]);
	merge(&c->view, &again.view, left.bytes - view_left(&again.view).bytes);
	if (pages_of(before) > pages_of(&l))
		c->view.stats.unjudged += pages_of(before) - pages_of(&l);
	view_end(&again.view);
	look_end(&l);
}

/* Half of the budget is for the second look. */
static void fill(struct call *c)
{
	struct look l = { .c = c, .least = view_left(&c->view) };
	u64 misses = c->mm ? c->view.misses : 0;
	bool ok;

	l.least.bytes /= 2;
	l.least.ms /= 2;
	ok = look(&l);
	/* areas may be missing */
	c->partial = c->cut || c->view.stats.broken ||
		     (!c->mm && c->view.misses != misses);
	if (ok && l.nr)
		look_again(&l);
	look_end(&l);
	c->view.stats.unjudged += c->partial;
	if (c->snap->nr || c->view.error || !c->partial)
		return;
	c->error = FAIL_AT(c->site, INITIALIZATION,
			   "areas of process %u are missing, broken, or more "
			   "than the limit of %u: it cannot be told if it has "
			   "injected code",
			   c->process->pid, limit_of(c, DOCA_APSH_VADS_LIMIT));
}

static const struct getter injection_getter = {
	.what = "suspicious areas",
	.object = &apsh_injection_detect_object,
	.limit = DOCA_APSH_VADS_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_injection_detect_get, doca_apsh_injection_detect,
		   suspected_injections, suspected_injections_size,
		   &injection_getter)
DEFINE_FREE(doca_apsh_injection_detect_free, doca_apsh_injection_detect,
	    suspected_injections)

#define PLACE(name, member)                                                 \
	ATTR(DOCA_APSH_INJECTION_DETECT_##name, doca_apsh_injection_detect, \
	     member)

static const struct attr attrs[] = {
	PLACE(PID, pid),
	PLACE(VAD_START, area_start),
	PLACE(VAD_END, area_end),
	PLACE(VAD_PROTECTION, protection),
	PLACE(VAD_TAG, tag),
	PLACE(VAD_FILE_PATH, path),
	PLACE(SUSPECTED_AREA_START, start),
	PLACE(SUSPECTED_AREA_END, end),
};

DEFINE_INFO_GET(__doca_apsh_injection_detect_info_get,
		doca_apsh_injection_detect, doca_apsh_injection_detect_attr,
		attrs, suspected_injection)
