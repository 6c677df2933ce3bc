/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_SELFTESTS_SKIP_H
#define DOCA_SELFTESTS_SKIP_H

#include <unistd.h>

/*
 * For FIXTURE_SETUP and for children. The harness runs a test although its setup skipped,
 * so exit with the code that it takes for a skip.
 */
#define HARNESS_EXIT_SKIP 255
#define SKIP_SETUP(fmt, ...) SKIP(_exit(HARNESS_EXIT_SKIP), fmt, ##__VA_ARGS__)

#endif
