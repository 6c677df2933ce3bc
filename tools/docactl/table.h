/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Text in columns as wide as needed. */
#ifndef DOCACTL_TABLE_H
#define DOCACTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table {
	size_t nr_columns;
	size_t nr_cells;
	size_t room;
	char **cells; /* row by row, the titles first */
	bool *right; /* for each column */
	bool failed;
};

int table_init(struct table *table, size_t nr_columns);
/* Add the next title, or the next cell of a row; an error is kept for the end. */
void table_title(struct table *table, const char *text, bool right);
void table_cell(struct table *table, const char *text);
/* Print it and free it. If it is not complete, say why and return -1. */
int table_print(struct table *table);

#endif /* DOCACTL_TABLE_H */
