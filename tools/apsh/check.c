// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Checks of the kernel: each finds that all is as it should be, or something, or cannot tell. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apsh/private.h"

#include "commands.h"
#include "out.h"

static const struct column columns[] = {
	{ "kind", "KIND", -9 },	     { "verdict", "VERDICT", -11 },
	{ "id", "ID", 18 },	     { "name", "NAME", -20 },
	{ "finding", "FINDING", 0 },
};

/* The check that runs, and how much it has said. */
static struct {
	const char *kind;
	const char *note; /* it has left that out */
	int said;
} now;

static void say(const char *verdict, struct value id, const char *name,
		const char *finding)
{
	const struct value values[] = { text(now.kind), text(verdict), id,
					text(name), text(finding) };

	out_row(columns, values, 5);
	now.said++;
}

static void find(struct value id, const char *name, const char *finding)
{
	say("suspicious", id, name, finding);
	command_differs = true;
}

/* Missing memory proves nothing. */
static void doubt(struct value id, const char *name, const char *why)
{
	say("cannot tell", id, name, why);
	command_incomplete = true;
}

/* Lists that are of different times have not the same in them, though nothing hides. */
static void say_hidden(struct doca_apsh_system *system, struct value id,
		       const char *name, const char *lists)
{
	struct view_stats stats;
	char finding[160];

	doca_priv_apsh_stats(system, &stats);
	snprintf(finding, sizeof(finding), "not in both %s%s", lists,
		 stats.drawn_out ? ", which may have changed while the image "
				   "was written" :
				   "");
	if (stats.drawn_out)
		doubt(id, name, finding);
	else
		find(id, name, finding);
}

/* A list that is not found because memory is missing is a doubt, not a failure. */
static doca_error_t say_missing(struct doca_apsh_system *system,
				doca_error_t ret)
{
	struct view_stats stats;

	doca_priv_apsh_stats(system, &stats);
	if (ret == DOCA_SUCCESS && stats.broken && stats.drawn_out)
		doubt(number(stats.broken), "",
		      "so many links or nodes are broken, which may have "
		      "changed while the image was written");
	else if (ret == DOCA_SUCCESS && stats.broken)
		find(number(stats.broken), "",
		     "so many links or nodes are broken");
	if (ret == DOCA_SUCCESS && stats.cut)
		doubt(nothing(), "",
		      "a list is too long to be checked to its end");
	if (ret == DOCA_SUCCESS && stats.unscanned)
		doubt(nothing(), "",
		      "memory was not scanned for modules in no list: that "
		      "takes a kernel for x86-64, and a map with mkobj.mod");
	if (ret == DOCA_SUCCESS && stats.uncompared)
		doubt(nothing(), "",
		      "/sys/module was not found, or the map lacks what leads "
		      "to it: the list of modules was compared with nothing");
	if (ret == DOCA_SUCCESS && stats.leaving)
		doubt(number(stats.leaving), "",
		      "so many modules are shown in no list, and say that they "
		      "come or go");
	if (!stats.absent)
		return ret;
	doubt(number(stats.absent), "", "so many pages are not in the image");
	return DOCA_SUCCESS;
}

/* Things that change whenever they are looked at are left out, and not clean for that. */
static void say_changed(struct doca_apsh_system *system, doca_error_t ret)
{
	struct view_stats stats;

	doca_priv_apsh_stats(system, &stats);
	if (ret == DOCA_SUCCESS && stats.left_out)
		doubt(number(stats.left_out), "",
		      "so many changed whenever they were looked at");
}

/* Processes come and go, but one that is hidden and changes for ever may do so to be left out. */
static void say_unseen(struct doca_apsh_system *system, doca_error_t ret,
		       uint64_t said)
{
	struct view_stats stats;

	doca_priv_apsh_stats(system, &stats);
	if (ret == DOCA_SUCCESS && stats.hidden > said)
		doubt(number(stats.hidden - said), "",
		      "so many are not in both the tree of PIDs and the list "
		      "of tasks, but changed whenever they were looked at");
}

static doca_error_t check_processes(struct doca_apsh_system *system)
{
	struct doca_apsh_process **list = NULL;
	uint64_t hidden = 0;
	doca_error_t ret;
	int nr = 0;

	ret = doca_apsh_processes_get(system, &list, &nr);
	for (int i = 0; i < nr; i++) {
		if (!doca_priv_apsh_hidden(list[i]))
			continue;
		hidden++;
		say_hidden(system,
			   number(doca_apsh_process_info_get(
				   list[i], DOCA_APSH_PROCESS_PID)),
			   doca_apsh_process_info_get(list[i],
						      DOCA_APSH_PROCESS_COMM),
			   "the tree of PIDs and the list of tasks");
	}
	say_unseen(system, ret, hidden);
	ret = say_missing(system, ret);
	doca_apsh_processes_free(list);
	return ret;
}

static doca_error_t check_modules(struct doca_apsh_system *system)
{
	struct doca_apsh_module **list = NULL;
	doca_error_t ret;
	int nr = 0;

	ret = doca_priv_apsh_modules_scan(system, &list, &nr);
	say_changed(system, ret);
	ret = say_missing(system, ret);
	for (int i = 0; i < nr; i++)
		if (doca_priv_apsh_module_hidden(list[i]))
			say_hidden(system,
				   address(doca_apsh_module_info_get(
					   list[i], DOCA_APSH_MODULES_OFFSET)),
				   doca_apsh_module_info_get(
					   list[i], DOCA_APSH_MODULES_NAME),
				   "the list of modules and /sys/module");
	doca_apsh_module_free(list);
	return ret;
}

static doca_error_t say_findings(struct doca_apsh_system *system,
				 doca_error_t ret, struct apsh_finding **list,
				 int nr)
{
	say_changed(system, ret);
	ret = say_missing(system, ret);
	for (int i = 0; i < nr; i++) {
		const struct apsh_finding *o = list[i];

		if (o->verdict == APSH_SUSPICIOUS)
			find(address(o->address), o->where, o->what);
		else if (o->verdict == APSH_NOTE)
			now.note = o->what;
		else
			doubt(nothing(), o->where, o->what);
	}
	if (now.note)
		say(now.said ? "skipped" : "clean", nothing(), "", now.note);
	doca_priv_apsh_findings_free(list);
	return ret;
}

#define DEFINE_CHECK(name, get)                                   \
	static doca_error_t name(struct doca_apsh_system *system) \
	{                                                         \
		struct apsh_finding **list = NULL;                \
		int nr = 0;                                       \
		doca_error_t ret = get(system, &list, &nr);       \
                                                                  \
		return say_findings(system, ret, list, nr);       \
	}

DEFINE_CHECK(check_system_calls, doca_priv_apsh_system_calls_check)
DEFINE_CHECK(check_interrupts, doca_priv_apsh_interrupts_check)
DEFINE_CHECK(check_hooks, doca_priv_apsh_hooks_check)
DEFINE_CHECK(check_code, doca_priv_apsh_code_check)

const char *const check_kinds[CHECK_KINDS] = {
	"process", "module", "syscall", "interrupt", "hook", "code",
};
static doca_error_t (*const checks[CHECK_KINDS])(
	struct doca_apsh_system *system) = {
	check_processes,  check_modules, check_system_calls,
	check_interrupts, check_hooks,	 check_code,
};

bool check_has_image;

/* Code needs what the others do not, so it is left out with a word, unless it was asked for. */
static bool is_left_out(int i, const char *kind)
{
	if (kind)
		return strcmp(kind, check_kinds[i]) != 0;
	if (checks[i] != check_code || check_has_image)
		return false;
	now.kind = check_kinds[i];
	say("skipped", nothing(), "",
	    "not compared: give the kernel's image, such as "
	    "/boot/vmlinuz-RELEASE of it, by --image");
	return true;
}

/* One that fails leaves the others. */
doca_error_t check_system(struct doca_apsh_system *system, const char *kind)
{
	doca_error_t ret = DOCA_SUCCESS, one;

	out_head(columns, sizeof(columns) / sizeof(columns[0]));
	for (int i = 0; i < CHECK_KINDS; i++) {
		if (is_left_out(i, kind))
			continue;
		now.kind = check_kinds[i];
		now.said = 0;
		now.note = NULL;
		one = checks[i](system);
		if (one != DOCA_SUCCESS) {
			doubt(nothing(), "", doca_error_get_descr(one));
			ret = one;
		} else if (!now.said) {
			say("clean", nothing(), "", "");
		}
	}
	return ret;
}
