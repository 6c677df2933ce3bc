/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Debug mode for the whole program. */
#ifndef DOCA_TESTS_DEBUG_MODE_H
#define DOCA_TESTS_DEBUG_MODE_H

#include <stdlib.h>

#include "logged.h"

/* Runs before the library reads the environment. */
__attribute__((constructor(101))) static void switch_on(void)
{
	setenv("DOCA_DEBUG", "1", 1);
}

#endif /* DOCA_TESTS_DEBUG_MODE_H */
