// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: rows that its tool prints. */
#include "ktap.h"

#include "../../tools/apsh/out.c"

enum { LONG = 20000 };

static char printed[2 * LONG];

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
	out_json = true;
	EXPECT_STR(row_of(columns, values, 4), "{\"pid\":12,\"offset\":\"0x10\",\"name\":\"ab\","
					       "\"path\":\"/\\\\x0a\"}\n");
	out_json = false;
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
	out_json = true;
	EXPECT_STR(row_of(columns, &idle, 1), "{\"state\":1026}\n");
	out_json = false;
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
