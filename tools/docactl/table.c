// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "table.h"

int table_init(struct table *table, size_t nr_columns)
{
	*table = (struct table){ .nr_columns = nr_columns };
	table->right = calloc(nr_columns, sizeof(*table->right));
	return table->right ? 0 : fail("out of memory");
}

void table_cell(struct table *table, const char *text)
{
	char **cells;

	if (table->nr_cells == table->room) {
		table->room = 2 * table->room + 64;
		cells = reallocarray(table->cells, table->room, sizeof(*cells));
		if (!cells) {
			table->room = table->nr_cells;
			table->failed = true;
			return;
		}
		table->cells = cells;
	}
	table->cells[table->nr_cells] = strdup(text);
	if (table->cells[table->nr_cells])
		table->nr_cells++;
	else
		table->failed = true;
}

void table_title(struct table *table, const char *text, bool right)
{
	if (table->nr_cells < table->nr_columns)
		table->right[table->nr_cells] = right;
	table_cell(table, text);
}

static int width_of(const struct table *table, size_t column)
{
	size_t i, len, width = 0;

	for (i = column; i < table->nr_cells; i += table->nr_columns) {
		len = strlen(table->cells[i]);
		if (len > width)
			width = len;
	}
	return width;
}

static void print_cells(const struct table *table)
{
	int width[table->nr_columns];
	size_t i, column;

	for (column = 0; column < table->nr_columns; column++)
		width[column] = width_of(table, column);
	for (i = 0; i < table->nr_cells; i++) {
		column = i % table->nr_columns;
		if (table->right[column])
			printf("%*s", width[column], table->cells[i]);
		else if (column < table->nr_columns - 1)
			printf("%-*s", width[column], table->cells[i]);
		else
			printf("%s", table->cells[i]);
		fputs(column < table->nr_columns - 1 ? "  " : "\n", stdout);
	}
}

int table_print(struct table *table)
{
	bool failed = table->failed;
	size_t i;

	if (!failed)
		print_cells(table);
	for (i = 0; i < table->nr_cells; i++)
		free(table->cells[i]);
	free(table->cells);
	free(table->right);
	return failed ? fail("out of memory") : 0;
}
