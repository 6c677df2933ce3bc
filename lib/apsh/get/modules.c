// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "../arch/arch.h"
#include "modules.h"

enum { MOST = 1 << 20 };

/*
 * Memory of modules begins behind the half of 1 GiB that a kernel has at least, and behind its
 * image, and ends where x86-64 has fixed mappings.
 */
#define MODULES_START (START_KERNEL_MAP + KERNEL_IMAGE_SIZE / 2)
#define MODULES_END 0xffffffffff000000ULL

bool modules_listed(struct view *v, struct nodes *out)
{
	return walk_list(v, kernel_symbol(v->kernel, S_modules),
			 offset_of_field(v, F_MODULE_LIST), MOST, out);
}

bool modules_in_sysfs(struct view *v, struct nodes *out)
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
	out->cut |= objects.cut;
	nodes_free(&objects);
	return ok;
}

/* The kernel has two of the same contents, of which it changes one at a time. */
void modules_in_tree(struct view *v, struct nodes *out)
{
	u64 tree = kernel_symbol(v->kernel, S_mod_tree), root = 0;
	struct nodes parts = { 0 };

	if (!tree || !has(v, F_MODTREE_ROOT) || !has(v, F_LAYOUT_NODE) ||
	    !has(v, F_LAYOUT_BASE) || !has(v, F_LAYOUT_OWNER) ||
	    !has(v, F_RB_PARENT) || !has(v, F_RB_LEFT) || !has(v, F_RB_RIGHT))
		return;
	if (view_read(v, NULL, tree + offset_of_field(v, F_MODTREE_ROOT), &root,
		      sizeof(root)))
		walk_rbtree(v, root, offset_of_field(v, F_LAYOUT_NODE),
			    F_LAYOUT_BASE, MOST, &parts);
	for (u32 i = 0; i < parts.nr && !v->error; i++) {
		u64 module = view_field(v, parts.list[i], F_LAYOUT_OWNER);

		if (module)
			nodes_add(v, out, module, 0);
	}
	out->cut |= parts.cut;
	nodes_free(&parts);
}

/* A module has a name, too; any state will do, as it may be forged. */
static void take_candidate(struct view *v, u64 module, struct nodes *out)
{
	char name[MODULE_NAME + 1];
	u64 self = view_field(v, module, F_MODULE_SELF);

	if (self == module && module_name(v, module, name))
		nodes_add(v, out, module, 0);
}

static void scan_page(struct view *v, u64 va, u64 pa, struct nodes *out)
{
	u64 words[PAGE / 8], offset = offset_of_field(v, F_MODULE_SELF);

	if (!view_page(v, pa, words))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i] == va + i * 8 - offset)
			take_candidate(v, words[i], out);
}

void modules_in_memory(struct view *v, struct nodes *out)
{
	u64 image_end = (v->kernel->image_end + PAGE - 1) & ~(PAGE - 1);
	u64 va = image_end > MODULES_START ? image_end : MODULES_START;
	u64 left = PAGE, pa;

	v->stats.unscanned = v->kernel->arch != &arch_x86_64 ||
			     !has(v, F_MODULE_SELF);
	if (v->stats.unscanned)
		return;
	while (view_on_time(v)) {
		if (view_translate(v, NULL, va, &pa, &left)) {
			scan_page(v, va, pa, out);
			left = PAGE;
		}
		/* a gap may reach to the end of all addresses */
		if (left >= MODULES_END - va)
			return;
		va += left;
	}
}

static bool visit_part(struct view *v, u64 part, module_part *visit, void *arg)
{
	return visit(arg, view_field(v, part, F_LAYOUT_BASE),
		     (u32)view_field(v, part, F_LAYOUT_SIZE));
}

/* They are in an array; before 6.4 they are two, the core and the init part. */
void module_parts(struct view *v, u64 module, module_part *visit, void *arg)
{
	u32 step = size_of_field(v, F_LAYOUT);
	u64 mem = module + offset_of_field(v, F_MODULE_MEM);

	if (!step || !has(v, F_MODULE_MEM))
		return;
	for (u32 at = 0; at < size_of_field(v, F_MODULE_MEM); at += step)
		if (!visit_part(v, mem + at, visit, arg))
			return;
	if (has(v, F_MODULE_INIT))
		visit_part(v, module + offset_of_field(v, F_MODULE_INIT), visit,
			   arg);
}

bool module_name(struct view *v, u64 module, char name[MODULE_NAME + 1])
{
	size_t len;

	memset(name, 0, MODULE_NAME + 1);
	if (!view_read_field(v, module, F_MODULE_NAME, name, MODULE_NAME))
		return false;
	len = strlen(name);
	for (size_t i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return len;
}
