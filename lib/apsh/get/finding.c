// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "../arch/arch.h"
#include "finding.h"
#include "modules.h"

/* Real kernels have some thousands. */
#define MOST_PARTS (1U << 20)

struct building {
	struct call *c;
	struct owners *o;
	u64 module;
	bool cut; /* some were left out */
};

static bool add_part(void *arg, u64 base, u32 size)
{
	struct building *b = arg;
	struct owners *o = b->o;

	if (!size)
		return true;
	if (o->nr == MOST_PARTS) {
		b->cut = true;
		return false;
	}
	if (o->nr == o->max) {
		u32 max = o->max ? 2 * o->max : 64;
		struct owned *list = reallocarray(o->list, max, sizeof(*list));

		if (!list) {
			b->c->view.error = VIEW_NO_MEMORY;
			return false;
		}
		o->list = list;
		o->max = max;
	}
	o->list[o->nr++] = (struct owned){ base, size, b->module };
	return true;
}

/* Those that are hidden, too, as far as that takes little time. */
static void find_modules(struct call *c, struct owners *o)
{
	struct building b = { .c = c, .o = o };
	struct view *v = &c->view;
	struct nodes n = { 0 };

	modules_listed(v, &n);
	modules_in_sysfs(v, &n);
	modules_in_tree(v, &n);
	for (u32 i = 0; i < n.nr && !b.cut && !v->error; i++) {
		b.module = n.list[i];
		module_parts(v, b.module, add_part, &b);
	}
	nodes_free(&n);
	if (b.cut)
		finding_note(c, "modules have more than a million parts: what "
				"is in the last ones counts as nobody's");
	if (!v->error && !owned_sort(o))
		v->error = VIEW_NO_MEMORY;
}

bool owners_begin(struct call *c, struct owners *o)
{
	const struct kernel *k = c->view.kernel;

	*o = (struct owners){ 0 };
	if (k->arch != &arch_x86_64) {
		finding_unknown(c, "",
				"only kernels for x86-64 are checked for this");
		return false;
	}
	*o = (struct owners){
		.code = kernel_symbol(k, S__stext),
		.code_end = kernel_symbol(k, S__etext),
		.end = kernel_symbol(k, S__end),
	};
	if (!o->code || o->code_end <= o->code || o->end < o->code_end) {
		finding_unknown(c, "",
				"the map does not say where the kernel's code "
				"is: it needs _stext, _etext and _end");
		return false;
	}
	find_modules(c, o);
	return true;
}

void owners_free(struct owners *o)
{
	owned_free(o);
}

static bool is_in_image(const struct call *c, const struct owners *o, u64 va)
{
	return va >= kernel_symbol(c->view.kernel, S__text) && va < o->end;
}

u64 owner_module(const struct owners *o, u64 va)
{
	const struct owned *part = owned_at(o, va);

	return part ? part->module : 0;
}

bool is_unowned(const struct call *c, const struct owners *o, u64 va)
{
	return va >= KERNEL_SPACE && !is_in_image(c, o, va) && !owned_at(o, va);
}

const char *owner_of(struct call *c, const struct owners *o, u64 va)
{
	const struct owned *part = owned_at(o, va);
	char name[MODULE_NAME + 1];

	if (is_kernel_code(o, va))
		return "the kernel's code";
	if (is_in_image(c, o, va))
		return "the kernel's data";
	if (part)
		return module_name(&c->view, part->module, name) ?
			       snapshot_format(c->snap, "module %s", name) :
			       "a module without a name";
	return va < KERNEL_SPACE ? "no memory of the kernel" :
				   "memory of no module";
}

static struct apsh_finding *add(struct call *c, enum apsh_verdict verdict,
				const char *where, const char *what)
{
	struct apsh_finding *o = snapshot_add(c->snap, sizeof(*o));

	if (!o)
		return NULL;
	o->verdict = verdict;
	o->where = where;
	o->what = what;
	return o;
}

struct apsh_finding *finding_suspicious(struct call *c, struct place_of proof,
					const char *where, u64 address,
					const char *what)
{
	struct apsh_finding *o = add(c, APSH_SUSPICIOUS, where, what);

	if (!o)
		return NULL;
	o->address = address;
	view_identity(&c->view, proof.va, proof.len, &o->object);
	/* the owner would be another one if a module has come meanwhile */
	view_identity(&c->view, kernel_symbol(c->view.kernel, S_modules), 16,
		      &o->object);
	return o;
}

void finding_unknown(struct call *c, const char *where, const char *why)
{
	add(c, APSH_CANNOT_TELL, where, why);
}

void finding_note(struct call *c, const char *what)
{
	add(c, APSH_NOTE, "", what);
}

DEFINE_FREE(doca_priv_apsh_findings_free, apsh_finding, findings)
