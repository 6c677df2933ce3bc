// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"
#include "result.h"

void results_fact(struct results *results, const char *name, const char *format,
		  ...)
{
	struct fact *fact = &results->facts[results->nr_facts];
	va_list ap;

	if (results->nr_facts == MAX_FACTS)
		return;
	results->nr_facts++;
	snprintf(fact->name, sizeof(fact->name), "%s", name);
	va_start(ap, format);
	vsnprintf(fact->value, sizeof(fact->value), format, ap);
	va_end(ap);
}

int results_row(struct results *results, const struct row *row)
{
	struct row *rows;

	rows = realloc(results->rows,
		       (results->nr_rows + 1) * sizeof(*results->rows));
	if (!rows)
		return fail_errno(ENOMEM, "cannot keep the results");
	rows[results->nr_rows++] = *row;
	results->rows = rows;
	return 0;
}

void results_free(struct results *results)
{
	free(results->rows);
}
