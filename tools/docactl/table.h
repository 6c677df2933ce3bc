/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Text in columns as wide as they must be. */
#ifndef DOCACTL_TABLE_H
#define DOCACTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table {
	size_t nr_columns;
	size_t nr_cells;
	size_t room;
	char **cells; /* row by row, the titles first */
	bool *right; /* by column */
	bool failed;
};

int table_init(struct table *table, size_t nr_columns);
/* The next title, or the next cell of a row; an error is kept for the end. */
void table_title(struct table *table, const char *text, bool right);
void table_cell(struct table *table, const char *text);
/* Print it and free it; returns -1 if it is not complete, having said why. */
int table_print(struct table *table);

#endif /* DOCACTL_TABLE_H */
