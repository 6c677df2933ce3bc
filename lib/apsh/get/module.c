// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "../private.h"
#include "../walk/walk.h"
#include "group.h"

LOG_SOURCE("APSH");

enum { LIVE = 0, UNFORMED = 3, MOST = 1 << 20 };

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

/* Add up the parts; older kernels have two, the core and the init part. */
static u32 size_of(struct view *v, u64 module)
{
	u32 step, total = 0;

	if (!has(v, F_MODULE_MEM))
		return (u32)(view_field(v, module, F_MODULE_CORE_SIZE) +
			     view_field(v, module, F_MODULE_INIT_SIZE));
	step = size_of_field(v, F_MODULE_MEMORY);
	for (u32 at = 0; step && at < size_of_field(v, F_MODULE_MEM);
	     at += step)
		total += (u32)view_field(
			v, module + at + offset_of_field(v, F_MODULE_MEM),
			F_MODULE_MEMORY_SIZE);
	return total;
}

static void add(struct call *c, u64 module, bool hidden)
{
	struct view *v = &c->view;
	struct doca_apsh_module *o;
	u64 misses = v->misses;
	char name[57] = "";

	if (view_field(v, module, F_MODULE_STATE) == UNFORMED && !hidden)
		return;
	if (c->snap->nr == limit_of(c, DOCA_APSH_MODULES_LIMIT)) {
		c->cut = true;
		return;
	}
	if (!view_read_field(v, module, F_MODULE_NAME, name, 56)) {
		if (!v->error)
			view_broken(v, misses, "a module", module);
		return;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return;
	o->offset = module;
	o->name = snapshot_string(c->snap, name);
	o->size = size_of(v, module);
	o->hidden = hidden;
	v->stats.hidden += o->hidden;
	view_identity(v, module + offset_of_field(v, F_MODULE_NAME), 32,
		      &o->object);
}

/* Collect the modules in /sys/module, if the kernel has it; parts of the kernel are there, too. */
static bool from_sysfs(struct view *v, struct nodes *out)
{
	u64 at = kernel_symbol(v->kernel, S_module_kset), kset = 0;
	struct nodes objects = { 0 };
	bool ok;

	if (!at || !has(v, F_KSET_LIST) || !has(v, F_MODKOBJ_ENTRY) ||
	    !has(v, F_MODKOBJ_MODULE) ||
	    !view_read(v, NULL, at, &kset, sizeof(kset)) || !kset)
		return false;
	ok = walk_list(v, kset + offset_of_field(v, F_KSET_LIST),
		       offset_of_field(v, F_MODKOBJ_ENTRY), MOST, &objects);
	for (u32 i = 0; i < objects.nr && !v->error; i++) {
		u64 module = view_field(v, objects.list[i], F_MODKOBJ_MODULE);

		if (module)
			nodes_add(v, out, module, 0);
	}
	nodes_free(&objects);
	return ok && out->nr;
}

enum membership { IS_IN, IS_NOT_IN, UNKNOWN };

/* If a part of a list could not be read, any module may have been in it. */
static enum membership membership(const struct nodes *n, bool whole, u64 module)
{
	if (nodes_find(n, module) >= 0)
		return IS_IN;
	return whole ? IS_NOT_IN : UNKNOWN;
}

/*
 * A module enters the list before /sys/module, and leaves it later: so while it comes or
 * goes it may be only in the list, but never only in /sys/module. An unformed module,
 * which /proc/modules leaves out, is not in /sys/module yet, or any more.
 */
static bool is_hidden(struct view *v, u64 module, enum membership in_sysfs)
{
	u32 state;

	return in_sysfs != UNKNOWN &&
	       view_read_field(v, module, F_MODULE_STATE, &state, 4) &&
	       state == (in_sysfs == IS_IN ? UNFORMED : LIVE);
}

static void fill(struct call *c)
{
	struct view *v = &c->view;
	struct nodes n = { 0 }, sysfs = { 0 };
	bool both, whole, whole_sysfs;
	u64 misses = v->misses;

	if (!walk_list(v, kernel_symbol(v->kernel, S_modules),
		       offset_of_field(v, F_MODULE_LIST), MOST, &n))
		call_without_root(c, "the list of modules is not");
	whole = v->misses == misses;
	misses = v->misses;
	both = !c->error && from_sysfs(v, &sysfs);
	whole_sysfs = v->misses == misses;
	for (u32 i = 0; i < n.nr && !v->error && !c->cut; i++)
		add(c, n.list[i],
		    both && is_hidden(v, n.list[i],
				      membership(&sysfs, whole_sysfs,
						 n.list[i])));
	for (u32 i = 0; both && i < sysfs.nr && !v->error && !c->cut; i++)
		if (membership(&n, whole, sysfs.list[i]) != IS_IN)
			add(c, sysfs.list[i], whole);
	nodes_free(&sysfs);
	nodes_free(&n);
}

static const struct getter modules_getter = {
	.what = "modules",
	.object = &apsh_module_object,
	.limit = DOCA_APSH_MODULES_LIMIT,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_apsh_modules_get, doca_apsh_module, modules,
		  modules_size, &modules_getter)
DEFINE_FREE(doca_apsh_module_free, doca_apsh_module, modules)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_MODULES_OFFSET, doca_apsh_module, offset),
	ATTR(DOCA_APSH_MODULES_NAME, doca_apsh_module, name),
	ATTR(DOCA_APSH_MODULES_SIZE, doca_apsh_module, size),
};

DEFINE_INFO_GET(__doca_apsh_module_info_get, doca_apsh_module,
		doca_apsh_module_attr, attrs, module)
