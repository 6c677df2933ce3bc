// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "../private.h"
#include "modules.h"

LOG_SOURCE("APSH");

struct doca_apsh_module {
	struct object object;
	u64 offset;
	const char *name;
	u32 size;
	bool hidden;
};

bool doca_priv_apsh_module_hidden(const struct doca_apsh_module *module)
{
	return module->hidden;
}

static bool add_size(void *sum, u64 base, u32 size)
{
	(void)base;
	*(u32 *)sum += size;
	return true;
}

static u32 size_of(struct view *v, u64 module)
{
	u32 sum = 0;

	module_parts(v, module, add_size, &sum);
	return sum;
}

static struct doca_apsh_module *add(struct call *c, u64 module, bool hidden)
{
	struct view *v = &c->view;
	struct doca_apsh_module *o;
	u64 misses = v->misses;
	char name[MODULE_NAME + 1] = "";

	if (view_field(v, module, F_MODULE_STATE) == MODULE_UNFORMED &&
	    !hidden) {
		v->stats.leaving++;
		return NULL;
	}
	if (c->snap->nr == limit_of(c, DOCA_APSH_MODULES_LIMIT)) {
		c->cut = true;
		return NULL;
	}
	if (!view_read_field(v, module, F_MODULE_NAME, name, MODULE_NAME)) {
		if (!v->error)
			view_broken(v, misses, "a module", module);
		return NULL;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return NULL;
	o->offset = module;
	o->name = snapshot_string(c->snap, name);
	o->size = size_of(v, module);
	o->hidden = hidden;
	v->stats.hidden += o->hidden;
	view_identity(v, module + offset_of_field(v, F_MODULE_NAME), 32,
		      &o->object);
	return o;
}

/* One that is loaded becomes the first of the list, which had been read before. */
static void add_unlisted(struct call *c, u64 module, bool hidden)
{
	struct doca_apsh_module *o = add(c, module, hidden);

	if (o)
		view_identity(&c->view,
			      kernel_symbol(c->view.kernel, S_modules), 16,
			      &o->object);
}

enum membership { IS_IN, IS_NOT_IN, UNKNOWN };

/* If a part of a list could not be read, any module may have been in it. */
static enum membership membership(const struct nodes *n, bool whole, u64 module)
{
	if (nodes_find(n, module) >= 0)
		return IS_IN;
	return whole ? IS_NOT_IN : UNKNOWN;
}

static bool is_live(u64 state)
{
	return state == MODULE_LIVE || state > MODULE_UNFORMED;
}

/*
 * A module enters the list before /sys/module, and leaves it later: so while it comes or
 * goes it may be only in the list, but never only in /sys/module. An unformed module,
 * which /proc/modules leaves out, is not in /sys/module yet, or any more. A state that the
 * kernel does not have is as good as live to it.
 */
static bool is_hidden(struct view *v, u64 module, enum membership in_sysfs)
{
	u32 state;

	if (in_sysfs == UNKNOWN ||
	    !view_read_field(v, module, F_MODULE_STATE, &state, 4))
		return false;
	return in_sysfs == IS_IN ? state == MODULE_UNFORMED : is_live(state);
}

/* The modules of the list, and those of /sys/module. */
struct lists {
	struct nodes list, sysfs;
	bool both, whole, whole_sysfs;
};

static void add_lists(struct call *c, struct lists *l)
{
	struct view *v = &c->view;
	u64 misses = v->misses, broken = v->stats.broken;

	if (!modules_listed(v, &l->list))
		call_without_root(c, "the list of modules is not");
	l->whole = v->misses == misses && v->stats.broken == broken;
	misses = v->misses;
	broken = v->stats.broken;
	l->both = !c->without && modules_in_sysfs(v, &l->sysfs) &&
		  (l->sysfs.nr || !l->list.nr);
	v->stats.uncompared = !l->both;
	l->whole_sysfs = v->misses == misses && v->stats.broken == broken;
	for (u32 i = 0; i < l->list.nr && !v->error && !c->cut; i++)
		add(c, l->list.list[i],
		    l->both && is_hidden(v, l->list.list[i],
					 membership(&l->sysfs, l->whole_sysfs,
						    l->list.list[i])));
	for (u32 i = 0; l->both && i < l->sysfs.nr && !v->error && !c->cut; i++)
		if (membership(&l->list, l->whole, l->sysfs.list[i]) != IS_IN)
			add_unlisted(c, l->sysfs.list[i], l->whole);
}

/*
 * One that goes leaves both before its memory is freed, and says so; one that hides may say the
 * same.
 */
static void add_others(struct call *c, const struct lists *l,
		       const struct nodes *found)
{
	struct view *v = &c->view;

	for (u32 i = 0; i < found->nr && !v->error && !c->cut; i++) {
		u64 module = found->list[i], misses = v->misses, state;

		if (nodes_find(&l->list, module) >= 0 ||
		    (l->both && nodes_find(&l->sysfs, module) >= 0))
			continue;
		state = view_field(v, module, F_MODULE_STATE);
		if (v->misses != misses)
			continue;
		if (is_live(state) || state == MODULE_COMING)
			add_unlisted(c, module, l->whole);
		else
			v->stats.leaving += l->whole;
	}
}

static void fill_by(struct call *c, bool scan)
{
	struct nodes found = { 0 };
	struct lists l = { 0 };

	add_lists(c, &l);
	if (!c->without)
		modules_in_tree(&c->view, &found);
	if (!c->without && scan)
		modules_in_memory(&c->view, &found);
	add_others(c, &l, &found);
	c->cut |= l.list.cut || l.sysfs.cut || found.cut;
	nodes_free(&found);
	nodes_free(&l.list);
	nodes_free(&l.sysfs);
}

static void fill(struct call *c)
{
	fill_by(c, false);
}

static void fill_scanning(struct call *c)
{
	fill_by(c, true);
}

static const struct getter modules_getter = {
	.what = "modules",
	.object = &apsh_module_object,
	.limit = DOCA_APSH_MODULES_LIMIT,
	.fill = fill,
};

static const struct getter scan_getter = {
	.what = "modules",
	.object = &apsh_module_object,
	.limit = DOCA_APSH_MODULES_LIMIT,
	.fill = fill_scanning,
};

DEFINE_SYSTEM_GET(doca_apsh_modules_get, doca_apsh_module, modules,
		  modules_size, &modules_getter)
DEFINE_SYSTEM_GET(doca_priv_apsh_modules_scan, doca_apsh_module, modules,
		  modules_size, &scan_getter)
DEFINE_FREE(doca_apsh_module_free, doca_apsh_module, modules)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_MODULES_OFFSET, doca_apsh_module, offset),
	ATTR(DOCA_APSH_MODULES_NAME, doca_apsh_module, name),
	ATTR(DOCA_APSH_MODULES_SIZE, doca_apsh_module, size),
};

DEFINE_INFO_GET(__doca_apsh_module_info_get, doca_apsh_module,
		doca_apsh_module_attr, attrs, module)
