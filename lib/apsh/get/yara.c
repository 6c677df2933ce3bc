// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Scans of a process's memory by libyara, which is loaded at the first scan: programs that
 * scan nothing do not depend on it. It gets bytes, window by window, and the rest of the
 * call's time.
 */
#include <stdlib.h>

#include "../yara.h"
#include "window.h"

LOG_SOURCE("APSH");

enum { MAX_MATCHES = 16384, NR_RULES = 3 };

#define SCANS (DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP)

struct doca_apsh_yara {
	struct object object;
	u32 pid;
	const char *comm, *rule;
	u64 address, len;
};

struct scan {
	struct windows windows;
	struct yara_block block;
	bool full; /* more matches than can be returned */
};

static bool is_heap(struct call *c, const struct area *a)
{
	return a->start < view_field(&c->view, c->mm, F_MM_BRK) &&
	       a->end > view_field(&c->view, c->mm, F_MM_START_BRK);
}

static bool is_wanted(struct call *c, const struct area *a)
{
	return c->scan_type & DOCA_APSH_YARA_SCAN_VMA || is_heap(c, a);
}

static const struct yara_block *next_block(void *arg, bool first)
{
	struct scan *s = arg;

	if (first)
		s->windows.part = s->windows.start;
	return windows_block(&s->windows, &s->block) ? &s->block : NULL;
}

/* Do not report places and counts within the window. */
static bool add_match(void *arg, const char *rule)
{
	struct scan *s = arg;
	struct call *c = s->windows.c;
	struct doca_apsh_yara *o;

	if (c->snap->nr == MAX_MATCHES) {
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "there are more matches than %d", MAX_MATCHES);
		s->full = true;
		return false;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return false;
	o->pid = c->process->pid;
	o->comm = snapshot_string(c->snap, c->process->comm);
	o->rule = snapshot_string(c->snap, rule);
	o->address = s->windows.start;
	o->len = s->windows.end - s->windows.start;
	return true;
}

/* Return false after the last window. */
static bool scan_window(struct call *c, struct scan *s)
{
	struct view *v = &c->view;

	switch (yara_scan(c->rules, view_seconds_left(v), next_block, add_match,
			  s)) {
	case YARA_DONE:
		break;
	case YARA_LATE:
		v->error = VIEW_BUDGET;
		break;
	case YARA_NO_MEMORY:
		v->error = VIEW_NO_MEMORY;
		break;
	case YARA_FAILED:
		c->error = FAIL_AT(c->site, INITIALIZATION,
				   "libyara cannot scan process %u",
				   c->process->pid);
		break;
	}
	return !v->error && !c->error && !c->snap->no_memory && !s->full;
}

static void scan(struct call *c, struct scan *s, const struct area *areas,
		 u32 nr)
{
	struct windows *w = &s->windows;
	bool on = true;

	for (u32 i = 0; i < nr && on && view_on_time(&c->view); i++) {
		if (!is_wanted(c, &areas[i]) || !windows_first(w, &areas[i]))
			continue;
		do {
			on = scan_window(c, s);
		} while (on && windows_next(w));
	}
}

static void fill(struct call *c)
{
	struct scan s = { .full = false };
	struct area *areas;
	u32 nr;

	if (!c->mm || !areas_get(c, &areas, &nr))
		return;
	if (windows_begin(&s.windows, c, window_of(c->system),
			  step_of(c->system)))
		scan(c, &s, areas, nr);
	else
		c->view.error = VIEW_NO_MEMORY;
	windows_end(&s.windows);
	free(areas);
}

static const struct getter yara_getter = {
	.what = "matches",
	.object = &apsh_yara_object,
	.limit = DOCA_APSH_VADS_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.fill = fill,
};

static doca_error_t check_request(const enum doca_apsh_yara_rule *rules, u32 nr,
				  u64 types)
{
	if (!types || types & ~(u64)SCANS)
		return FAIL(INVALID_VALUE,
			    "%#lx is no sum of types of scans, which are %d "
			    "and %d",
			    types, DOCA_APSH_YARA_SCAN_VMA,
			    DOCA_APSH_YARA_SCAN_HEAP);
	if (nr > NR_RULES)
		return FAIL(INVALID_VALUE, "%u rules are more than there are",
			    nr);
	for (u32 i = 0; i < nr; i++)
		if ((u32)rules[i] >= NR_RULES)
			return FAIL(INVALID_VALUE, "there is no rule %d",
				    rules[i]);
	return DOCA_SUCCESS;
}

doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
				enum doca_apsh_yara_rule *yara_rules_arr,
				uint32_t yara_rules_arr_size,
				uint64_t scan_type,
				struct doca_apsh_yara ***yara_matches,
				int *yara_matches_size)
{
	static const struct log_site site = LOG_SITE;
	struct yara_rules *rules;
	doca_error_t ret;

	if (!valid(process) || !given(yara_rules_arr) ||
	    !given(yara_rules_arr_size) || !given(yara_matches) ||
	    !given(yara_matches_size))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_request(yara_rules_arr, yara_rules_arr_size, scan_type);
	if (ret == DOCA_SUCCESS)
		ret = yara_compile(yara_rules_arr, yara_rules_arr_size, &rules);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = call_yara(&yara_getter, process, rules, scan_type, yara_matches,
			yara_matches_size, &site);
	yara_free(rules);
	return ret;
}

DEFINE_FREE(doca_apsh_yara_free, doca_apsh_yara, yara_matches)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_YARA_PID, doca_apsh_yara, pid),
	ATTR(DOCA_APSH_YARA_COMM, doca_apsh_yara, comm),
	ATTR(DOCA_APSH_YARA_RULE, doca_apsh_yara, rule),
	ATTR(DOCA_APSH_YARA_MATCH_WINDOW_ADDR, doca_apsh_yara, address),
	ATTR(DOCA_APSH_YARA_MATCH_WINDOW_LEN, doca_apsh_yara, len),
};

DEFINE_INFO_GET(__doca_apsh_yara_info_get, doca_apsh_yara, doca_apsh_yara_attr,
		attrs, yara)
