// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Errors of calls. */
#include <string.h>

#include "call.h"

doca_error_t call_view_failed(const struct call *c)
{
	switch (c->view.error) {
	case VIEW_NO_MEMORY:
		return FAIL_AT(c->site, NO_MEMORY, "out of memory");
	case VIEW_BUDGET:
		return FAIL_AT(
			c->site, INITIALIZATION,
			"the call would read more than %lu MiB, return more, "
			"or take more than %lu s; the target may be hostile, or "
			"DOCA_APSH_BUDGET=MiB,s too small",
			c->system->budget.bytes >> 20,
			c->system->budget.ms / 1000);
	default:
		return FAIL_AT(c->site, INITIALIZATION,
			       "the memory of the target cannot be read");
	}
}

doca_error_t call_gone(const struct call *c, const struct getter *g)
{
	LOG_AT(c->site, DOCA_LOG_LEVEL_ERROR,
	       "process %u, \"%s\", is gone from the target", c->process->pid,
	       c->process->comm);
	return g->gone;
}

doca_error_t call_incomplete(const struct call *c, const struct getter *g)
{
	if (c->cut)
		return FAIL_AT(c->site, INITIALIZATION,
			       "process %u has more %s than the limit of %u; "
			       "set limit %d",
			       c->process->pid, g->what, limit_of(c, g->limit),
			       g->limit);
	return FAIL_AT(c->site, INITIALIZATION, "some %s of process %u %s",
		       g->what, c->process->pid,
		       c->view.misses ? "are not in the image" :
					"changed while they were read, or are "
					"broken");
}

doca_error_t call_moving(const struct call *c)
{
	return FAIL_AT(c->site, INITIALIZATION,
		       "the memory areas of process %u, \"%s\", changed "
		       "whenever they were read; stop it, or try again",
		       c->process->pid, c->process->comm);
}

/* The process may exist: memory that leads to it is missing. */
doca_error_t call_not_found(const struct call *c, const struct getter *g)
{
	if (!c->view.misses)
		return call_gone(c, g);
	return FAIL_AT(c->site, INITIALIZATION,
		       "process %u, \"%s\", cannot be found: what leads to it "
		       "is not in the image",
		       c->process->pid, c->process->comm);
}

int call_needs(struct call *c, const struct need *needs, int nr,
	       const char *why)
{
	char least[128] = "", name[128] = "";
	u32 lacks, fewest = UINT32_MAX;

	for (int i = 0; i < nr; i++) {
		lacks = map_lacks_of(&c->view.kernel->map, &needs[i], name);
		if (!lacks)
			return i;
		if (lacks >= fewest)
			continue;
		fewest = lacks;
		memcpy(least, name, sizeof(least));
	}
	c->error = FAIL_AT(c->site, INITIALIZATION,
			   "the map has no %s: %s, or the map was cut down",
			   least, why);
	return -1;
}

void call_without_root(struct call *c, const char *what)
{
	if (!c->view.error)
		c->without = what;
}

doca_error_t call_has_no_root(const struct call *c)
{
	return FAIL_AT(c->site, INITIALIZATION, "%s %s", c->without,
		       c->view.misses ? "in the image" : "sound");
}
