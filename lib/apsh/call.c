// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <time.h>

#include "call.h"
#include "get/task.h"

enum { TRIES = 4 };

/*
 * Make one try, with a snapshot and a view of its own. The last try leaves out objects that
 * have changed.
 */
static doca_error_t try(struct call *c, const struct getter *g, bool last,
			bool *again)
{
	doca_error_t ret = DOCA_SUCCESS;
	u32 changed;

	c->error = DOCA_SUCCESS;
	c->without = NULL;
	c->cut = false;
	c->partial = false;
	c->areas.changed = false;
	if (c->view.error)
		return call_view_failed(c);
	if (c->process && !task_prove(c))
		return c->view.error ? call_view_failed(c) :
				       call_not_found(c, g);
	c->snap->left = c->system->budget.bytes;
	g->fill(c);
	if (c->snap->full)
		c->view.error = VIEW_BUDGET;
	changed = c->view.error ? 0 : view_verify(&c->view);
	/* pages that were missing twice would be missing again */
	*again = !last &&
		 (changed || c->view.stats.broken ||
		  (c->view.misses && c->view.misses != c->missed)) &&
		 view_may_repeat(&c->view);
	c->missed = c->view.misses;
	if (c->view.error)
		return call_view_failed(c);
	if (c->snap->no_memory)
		return FAIL_AT(c->site, NO_MEMORY, "out of memory for %s",
			       g->what);
	if (*again)
		return DOCA_SUCCESS;
	if (c->view.changed)
		ret = call_gone(c, g);
	else if (c->error)
		ret = c->error;
	else if (c->without)
		ret = call_has_no_root(c);
	else if (c->areas.changed)
		ret = call_moving(c);
	else if (g->whole && (changed || c->cut || c->partial))
		ret = call_incomplete(c, g);
	else if (g->check)
		ret = g->check(c);
	c->view.stats.left_out = changed;
	return ret;
}

static void warn_absent(const struct call *c, const struct getter *g)
{
	u64 absent = c->view.stats.absent;

	if (absent)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu pages of memory that lead to %s are not in the "
		       "image, or not in the memory regions: something may be "
		       "missing",
		       absent, g->what);
}

/* Only that of code that was injected counts such pages. */
static void warn_unjudged(const struct call *c)
{
	const struct view_stats *s = &c->view.stats;
	u64 pages = s->unjudged - s->unread - c->partial;
	u32 pid = c->process->pid;

	if (pages)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu pages of code of process %u cannot be judged: they, "
		       "their files' pages or their struct pages are not in "
		       "memory, or change",
		       pages, pid);
	if (s->unread)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu pages of code of process %u were not looked at: the "
		       "limit is reached, or half of the budget is used up, "
		       "which DOCA_APSH_BUDGET=MiB,s sets",
		       s->unread, pid);
	if (c->partial)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "memory areas of process %u are missing, broken, or more "
		       "than the limit of %u: they were not looked at",
		       pid, limit_of(c, DOCA_APSH_VADS_LIMIT));
}

static void warn(const struct call *c, const struct getter *g)
{
	const struct view_stats *s = &c->view.stats;

	warn_absent(c, g);
	if (c->cut && g->limit >= 0)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "there are more %s than the limit of %u; set limit %d",
		       g->what, limit_of(c, g->limit), g->limit);
	if (s->left_out)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu of %u %s changed while they were read, and are left "
		       "out",
		       s->left_out, c->snap->nr, g->what);
	if (s->broken)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu links or nodes are broken on the way to %s: "
		       "something may be missing",
		       s->broken, g->what);
	if (s->unjudged)
		warn_unjudged(c);
	if (s->hidden)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%lu %s are in one list of the kernel alone: they may "
		       "be hidden on purpose",
		       s->hidden, g->what);
}

static doca_error_t publish(struct call *c, const struct getter *g, void *array,
			    int *nr)
{
	int n;
	void *list = snapshot_array(c->snap, &n);

	if (c->snap->no_memory) {
		snapshot_free(c->snap);
		return FAIL_AT(c->site, NO_MEMORY, "out of memory for %s",
			       g->what);
	}
	warn(c, g);
	LOG_AT(c->site, DOCA_LOG_LEVEL_DEBUG,
	       "%d %s were read in %lu rounds, %lu bytes", n, g->what,
	       c->view.stats.rounds, c->view.stats.bytes);
	c->view.stats.cut = c->cut;
	c->system->stats = c->view.stats;
	*(void **)array = list;
	*nr = n;
	if (!list)
		snapshot_free(c->snap);
	return DOCA_SUCCESS;
}

static doca_error_t run(struct call *c, const struct getter *g, void *array,
			int *nr)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct doca_apsh_system *system = c->system;
	struct view_budget budget = system->budget;
	doca_error_t ret = DOCA_SUCCESS;
	u64 retried = 0;

	system->stats = (struct view_stats){ 0 };
	for (int i = 0; i < TRIES; i++) {
		bool again = false;

		c->snap = snapshot_new(system, g->object);
		if (!c->snap)
			return FAIL_AT(c->site, NO_MEMORY,
				       "out of memory for %s", g->what);
		view_begin(&c->view, &system->source, &system->regions,
			   &system->kernel, &budget);
		ret = try(c, g, i + 1 == TRIES, &again);
		if (again)
			budget = view_left(&c->view);
		view_end(&c->view);
		c->view.stats.retried = retried;
		if (ret == DOCA_SUCCESS && !again)
			break;
		snapshot_free(c->snap);
		if (ret != DOCA_SUCCESS) {
			system->stats = c->view.stats;
			/* it has failed for another reason */
			if (c->view.error || c->view.changed ||
			    ret == DOCA_ERROR_NO_MEMORY)
				system->stats.absent = 0;
			return ret;
		}
		retried++;
		nanosleep(&pause, NULL);
	}
	return publish(c, g, array, nr);
}

doca_error_t call_system(const struct getter *g,
			 struct doca_apsh_system *system, void *array, int *nr,
			 const struct log_site *site)
{
	struct call c = { .system = system, .site = site };
	doca_error_t ret;

	pthread_mutex_lock(&system->lock);
	if (system->started)
		ret = run(&c, g, array, nr);
	else
		ret = FAIL_AT(site, BAD_STATE,
			      "the system is not started; call "
			      "doca_apsh_system_start() first");
	pthread_mutex_unlock(&system->lock);
	return ret;
}

static doca_error_t call_of_snapshot(const struct getter *g, struct call *c,
				     void *array, int *nr)
{
	struct doca_apsh_system *system = c->system;
	doca_error_t ret;

	pthread_mutex_lock(&system->lock);
	if (system->started)
		ret = run(c, g, array, nr);
	else
		ret = FAIL_AT(c->site, INITIALIZATION,
			      "the system was destroyed; no more can be found "
			      "out");
	pthread_mutex_unlock(&system->lock);
	return ret;
}

doca_error_t call_process(const struct getter *g,
			  struct doca_apsh_process *process, void *array,
			  int *nr, const struct log_site *site)
{
	struct call c = { .system = process->object.snap->system,
			  .process = process,
			  .site = site };

	return call_of_snapshot(g, &c, array, nr);
}

doca_error_t call_attestation(const struct getter *g,
			      const struct doca_apsh_process *process,
			      struct hashes *hashes, void *array, int *nr,
			      const struct log_site *site)
{
	struct call c = { .system = process->object.snap->system,
			  .process = process,
			  .hashes = hashes,
			  .site = site };

	return call_of_snapshot(g, &c, array, nr);
}

doca_error_t call_yara(const struct getter *g,
		       const struct doca_apsh_process *process,
		       struct yara_rules *rules, u64 scan_type, void *array,
		       int *nr, const struct log_site *site)
{
	struct call c = { .system = process->object.snap->system,
			  .process = process,
			  .rules = rules,
			  .scan_type = scan_type,
			  .site = site };

	return call_of_snapshot(g, &c, array, nr);
}

doca_error_t call_container(const struct getter *g, struct snapshot *snap,
			    const char *id, void *array, int *nr,
			    const struct log_site *site)
{
	struct call c = { .system = snap->system,
			  .container = id,
			  .site = site };

	return call_of_snapshot(g, &c, array, nr);
}

bool call_is_array(const void *array, const char *func)
{
	return doca_likely(!doca_priv_debug) ||
	       doca_priv_debug_valid(array, &apsh_array_object, true, func);
}

void call_free(void *array, const char *func)
{
	if (array && call_is_array(array, func))
		snapshot_free(snapshot_of(array));
}
