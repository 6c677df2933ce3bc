// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A hook of a function, as a finding. */
#include "hook.h"

/* A probe or a tracer is at a function's begin, perhaps behind an endbr64. */
enum { FIRST_BYTES = 16 };

const char *hooks_name_at(struct hooks *h, u64 va)
{
	const struct kernel *k = h->c->view.kernel;
	const struct map_entry *e = map_entry_at(&k->map, va - k->delta);

	return e && va - k->delta - e->address < FIRST_BYTES ? e->name : NULL;
}

struct apsh_finding *hooks_foreign(struct hooks *h, struct place_of proof,
				   const char *where, const char *how,
				   u64 target)
{
	struct call *c = h->c;
	struct apsh_finding *o = finding_suspicious(
		c, proof, snapshot_string(c->snap, where), target,
		snapshot_format(c->snap, "%s %s", how,
				owner_of(c, &h->owners, target)));

	/* a tracer that has come meanwhile is the first of the list */
	if (o)
		view_identity(&c->view,
			      kernel_symbol(c->view.kernel, S_ftrace_ops_list),
			      8, &o->object);
	return o;
}
