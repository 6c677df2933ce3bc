// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "out.h"

bool out_json;

static void put_escaped(FILE *to, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (out_json && (c == '"' || c == '\\'))
			fprintf(to, "\\%c", c);
		else if (c >= ' ' && c < 127)
			fputc(c, to);
		else
			/* in JSON the text \xNN, whose \ is escaped as well */
			fprintf(to, out_json ? "\\\\x%02x" : "\\x%02x", c);
	}
}

static void put_text(FILE *to, const char *s)
{
	if (out_json)
		fputc('"', to);
	put_escaped(to, s);
	if (out_json)
		fputc('"', to);
}

static void put_array(FILE *to, const struct value *v)
{
	if (out_json)
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
	if (out_json)
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

static void put(FILE *to, const struct value *v)
{
	switch (v->kind) {
	case OUT_STATE:
		if (!out_json) {
			fputc(state_letter(v->number), to);
			break;
		}
		fprintf(to, "%" PRIu64, v->number);
		break;
	case OUT_STRING:
		put_text(to, v->string);
		break;
	case OUT_FD:
		if (v->number == UINT32_MAX) {
			fputs(out_json ? "null" : "-", to);
			break;
		}
		/* fall through */
	case OUT_NUMBER:
		fprintf(to, "%" PRIu64, v->number);
		break;
	case OUT_ADDRESS:
		fprintf(to, out_json ? "\"0x%" PRIx64 "\"" : "%" PRIx64,
			v->number);
		break;
	case OUT_BOOL:
		fputs(out_json ? (v->number ? "true" : "false") :
				 (v->number ? "yes" : "no"),
		      to);
		break;
	case OUT_STRINGS:
	case OUT_BYTES:
	case OUT_NUMBERS:
		put_array(to, v);
		break;
	}
}

void out_head(const struct column *columns, int nr)
{
	for (int i = 0; !out_json && i < nr; i++)
		if (columns[i].head)
			printf("%*s%s", columns[i].width, columns[i].head,
			       columns[i].width ? " " : "");
	if (!out_json)
		putchar('\n');
}

static void put_padded(const struct column *column, const struct value *v)
{
	char *cell = NULL;
	size_t len;
	FILE *to = open_memstream(&cell, &len);

	if (to)
		put(to, v);
	if (!to || fclose(to)) {
		fputs("doca_apsh: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	printf("%*s%s", column->width, cell, column->width ? " " : "");
	free(cell);
}

void out_row(const struct column *columns, const struct value *values, int nr)
{
	for (int i = 0; i < nr; i++) {
		if (out_json) {
			printf("%s\"%s\":", i ? "," : "{", columns[i].name);
			put(stdout, &values[i]);
		} else if (columns[i].head) {
			put_padded(&columns[i], &values[i]);
		}
	}
	puts(out_json ? "}" : "");
}

void out_absent(uint64_t pages)
{
	if (out_json)
		printf("{\"absent_pages\":%" PRIu64 "}\n", pages);
}
