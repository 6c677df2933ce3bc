// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/usage.h"

#include "choose.h"

enum { MAX_CONDITIONS = 16 };

/* Lengths of names: the texts that they are in are arguments of the program. */
struct name {
	const char *at;
	size_t len;
};

static struct name chosen[MAX_COLUMNS];
static int nr_chosen; /* 0: all columns */

static struct condition {
	struct name column;
	char how; /* =, ! or ~ */
	const char *text;
} conditions[MAX_CONDITIONS];
static int nr_conditions;

static bool is(const struct name *name, const char *column)
{
	return strlen(column) == name->len &&
	       !memcmp(column, name->at, name->len);
}

void choose_columns(const char *names)
{
	for (nr_chosen = 0;; names++) {
		struct name name = { names, strcspn(names, ",") };

		if (!name.len || nr_chosen == MAX_COLUMNS)
			usage("--columns: a name is missing, or there are too "
			      "many");
		chosen[nr_chosen++] = name;
		names += name.len;
		if (!*names)
			break;
	}
}

void choose_rows(const char *condition)
{
	size_t len = strcspn(condition, "=!~");
	struct condition c = { .column = { condition, len },
			       .how = condition[len] };

	c.text = condition + len + 1;
	if (!len || !c.how || (c.how == '!' && *c.text++ != '='))
		usage("--where %s: a condition is NAME=TEXT, NAME!=TEXT or "
		      "NAME~TEXT",
		      condition);
	if (nr_conditions == MAX_CONDITIONS)
		usage("--where: there are more than %d conditions",
		      MAX_CONDITIONS);
	conditions[nr_conditions++] = c;
}

bool choose_is_used(void)
{
	return nr_chosen || nr_conditions;
}

static int find(const struct column *columns, int nr, const struct name *name)
{
	for (int i = 0; i < nr; i++)
		if (is(name, columns[i].name))
			return i;
	return -1;
}

static void must_be(const struct column *columns, int nr,
		    const struct name *name)
{
	char all[1024] = "";

	if (find(columns, nr, name) >= 0)
		return;
	for (int i = 0; i < nr; i++) {
		size_t len = strlen(all);

		snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "",
			 columns[i].name);
	}
	usage("'%.*s' is no column; these are: %s", (int)name->len, name->at,
	      all);
}

void choose_check(const struct column *columns, int nr)
{
	for (int i = 0; i < nr_chosen; i++)
		must_be(columns, nr, &chosen[i]);
	for (int i = 0; i < nr_conditions; i++)
		must_be(columns, nr, &conditions[i].column);
}

int choose_order(const struct column *columns, int nr, bool all,
		 int order[MAX_COLUMNS])
{
	int n = 0;

	for (int i = 0; i < nr_chosen; i++)
		order[n++] = find(columns, nr, &chosen[i]);
	for (int i = 0; !nr_chosen && i < nr && n < MAX_COLUMNS; i++)
		if (columns[i].head || all)
			order[n++] = i;
	return n;
}

bool choose_asks(const char *column)
{
	for (int i = 0; i < nr_conditions; i++)
		if (is(&conditions[i].column, column))
			return true;
	return false;
}

bool choose_holds(const char *column, const char *text)
{
	for (int i = 0; i < nr_conditions; i++) {
		const struct condition *c = &conditions[i];
		bool same = !strcmp(text, c->text);

		if (is(&c->column, column) &&
		    (c->how == '~' ? !strstr(text, c->text) :
				     same != (c->how == '=')))
			return false;
	}
	return true;
}
