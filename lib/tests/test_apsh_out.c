// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: rows that its tool prints. */
#include <setjmp.h>
#include <stdarg.h>

#include "ktap.h"

#include "../../tools/apsh/choose.c"
#include "../../tools/apsh/out.c"

enum { LONG = 20000 };

static char printed[2 * LONG];

static jmp_buf wrong;
static char said[4096];

/* In place of that which ends the program. */
void usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
	longjmp(wrong, 1);
}

#define IS_WRONG(call, words)                \
	do {                                 \
		*said = '\0';                \
		if (!setjmp(wrong))          \
			call;                \
		EXPECT(strstr(said, words)); \
	} while (0)

/* Return the head with its newline. */
static const char *head_of(const struct column *columns, int nr)
{
	FILE *console = stdout;

	memset(printed, 0, sizeof(printed));
	stdout = fmemopen(printed, sizeof(printed), "w");
	if (!stdout)
		abort();
	out_head(columns, nr);
	fclose(stdout);
	stdout = console;
	return printed;
}

/* Return one row with its newline. */
static const char *row_of(const struct column *columns, const struct value *values, int nr)
{
	FILE *console = stdout;

	memset(printed, 0, sizeof(printed));
	stdout = fmemopen(printed, sizeof(printed), "w");
	if (!stdout)
		abort();
	out_row(columns, values, nr);
	fclose(stdout);
	stdout = console;
	return printed;
}

TEST(cells_are_as_wide_as_their_column)
{
	static const struct column columns[] = {
		{ "pid", "PID", 4 },
		{ "offset", NULL, 0 },
		{ "name", "NAME", -6 },
		{ "path", "PATH", 0 },
	};
	const struct value values[] = { number(12), address(16), text("ab"), text("/\n") };

	EXPECT_STR(row_of(columns, values, 4), "  12 ab     /\\x0a\n");
	out_form = OUT_JSON;
	EXPECT_STR(row_of(columns, values, 4), "{\"pid\":12,\"offset\":\"0x10\",\"name\":\"ab\","
					       "\"path\":\"/\\\\x0a\"}\n");
	out_form = OUT_TABLE;
}

/* Running, asleep, dead by both states, parked, an idle kernel thread, frozen. */
TEST(states_are_letters_in_tables_and_bits_in_json)
{
	static const struct column columns[] = { { "state", "STATE", 0 } };
	static const uint64_t bits[] = { 0, 1, 2, 4, 8, 0xb0, 0x20, 0x40, 0x402, 0x8000 };
	static const char letters[] = "RSDTtZZPID";
	const struct value idle = task_state(0x402);
	char line[] = "R\n";

	for (int i = 0; letters[i]; i++) {
		const struct value value = task_state(bits[i]);

		line[0] = letters[i];
		EXPECT_STR(row_of(columns, &value, 1), line);
	}
	out_form = OUT_JSON;
	EXPECT_STR(row_of(columns, &idle, 1), "{\"state\":1026}\n");
	out_form = OUT_TABLE;
}

TEST(what_a_target_does_not_count_is_not_zero)
{
	static const struct column columns[] = { { "sent", "SENT", 0 } };
	const struct value none = nothing();

	EXPECT_STR(row_of(columns, &none, 1), "-\n");
	out_form = OUT_JSON;
	EXPECT_STR(row_of(columns, &none, 1), "{\"sent\":null}\n");
	out_form = OUT_CSV;
	EXPECT_STR(row_of(columns, &none, 1), "\n");
	out_form = OUT_TABLE;
}

TEST(a_long_cell_is_whole)
{
	static const struct column columns[] = { { "args", "ARGS", 0 } };
	static char long_text[LONG + 1], line[LONG + 2];
	const struct value values[] = { text(long_text) };

	memset(long_text, 'a', LONG);
	snprintf(line, sizeof(line), "%s\n", long_text);
	EXPECT(!strcmp(row_of(columns, values, 1), line));
}

static const struct column some[] = {
	{ "pid", "PID", 4 },
	{ "offset", NULL, 0 },
	{ "hidden", "HIDDEN", -6 },
	{ "name", "NAME", 0 },
};

static struct value values[] = {
	{ .kind = OUT_NUMBER, .number = 12 },
	{ .kind = OUT_ADDRESS, .number = 16 },
	{ .kind = OUT_BOOL, .number = 1 },
	{ .kind = OUT_STRING, .string = "a,\"b\"" },
};

TEST(cells_of_csv_are_quoted_where_they_must_be)
{
	const struct value none = fd_number(UINT32_MAX);

	out_form = OUT_CSV;
	EXPECT_STR(head_of(some, 4), "pid,offset,hidden,name\n");
	EXPECT_STR(row_of(some, values, 4), "12,0x10,true,\"a,\"\"b\"\"\"\n");
	EXPECT_STR(row_of(some, &none, 1), "\n");
	out_form = OUT_TABLE;
}

/* A table is one for each look, but lines of CSV go on; the first look may have had none. */
TEST(csv_has_one_head_for_all_looks)
{
	headed = false;
	out_again = true;
	out_form = OUT_CSV;
	EXPECT_STR(head_of(some, 4), "pid,offset,hidden,name\n");
	EXPECT_STR(head_of(some, 4), "");
	out_form = OUT_TABLE;
	EXPECT(*head_of(some, 4));
	out_again = false;
}

TEST(columns_are_those_that_are_named)
{
	choose_columns("name,offset,pid");
	EXPECT_STR(head_of(some, 4), "NAME             offset            PID \n");
	EXPECT_STR(row_of(some, values, 4), "a,\"b\"            10                 12 \n");
	out_form = OUT_CSV;
	EXPECT_STR(head_of(some, 4), "name,offset,pid\n");
	out_form = OUT_JSON;
	EXPECT_STR(row_of(some, values, 4),
		   "{\"name\":\"a,\\\"b\\\"\",\"offset\":\"0x10\",\"pid\":12}\n");
	out_form = OUT_TABLE;
	choose_columns("name,nome");
	IS_WRONG(out_head(some, 4), "'nome' is no column; these are: pid, offset, hidden, name");
	IS_WRONG(choose_columns("pid,,name"), "a name is missing");
	nr_chosen = 0;
}

static bool has_row(const char *condition, const char *another)
{
	bool is;

	choose_rows(condition);
	if (another)
		choose_rows(another);
	is = *row_of(some, values, 4);
	nr_conditions = 0;
	return is;
}

TEST(rows_are_those_of_which_all_conditions_are_so)
{
	EXPECT(has_row("pid=12", NULL));
	EXPECT(!has_row("pid=1", NULL));
	EXPECT(has_row("pid!=1", NULL));
	EXPECT(!has_row("pid!=12", NULL));
	EXPECT(has_row("hidden=yes", "offset=10"));
	EXPECT(!has_row("hidden=yes", "offset=16"));
	EXPECT(has_row("name~b", "pid~2"));
	EXPECT(!has_row("name~c", NULL));
	EXPECT(has_row("name~", NULL));
	EXPECT(!has_row("name=", NULL));
	out_form = OUT_JSON;
	EXPECT(has_row("hidden=yes", NULL));
	out_form = OUT_TABLE;
	IS_WRONG(choose_rows("pid"), "a condition is NAME=TEXT");
	IS_WRONG(choose_rows("=1"), "a condition is NAME=TEXT");
	IS_WRONG(choose_rows("pid!1"), "a condition is NAME=TEXT");
	choose_rows("nome=1");
	IS_WRONG(out_head(some, 4), "'nome' is no column");
	nr_conditions = 0;
	for (int i = 0; i < MAX_CONDITIONS; i++)
		choose_rows("pid=12");
	IS_WRONG(choose_rows("pid=12"), "more than 16 conditions");
	nr_conditions = 0;
}
