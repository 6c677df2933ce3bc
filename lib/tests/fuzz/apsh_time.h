/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Time, as the fuzzers of App Shield have it: it goes on, and nobody waits. */
#ifndef DOCA_TESTS_FUZZ_APSH_TIME_H
#define DOCA_TESTS_FUZZ_APSH_TIME_H

#include <stdint.h>
#include <time.h>

/* The target does not run on while the library waits for it. */
int nanosleep(const struct timespec *requested, struct timespec *remaining)
{
	(void)requested;
	(void)remaining;
	return 0;
}

/* Time goes on here: calls must end by it. */
void clock_stop(uint64_t ns)
{
	(void)ns;
}

#endif /* DOCA_TESTS_FUZZ_APSH_TIME_H */
