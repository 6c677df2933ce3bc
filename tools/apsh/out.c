// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "out.h"

enum { NOT_LAST = -16 }; /* width of a column that is the last one otherwise */

enum out_form out_form;

static void put_escaped(FILE *to, const char *s)
{
	bool json = out_form == OUT_JSON;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (json && (c == '"' || c == '\\'))
			fprintf(to, "\\%c", c);
		else if (c >= ' ' && c < 127)
			fputc(c, to);
		else
			/* in JSON the text \xNN, whose \ is escaped as well */
			fprintf(to, json ? "\\\\x%02x" : "\\x%02x", c);
	}
}

static void put_text(FILE *to, const char *s)
{
	if (out_form == OUT_JSON)
		fputc('"', to);
	put_escaped(to, s);
	if (out_form == OUT_JSON)
		fputc('"', to);
}

static void put_array(FILE *to, const struct value *v)
{
	if (out_form == OUT_JSON)
		fputc('[', to);
	for (uint64_t i = 0; i < v->number; i++) {
		if (i)
			fputc(',', to);
		if (v->kind == OUT_STRINGS)
			put_text(to, v->strings[i]);
		else
			fprintf(to, "%u",
				v->kind == OUT_BYTES ? v->bytes[i] :
						       v->numbers[i]);
	}
	if (out_form == OUT_JSON)
		fputc(']', to);
}

/*
 * Show a state as /proc does. Bits that only tell how a task sleeps are above those with
 * a letter.
 */
static char state_letter(uint64_t bits)
{
	enum { SLEEPS_IDLE = 0x402, WITH_LETTER = 0x7f, LIKE_D = 0x9000 };
	static const char letters[] = "RSDTtXZP";
	uint64_t state = bits & WITH_LETTER;
	int i = 0;

	if ((bits & SLEEPS_IDLE) == SLEEPS_IDLE)
		return 'I';
	if (bits & LIKE_D)
		return 'D';
	for (; state; state >>= 1)
		i++;
	return letters[i];
}

static const char *truth_text(bool is)
{
	if (out_form == OUT_TABLE)
		return is ? "yes" : "no";
	return is ? "true" : "false";
}

static void put(FILE *to, const struct value *v)
{
	/* by the form; in JSON numbers of 64 bits are strings */
	static const char *const none[] = { "-", "null", "" };
	static const char *const before[] = { "", "\"0x", "0x" };
	static const char *const behind[] = { "", "\"", "" };

	switch (v->kind) {
	case OUT_STATE:
		if (out_form == OUT_TABLE) {
			fputc(state_letter(v->number), to);
			break;
		}
		fprintf(to, "%" PRIu64, v->number);
		break;
	case OUT_STRING:
		put_text(to, v->string);
		break;
	case OUT_NOTHING:
		fputs(none[out_form], to);
		break;
	case OUT_FD:
		if (v->number == UINT32_MAX) {
			fputs(none[out_form], to);
			break;
		}
		/* fall through */
	case OUT_NUMBER:
		fprintf(to, "%" PRIu64, v->number);
		break;
	case OUT_ADDRESS:
		fprintf(to, "%s%" PRIx64 "%s", before[out_form], v->number,
			behind[out_form]);
		break;
	case OUT_BOOL:
		fputs(truth_text(v->number), to);
		break;
	case OUT_STRINGS:
	case OUT_BYTES:
	case OUT_NUMBERS:
		put_array(to, v);
		break;
	}
}

/* Return the value as it is in a table, or in that form; the caller frees it. */
static char *cell_of(const struct value *v, enum out_form form)
{
	enum out_form was = out_form;
	char *cell = NULL;
	size_t len;
	FILE *to = open_memstream(&cell, &len);

	out_form = form;
	if (to)
		put(to, v);
	out_form = was;
	if (!to || fclose(to)) {
		fputs("doca_apsh: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return cell;
}

/* A cell with a comma or a quote is quoted; there are no line breaks. */
static void put_csv(const char *cell)
{
	bool quoted = strpbrk(cell, ",\"");

	if (quoted)
		putchar('"');
	for (; *cell; cell++) {
		if (*cell == '"')
			putchar('"');
		putchar(*cell);
	}
	if (quoted)
		putchar('"');
}

/* Put a cell of a table, or of its head. */
static void put_padded(const struct column *column, const char *cell, bool last)
{
	int width = column->width || last ? column->width : NOT_LAST;

	printf("%*s%s", width, cell, width ? " " : "");
}

bool out_again;
static bool headed;

void out_head(const struct column *columns, int nr)
{
	int order[MAX_COLUMNS], n;

	choose_check(columns, nr);
	if (out_form == OUT_JSON ||
	    (out_form == OUT_CSV && out_again && headed))
		return;
	headed = true;
	n = choose_order(columns, nr, out_form != OUT_TABLE, order);
	for (int i = 0; i < n; i++) {
		const struct column *c = &columns[order[i]];

		if (out_form == OUT_CSV)
			printf("%s%s", i ? "," : "", c->name);
		else
			put_padded(c, c->head ? c->head : c->name, i + 1 == n);
	}
	putchar('\n');
}

static bool is_wanted(const struct column *columns, const struct value *values,
		      int nr)
{
	bool wanted = true;

	for (int i = 0; i < nr && wanted; i++) {
		char *cell;

		if (!choose_asks(columns[i].name))
			continue;
		cell = cell_of(&values[i], OUT_TABLE);
		wanted = choose_holds(columns[i].name, cell);
		free(cell);
	}
	return wanted;
}

void out_row(const struct column *columns, const struct value *values, int nr)
{
	int order[MAX_COLUMNS], n;

	if (!is_wanted(columns, values, nr))
		return;
	n = choose_order(columns, nr, out_form != OUT_TABLE, order);
	for (int i = 0; i < n; i++) {
		const struct column *c = &columns[order[i]];
		char *cell = cell_of(&values[order[i]], out_form);

		if (out_form == OUT_JSON) {
			printf("%s\"%s\":%s", i ? "," : "{", c->name, cell);
		} else if (out_form == OUT_CSV) {
			fputs(i ? "," : "", stdout);
			put_csv(cell);
		} else {
			put_padded(c, cell, i + 1 == n);
		}
		free(cell);
	}
	puts(out_form == OUT_JSON ? "}" : "");
}

void out_missing(uint64_t absent, uint64_t unjudged)
{
	if (out_form != OUT_JSON || !(absent | unjudged))
		return;
	if (!unjudged)
		printf("{\"absent_pages\":%" PRIu64 "}\n", absent);
	else
		printf("{\"absent_pages\":%" PRIu64
		       ",\"unjudged_pages\":%" PRIu64 "}\n",
		       absent, unjudged);
}
