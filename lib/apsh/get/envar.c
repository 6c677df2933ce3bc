// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "group.h"

LOG_SOURCE("APSH");

#define MAX_ENVIRONMENT (2ULL << 20) /* the kernel allows less */

struct doca_apsh_envar {
	struct object object;
	u32 pid;
	const char *variable, *value;
};

static bool add(struct call *c, const char *text)
{
	const char *equals = strchr(text, '=');
	struct doca_apsh_envar *o;
	char *name;

	if (!equals)
		return true;
	o = snapshot_add(c->snap, sizeof(*o));
	name = o ? snapshot_alloc(c->snap, (size_t)(equals - text) + 1) : NULL;
	if (!name)
		return false;
	o->pid = c->process->pid;
	o->variable = memcpy(name, text, (size_t)(equals - text));
	o->value = snapshot_string(c->snap, equals + 1);
	return true;
}

/* Return the end of a string, also if it is longer than the limit. */
static u64 behind(struct call *c, u64 at, u64 end)
{
	char piece[65];

	while (at < end) {
		if (!read_string(&c->view, &c->space, at, piece, 64))
			return (at | (PAGE - 1)) + 1;
		at += strlen(piece);
		if (strlen(piece) < 64)
			return at + 1;
	}
	return end;
}

static void fill(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_WINDOWS_ENVARS_LIMIT);
	u32 max = limit_of(c, DOCA_APSH_STRING_LIMIT), absent = 0;
	struct view *v = &c->view;
	u64 at, end;
	char *text;

	if (!c->mm)
		return;
	at = view_field(v, c->mm, F_MM_ENV_START);
	end = view_field(v, c->mm, F_MM_ENV_END);
	if (end <= at || end - at > MAX_ENVIRONMENT)
		return;
	view_want(v, &c->space, at, end - at);
	text = snapshot_alloc(c->snap, (size_t)max + 1);
	while (text && at < end && !v->error) {
		u64 left = end - at;

		if (c->snap->nr == limit) {
			c->cut = true;
			break;
		}
		if (!read_string(v, &c->space, at, text,
				 left < max ? left : max)) {
			/* its page is missing: the next string may begin anywhere */
			absent++;
			at = (at | (PAGE - 1)) + 1;
			continue;
		}
		if (!add(c, text))
			break;
		at = strlen(text) < max ? at + strlen(text) + 1 :
					  behind(c, at, end);
	}
	if (absent && !v->error)
		LOG_AT(c->site, DOCA_LOG_LEVEL_WARNING,
		       "%u pages of the environment of process %u are not in "
		       "memory; variables are missing",
		       absent, c->process->pid);
}

static const struct getter envars_getter = {
	.what = "environment variables",
	.object = &apsh_envar_object,
	.limit = DOCA_APSH_WINDOWS_ENVARS_LIMIT,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_envars_get, doca_apsh_envar, envars, envars_size,
		   &envars_getter)
DEFINE_FREE(doca_apsh_envars_free, doca_apsh_envar, envars)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_ENVARS_PID, doca_apsh_envar, pid),
	ATTR(DOCA_APSH_ENVARS_VARIABLE, doca_apsh_envar, variable),
	ATTR(DOCA_APSH_ENVARS_VALUE, doca_apsh_envar, value),
	ATTR_WINDOWS(DOCA_APSH_ENVARS_WINDOWS_BLOCK),
};

DEFINE_INFO_GET(__doca_apsh_envar_info_get, doca_apsh_envar,
		doca_apsh_envar_attr, attrs, envar)
