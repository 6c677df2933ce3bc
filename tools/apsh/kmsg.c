// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apsh/private.h"

#include "commands.h"
#include "out.h"

static const struct column columns[] = {
	{ "seq", NULL, 0 },
	{ "time", "TIME", 14 },
	{ "facility", "FACILITY", -8 },
	{ "level", "LEVEL", -6 },
	{ "lost", NULL, 0 },
	{ "absent", NULL, 0 },
	{ "text", "TEXT", 0 },
};

enum { NR_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static const char *const levels[] = { "emerg", "alert",	 "crit", "err",
				      "warn",  "notice", "info", "debug" };

static const char *const facilities[] = {
	"kern", "user", "mail", "daemon", "auth",     "syslog",
	"lpr",	"news", "uucp", "cron",	  "authpriv", "ftp",
};

/* Return a name of the list, or the number. */
static const char *name_of(const char *const *names, size_t nr, u32 number,
			   char buf[16])
{
	if (number < nr)
		return names[number];
	snprintf(buf, 16, "%u", number);
	return buf;
}

/* A NUL within becomes \x00, as other bytes do later. The caller frees the text. */
static char *whole_text(const struct apsh_message *o)
{
	char *whole = malloc(4 * (size_t)o->len + 1), *to = whole;

	for (u32 i = 0; whole && i < o->len; i++) {
		if (o->text[i])
			*to++ = o->text[i];
		else
			to = stpcpy(to, "\\x00");
	}
	if (whole)
		*to = '\0';
	return whole;
}

static doca_error_t print(const struct apsh_message *o)
{
	char time[32], level[16], facility[16], *whole = whole_text(o);

	if (!whole)
		return DOCA_ERROR_NO_MEMORY;
	snprintf(time, sizeof(time), "%" PRIu64 ".%06" PRIu64,
		 o->ns / 1000000000, o->ns / 1000 % 1000000);
	out_row(columns,
		(struct value[NR_COLUMNS]){
			number(o->seq), text(time),
			text(name_of(facilities, 12, o->facility, facility)),
			text(name_of(levels, 8, o->level, level)),
			truth(o->lost), truth(o->absent), text(whole) },
		NR_COLUMNS);
	free(whole);
	return DOCA_SUCCESS;
}

doca_error_t kmsg(struct doca_apsh_system *system, const char *word)
{
	struct apsh_message **list;
	doca_error_t ret;
	int nr;

	(void)word;
	ret = doca_priv_apsh_messages_get(system, &list, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	out_head(columns, NR_COLUMNS);
	for (int i = 0; i < nr && ret == DOCA_SUCCESS; i++)
		ret = print(list[i]);
	doca_priv_apsh_messages_free(list);
	return ret;
}
