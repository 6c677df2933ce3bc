/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Rows and columns that are printed: --columns and --where. */
#ifndef APSH_CHOOSE_H
#define APSH_CHOOSE_H

#include "out.h"

enum { MAX_COLUMNS = 64 };

/* Take the names of columns, with commas between them. */
void choose_columns(const char *names);
/* Take a condition, beside those before: NAME=TEXT, NAME!=TEXT, or NAME~TEXT, a part of it. */
void choose_rows(const char *condition);

/* Return true if one of the two was called. */
bool choose_is_used(void);

/* End the program if a column that was named is none of these. */
void choose_check(const struct column *columns, int nr);
/*
 * Get the indices of the columns to be printed: those that were named; else all, or those with
 * a head. Return their number.
 */
int choose_order(const struct column *columns, int nr, bool all,
		 int order[MAX_COLUMNS]);

/* Return true if a condition is about the column, and whether all of those hold for the text. */
bool choose_asks(const char *column);
bool choose_holds(const char *column, const char *text);

#endif /* APSH_CHOOSE_H */
