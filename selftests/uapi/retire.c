// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Take memory away, one piece after the other, whatever executors do meanwhile: if none is
 * executing, no call waits, and all that a file has ends together. timing_costs.c measures
 * the cost beside busy executors.
 */
#include "../lib/first_byte.h"
#include "counts.h"
#include "retire.h"

/* Works end what is mapped for an engine, and a call waits for its own. */
static bool has_engine_alone(void)
{
	return first_byte("/sys/module/doca/parameters/software") == 'N';
}

TEST_F(retire, nobody_is_waited_for)
{
	bool idle = !self->busy && !self->polls && !has_engine_alone();
	unsigned int i, round;
	long sleeps;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (round = 0; round < rounds(1); round++) {
			ASSERT_EQ(0, do_all(self, kinds[i].make));
			sleeps = own_sleeps();
			ASSERT_EQ(0, do_all(self, kinds[i].take));
			sleeps = own_sleeps() - sleeps;
			TH_LOG("%s: slept %ld times", kinds[i].name, sleeps);
			if (idle || kinds[i].make == make_elsewhere)
				EXPECT_GT(MAPS / 10, sleeps);
		}
	}
}

TEST_HARNESS_MAIN
