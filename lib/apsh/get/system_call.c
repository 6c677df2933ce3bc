// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Where system calls lead: by tables, or by functions that have taken their place, where the table
 * remains for tracing. Each must lead to a function of a system call.
 */
#include <stdlib.h>

#include "dispatch.h"
#include "finding.h"

LOG_SOURCE("APSH");

enum {
	MOST_NUMBERS = 1024,
	PADDING =
		16, /* a call may begin in front of a function, to count its depth */
};

static const struct way {
	enum symbol table, function;
} ways[] = {
	{ S_sys_call_table, S_x64_sys_call },
	{ S_ia32_sys_call_table, S_ia32_sys_call },
	{ S_x32_sys_call_table, S_x32_sys_call },
};

/* A table as it was read. */
struct table {
	u64 entries[MOST_NUMBERS];
	u32 nr;
};

struct check {
	struct call *c;
	struct owners owners;
	struct table table;
	struct dispatch dispatch;
};

static bool leads_to_entry(const struct kernel *k, u64 target, u32 padding)
{
	u64 address = target - k->delta;
	const struct map_entry *e = map_entry_at(&k->map, address + padding);

	return e && e->address >= address;
}

static const char *what_is_at(struct check *ch, u64 target)
{
	struct call *c = ch->c;

	if (is_kernel_code(&ch->owners, target))
		return "leads into the kernel's code, but to no system call";
	return snapshot_format(c->snap, "leads to %s",
			       owner_of(c, &ch->owners, target));
}

static const char *where(struct call *c, enum symbol s, u32 number)
{
	return snapshot_format(c->snap, "%s[%u]", symbol_specs[s].name, number);
}

/* The symbol behind a table tells its end: what stays empty behind the last entry is none. */
static bool read_table(struct check *ch, enum symbol s)
{
	struct view *v = &ch->c->view;
	u64 va = kernel_symbol(v->kernel, s);
	struct table *t = &ch->table;
	u32 size = v->kernel->map.sizes[s];

	t->nr = 0;
	if (!size || size > sizeof(t->entries)) {
		finding_unknown(ch->c, symbol_specs[s].name,
				"the map does not say how long the table is");
		return false;
	}
	if (!view_read(v, NULL, va, t->entries, size & ~7U)) {
		finding_unknown(ch->c, symbol_specs[s].name,
				"the table is not all in the image");
		return false;
	}
	t->nr = size / 8;
	while (t->nr && !t->entries[t->nr - 1])
		t->nr--;
	return true;
}

static void check_table(struct check *ch, enum symbol s)
{
	struct view *v = &ch->c->view;

	if (!kernel_symbol(v->kernel, s) || !read_table(ch, s))
		return;
	for (u32 i = 0; i < ch->table.nr && !v->error; i++) {
		u64 at = kernel_symbol(v->kernel, s) + (u64)i * 8;
		u64 target = ch->table.entries[i];

		if (!leads_to_entry(v->kernel, target, 0))
			finding_suspicious(ch->c, (struct place_of){ at, 8 },
					   where(ch->c, s, i), target,
					   what_is_at(ch, target));
	}
}

/* Return false if nothing more can be found out about the function. */
static bool check_number(struct check *ch, enum symbol s, u32 number, u64 *last)
{
	const struct table *t = &ch->table;
	struct call *c = ch->c;
	u64 target, va = ch->dispatch.va;
	const char *what;
	bool by_call;

	if (!dispatch_follow(&ch->dispatch, number, &target, &by_call)) {
		finding_unknown(
			c, where(c, s, number),
			snapshot_format(c->snap, "what is at %#lx is not %s",
					target,
					dispatch_has(&ch->dispatch, target) ?
						"understood" :
						"in the image"));
		return false;
	}
	if (!leads_to_entry(c->view.kernel, target, by_call ? PADDING : 0))
		what = what_is_at(ch, target);
	else if (number < t->nr && !by_call && t->entries[number] != target &&
		 leads_to_entry(c->view.kernel, t->entries[number], 0))
		what = "leads to another system call than the table does";
	else
		return true;
	/* numbers that are not used go one way */
	if (target != *last)
		finding_suspicious(c, (struct place_of){ va, 32 },
				   where(c, s, number), target, what);
	*last = target;
	return true;
}

static void check_function(struct check *ch, enum symbol s)
{
	struct view *v = &ch->c->view;
	u64 va = kernel_symbol(v->kernel, s), last = 0;

	if (!va)
		return;
	if (!is_kernel_code(&ch->owners, va) ||
	    !dispatch_read(v, va, ch->owners.code_end, &ch->dispatch)) {
		finding_unknown(ch->c, symbol_specs[s].name,
				"the function is not in the image");
		return;
	}
	for (u32 i = 0; i < MOST_NUMBERS && !v->error; i++)
		if (!check_number(ch, s, i, &last))
			return;
}

static void check_ways(struct check *ch)
{
	const struct kernel *k = ch->c->view.kernel;

	if (!k->map.nr_entries) {
		finding_unknown(ch->c, "",
				"the map has no functions of system calls: "
				"make it anew");
		return;
	}
	if (!kernel_symbol(k, S_sys_call_table) &&
	    !kernel_symbol(k, S_x64_sys_call))
		finding_unknown(ch->c, "",
				"the map has neither sys_call_table nor "
				"x64_sys_call");
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		ch->table.nr = 0;
		check_table(ch, ways[i].table);
		check_function(ch, ways[i].function);
	}
}

static void fill(struct call *c)
{
	struct check *ch = calloc(1, sizeof(*ch));

	if (!ch) {
		c->view.error = VIEW_NO_MEMORY;
		return;
	}
	ch->c = c;
	if (owners_begin(c, &ch->owners))
		check_ways(ch);
	owners_free(&ch->owners);
	free(ch);
}

static const struct getter system_calls_getter = {
	.what = "findings of system calls",
	.limit = -1,
	.object = &apsh_finding_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_priv_apsh_system_calls_check, apsh_finding, findings,
		  findings_size, &system_calls_getter)
