// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tracers of functions and of their returns: an array, whose unused places lead to a stub. */
#include "hook.h"

/* The kernel's array has so many places. */
enum { NR_GRAPHS = 16 };

static struct called called_by(struct hooks *h, u64 graph)
{
	/* one for some PIDs alone has its own function aside */
	static const enum field fields[] = { F_GRAPH_ENTRY, F_GRAPH_RETURN,
					     F_GRAPH_SAVED };
	struct view *v = &h->c->view;
	struct called by = { .ops = graph + offset_of_field(v, F_GRAPH_OPS) };

	if (graph == kernel_symbol(v->kernel, S_fprobe_graph_ops))
		by.unknown = "ftrace calls fprobes, whose handlers are not "
			     "followed in this kernel";
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !by.code; i++) {
		u64 code = view_field(v, graph, fields[i]);

		if (code && !is_kernel_code(&h->owners, code))
			by.code = code;
	}
	return by;
}

void hooks_check_graphs(struct hooks *h)
{
	static const struct need need = {
		F_GRAPH_ENTRY, F_GRAPH_SAVED, { S_fgraph_array }, 1
	};
	struct call *c = h->c;
	struct view *v = &c->view;
	u64 array = kernel_symbol(v->kernel, S_fgraph_array);
	u64 graphs[NR_GRAPHS];
	char lack[128];

	if (!array)
		return;
	if (map_lacks_of(&v->kernel->map, &need, lack)) {
		finding_unknown(c, "fgraph_array",
				snapshot_format(c->snap, "the map has no %s",
						lack));
		return;
	}
	/* the call tells memory that is not in the image */
	view_read(v, NULL, array, graphs, sizeof(graphs));
	for (u32 i = 0; i < NR_GRAPHS && !v->error; i++) {
		struct called by;

		if (!graphs[i])
			continue;
		by = called_by(h, graphs[i]);
		hooks_check_tracer(h, &by);
	}
}
