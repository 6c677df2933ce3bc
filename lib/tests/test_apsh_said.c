// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: verdicts that its tool says of a whole check. */
#include "apsh_findings.h"
#include "apsh_probe.h"

#include "../../tools/apsh/check.c"

bool command_differs, command_incomplete;

/* In place of those that print. */
void out_head(const struct column *all, int nr)
{
	(void)all;
	EXPECT_EQ(nr, 5);
}

void out_row(const struct column *all, const struct value *values, int nr)
{
	(void)all;
	(void)values;
	EXPECT_EQ(nr, 5);
}

/* Check a kernel in which a probe's node is broken. */
static void check_broken(bool drawn_out)
{
	struct doca_apsh_system *s;
	u64 *node;

	set_up_sound(4);
	node = at_va(field_va(new_probe(code_va()), F_KPROBE_NODE));
	node[1] = 0;
	s = started_system();
	s->source.drawn_out = drawn_out;
	command_differs = command_incomplete = false;
	OK(check_system(s, "hook"));
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Links that do not agree are of different times, in an image that took time to write. */
TEST(links_that_are_broken)
{
	check_broken(false);
	EXPECT(command_differs);
	EXPECT(!command_incomplete);
	check_broken(true);
	EXPECT(!command_differs);
	EXPECT(command_incomplete);
}
