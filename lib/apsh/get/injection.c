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

/* More than a page, and the name of its area, take of the budget. */
enum { PAGE_COST = 64 << 10 };

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
	u64 looked; /* pages that were looked at */
	struct view_budget least; /* to be left for the other look */
	bool stopped;
};

static bool goes_on(struct look *l)
{
	struct call *c = l->c;
	struct view_budget left = view_left(&c->view);

	if (l->nr == limit_of(c, DOCA_APSH_VADS_LIMIT))
		l->stopped = c->cut = true;
	if (left.bytes < l->least.bytes || left.ms < l->least.ms ||
	    c->snap->left < PAGE_COST)
		l->stopped = true;
	return !l->stopped && !c->view.error && !c->snap->no_memory;
}

static bool goes_on_at(const struct page_run *last, const struct page_run *p)
{
	return last->end == p->start && last->area == p->area &&
	       (last->why == p->why ||
		(last->why == SUSPECT_ELF && p->why == SUSPECT_CODE));
}

/* Nothing is added if its name cannot be read any more. */
static bool add(const struct look *l, const struct page_run *p)
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

	name_of_area(c, a, path);
	o = c->view.error ? NULL : snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return false;
	area_protection(a, protection);
	o->pid = c->process->pid;
	o->area_start = a->start;
	o->area_end = a->end;
	o->start = p->start;
	o->end = p->end;
	o->protection = snapshot_string(c->snap, protection);
	o->tag = snapshot_string(c->snap, tags[p->why]);
	o->path = snapshot_string(c->snap, path);
	return true;
}

/* Each run of the second look is an object. */
static void extend(struct look *l, u64 end)
{
	struct snapshot *s = l->c->snap;

	l->runs[l->nr - 1].end = end;
	if (l->before)
		((struct doca_apsh_injection_detect *)s->list[s->nr - 1])->end =
			end;
}

static void add_run(struct look *l, struct page_run p)
{
	if (l->nr && goes_on_at(&l->runs[l->nr - 1], &p)) {
		extend(l, p.end);
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
	if (!l->before || add(l, &p))
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

/* The second look does not count again what the first one has counted. */
static void not_judged(struct look *l, u64 pages)
{
	if (!l->before)
		l->c->view.stats.unjudged += pages;
}

static void not_read(struct look *l, u64 pages)
{
	not_judged(l, pages);
	if (!l->before)
		l->c->view.stats.unread += pages;
}

static void judged(struct look *l, u32 area, u64 va, u64 len, enum verdict why)
{
	if (l->c->view.error)
		return;
	l->looked += len / PAGE;
	if (why == SUSPECT_UNKNOWN)
		not_judged(l, 1);
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
		left = to_skip(l, va);
		if (left > end - va)
			left = end - va;
		if (!left) {
			enum verdict why = suspect_judge(s, va, &left);

			judged(l, i, va, left, why);
		}
	}
	not_read(l, (end - va) / PAGE);
}

/* The header of a program that was loaded by hand is data beside its code. */
static void look_at_data(struct look *l, u32 i, const struct suspect *s)
{
	u64 start = s->a->start;

	if (!to_skip(l, start))
		judged(l, i, start, PAGE, suspect_header(s));
}

/* An area whose flags are not in the image may be code. */
static bool may_be_code(const struct area *a)
{
	return a->flags & AREA_EXEC || (!a->whole && !a->flags);
}

/* Only the first page of data is looked at. */
static void look_at_area(struct look *l, u32 i)
{
	const struct area *a = &l->areas[i];
	u64 pages = may_be_code(a) ? (a->end - a->start) / PAGE : 1;
	struct suspect s;

	if (!goes_on(l))
		not_read(l, pages);
	else if (!suspect_begin(&s, l->c, a))
		not_judged(l, pages);
	else if (a->flags & AREA_EXEC)
		look_at_code(l, i, &s);
	else
		look_at_data(l, i, &s);
}

/* One that was stopped must not read any more. */
static bool has_code(const struct look *l, u32 i)
{
	const struct area *a = &l->areas[i];

	return a->flags & AREA_EXEC &&
	       (l->stopped || !area_is_special(l->c, a));
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

/* The areas may change meanwhile: it is for the second look to see what has. */
static bool look(struct look *l)
{
	struct view *v = &l->c->view;
	bool code = false;
	u32 end = 0;

	if (!areas_now(l->c, &l->areas, &l->nr_areas))
		return false;
	for (u32 i = 0; i < l->nr_areas && !v->error; i++) {
		if (i == end)
			end = end_of_run(l, i, &code);
		if (code || may_be_code(&l->areas[i]))
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

/* Have the second look's reads count, and its pages that are missing. Its budget may end. */
static void merge(struct view *v, const struct view *again, u64 bytes)
{
	v->streamed += bytes;
	v->stats.bytes += again->stats.bytes;
	v->stats.granules += again->stats.granules;
	v->stats.broken += again->stats.broken;
	if (v->stats.absent < again->stats.absent)
		v->stats.absent = again->stats.absent;
	if (!v->error && again->error != VIEW_BUDGET)
		v->error = again->error;
}

/* Pages that were not confirmed, or not looked at again, cannot be judged. */
static void count_rest(const struct look *before, const struct look *l)
{
	struct view_stats *s = &before->c->view.stats;
	u64 first = pages_of(before), again = pages_of(l);

	if (first > again)
		s->unjudged += first - again;
	if (first > l->looked && (l->stopped || l->c->view.error))
		s->unread += first - l->looked;
}

/* Tables, areas and pages are read anew. */
static void look_again(const struct look *before)
{
	struct call *c = before->c, again = *c;
	struct look l = { .c = &again, .before = before };
	struct view_budget left = view_left(&c->view);

	view_begin(&again.view, c->view.source, c->view.regions, c->view.kernel,
		   &left);
	look(&l);
	merge(&c->view, &again.view, left.bytes - view_left(&again.view).bytes);
	count_rest(before, &l);
	view_end(&again.view);
	look_end(&l);
}

/* Half of the budget is for the second look, which has to read as much. */
static void fill(struct call *c)
{
	struct look l = { .c = c, .least = view_left(&c->view) };

	l.least.bytes = l.least.bytes / 2 + PAGE_COST;
	l.least.ms /= 2;
	if (look(&l) && l.nr)
		look_again(&l);
	look_end(&l);
	c->view.stats.unjudged += c->partial;
}

static doca_error_t check(const struct call *c)
{
	if (c->snap->nr || !c->partial)
		return DOCA_SUCCESS;
	return FAIL_AT(c->site, INITIALIZATION,
		       "areas of process %u are missing, broken, or more than "
		       "the limit of %u: it cannot be told if it has injected "
		       "code",
		       c->process->pid, limit_of(c, DOCA_APSH_VADS_LIMIT));
}

static const struct getter injection_getter = {
	.what = "suspicious areas",
	.object = &apsh_injection_detect_object,
	.limit = DOCA_APSH_VADS_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.fill = fill,
	.check = check,
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
