// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Hooks of system calls. The kernel traces itself in the same ways, so only what calls other code
 * than its own is a finding. Functions are read first, as in code.c.
 */
#include "hook.h"

LOG_SOURCE("APSH");

static void check(struct hooks *h)
{
	if (!h->c->view.kernel->map.nr_entries) {
		finding_unknown(h->c, "",
				"the map has no functions of system calls: "
				"make it anew");
		return;
	}
	hooks_read_entries(h);
	hooks_find_tracers(h);
	hooks_find_probes(h);
	hooks_check_tracers(h);
	hooks_check_graphs(h);
	hooks_check_probes(h);
	hooks_check_entries(h);
}

void hooks_end(struct hooks *h)
{
	nodes_free(&h->tracers);
	nodes_free(&h->trampolines);
	nodes_free(&h->probes);
	nodes_free(&h->probed);
	nodes_free(&h->said);
	owners_free(&h->owners);
}

static void fill(struct call *c)
{
	struct hooks h = { .c = c };

	if (owners_begin(c, &h.owners))
		check(&h);
	hooks_end(&h);
}

static const struct getter hooks_getter = {
	.what = "findings of hooks",
	.limit = -1,
	.object = &apsh_finding_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_priv_apsh_hooks_check, apsh_finding, findings,
		  findings_size, &hooks_getter)
