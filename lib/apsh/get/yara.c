// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Scans of a process's memory by libyara, which is asked for when the first one is made:
 * programs that scan nothing are not linked with it. What it is given are bytes, in blocks
 * of the pages that are there, and the rest of the call's time.
 */
#include <stdlib.h>
#include <string.h>

#include "../store.h"
#include "../yara.h"
#include "group.h"

LOG_SOURCE("APSH");

enum { BLOCK = 1 << 20, MAX_MATCHES = 65536, NR_RULES = 3 };

#define SCANS (DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP)

struct doca_apsh_yara {
	struct object object;
	u32 pid;
	const char *comm, *rule;
	u64 address, len;
};

struct scan {
	struct call *c;
	struct area *areas;
	u32 nr;
	u64 types;
	u64 start, end; /* of the heap */
	u32 area;
	u64 at; /* of the next page in it */
	struct yara_block block;
	u8 bytes[BLOCK];
};

static bool is_heap(const struct scan *s, const struct area *a)
{
	return a->start < s->end && a->end > s->start;
}

static bool is_wanted(const struct scan *s, const struct area *a)
{
	return s->types & DOCA_APSH_YARA_SCAN_VMA || is_heap(s, a);
}

/*
 * The page at s->at, or how much is missing: a hole of the tables is left at once, but of
 * a large page only one of 4 KiB, for others of it may be there.
 */
static bool read_page(struct scan *s, u8 *to, u64 *missing)
{
	struct view *v = &s->c->view;
	u64 pa;

	*missing = PAGE;
	if (view_translate(v, &s->c->space, s->at, &pa, missing)) {
		*missing = PAGE;
		return view_page(v, pa, to);
	}
	if (*missing < PAGE)
		*missing = PAGE;
	return false;
}

/* Pages one behind the other, up to a block of them, from s->at. */
static bool read_block(struct scan *s, const struct area *a)
{
	struct view *v = &s->c->view;
	u64 missing;

	s->block = (struct yara_block){ .bytes = s->bytes, .address = s->at };
	while (s->at < a->end && s->block.len < BLOCK && view_on_time(v)) {
		if (read_page(s, s->bytes + s->block.len, &missing)) {
			s->block.len += PAGE;
			s->at += PAGE;
			continue;
		}
		if (s->block.len)
			break;
		s->at = missing < a->end - s->at ? s->at + missing : a->end;
		s->block.address = s->at;
	}
	return s->block.len && !v->error;
}

/*
 * Each begins with the last page of the one before, where nothing is between them. What is
 * found in both libyara has once.
 */
static const struct yara_block *next_block(void *arg)
{
	struct scan *s = arg;

	for (; s->area < s->nr; s->area++, s->at = 0) {
		const struct area *a = &s->areas[s->area];

		if (!is_wanted(s, a))
			continue;
		if (!s->at)
			s->at = a->start & ~(PAGE - 1);
		else if (s->block.len == BLOCK && s->at < a->end)
			s->at -= PAGE;
		if (read_block(s, a))
			return &s->block;
		if (s->c->view.error)
			break;
	}
	return NULL;
}

static bool add_match(void *arg, const char *rule, u64 address, u64 len)
{
	struct scan *s = arg;
	struct call *c = s->c;
	struct doca_apsh_yara *o;

	if (c->snap->nr == MAX_MATCHES) {
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "there are more matches than %d", MAX_MATCHES);
		return false;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return false;
	o->pid = c->process->pid;
	o->comm = snapshot_string(c->snap, c->process->comm);
	o->rule = snapshot_string(c->snap, rule);
	o->address = address;
	o->len = len;
	return true;
}

static void scan(struct call *c, struct scan *s)
{
	struct view *v = &c->view;

	s->c = c;
	s->types = c->scan_type;
	s->start = view_field(v, c->mm, F_MM_START_BRK);
	s->end = view_field(v, c->mm, F_MM_BRK);
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
}

static void fill(struct call *c)
{
	struct scan *s;

	if (!c->mm)
		return;
	s = secret_alloc(sizeof(*s));
	if (!s) {
		c->view.error = VIEW_NO_MEMORY;
		return;
	}
	memset(s, 0, sizeof(*s));
	if (areas_get(c, &s->areas, &s->nr))
		scan(c, s);
	free(s->areas);
	secret_free(s, sizeof(*s), sizeof(*s));
}

static const struct getter yara_getter = {
	.what = "matches",
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

DEFINE_FREE(yara, doca_apsh_yara, yara_matches)

static const struct attr attrs[] = {
	ATTR(YARA_PID, doca_apsh_yara, pid),
	ATTR(YARA_COMM, doca_apsh_yara, comm),
	ATTR(YARA_RULE, doca_apsh_yara, rule),
	ATTR(YARA_MATCH_WINDOW_ADDR, doca_apsh_yara, address),
	ATTR(YARA_MATCH_WINDOW_LEN, doca_apsh_yara, len),
};

DEFINE_INFO_GET(yara, doca_apsh_yara, doca_apsh_yara_attr, attrs, yara)
